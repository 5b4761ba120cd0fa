"""Templates of jinja2 that are compiled once for a machine: their code is kept in veer's cache.

Reports and suites share it. To compile those of one result takes 45 ms, to read their code 3 ms.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from jinja2 import BytecodeCache, Environment, FunctionLoader, StrictUndefined
from jinja2.bccache import Bucket

from veer.model.cachedir import cache_root
from veer.model.wholefile import replace_file

KIND = "template"
"""The folder of the cache."""


def templates(text: Callable[[str], str], *, autoescape: bool, **lexing: bool) -> Environment:
    """An environment whose templates are what `text` says for a name; `lexing`: how jinja2 treats blanks."""
    return Environment(
        loader=FunctionLoader(lambda name: (text(name), None, lambda: True)),
        bytecode_cache=_Kept(),
        undefined=StrictUndefined,
        autoescape=autoescape,
        **lexing,  # type: ignore[arg-type]
    )


class _Kept(BytecodeCache):
    """Files that are named by the template's text. What cannot be kept is compiled anew."""

    def load_bytecode(self, bucket: Bucket) -> None:
        with suppress(Exception):  # whatever a broken file raises
            bucket.bytecode_from_string(_place(bucket).read_bytes())

    def dump_bytecode(self, bucket: Bucket) -> None:
        with suppress(OSError):
            replace_file(_place(bucket), bucket.bytecode_to_string())


def _place(bucket: Bucket) -> Path:
    """Of the code that this Python and this jinja2 make of the template in this environment."""
    options = bucket.environment
    asked = (bucket.key, bucket.checksum, sys.version, options.autoescape, options.trim_blocks, options.lstrip_blocks)
    key = hashlib.sha256(repr(asked).encode()).hexdigest()[:32]
    return cache_root() / KIND / key[:2] / key
