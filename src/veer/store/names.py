"""Names of a result that was read back: suites write them into code, so that they must not be code themselves."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from veer.model.program import Carried, SymbolicFile
from veer.model.result import Result

_FIELDS = frozenset({"name", "entry", "function", "callback", "callee", "language"})
_OTHER = (SymbolicFile, Carried)
"""Their names are those of files, which suites write as strings."""
_NO_NAME = re.compile(r'[\x00-\x1f\x7f"\\]|/\*|\*/|//|[;#{}`](?![^()]*\))')
"""Line ends, quotes, comments; and what ends a statement, but in the parentheses of Java's descriptors."""
_ERROR_SET = re.compile(r"\berror\{(?:\w+(?:,\w+)*)?\}")
"""A type of Zig's that has no other name."""


def require_names(result: Result) -> None:
    """Raises ValueError where a function, a type, a member, a parameter or a test has a name that is none."""
    texts = (*result.program.stubs, *(name for name, _ in result.program.zeros), *_named(result.program))
    for text in (*texts, *(test.name for test in result.tests)):
        if _NO_NAME.search(_ERROR_SET.sub("", text)):
            raise ValueError(f"{text[:60]!r} is no name")


def _named(value: Any) -> Iterator[str]:
    """What the values below call themselves, and what they name."""
    if isinstance(value, _OTHER):
        return
    if isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            found = getattr(value, field)
            if field in _FIELDS and isinstance(found, str):
                yield found
            else:
                yield from _named(found)
    elif isinstance(value, tuple | list):
        for each in value:
            yield from _named(each)
    elif isinstance(value, dict):
        for key, each in value.items():
            if isinstance(key, str):
                yield key
            yield from _named(each)
