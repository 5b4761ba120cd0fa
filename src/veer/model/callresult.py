"""What a call gives in a language of objects: a struct of the value, or the object, and of what was thrown.

parse("7")      value 7, thrown 0
parse("x")      thrown: the number of NumberFormatException among the enumerators of its type

What an object holds follows as text (objectgraph.py).
"""

from __future__ import annotations

from veer.model.objectgraph import RESULT
from veer.model.program import Program
from veer.model.types import Field, TypeKind

VALUE, REFERENCE, THROWN = "value", "object", "thrown"
"""The members of a result."""


def members(program: Program) -> dict[str, Field]:
    """The members of the entry's result, by their names; none where it is no struct."""
    entry = program.function(program.entry)
    fields = program.types[entry.returns].fields if entry is not None and entry.returns >= 0 else ()
    return {each.name: each for each in fields}


def thrown(program: Program, returned: bytes | None) -> int | None:
    """The number of the class that is thrown, 0 for none; None where the entry's result says nothing of it."""
    member = members(program).get(THROWN)
    if member is None or returned is None or not program.types[member.type].enumerators:
        return None
    return int.from_bytes(returned[member.offset : member.offset + program.types[member.type].size], "little")


def ending(program: Program, returned: bytes | None) -> tuple[int, str] | None:
    """How a call ends, as far as a reader of its tests would ask: the number of the class that is thrown; else 0 and
    the sort of what it returns ("null", "empty", "true", "below 0"). None where the result has no such members."""
    number = thrown(program, returned)
    if number is None or returned is None:
        return None
    return (number, "") if number else (0, _sort(program, returned))


def _sort(program: Program, returned: bytes) -> str:
    has = members(program)
    if REFERENCE in has:
        first = told_behind(program, returned).split("\n", 1)[0].partition(f"{RESULT} ")[2]
        return {"null": "null", "S": "empty"}.get(first, "other")
    type_ = program.types[has[VALUE].type] if VALUE in has else None
    if type_ is None or type_.kind not in (TypeKind.BOOL, TypeKind.SIGNED):
        return ""
    at = has[VALUE].offset
    number = int.from_bytes(returned[at : at + type_.size], "little", signed=type_.kind is TypeKind.SIGNED)
    if type_.kind is TypeKind.BOOL:
        return "true" if number & 1 else "false"
    return "below 0" if number < 0 else "above 0" if number > 0 else "0"


def told_behind(program: Program, returned: bytes) -> str:
    """The text behind the members of a result; empty where it has none."""
    entry = program.function(program.entry)
    size = program.types[entry.returns].size if entry is not None and entry.returns >= 0 else len(returned)
    return returned[size:].decode(errors="replace")


def classes(program: Program) -> dict[int, str]:
    """The classes that the entry may throw, by their numbers."""
    member = members(program).get(THROWN)
    return {value: name for name, value in program.types[member.type].enumerators} if member is not None else {}
