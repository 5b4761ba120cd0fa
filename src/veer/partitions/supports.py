"""Which inputs the condition of a tree's node asks about."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veer.exploration.tree import Tree
from veer.partitions.partition import SHARED, Labels
from veer.wire.layout import Kind
from veer.wire.shared import Shared

_SEVERAL = 1 << 31
NONE = -1

Array = npt.NDArray[np.int64]


class Supports:
    """A leaf of each condition that is in one block only, and the conditions over several, which are merged."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._lists: dict[int, tuple[int, ...]] = {}

    def of(self, tree: Tree, ids: Array) -> Array:
        """By node: its literal's support as `layout.NODE` has it; 0 for a choice, which every block has."""
        found = self._shared.region("nodes")["support"][tree.literal[ids]].astype(np.int64)
        return np.where(tree.kind[ids] == int(Kind.CHOICE), 0, found)

    def leaves(self, support: int) -> tuple[int, ...]:
        """The leaves of one support."""
        if support < _SEVERAL:
            return (support - 1,) if support else ()
        known = self._lists.get(support)
        if known is None:
            place = support - _SEVERAL
            table = self._shared.region("supports")
            count = int(table[place])
            known = self._lists[support] = tuple(table[place + 1 : place + 1 + count].tolist())
        return known

    def blocks(self, supports: Array, labels: Labels) -> Array:
        """The label of each support's block, SHARED when it has none of its own."""
        distinct, places = np.unique(supports, return_inverse=True)
        found = np.full(len(distinct), SHARED, np.int64)
        for place, support in enumerate(distinct.tolist()):
            for leaf in self.leaves(support):
                if labels[leaf] != SHARED:
                    found[place] = labels[leaf]
                    break
        result: Array = found[places]
        return result
