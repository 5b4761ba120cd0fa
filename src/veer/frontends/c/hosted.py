"""Sources in words of another compiler, as files that the host's compiler reads (dialects/translation.py)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from veer.frontends.c.dialects.translation import Translator, folders_of
from veer.frontends.c.dialects.words import words_of
from veer.frontends.c.flags import user_flags
from veer.model.options import BuildOptions
from veer.toolchain.cache import digest
from veer.toolchain.compiler import Toolchain

_NO_UTF_8 = re.compile("[\udc80-\udcff]")
"""Bytes of other encodings: in texts an escape says the same, and results are JSON."""


@dataclass(frozen=True, slots=True)
class Hosted:
    """What is read in a source's place: None, where it is C. `headers`: that stand in it; `notes`: what does not."""

    file: Path | None = None
    headers: tuple[Path, ...] = ()
    notes: tuple[str, ...] = ()


def hosted(options: BuildOptions, toolchain: Toolchain, source: Path) -> Hosted:
    """The source as C, in the cache. Raises UsageError for what has no meaning here, with its file and line."""
    words = words_of(options.preludes)
    if words.is_empty:
        return Hosted()
    made = Translator(words, folders_of(user_flags(options, source))).translated(source)
    if made is None:
        return Hosted()
    text = _NO_UTF_8.sub(lambda byte: f"\\{ord(byte[0]) - 0xDC00:03o}", made.text)
    return Hosted(toolchain.cache.write(text.encode(), "harness", digest(text), source.suffix), made.read, made.notes)
