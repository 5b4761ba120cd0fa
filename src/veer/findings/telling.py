"""Further inputs for paths whose tests say little: all of an array is 0, or a divisor is so large that the result is.

    int scaled(int a[16], int gain) { ... return average * 3300 / (4096 * gain); }

    a test         a = {0, 0, ...}, gain = 524287        0, whatever a holds: a changed sum is not noticed
    a further one  a = {3011, 3048, ...}, gain = 1       each element tells: another value of it shows

An input *tells of* a number if another value there, on the same path, shows. Where a test tells of less than half of
its numbers, values are looked for that tell of more. A number that only a few values keep on the path, as an index of a
table does, gets each of them that shows something new; one at which something else shows gets both sides of that
(steps.py). Runs are probes: they leave nothing in the tree.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct, field

from veer.findings.deadline import Deadline
from veer.findings.probes import TOLD, Leaf, Path, Probes
from veer.findings.steps import steps
from veer.wire.layout import LeafKind

_MOST_PROBES = 2000  # of a campaign
_MOST_SECONDS = 1.0
_MOST_LEAVES = 24  # of a test that are looked at
_MOST_ASKED = 8  # of them, of which it is counted whether the input tells
_SCALES = (60013, 3011, 13)
_STEP = 37
_ONES = (1, 2, 5)
_FEWEST, _MOST_VALUES = 3, 8  # values of a number that has them all tried
_MOST_OF_TABLES = 16  # tests of a campaign


def further(
    probes: Probes, tests: Iterable[bytes], stopped: Callable[[], bool], deadline: Deadline
) -> tuple[bytes, ...]:
    """More inputs, for paths that these tests run, each path once."""
    search = _Search(probes)
    overall, deadline = deadline, deadline.usually(_MOST_SECONDS)
    probes.allow(_MOST_PROBES, deadline)
    seen: dict[Path, bytes] = {}
    for data in tests:
        if stopped() or probes.left <= 0 or deadline.is_over:
            break
        path = probes.path_of(data)
        if path is not None and path.outcome in TOLD and path not in seen:
            seen[path] = data
            search.look_at(data, path)
    return (*search.found, *steps(probes, seen, stopped, overall))


class _Search(Struct):
    probes: Probes
    found: list[bytes] = field(default_factory=list)
    of_tables: int = 0

    def look_at(self, data: bytes, path: Path) -> None:
        """One test: its last probe was of `data`."""
        leaves = [each for each in self.probes.leaves() if each.kind is not LeafKind.BOOL][:_MOST_LEAVES]
        for leaf in leaves:
            if self.of_tables < _MOST_OF_TABLES and not (leaf.is_text or leaf.names or leaf.kind is LeafKind.FLOAT):
                self._all_of(leaf, data, path)
        step = max(1, -(-len(leaves) // _MOST_ASKED))
        asked = [*leaves[:-1:step], *leaves[-1:]]
        if self._is_hidden(data, path, asked):
            moved = self._filled(data, path, leaves, _SCALES[-1])
            if moved != data:
                self.found.append(moved)
                return
        if len(leaves) < 2 or 2 * (told := self._told(data, path, asked)) >= len(asked):
            return
        best = data
        for scale in _SCALES:
            made = self._filled(data, path, leaves, scale)
            count = self._told(made, path, asked)
            for leaf in asked if 2 * count < len(asked) else ():
                made, count = self._lowered(made, count, leaf, path, asked)
            if count > told:
                best, told = made, count
            if 2 * told >= len(asked):
                break
        if best != data:
            self.found.append(best)

    def _is_hidden(self, data: bytes, path: Path, leaves: Sequence[Leaf]) -> bool:
        """Whether all numbers that the input tells of are 0: as a summand that is lost 0 does not show."""
        zeros = [leaf for leaf in leaves if not leaf.value(data)]
        here = self._shown(data, path) if zeros else None
        if here is None or not any(self._tells(data, path, leaf, here) for leaf in zeros):
            return False
        return not any(leaf.value(data) and self._shows(data, path, leaf, here) for leaf in leaves)

    def _all_of(self, leaf: Leaf, data: bytes, path: Path) -> None:
        """The values of a number with few of them on the path, those that show something new."""
        value = leaf.value(data)
        values = [*self._run(leaf, data, path, value, -1), *self._run(leaf, data, path, value, 1)]
        if not _FEWEST <= len(values) + 1 <= _MOST_VALUES:
            return
        shown = [self._shown(data, path)]
        for each in values:
            moved = leaf.put(data, each)
            there = self._shown(moved, path)
            if there is not None and there not in shown and self.of_tables < _MOST_OF_TABLES:
                shown.append(there)
                self.found.append(moved)
                self.of_tables += 1

    def _run(self, leaf: Leaf, data: bytes, path: Path, value: int, step: int) -> Iterator[int]:
        """The values from the next one on that keep the path; more than there may be where it does not end."""
        for number in range(1, _MOST_VALUES + 1):
            other = value + step * number
            if not leaf.low <= other <= leaf.high or self.probes.path_of(leaf.put(data, other)) != path:
                return
            yield other

    def _told(self, data: bytes, path: Path, leaves: Sequence[Leaf]) -> int:
        """How many of these numbers the input tells of."""
        here = self._shown(data, path)
        return sum(self._tells(data, path, leaf, here) for leaf in leaves) if here is not None else -1

    def _tells(self, data: bytes, path: Path, leaf: Leaf, here: object) -> bool:
        """Whether another value shows; where nothing else keeps the path, the path tells that it is this value."""
        return self._shows(data, path, leaf, here) is not False

    def _shows(self, data: bytes, path: Path, leaf: Leaf, here: object) -> bool | None:
        """Whether another value on the path shows; None where there is none."""
        value = leaf.value(data)
        for other in _others(leaf, value):
            there = self._shown(leaf.put(data, other), path)
            if there is not None:
                return there != here
        return None

    def _shown(self, data: bytes, path: Path) -> object | None:
        return self.probes.shown() if self.probes.path_of(data) == path else None

    def _filled(self, data: bytes, path: Path, leaves: Sequence[Leaf], scale: int) -> bytes:
        """The input with numbers of about this size wherever they keep the path."""
        for place, leaf in enumerate(leaves):
            moved = leaf.put(data, _sized(leaf, scale + _STEP * place))
            if self.probes.path_of(moved) == path:
                data = moved
        return data

    def _lowered(self, data: bytes, told: int, leaf: Leaf, path: Path, asked: Sequence[Leaf]) -> tuple[bytes, int]:
        """The input with a small number in this place, if it tells of more then."""
        for number in _ONES if leaf.kind is not LeafKind.FLOAT and leaf.low <= 1 else ():
            moved = leaf.put(data, number)
            count = self._told(moved, path, asked)
            if count > told:
                return moved, count
        return data, told


def _others(leaf: Leaf, value: int) -> Iterator[int]:
    """Other values, so far away that a division does not hide them."""
    if leaf.kind is LeafKind.FLOAT:
        yield _sized(leaf, 5003)
        yield _sized(leaf, 7)
        return
    far = max(16, abs(value) // 2)
    yield from (each for each in (value + far, value - far, value + 1, value - 1) if leaf.low <= each <= leaf.high)


def _sized(leaf: Leaf, number: int) -> int:
    """About this number, within the bounds of the type; of a float the bits."""
    if leaf.kind is LeafKind.FLOAT:
        code, bits = ("<f", "<I") if leaf.width == 32 else ("<d", "<Q")
        return int(struct.unpack(bits, struct.pack(code, number + 0.5))[0]) if leaf.width in (32, 64) else 0
    if leaf.is_text:
        return ord("a") + number % 26
    return number if leaf.low <= number <= leaf.high else leaf.low + number % (leaf.high - leaf.low + 1)
