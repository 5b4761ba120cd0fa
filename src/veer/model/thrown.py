"""What a call throws, in languages where its result says so: a member `thrown` beside its value (frontends/java)."""

from __future__ import annotations

from veer.model.program import Program

THROWN = "thrown"


def thrown(program: Program, returned: bytes | None) -> int | None:
    """The number of the class that is thrown, 0 for none; None where the entry's result says nothing of it."""
    entry = program.function(program.entry)
    if entry is None or entry.returns < 0 or returned is None:
        return None
    field = next((each for each in program.types[entry.returns].fields if each.name == THROWN), None)
    if field is None or not program.types[field.type].enumerators:
        return None
    size = program.types[field.type].size
    return int.from_bytes(returned[field.offset : field.offset + size], "little")
