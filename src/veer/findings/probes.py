"""Runs that leave nothing in the tree: what the program does with an input, and what a test could see of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct, field

from veer.execution.decode import model_outcome, read_fault
from veer.execution.effects import effects
from veer.execution.protocol import Executor
from veer.findings.deadline import NEVER, Deadline
from veer.model.literal import leaves as slots
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.types import Type, TypeKind
from veer.oracles.bugs import identity
from veer.wire.layout import NONE, TARGET_MARK, LeafKind
from veer.wire.shared import Shared

TOLD = (Outcome.RETURNED, Outcome.EXITED)
"""Ends of runs that tests expect."""
_CHOICE_SIZE = 8  # bytes
_TEXT = (LeafKind.CHAR, LeafKind.BYTE)


class Path(NamedTuple):
    """Where a run went: the hash over source branches and choices, and how it ended."""

    hash: int
    outcome: Outcome
    exit_code: int


class Leaf(Struct, frozen=True):
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


@contextmanager
def unheard(shared: Shared) -> Iterator[None]:
    """The ledger is afterwards what it was: counts and claims are those of the search."""
    ledger, entries = shared.region("ledger").copy(), shared.counts.ledger_count
    yield
    shared.region("ledger")[:] = ledger
    shared.counts.ledger_count = entries


class Probes(Struct):
    """`known`: identities of bugs; `left`: probes that may still be made until `deadline`; `faults`: inputs of bugs
    not yet known."""

    shared: Shared
    executor: Executor
    program: Program
    known: set[object]
    left: int = 0
    deadline: Deadline = NEVER
    faults: list[bytes] = field(default_factory=list)
    _named: dict[int, dict[int, tuple[int, ...]]] = field(default_factory=dict)  # constants by type and offset

    def allow(self, most: int, deadline: Deadline) -> None:
        """From now on so many probes may be made, until `deadline`."""
        self.left, self.deadline = most, deadline

    def path_of(self, data: bytes) -> Path | None:
        """Where the run goes; None when it cannot be made."""
        if not self._may() or not self.executor.probe(data):
            return None
        return self._path(data)

    def path_of_values(self, values: Sequence[int]) -> Path | None:
        """Where the run goes that has these values in order (Executor.draw); None when it cannot be made."""
        if not self._may() or not self.executor.draw(values):
            return None
        return self._path(last_input(self.shared))

    def _may(self) -> bool:
        """Whether another probe may be made."""
        self.left = -1 if self.deadline.is_over else self.left - 1
        return self.left >= 0

    def _path(self, data: bytes) -> Path:
        """Where the last run went, whose input was `data`."""
        outcome = model_outcome(self.shared.run.last_outcome)
        if outcome.is_bug and self.shared.run.last_report != NONE:
            fault = read_fault(self.shared, self.program, self.shared.run.last_report)
            if fault is not None and identity(fault) not in self.known:
                self.known.add(identity(fault))
                self.faults.append(data)
        return Path(self.shared.run.current_hash, outcome, self.shared.run.exit_code)

    def shown(self) -> object:
        """What a test could see of the last probe: its outcome, its result, what it changed in memory.

        What it left as it was is no effect. The input is read as the run had it: what was given may hold a length
        beyond its bound, of an object that the input before did not have.
        """
        return effects(self.shared, self.program, last_input(self.shared))

    def edges(self) -> frozenset[int]:
        """The edges that the last probe took."""
        return frozenset(self.shared.published("run_edges").tolist())

    def trace(self) -> npt.NDArray[Any]:
        """The decisions of the last probe."""
        return self.shared.published("trace").copy()

    def leaves(self) -> Iterator[Leaf]:
        """The numbers that the last probe read, in the order of their creation."""
        records, objects = self.shared.published("leaves"), self.shared.published("objects")
        ids = self.shared.region("ids")[: self.shared.run.run_leaf_count].tolist()
        for index in dict.fromkeys(index for index in ids if not index & TARGET_MARK):
            record = records[index]
            kind, width = LeafKind(int(record["kind"])), int(record["width"])
            if kind is LeafKind.CHOICE or width % 8:
                continue
            low, high = bounds_of(kind, width, int(record["minimum"]), int(record["maximum"]))
            type_, offset = int(objects[int(record["object"])]["type"]), int(record["offset"])
            high = min(high, _used_bits(self.program.types, type_, offset))
            named = self._constants(type_, offset)
            yield Leaf(int(record["input_offset"]), width, kind, low, high, tuple(n for n in named if low <= n <= high))

    def null_pointers(self, data: bytes) -> list[int]:
        """The places in `data` of the pointers that the last probe had, whose input it was, and that are NULL."""
        records = self.shared.published("leaves")
        ids = self.shared.region("ids")[: self.shared.run.run_leaf_count].tolist()
        told = [records[index] for index in dict.fromkeys(each for each in ids if not each & TARGET_MARK)]
        places = [int(record["input_offset"]) for record in told if self._is_pointer(record)]
        return [place for place in places if not any(data[place : place + _CHOICE_SIZE])]

    def _is_pointer(self, record: Any) -> bool:
        """Whether it is where a pointer leads, not whether an interrupt comes, or which function is called before."""
        if record["kind"] != LeafKind.CHOICE:
            return False
        types, type_ = self.program.types, int(self.shared.published("objects")[int(record["object"])]["type"])
        if not 0 <= type_ < len(types) or not types[type_].size:
            return False
        offset = int(record["offset"]) % types[type_].size
        return any(slot.offset == offset and slot.type.kind is TypeKind.POINTER for slot in slots(types, types[type_]))

    def _constants(self, type_: int, offset: int) -> tuple[int, ...]:
        """The named constants of the member at this offset of an object of that type."""
        types = self.program.types
        if not 0 <= type_ < len(types) or not types[type_].size:
            return ()
        if type_ not in self._named:
            made: dict[int, tuple[tuple[str, int], ...]] = {}
            for slot in slots(types, types[type_]):
                made.setdefault(slot.offset, slot.type.enumerators)
            self._named[type_] = {place: tuple(each for _, each in names) for place, names in made.items() if names}
        return self._named[type_].get(offset % types[type_].size, ())


def last_input(shared: Shared) -> bytes:
    """The input of the run that just ended, with all that it asked for."""
    start = shared.counts.input_bytes
    return shared.region("inputs")[start : start + shared.run.current_length].tobytes()


def parting(trace: npt.NDArray[Any], other: npt.NDArray[Any]) -> int:
    """The index of the decision from which on the other trace differs; -1 where it does not, or only goes on."""
    both = min(len(trace), len(other))
    columns = ["site", "alternative"]
    differing = np.flatnonzero(trace[:both][columns] != other[:both][columns])
    return int(differing[0]) if len(differing) else -1


def bounds_of(kind: LeafKind, width: int, minimum: int, maximum: int) -> tuple[int, int]:
    """A leaf's bounds as numbers; without bounds those of its type."""
    is_signed = kind in (LeafKind.SIGNED, LeafKind.CHAR)
    half = 1 << (width - 1)
    whole = (-half, half - 1) if is_signed else (0, 2 * half - 1)
    if is_signed:
        minimum, maximum = ((each ^ 1 << 63) - (1 << 63) for each in (minimum, maximum))
    return whole if minimum > maximum else (max(minimum, whole[0]), min(maximum, whole[1]))


def _used_bits(types: Sequence[Type], type_: int, offset: int) -> int:
    """The greatest value of a byte of bit-fields without its padding above them; of other members no bound."""
    bits = types[type_].bits if 0 <= type_ < len(types) else ()
    first = 8 * (offset % types[type_].size) if bits else 0
    within = [min(each.position + each.width - first, 8) for each in bits if -each.width < each.position - first < 8]
    return (1 << max(within)) - 1 if within else 1 << 64
