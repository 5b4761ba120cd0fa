"""Inputs that a reader likes and that changes of the unit do not survive: small, distinct, printable, or at an edge.

A search leaves what no branch asks about at 0, and so a lost write of 0 is not seen; what a branch asks about it leaves
where the solver found it. Here each leaf of a kept path's input is moved, one after the other, as far as the run stays
on its path (same hash over source branches and choices, same outcome):

    x, on the path x < 50        0 → 3 → 49     the last value before the path ends: a bound moved by one is noticed
    y, which nothing asks about  0 → 5          small, and another one than x
    c, on the path c != 'f'      0 → 'a'        printable
    mode, an enum                0 → FAST       an enumerator

Runs are probes: they leave nothing in the tree.
"""

from __future__ import annotations

import struct
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from veer.execution.decode import model_outcome, read_fault
from veer.execution.executor import Executor
from veer.model.literal import leaves as slots
from veer.model.outcome import Outcome
from veer.model.program import Program, Type
from veer.model.result import Test
from veer.oracles.bugs import identity
from veer.wire.layout import NONE, TARGET_MARK, LeafKind
from veer.wire.shared import Shared

_MOST_PROBES = 4000  # of a campaign
_MOST_SECONDS = 5.0
OUT_OF_TIME = "the values of some tests are as the search found them: each run takes long"
_MOST_LEAVES = 32  # of a test that are looked at
_SPANS = (64, 4096, 1 << 17)  # how far away the edge of a path is looked for
_SMALL = (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97)
_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_PRINTABLE = (0x20, 0x7E)
_TEXT = (LeafKind.CHAR, LeafKind.BYTE)


