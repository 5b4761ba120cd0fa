"""What each path's input changed: the leaves that do not have the values at which the others are held.

The values held are those of the base, a run that returned; a leaf that the base does not make is held at what a run
gives it that nobody chose: 0, or the bound next to it. The engine compares (engine/blocks.c); this reads what it found.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veer.search.partitioned.partition import SHARED, Labels
from veer.wire.layout import NONE
from veer.wire.shared import Shared

NOTHING = -1
"""In `blocks`: only shared leaves were changed."""
SEVERAL = -2

_LIST = 1 << 31

Array = npt.NDArray[np.int64]


class Differences:
    """Of the paths from number `first` on, against one base."""

    def __init__(self, shared: Shared, base: bytes, first: int) -> None:
        self._shared = shared
        self.first = first
        self.base = base
        self._lists: dict[int, tuple[int, ...]] = {}

    def leaves(self, path: int) -> tuple[int, ...]:
        """What the path changed."""
        return self._leaves(int(self._shared.region("path_changed")[path]))

    def block(self, path: int, labels: Labels) -> int:
        """The block of which the path changed something, NOTHING, or SEVERAL."""
        return self._block(int(self._shared.region("path_changed")[path]), labels)

    def blocks(self, labels: Labels) -> Array:
        """The same of each path from the first on."""
        changed = self._shared.published("path_changed")[self.first :]
        distinct, places = np.unique(changed, return_inverse=True)
        found = np.array([self._block(each, labels) for each in distinct.tolist()], np.int64)
        result: Array = found[places] if len(found) else found
        return result

    def _block(self, changed: int, labels: Labels) -> int:
        if changed == NONE:
            return SEVERAL  # there was no room to say what
        own = {label for leaf in self._leaves(changed) if (label := int(labels[leaf])) != SHARED}
        return NOTHING if not own else own.pop() if len(own) == 1 else SEVERAL

    def _leaves(self, changed: int) -> tuple[int, ...]:
        if changed < _LIST:
            return (changed - 1,) if changed else ()
        known = self._lists.get(changed)
        if known is None and changed != NONE:
            place, words = changed - _LIST, self._shared.region("changed")
            known = self._lists[changed] = tuple(words[place + 1 : place + 1 + int(words[place])].tolist())
        return known or ()
