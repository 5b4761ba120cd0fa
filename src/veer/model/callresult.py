"""What a call gives in a language of objects: a struct of the value, or the object, and of what was thrown.

parse("7")      value 7, thrown 0
parse("x")      thrown: the number of NumberFormatException among the enumerators of its type
"""

from __future__ import annotations

from veer.model.program import Program
from veer.model.types import Field

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


def classes(program: Program) -> dict[int, str]:
    """The classes that the entry may throw, by their numbers."""
    member = members(program).get(THROWN)
    return {value: name for name, value in program.types[member.type].enumerators} if member is not None else {}
