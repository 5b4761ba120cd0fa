"""The two files of a replay: the inputs of a test for the driver, and what the driver says of the run.

    test ──encoded()──► DATA ──► driver ──► RECORD ──decoded()──► Ran

Their forms are those of runtime/replay/replay.h: numbers are little-endian u32, places are offsets in the file.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum

import numpy as np
from msgspec import Struct, field

from veer.execution.stubcalls import Record
from veer.model.comparison import Look
from veer.model.inputs import Cell, MemoryObject, Pointer, Root
from veer.model.literal import image
from veer.model.made import Link
from veer.model.program import Program
from veer.model.result import Test
from veer.model.types import ExtentKind
from veer.wire.layout import OUTPUT, OutputKind

_MAGIC = 0x5052_5603
_STEPS = 32
_HEADER = struct.Struct(f"<{16 + _STEPS}I")
_ROOT = struct.Struct("<6I")
_OBJECT = struct.Struct("<8I")
_LINK = struct.Struct("<4I")
_CALL = struct.Struct("<4I")
_MADE = struct.Struct("<6I")
_RECORD = struct.Struct("<4I6Q")
_NOWHERE = Look()
_NO_LINK = Link(0, 0)
MOST_NAMES = 256
"""Names whose numbers are counted in a run."""
LONGEST_NAME = 120
"""Of a name that is counted, with the NUL behind it."""
_ASKED = struct.Struct(f"<2I{LONGEST_NAME}s")
_RESULT = 1 << 16
_OUTPUTS = 1 << 20
_RESULT_AT = _RECORD.size + MOST_NAMES * _ASKED.size
_OUTPUTS_AT = _RESULT_AT + _RESULT
RECORD_SIZE = _OUTPUTS_AT + _OUTPUTS
"""Bytes of a RECORD, all zeros before the run."""
HEAD_SIZE = _RECORD.size
"""Bytes at the beginning of a RECORD that say how much of it is written."""


class State(IntEnum):
    """How far the run came. Of a process that could not be started it is NONE."""

    NONE = 0
    BEGUN = 1
    RETURNED = 2
    REFUSED = 3


class Owner(IntEnum):
    """Whose pointer leads to a block that a run made."""

    RESULT = 0
    OBJECT = 1
    VARIABLE = 2
    MADE = 3
    POOL = 4


class Memory(Struct, frozen=True):
    """What lay at an address when the entry had returned."""

    address: int
    data: bytes


class Ran(Struct, frozen=True):
    """What a replayed run left.

    `result`: the bytes of all results, as the campaign records them; `asked`: how many numbers of each name it asked
    for; `objects`: the input objects by their number, of one that the recorded run freed only the address;
    `variables`: Program.outputs by their place; `pools`: where the objects of a call sequence lie, by PoolObject.key;
    `made`: the blocks that the recorded run made, by their place among them, from 1 on; `freed`: numbers of input
    objects; `records`: all of these, and the calls of stubs, in their order.
    """

    state: State
    result: bytes = b""
    asked: Mapping[str, int] = field(default_factory=dict)
    objects: Mapping[int, Memory] = field(default_factory=dict)
    variables: Mapping[int, Memory] = field(default_factory=dict)
    pools: Mapping[int, Memory] = field(default_factory=dict)
    made: Mapping[int, Memory] = field(default_factory=dict)
    freed: frozenset[int] = frozenset()
    records: Sequence[Record] = ()


def encoded(program: Program, test: Test, edge_count: int = 0, line_count: int = 0) -> bytes:
    """The DATA of a test. `edge_count`, `line_count`: what the counters build counts."""
    recorded = frozenset(output.number for output in test.outputs)
    return _Writer(program, test, recorded).write(edge_count, line_count)


def encoded_version(program: Program, test: Test, version: int, look: Look) -> bytes:
    """The DATA of a test for one of two versions (0 the old one); all its objects are looked at behind the call."""
    recorded = frozenset(item.number for item in test.inputs.objects)
    return _Writer(program, test, recorded).write(version=version, look=look)


class _Writer:
    def __init__(self, program: Program, test: Test, recorded: frozenset[int]) -> None:
        self._functions = {
            row.callback: row.id for row in program.types if row.callback and row.extent is ExtentKind.FUNCTION
        }
        self._is_apart = bool(program.preconditions)
        self._variables = {variable.name: place for place, variable in enumerate(program.outputs)}
        self._test = test
        self._recorded = recorded
        self._links: list[bytes] = []
        self._contents = bytearray()
        self._begin = 0

    def write(self, edge_count: int = 0, line_count: int = 0, *, version: int = 0, look: Look = _NOWHERE) -> bytes:
        inputs = self._test.inputs
        receivers = [number for call in inputs.calls for number in call.receivers]
        owners: list[Root | MemoryObject] = [*inputs.roots, *inputs.objects]
        links = sum(self._is_link(cell) for owner in owners for cell in owner.cells)
        self._begin = (
            _HEADER.size
            + _ROOT.size * len(inputs.roots)
            + _OBJECT.size * len(inputs.objects)
            + _LINK.size * links
            + _CALL.size * len(inputs.calls)
            + 4 * len(receivers)
            + _MADE.size * len(self._test.left.made)
        )
        roots = [self._root(root) for root in inputs.roots]
        objects = [self._object(item, is_recorded=item.number in self._recorded) for item in inputs.objects]
        calls: list[bytes] = []
        first = 0
        for call in inputs.calls:
            calls.append(_CALL.pack(call.callee, call.made, first, len(call.receivers)))
            first += len(call.receivers)
        header = _HEADER.pack(
            _MAGIC,
            len(roots),
            len(objects),
            len(self._links),
            len(calls),
            len(receivers),
            edge_count,
            line_count,
            int(self._is_apart),
            version,
            look.kind,
            look.number,
            look.size,
            len(look.steps),
            *(step & 0xFFFF_FFFF for step in look.steps),
            *[0] * (_STEPS - len(look.steps)),
            len(self._test.left.made),
            0,
        )
        numbers = struct.pack(f"<{len(receivers)}I", *receivers)
        return b"".join([header, *roots, *objects, *self._links, *calls, numbers, *self._made(), bytes(self._contents)])

    def _made(self) -> Iterator[bytes]:
        """The blocks that the run made, each with the first pointer that leads to it."""
        left = self._test.left
        owners: dict[int, tuple[int, int, Link]] = {}
        owned: list[tuple[Owner, int, Sequence[Link]]] = [(Owner.POOL, each.key, (each.link,)) for each in left.pools]
        owned += [(Owner.RESULT, 0, left.result), *((Owner.OBJECT, *each) for each in left.objects)]
        owned += [(Owner.VARIABLE, self._variables.get(name, 0), links) for name, links in left.variables]
        owned += [(Owner.MADE, number, each.links) for number, each in enumerate(left.made, 1)]
        for kind, number, links in owned:
            for link in links:
                is_known = kind is not Owner.MADE or number < -link.to
                if link.to < 0 and is_known:
                    owners.setdefault(-link.to, (kind, number, link))
        for place, block in enumerate(left.made, 1):
            owner, number, link = owners.get(place, (int(Owner.MADE), 0, _NO_LINK))
            yield _MADE.pack(owner, number, link.at, link.offset, len(block.data), 0)

    def _root(self, root: Root) -> bytes:
        name = self._put(root.name.encode(errors="surrogateescape") + b"\0")
        place = self._put(image(root.cells, root.size))
        return _ROOT.pack(name, root.occurrence, place, root.size, *self._linked(root.cells))

    def _object(self, item: MemoryObject, *, is_recorded: bool) -> bytes:
        place = self._put(image(item.cells, item.size))
        links = self._linked(item.cells)
        # -1 is no type: its number has no row in the harness's tables.
        return _OBJECT.pack(item.type & 0xFFFF_FFFF, item.count, place, item.size, *links, int(is_recorded), 0)

    def _linked(self, cells: Sequence[Cell]) -> tuple[int, int]:
        """Appends the links of these cells; the number of the first, and how many."""
        first = len(self._links)
        for cell in cells:
            if self._is_link(cell):
                self._links.append(self._link(cell))
        return first, len(self._links) - first

    def _is_link(self, cell: Cell) -> bool:
        value = cell.value
        return isinstance(value, Pointer) and (value.function in self._functions or bool(value.target))

    def _link(self, cell: Cell) -> bytes:
        assert isinstance(cell.value, Pointer)
        return _LINK.pack(
            cell.offset,
            cell.value.target or 0,
            self._functions.get(cell.value.function, 0),
            cell.value.into or cell.value.inside,
        )

    def _put(self, data: bytes) -> int:
        """Appends bytes; their place."""
        place = self._begin + len(self._contents)
        self._contents += data
        return place


def written_size(head: bytes) -> int:
    """Up to where a RECORD with this head may be written."""
    _, _, output_length, *_ = _RECORD.unpack(head)
    return _OUTPUTS_AT + min(output_length, _OUTPUTS) if output_length else _OUTPUTS_AT


def decoded(record: bytes) -> Ran:
    """What a RECORD says. What is cut short is left out."""
    state, result_length, output_length, asked_count, *_ = _RECORD.unpack_from(record)
    asked = {}
    for index in range(min(asked_count, MOST_NAMES)):
        count, _, name = _ASKED.unpack_from(record, _RECORD.size + index * _ASKED.size)
        asked[name.rstrip(b"\0").decode(errors="surrogateescape")] = count
    records: list[Record] = []
    kinds = (OutputKind.OBJECT, OutputKind.AFTER, OutputKind.POOL, OutputKind.MADE, OutputKind.FREED)
    found: dict[int, dict[int, Memory]] = {kind: {} for kind in kinds}
    place, end = _OUTPUTS_AT, _OUTPUTS_AT + min(output_length, _OUTPUTS)
    while place + OUTPUT.itemsize <= end:
        head = np.frombuffer(record, OUTPUT, 1, place)[0]
        place += OUTPUT.itemsize
        data = record[place : place + int(head["size"])]
        records.append(Record(int(head["kind"]), int(head["number"]), int(head["address"]), data))
        found.get(int(head["kind"]), {})[int(head["number"])] = Memory(int(head["address"]), data)
        place += len(data)
    return Ran(
        State(state) if state in set(State) else State.NONE,
        record[_RESULT_AT : _RESULT_AT + min(result_length, _RESULT)],
        asked,
        found[OutputKind.OBJECT],
        found[OutputKind.AFTER],
        found[OutputKind.POOL],
        found[OutputKind.MADE],
        frozenset(found[OutputKind.FREED]),
        records,
    )
