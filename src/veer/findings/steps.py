"""Inputs on both sides of a number at which what a test sees changes, though no branch does.

    int is_over(int at) { return now() >= at; }       one path: a test with one side would not notice `>`

From the number of a test on it is looked at in strides that double, then halved: the last number with what the test
sees, and the first one with something else. Where the next number shows already, the test tells of it anyhow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from veer.findings.deadline import Deadline
from veer.findings.probes import Leaf, Path, Probes
from veer.wire.layout import LeafKind

_MOST_PROBES = 1000  # of a campaign
_MOST_SECONDS = 0.5
_MOST_LEAVES = 6  # of a test that are looked at
_MOST_OF_A_TEST = 2  # numbers with a step
_MOST = 16  # of a campaign


def steps(
    probes: Probes, tests: Mapping[Path, bytes], stopped: Callable[[], bool], deadline: Deadline
) -> tuple[bytes, ...]:
    """More inputs for the paths of these tests."""
    deadline = deadline.usually(_MOST_SECONDS)
    probes.allow(_MOST_PROBES, deadline)
    inputs: list[bytes] = []
    found = 0
    for path, data in tests.items():
        if stopped() or probes.left <= 0 or deadline.is_over or found >= _MOST:
            break
        for number, both in enumerate(_Test(probes, data, path).steps(), 1):
            found += 1
            inputs += [each for each in both if each != data]
            if number == _MOST_OF_A_TEST:
                break
    return tuple(inputs)


class _Test(Struct, frozen=True):
    probes: Probes
    data: bytes
    path: Path

    def steps(self) -> Iterator[tuple[bytes, bytes]]:
        """The inputs on both sides of each step."""
        here = self._shown(self.data)
        leaves = [leaf for leaf in self.probes.leaves() if leaf.kind is not LeafKind.FLOAT and not leaf.is_text]
        for leaf in leaves[:_MOST_LEAVES] if here is not None else ():
            value = leaf.value(self.data)
            for direction in (-1, 1):
                far = self._first_other(leaf, here, direction)
                if far is not None and abs(far - value) > 1 and (sides := self._halved(leaf, here, value, far)):
                    yield sides
                    break

    def _first_other(self, leaf: Leaf, here: object, direction: int) -> int | None:
        """A number that way that keeps the path and shows something else; None where the strides come to none."""
        value = leaf.value(self.data)
        for stride in range(leaf.width):
            number = max(leaf.low, min(leaf.high, value + direction * (1 << stride)))
            shown = self._shown(leaf.put(self.data, number))
            if shown is None:
                return None
            if shown != here:
                return number
            if number in (leaf.low, leaf.high):
                return None
        return None

    def _halved(self, leaf: Leaf, here: object, near: int, far: int) -> tuple[bytes, bytes] | None:
        """The last number that shows the same, and the one behind it."""
        while abs(far - near) > 1:
            middle = (near + far) // 2
            shown = self._shown(leaf.put(self.data, middle))
            if shown is None:
                return None
            near, far = (middle, far) if shown == here else (near, middle)
        return leaf.put(self.data, near), leaf.put(self.data, far)

    def _shown(self, data: bytes) -> object | None:
        return self.probes.shown() if self.probes.path_of(data) == self.path else None
