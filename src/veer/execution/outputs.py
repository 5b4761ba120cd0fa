"""What a recorded run left behind: its input objects and globals after the call, with pointers resolved to objects.

The region `outputs` holds records of `layout.OUTPUT`, each followed by its bytes:

    BEFORE 0   AFTER 0   OBJECT 1   OBJECT 2 ...      a global's number is its place in Program.outputs

UNWRITTEN follows a record of which the unit has never written some bytes: nobody can expect anything there.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from veer.execution.addresses import is_of_image, is_of_unit, words
from veer.execution.stubcalls import Record, called
from veer.model.inputs import InputMap
from veer.model.literal import image, leaves, object_leaves
from veer.model.program import Program
from veer.model.result import Output
from veer.model.stubcalls import Called, Mocks
from veer.model.written import POINTER_SIZE
from veer.wire.layout import (
    NONE,
    OUTPUT,
    OutputKind,
)
from veer.wire.shared import Shared

_HEAD = struct.Struct("<IIQII")  # layout.OUTPUT
assert _HEAD.size == OUTPUT.itemsize


def records_of(shared: Shared) -> list[Record]:
    """What the last recorded run wrote to the region."""
    return list(_records(shared.published("outputs").tobytes()))


def outputs(records: Sequence[Record], program: Program, inputs: InputMap) -> tuple[Output, ...]:
    """The outputs of a run; empty when what it left does not fit its inputs."""
    objects = {record.number: record for record in records if record.kind == OutputKind.OBJECT}
    if objects.keys() - {item.number for item in inputs.objects}:
        return ()
    starts = {record.address: number for number, record in objects.items()}
    unwritten = {record.address: record.data for record in records if record.kind == OutputKind.UNWRITTEN}
    objects_left = _objects(program, inputs, objects, starts, unwritten)
    return (*_globals(program, records, starts, unwritten), *objects_left)


def stub_calls(records: Sequence[Record], program: Program, inputs: InputMap) -> Called | None:
    """The calls of stubs of a run; None where they are not known."""
    if program.mocks is Mocks.NONE:
        return None
    return called(records, program, {item.number: item.size for item in inputs.objects}, has_flags=True)


def returned_object(records: Sequence[Record], value: bytes | None) -> int:
    """The number of the input object that starts where the returned pointer points; 0 for none."""
    if value is None or len(value) != POINTER_SIZE:
        return 0
    address = int.from_bytes(value, "little")
    found = (r.number for r in records if r.kind == OutputKind.OBJECT and r.address == address)
    return next(found, 0)


def returned(shared: Shared, program: Program, records: Sequence[Record]) -> bytes | None:
    """What the entry returned; None where that is nothing, or has members that the unit has never written."""
    is_known = program.sequence is None and shared.counts.result_count and _is_returned_whole(records, program)
    return shared.published("result").tobytes() if is_known else None


def _is_returned_whole(records: Sequence[Record], program: Program) -> bool:
    """Whether the unit has written all members of what the entry returned (padding is none)."""
    entry = program.function(program.entry)
    data = next((r.data for r in records if r.kind == OutputKind.UNWRITTEN and r.number == NONE), b"")
    if not data or entry is None or entry.returns < 0:
        return True
    members = leaves(program.types, program.types[entry.returns])
    return not any(any(data[leaf.offset : leaf.offset + leaf.type.size]) for leaf in members)


def _records(data: bytes) -> Iterator[Record]:
    position = 0
    while position + _HEAD.size <= len(data):
        kind, number, address, size, _ = _HEAD.unpack_from(data, position)
        position += _HEAD.size
        yield Record(kind, number, address, data[position : position + size])
        position += size


def _globals(
    program: Program, records: Sequence[Record], starts: dict[int, int], unwritten: dict[int, bytes]
) -> Iterator[Output]:
    """Variables that the call changed."""
    before = {record.number: record.data for record in records if record.kind == OutputKind.BEFORE}
    for record in records:
        if record.kind != OutputKind.AFTER or record.number >= len(program.outputs):
            continue
        old = before.get(record.number, b"")
        if old != record.data:
            variable = program.outputs[record.number]
            never = _offsets(unwritten.get(record.address, b""))
            in_unions = partial(_union_words, program, variable.type, 1, len(record.data))
            pointers = _pointers(record.data, starts, in_unions)
            yield Output(0, variable.name, variable.type, old, record.data, pointers, never)


def _objects(
    program: Program,
    inputs: InputMap,
    objects: dict[int, Record],
    starts: dict[int, int],
    unwritten: dict[int, bytes],
) -> Iterator[Output]:
    for item in inputs.objects:
        # A block may have more room than this run's object of varying length has elements.
        if (record := objects.get(item.number)) is not None and len(record.data) >= item.size:
            after = record.data[: item.size]
            before = image(item.cells, item.size)
            never = _offsets(unwritten.get(record.address, b"")[: item.size])
            in_unions = partial(_union_words, program, item.type, item.count, item.size)
            pointers = _pointers(after, starts, in_unions)
            yield Output(item.number, item.path, item.type, before, after, pointers, never)


def _offsets(flags: bytes) -> tuple[int, ...]:
    return tuple(at for at, flag in enumerate(flags) if flag)


def _pointers(
    data: bytes, starts: dict[int, int], in_unions: Callable[[], frozenset[int]]
) -> tuple[tuple[int, int], ...]:
    """Aligned words that hold an address of this run: of an input object's start its number, else 0."""
    return tuple(
        (at, starts.get(word, 0))
        for at, word in words(data)
        if word in starts or is_of_unit(word) or (is_of_image(word) and at in in_unions())
    )


def _union_words(program: Program, identity: int, count: int, size: int) -> frozenset[int]:
    """The aligned words that lie in unions. What a number says there may be the address of a function or of static
    data, which no type tells."""
    if not 0 <= identity < len(program.types):
        return frozenset()
    found = object_leaves(program.types, program.types[identity], count, size)
    return frozenset(leaf.offset & -POINTER_SIZE for leaf in found if leaf.in_union)