@dataclass(frozen=True, slots=True)
class Readable:
    """`inputs`: better inputs by path; `faults`: inputs of bugs that no run had shown before; `notes` for the user."""

    inputs: Mapping[int, bytes]
    faults: tuple[bytes, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Leaf:
    """A number of an input: its place, its type's bounds (inclusive), the constants that have a name."""

    offset: int
    width: int
    kind: LeafKind
    low: int
    high: int
    names: tuple[int, ...] = ()

    @property
    def is_text(self) -> bool:
        """Whether it is shown as a character."""
        return self.kind in _TEXT and self.width == 8

    def value(self, data: bytes) -> int:
        """The number there; a leaf behind the end is 0."""
        raw = data[self.offset : self.offset + self.width // 8]
        return int.from_bytes(raw.ljust(self.width // 8, b"\0"), "little", signed=self.low < 0)

    def put(self, data: bytes, value: int) -> bytes:
        """The input with that number in its place."""
        size = self.width // 8
        grown = data.ljust(self.offset + size, b"\0")
        raw = (value & ((1 << self.width) - 1)).to_bytes(size, "little")
        return grown[: self.offset] + raw + grown[self.offset + size :]


Keeps = Callable[[int], bool]
"""Whether the run stays on its path with this value of a leaf."""
_Side = tuple[int, int]  # a decision's site, the alternative taken


def readable(
    shared: Shared,
    executor: Executor,
    program: Program,
    tests: Sequence[Test],
    known: frozenset[object],
    stopped: Callable[[], bool] = lambda: False,
) -> Readable:
    """Better inputs for the tests that return or exit, found with a bounded number of probes.

    The ledger stays as it was. `known`: the identities of the bugs that were found already.
    """
    ledger, entries = shared.region("ledger").copy(), shared.control["ledger_count"]
    search = _Search(shared, executor, program, {*known})
    inputs: dict[int, bytes] = {}
    end = time.monotonic() + _MOST_SECONDS
    for turn, test in enumerate(tests):
        if stopped() or search.left <= 0 or time.monotonic() > end:
            break
        if test.outcome in (Outcome.RETURNED, Outcome.EXITED):
            before = shared.input_of(test.path)
            after = search.improved(before, test.outcome, turn)
            if after != before:
                inputs[test.path] = after
    shared.region("ledger")[:] = ledger
    shared.control["ledger_count"] = entries
    return Readable(inputs, tuple(search.faults), (OUT_OF_TIME,) if time.monotonic() > end else ())


@dataclass(slots=True)
class _Search:
    shared: Shared
    executor: Executor
    program: Program
    known: set[object]
    left: int = _MOST_PROBES
    faults: list[bytes] = field(default_factory=list)
    edges: set[_Side] = field(default_factory=set)  # at whose edge some test is

    def improved(self, data: bytes, outcome: Outcome, turn: int) -> bytes:
        """The input with better values on the same path."""
        path = self._path_of(data)
        if path is None or path[1] is not outcome:
            return data
        found = list(self._leaves())[:_MOST_LEAVES]
        for place, leaf in enumerate(found):
            if self.left <= 0:
                break
            data = self._moved(data, leaf, path, place + turn)
        return self._moved_together(data, found, path, turn)

    def _moved_together(self, data: bytes, found: Sequence[Leaf], path: object, turn: int) -> bytes:
        """Several zeros that must be equal, as on the path a == b, become one small number."""
        zeros = [
            each for each in found if each.value(data) == 0 and not each.is_text and each.kind is not LeafKind.FLOAT
        ]
        small = _SMALL[turn % len(_SMALL)]
        if len(zeros) < 2 or self.left <= 0 or not all(each.low <= small <= each.high for each in zeros):
            return data
        moved = data
        for leaf in zeros:
            moved = leaf.put(moved, small)
        return moved if self._path_of(moved) == path else data

    def _moved(self, data: bytes, leaf: Leaf, path: object, turn: int) -> bytes:
        tried: dict[int, bool] = {leaf.value(data): True}
        left_at: dict[int, _Side] = {}
        if self._path_of(data) != path:
            return data
        trace, shown = self._trace(), self._shown()

        def keeps(value: int) -> bool:
            if value not in tried:
                tried[value] = self._path_of(leaf.put(data, value)) == path
                if not tried[value] and self._shown() != shown:
                    left_at[value] = _parting(trace, self._trace())
            return tried[value]

        def is_new(outside: int) -> bool:
            return outside in left_at and left_at[outside] not in self.edges

        chosen = better(leaf, leaf.value(data), keeps, turn, is_new)
        self.edges.update(left_at[each] for each in (chosen - 1, chosen + 1) if each in left_at)
        return leaf.put(data, chosen)

    def _shown(self) -> tuple[int, bytes, bytes]:
        """What a test could see of the last probe: its outcome, its result, what it left in memory."""
        control = self.shared.control
        result, left = self.shared.published("result").tobytes(), self.shared.published("outputs").tobytes()
        return control["last_outcome"], result, left

    def _trace(self) -> npt.NDArray[Any]:
        """The decisions of the last probe: site, alternative."""
        return self.shared.published("trace")[["site", "alternative"]].copy()

    def _path_of(self, data: bytes) -> tuple[int, Outcome, int] | None:
        """Hash, outcome and exit code of a run; None when it cannot be run."""
        self.left -= 1
        if self.left < 0 or not self.executor.probe(data):
            return None
        control = self.shared.control
        outcome = model_outcome(control["last_outcome"])
        if outcome.is_bug and control["last_report"] != NONE:
            fault = read_fault(self.shared, self.program, control["last_report"])
            if fault is not None and identity(fault) not in self.known:
                self.known.add(identity(fault))
                self.faults.append(data)
        return control["current_hash"], outcome, control["exit_code"]

    def _leaves(self) -> Iterator[Leaf]:
        """The numbers that the last probe read, in the order of their creation."""
        records, objects = self.shared.published("leaves"), self.shared.published("objects")
        ids = self.shared.region("ids")[: self.shared.control["run_leaf_count"]].tolist()
        for index in dict.fromkeys(index for index in ids if not index & TARGET_MARK):
            record = records[index]
            kind, width = LeafKind(int(record["kind"])), int(record["width"])
            if kind is LeafKind.CHOICE or width % 8:
                continue
            low, high = _bounds(kind, width, int(record["minimum"]), int(record["maximum"]))
            types, type_ = self.program.types, int(objects[int(record["object"])]["type"])
            named = _enumerators(types, type_, int(record["offset"]))
            high = min(high, _used_bits(types, type_, int(record["offset"])))
            yield Leaf(int(record["input_offset"]), width, kind, low, high, tuple(n for n in named if low <= n <= high))


def better(
    leaf: Leaf, value: int, keeps: Keeps, turn: int, is_new: Callable[[int], bool] = lambda outside: True
) -> int:
    """The value that the leaf is moved to; `turn` makes neighbours differ. `keeps(value)` holds.

    `is_new` tells of the first value behind an edge whether that edge can be seen and no other test is at it yet.
    """
    if leaf.kind is LeafKind.FLOAT:
        return next((each for each in _floats(leaf, value, turn) if keeps(each)), value)
    if leaf.names:
        if value in leaf.names and value != 0:
            return value
        return next((each for each in leaf.names if each not in (0, value) and keeps(each)), value)
    base = next((each for each in _nice(leaf, value, turn) if leaf.low <= each <= leaf.high and keeps(each)), value)
    if abs(base) > _SPANS[-1] and leaf.low <= 0 and not keeps(0):
        return _between(base, 0, keeps)
    for step in (1, -1) if turn % 2 == 0 else (-1, 1):
        edge = _edge(leaf, base, step, keeps)
        if edge is not None and is_new(edge + step):
            return edge
    return base


def _parting(trace: npt.NDArray[Any], other: npt.NDArray[Any]) -> _Side:
    """The decision of `trace` from which on the other one differs; its last where it goes on."""
    both = min(len(trace), len(other))
    differing = np.flatnonzero(trace[:both] != other[:both])
    place = int(differing[0]) if len(differing) else both - 1
    return (int(trace[place]["site"]), int(trace[place]["alternative"])) if len(trace) else (NONE, 0)


def _nice(leaf: Leaf, value: int, turn: int) -> Iterator[int]:
    """Values that read well, the best first."""
    if leaf.is_text and _is_printable(value):
        yield value
    elif leaf.is_text:
        yield from (_LETTERS[(turn + k) % len(_LETTERS)] for k in (0, 1))
        yield from b"0 _-~"
    elif leaf.kind is LeafKind.BOOL:
        yield 1
    else:
        small = _SMALL[turn % len(_SMALL)]
        yield from (small, -small) if leaf.low < 0 else (small,)


def _edge(leaf: Leaf, base: int, step: int, keeps: Keeps) -> int | None:
    """The last value from `base` on, in steps of +1 or -1, that keeps the path; None if none near by ends it."""
    low, high = leaf.low, leaf.high
    if leaf.is_text and _is_printable(base):
        low, high = _PRINTABLE
    good = base
    for span in _SPANS:
        far = min(max(base + step * span, low), high)
        if far == good:
            return None
        if keeps(far):
            good = far
            continue
        return _between(good, far, keeps)
    return None


def _between(good: int, bad: int, keeps: Keeps) -> int:
    """A value that keeps the path and whose neighbour towards `bad` does not."""
    while abs(bad - good) > 1:
        middle = (bad + good) // 2
        good, bad = (middle, bad) if keeps(middle) else (good, middle)
    return good


def _floats(leaf: Leaf, value: int, turn: int) -> Iterator[int]:
    """Short decimal fractions by their bits: small ones, then what the value is near to."""
    code, bits = ("<f", "<I") if leaf.width == 32 else ("<d", "<Q")
    if leaf.width not in (32, 64):
        return
    number = struct.unpack(code, (value & ((1 << leaf.width) - 1)).to_bytes(leaf.width // 8, "little"))[0]
    small = _SMALL[turn % len(_SMALL)] + 0.5
    near = [] if not abs(number) < 1e9 else [float(round(number)), round(number) + 0.5, round(number) - 0.5]
    for each in (small, -small, *near):
        yield struct.unpack(bits, struct.pack(code, each))[0]


def _bounds(kind: LeafKind, width: int, minimum: int, maximum: int) -> tuple[int, int]:
    """A leaf's bounds as numbers; without bounds those of its type."""
    is_signed = kind in (LeafKind.SIGNED, LeafKind.CHAR)
    half = 1 << (width - 1)
    whole = (-half, half - 1) if is_signed else (0, 2 * half - 1)
    if is_signed:
        minimum, maximum = ((each ^ 1 << 63) - (1 << 63) for each in (minimum, maximum))
    return whole if minimum > maximum else (max(minimum, whole[0]), min(maximum, whole[1]))


def _enumerators(types: Sequence[Type], type_: int, offset: int) -> tuple[int, ...]:
    """The named constants of the member at this offset of an object of that type."""
    if not 0 <= type_ < len(types) or not types[type_].size:
        return ()
    offset %= types[type_].size
    found = next((slot.type for slot in slots(types, types[type_]) if slot.offset == offset), None)
    return tuple(number for _, number in found.enumerators) if found is not None else ()


def _used_bits(types: Sequence[Type], type_: int, offset: int) -> int:
    """The greatest value of a byte of bit-fields without its padding above them; of other members no bound."""
    bits = types[type_].bits if 0 <= type_ < len(types) else ()
    first = 8 * (offset % types[type_].size) if bits else 0
    within = [min(each.position + each.width - first, 8) for each in bits if -each.width < each.position - first < 8]
    return (1 << max(within)) - 1 if within else 1 << 64


def _is_printable(value: int) -> bool:
    return _PRINTABLE[0] <= value <= _PRINTABLE[1]
