"""What a recorded run left behind: its input objects and globals after the call, with pointers resolved to objects.

The region `outputs` holds records of `layout.OUTPUT`, each followed by its bytes:

    BEFORE 0   AFTER 0   OBJECT 1   OBJECT 2 ...      a global's number is its place in Program.outputs

UNWRITTEN follows a record of which the unit has never written some bytes: nobody can expect anything there.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from veer.execution.stubcalls import Record, called
from veer.model.inputs import InputMap
from veer.model.literal import image, leaves, object_leaves
from veer.model.program import Program
from veer.model.result import Output
from veer.model.stubcalls import Called, Mocks
from veer.wire.layout import (
    HEAP_BASE,
    HEAP_SIZE,
    NONE,
    OUTPUT,
    PLAIN_BEGIN,
    PLAIN_END,
    STACK_BASE,
    STACK_SIZE,
    OutputKind,
)
from veer.wire.shared import Shared

_POINTER_SIZE = 8


def outputs(shared: Shared, program: Program, inputs: InputMap) -> tuple[Output, ...]:
    """The outputs of the last recorded run; empty when what it left does not fit its inputs."""
    records = list(_records(shared.published("outputs").tobytes()))
    objects = {record.number: record for record in records if record.kind == OutputKind.OBJECT}
    if objects.keys() - {item.number for item in inputs.objects}:
        return ()
    starts = {record.address: number for number, record in objects.items()}
    unwritten = {record.address: record.data for record in records if record.kind == OutputKind.UNWRITTEN}
    objects_left = _objects(program, inputs, objects, starts, unwritten)
    return (*_globals(program, records, starts, unwritten), *objects_left)


def stub_calls(shared: Shared, program: Program, inputs: InputMap) -> Called | None:
    """The calls of stubs of the last recorded run; None where they are not known."""
    if program.mocks is Mocks.NONE:
        return None
    records = list(_records(shared.published("outputs").tobytes()))
    return called(records, program, {item.number: item.size for item in inputs.objects}, has_flags=True)


def returned_object(shared: Shared, returned: bytes | None) -> int:
    """The number of the input object that starts where the returned pointer points; 0 for none."""
    if returned is None or len(returned) != _POINTER_SIZE:
        return 0
    address = int.from_bytes(returned, "little")
    records = _records(shared.published("outputs").tobytes())
    found = (r.number for r in records if r.kind == OutputKind.OBJECT and r.address == address)
    return next(found, 0)


def is_returned_whole(shared: Shared, program: Program) -> bool:
    """Whether the unit has written all members of what the entry returned (padding is none)."""
    entry = program.function(program.entry)
    records = _records(shared.published("outputs").tobytes())
    data = next((r.data for r in records if r.kind == OutputKind.UNWRITTEN and r.number == NONE), b"")
    if not data or entry is None or entry.returns < 0:
        return True
    members = leaves(program.types, program.types[entry.returns])
    return not any(any(data[leaf.offset : leaf.offset + leaf.type.size]) for leaf in members)


def _records(data: bytes) -> Iterator[Record]:
    position = 0
    while position + OUTPUT.itemsize <= len(data):
        head = np.frombuffer(data, OUTPUT, 1, position)[0]
        position += OUTPUT.itemsize
        size = int(head["size"])
        yield Record(int(head["kind"]), int(head["number"]), int(head["address"]), data[position : position + size])
        position += size


def _globals(
    program: Program, records: list[Record], starts: dict[int, int], unwritten: dict[int, bytes]
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
            pointers = _pointers(record.data, starts, _union_words(program, variable.type, 1, len(record.data)))
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
            pointers = _pointers(after, starts, _union_words(program, item.type, item.count, item.size))
            yield Output(item.number, item.path, item.type, before, after, pointers, never)


def _offsets(flags: bytes) -> tuple[int, ...]:
    return tuple(at for at, flag in enumerate(flags) if flag)


def _pointers(data: bytes, starts: dict[int, int], in_unions: frozenset[int]) -> tuple[tuple[int, int], ...]:
    """Aligned words that hold an address of this run: of an input object's start its number, else 0."""
    words = [(at, int.from_bytes(data[at : at + _POINTER_SIZE], "little")) for at in range(0, len(data) - 7, 8)]
    return tuple(
        (at, starts.get(word, 0))
        for at, word in words
        if word in starts or _is_address(word) or (at in in_unions and PLAIN_BEGIN <= word < PLAIN_END)
    )


def _union_words(program: Program, identity: int, count: int, size: int) -> frozenset[int]:
    """The aligned words that lie in unions. What a number says there may be the address of a function or of static
    data, which no type tells."""
    if not 0 <= identity < len(program.types):
        return frozenset()
    found = object_leaves(program.types, program.types[identity], count, size)
    return frozenset(leaf.offset & -_POINTER_SIZE for leaf in found if leaf.in_union)


def _is_address(word: int) -> bool:
    """Whether it may be an address of the unit's heap or stack: in another build that is another number."""
    return HEAP_BASE <= word < HEAP_BASE + HEAP_SIZE or STACK_BASE <= word < STACK_BASE + STACK_SIZE
