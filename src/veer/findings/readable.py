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
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

import numpy.typing as npt
from msgspec import Struct, field

from veer.findings.deadline import NEVER, Deadline
from veer.findings.probes import TOLD, Leaf, Path, Probes, parting
from veer.model.outcome import Outcome
from veer.model.result import Test
from veer.wire.layout import NONE, LeafKind

_MOST_PROBES = 4000  # of a campaign
MOST_SECONDS = 4.0  # of a campaign with the usual budget
OUT_OF_TIME = "the values of some tests are as the search found them: the time for plainer ones was up (--budget)"
_MOST_LEAVES = 32  # of a test that are looked at
_SPANS = (64, 4096, 1 << 17)  # how far away the edge of a path is looked for
_SMALL = (3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41, 43, 47, 53, 59, 61, 67, 71, 73, 79, 83, 89, 97)
_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_PRINTABLE = (0x20, 0x7E)


class Readable(Struct, frozen=True):
    """`inputs`: better inputs by path; `notes` for the user."""

    inputs: Mapping[int, bytes]
    notes: tuple[str, ...] = ()


Keeps = Callable[[int], bool]
"""Whether the run stays on its path with this value of a leaf."""
_Side = tuple[int, int]  # a decision's site, the alternative taken


def readable(
    probes: Probes,
    tests: Sequence[Test],
    stopped: Callable[[], bool] = lambda: False,
    deadline: Deadline = NEVER,
    given: Mapping[int, bytes] = MappingProxyType({}),
) -> Readable:
    """Better inputs for the tests that return or exit, found with a bounded number of probes.

    `given`: inputs by path to begin with, in the place of the search's; they are in the result in any case.
    `deadline`: when it ends at the latest, if it has not taken MOST_SECONDS before.
    """
    search = _Search(probes)
    inputs = dict(given)
    deadline = deadline.usually(MOST_SECONDS)
    probes.allow(_MOST_PROBES, deadline)
    for turn, test in enumerate(tests):
        if stopped() or probes.left <= 0 or deadline.is_over:
            break
        if test.outcome in TOLD:
            before = inputs.get(test.path, probes.shared.input_of(test.path))
            after = search.improved(before, test.outcome, turn)
            if after != before:
                inputs[test.path] = after
    return Readable(inputs, (OUT_OF_TIME,) if deadline.is_over else ())


class _Search(Struct):
    probes: Probes
    edges: set[_Side] = field(default_factory=set)  # at whose edge some test is

    def improved(self, data: bytes, outcome: Outcome, turn: int) -> bytes:
        """The input with better values on the same path."""
        path = self.probes.path_of(data)
        if path is None or path.outcome is not outcome:
            return data
        found = list(self.probes.leaves())[:_MOST_LEAVES]
        for place, leaf in enumerate(found):
            if self.probes.left <= 0:
                break
            data = self._moved(data, leaf, path, place + turn)
        return self._moved_together(data, found, path, turn)

    def _moved_together(self, data: bytes, found: Sequence[Leaf], path: Path, turn: int) -> bytes:
        """Several zeros that must be equal, as on the path a == b, become one small number."""
        zeros = [
            each for each in found if each.value(data) == 0 and not each.is_text and each.kind is not LeafKind.FLOAT
        ]
        small = _SMALL[turn % len(_SMALL)]
        if len(zeros) < 2 or self.probes.left <= 0 or not all(each.low <= small <= each.high for each in zeros):
            return data
        moved = data
        for leaf in zeros:
            moved = leaf.put(moved, small)
        return moved if self.probes.path_of(moved) == path else data

    def _moved(self, data: bytes, leaf: Leaf, path: Path, turn: int) -> bytes:
        if self.probes.path_of(data) != path:
            return data
        near = _Near(self.probes, data, leaf, path)

        def is_new(outside: int) -> bool:
            side = near.left_at(outside)
            return side is not None and side not in self.edges

        chosen = better(leaf, leaf.value(data), near.keeps, turn, is_new)
        sides = (near.left_at(each) for each in (chosen - 1, chosen + 1))
        self.edges.update(side for side in sides if side is not None)
        return leaf.put(data, chosen)


class _Near(Struct):
    """Runs of one input with other values of one leaf. What they show is decoded for the values at an edge alone."""

    probes: Probes
    data: bytes
    leaf: Leaf
    path: Path
    _tried: dict[int, bool] = field(default_factory=dict)
    _left_at: dict[int, _Side | None] = field(default_factory=dict)
    _here: tuple[npt.NDArray[Any], object] | None = None

    def keeps(self, value: int) -> bool:
        """Whether the run stays on its path with this value."""
        if value not in self._tried:
            is_same = value == self.leaf.value(self.data)
            self._tried[value] = is_same or self.probes.path_of(self.leaf.put(self.data, value)) == self.path
        return self._tried[value]

    def left_at(self, value: int) -> _Side | None:
        """Where the run leaves the path with a value that was tried; None where it stays, or where nobody sees it."""
        if self._tried.get(value, True):
            return None
        if value not in self._left_at:
            self._left_at[value] = self._side(self.leaf.put(self.data, value))
        return self._left_at[value]

    def _side(self, moved: bytes) -> _Side | None:
        if self._here is None:
            self._here = self._seen(self.data)
        there = self._seen(moved)
        if self._here is None or there is None or there[1] == self._here[1]:
            return None
        return _side(self._here[0], there[0])

    def _seen(self, data: bytes) -> tuple[npt.NDArray[Any], object] | None:
        """The decisions of a run, and what a test could see of it."""
        if self.probes.path_of(data) is None:
            return None
        return self.probes.trace(), self.probes.shown()


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
        return between(base, 0, keeps)
    for step in (1, -1) if turn % 2 == 0 else (-1, 1):
        edge = _edge(leaf, base, step, keeps)
        if edge is not None and is_new(edge + step):
            return edge
    return base


def _side(trace: npt.NDArray[Any], other: npt.NDArray[Any]) -> _Side:
    """The side of a decision of `trace` that the other one did not take; of its last where it goes on."""
    if not len(trace):
        return NONE, 0
    place = parting(trace, other)
    if place < 0:
        place = min(len(trace), len(other)) - 1
    return int(trace[place]["site"]), int(trace[place]["alternative"])


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
        return between(good, far, keeps)
    return None


def between(good: int, bad: int, keeps: Keeps) -> int:
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


def _is_printable(value: int) -> bool:
    return _PRINTABLE[0] <= value <= _PRINTABLE[1]
