"""Calls of the C library in the text of a module, for what puts calls of veer's own before or behind them."""

from __future__ import annotations

import re
from collections.abc import Collection

from msgspec import Struct

_CALL = re.compile(r"  (?:%[\w.$-]+ = )?(?:tail )?call [^@\n]*@(\w+)\((.*)\)(?: #\d+)?(, !dbg !\d+)?$")
_COMMA = re.compile(r", (?![^(]*\))")
_DEFINED = re.compile(r"define [^@\n]*@\"?([\w.$]+)")


class LibraryCall(Struct, frozen=True):
    """`arguments` with their types, as the text has them; `location`: where it is in the source, as the call has it."""

    function: str
    arguments: tuple[str, ...]
    location: str


def library_call(line: str, names: Collection[str]) -> LibraryCall | None:
    """The call that a line of the text is, of one of these functions; None for others."""
    found = _CALL.match(line)
    if found is None or found[1] not in names:
        return None
    return LibraryCall(found[1], tuple(_COMMA.split(found[2])), found[3] or "")


def defined_function(line: str) -> str:
    """The function whose definition begins with this line; "" for none."""
    found = _DEFINED.match(line)
    return found[1] if found is not None else ""
