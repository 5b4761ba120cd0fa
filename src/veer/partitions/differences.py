"""What each path's input changed: the leaves that do not have the values at which the others are held.

The values held are those of the base, a run that returned; a leaf that the base does not make is held at what a run
gives it that nobody chose: 0, or the bound next to it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veer.partitions.partition import SHARED, Labels
from veer.wire.layout import LeafKind
from veer.wire.shared import Shared

NOTHING = -1
"""In `blocks`: only shared leaves were changed."""
SEVERAL = -2

Array = npt.NDArray[np.int64]


class Differences:
    """Of the paths from number `first` on, against one base."""

    def __init__(self, shared: Shared, base: bytes, first: int) -> None:
        self._shared = shared
        self.first = first
        self.base = base
        self._held = np.empty(0, np.uint8)
        self._leaf_at = np.empty(0, np.int64)  # by byte of an input: its leaf, -1 = none
        self._leaves = 0
        self._one: list[int] = []  # by path: a leaf that it changed, -1 = none
        self._others: dict[int, tuple[int, ...]] = {}  # paths that changed several: all of these

    def update(self) -> None:
        """Takes the paths that are new."""
        known = self.first + len(self._one)
        self._lay_out()
        self._compare(self._shared.published("paths")[known:], known)

    def leaves(self, path: int) -> tuple[int, ...]:
        """What the path changed."""
        one = self._one[path - self.first]
        return self._others.get(path, () if one < 0 else (one,))

    def blocks(self, labels: Labels, since: int | None = None) -> Array:
        """The block of which each path from `since` on (None: the first) changed something, NOTHING, or SEVERAL."""
        first = self.first if since is None else since
        ones = np.array(self._one[first - self.first :], np.int64)
        found: Array = np.where(ones < 0, NOTHING, labels[np.maximum(ones, 0)] if len(labels) else NOTHING)
        for path, leaves in self._others.items():
            if path >= first:
                own = {int(label) for label in labels[list(leaves)] if label != SHARED}
                found[path - first] = NOTHING if not own else own.pop() if len(own) == 1 else SEVERAL
        return found

    def _lay_out(self) -> None:
        """Where the leaves lie in an input, and at which values they are held."""
        leaves = self._shared.published("leaves")
        if len(leaves) == self._leaves:
            return
        self._leaves = len(leaves)
        end = self._shared.control["leaf_bytes"]
        self._leaf_at = np.full(end, -1, np.int64)
        self._held = np.zeros(end, np.uint8)
        known = min(len(self.base), end)
        self._held[:known] = np.frombuffer(self.base, np.uint8, known)
        for leaf, record in enumerate(leaves.tolist()):
            _, _, place, width, kind, _, low, high = record
            own = slice(place, place + (width + 7) // 8)
            self._leaf_at[own] = leaf
            before = int.from_bytes(self._held[own].tobytes(), "little")
            value = clamped(before, width, kind, low, high)
            if value != before:
                self._held[own] = np.frombuffer(value.to_bytes((width + 7) // 8, "little"), np.uint8)

    def _compare(self, paths: npt.NDArray[np.void], first: int) -> None:
        starts = paths["input_offset"].astype(np.int64)
        lengths = paths["input_length"].astype(np.int64)
        inputs = self._shared.region("inputs")
        for number in range(len(paths)):
            raw = inputs[starts[number] : starts[number] + lengths[number]]
            size = min(len(raw), len(self._held))
            places = np.flatnonzero(raw[:size] != self._held[:size])
            changed = np.unique(self._leaf_at[places])
            changed = changed[changed >= 0]
            self._one.append(int(changed[0]) if len(changed) else -1)
            if len(changed) > 1:
                self._others[first + number] = tuple(changed.tolist())


def clamped(value: int, width: int, kind: int, low: int, high: int) -> int:
    """The value that a run gives a leaf whose input says `value`: as near as its bounds let it be (tracer/inputs.c)."""
    if kind == LeafKind.SIGNED:
        least, most, number = _signed(low, 64), _signed(high, 64), _signed(value, width)
        return value if least > most else min(max(number, least), most) & ((1 << width) - 1)
    return value if low > high else min(max(value, low), high)


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) & 1 else value
