"""The calls of stubs from the records of a run, of the campaign's build or of a plain one.

    CALL 3   ARGUMENT 0   BEHIND 0   ARGUMENT 1   CALL 3 ...     a call's number is its stub's place in Program.stubs,
                                                     or FIRST_CALLBACK and the callback's own

An argument of the campaign has a flag for each byte behind its bytes: whether nobody wrote it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec import Struct

from veer.execution.addresses import is_of_unit, words
from veer.model.program import DEVICE_LOG, Program
from veer.model.stubcalls import FIRST_CALLBACK, MOST_COUNTED, MOST_SEEN, Argument, Behind, Called, StubCall
from veer.model.values import replace
from veer.model.written import POINTER_SIZE
from veer.wire.layout import OutputKind


class Record(Struct, frozen=True):
    """A record of the region `outputs`."""

    kind: int
    number: int
    address: int
    data: bytes


class NamedMemory(Struct, frozen=True):
    """Memory that has a name in tests: an input object by its number, or a variable of the unit."""

    address: int
    size: int
    number: int = 0
    variable: str = ""


def called(records: Sequence[Record], program: Program, sizes: dict[int, int], *, has_flags: bool) -> Called | None:
    """The calls; None where there are more than are counted. `sizes`: of the input objects, by their number."""
    groups: list[list[Record]] = []
    for record in records:
        if record.kind == OutputKind.CALL:
            groups.append([record])
        elif groups and record.kind in (OutputKind.ARGUMENT, OutputKind.BEHIND):
            groups[-1].append(record)
    names = [_function(program, group[0].number) for group in groups]
    if len(groups) >= MOST_COUNTED or "" in names:
        return None
    places = tuple(_places(records, program, sizes))
    first = [
        StubCall(name, tuple(_arguments(program, name, group[1:], places, has_flags=has_flags)))
        for name, group in list(zip(names, groups, strict=True))[:MOST_SEEN]
    ]
    return Called(tuple(sorted(Counter(names).items())), tuple(first))


def _function(program: Program, number: int) -> str:
    if number >= FIRST_CALLBACK:
        return f"veer_callback_{number - FIRST_CALLBACK}"
    return program.stubs[number] if number < len(program.stubs) else ""


def _places(records: Iterable[Record], program: Program, sizes: dict[int, int]) -> Iterable[NamedMemory]:
    for record in records:
        if record.kind == OutputKind.OBJECT and record.number in sizes:
            yield NamedMemory(record.address, sizes[record.number], number=record.number)
        elif record.kind == OutputKind.AFTER and record.number < len(program.outputs):
            name = program.outputs[record.number].name
            if name != DEVICE_LOG:
                yield NamedMemory(record.address, len(record.data), variable=name)


def _arguments(
    program: Program, name: str, records: Sequence[Record], places: Sequence[NamedMemory], *, has_flags: bool
) -> Iterable[Argument]:
    passed = program.passed_to(name)
    behind = {record.number: record for record in records if record.kind == OutputKind.BEHIND}
    for record in records:
        if record.kind == OutputKind.ARGUMENT and record.number < len(passed):
            held = _behind(behind.get(record.number), places, has_flags=has_flags)
            is_pointer = passed[record.number].is_pointer
            yield _argument(record, held, places, is_pointer=is_pointer, has_flags=has_flags)


def _argument(
    record: Record, held: Behind | None, places: Sequence[NamedMemory], *, is_pointer: bool, has_flags: bool
) -> Argument:
    value, flags = _split(record.data, has_flags=has_flags)
    word = int.from_bytes(value, "little") if len(value) == POINTER_SIZE else 0
    if not is_pointer:
        return Argument(value, not any(flags) and not is_of_unit(word))
    found = Argument(value, not any(flags), behind=held)
    # The end of one object may be the start of another, which no other build need place there.
    near = [each for each in places if word and each.address <= word <= each.address + each.size]
    if len(near) != 1:
        return found
    return replace(found, leads_to=near[0].number, variable=near[0].variable, offset=word - near[0].address)


def _behind(record: Record | None, places: Sequence[NamedMemory], *, has_flags: bool) -> Behind | None:
    if record is None:
        return None
    data, flags = _split(record.data, has_flags=has_flags)
    starts = {place.address: place.number for place in places if place.number}
    pointers = tuple((at, starts.get(word, 0)) for at, word in words(data) if word in starts or is_of_unit(word))
    return Behind(data, pointers, tuple(at for at, flag in enumerate(flags) if flag))


def _split(data: bytes, *, has_flags: bool) -> tuple[bytes, bytes]:
    return (data[: len(data) // 2], data[len(data) // 2 :]) if has_flags else (data, b"")
