"""Two strategies over the same nodes: a given share of the picks is the second's.

LCT (section 5) mixes random picks in this way, so that a greedy ranking does not forget half of the tree.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veer.search.strategies.protocol import Ids, Strategy
from veer.search.tree import Tree


class Mixed:
    """`share` of the picks comes from `other`, in even steps; the rest from `main`. No node comes twice."""

    def __init__(self, main: Strategy, other: Strategy, share: float) -> None:
        """`share` lies between 0 and 1; it may be set anew between picks."""
        self._main = main
        self._other = other
        self.share = share
        self._due = 0.0
        self._handed = np.zeros(0, np.bool_)

    def __len__(self) -> int:
        return max(len(self._main), len(self._other))

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """See Strategy."""
        if not len(self._handed):
            self._handed = np.zeros(len(tree.parent), np.bool_)  # touched page by page as the tree grows
        self._handed[ids] = False
        self._main.add(tree, ids)
        self._other.add(tree, ids)

    def pick(self, tree: Tree, k: int) -> Ids:
        """See Strategy."""
        self._due += self.share * k
        from_other = min(int(self._due), k)
        self._due -= from_other
        picked = self._fresh(tree, self._other, from_other)
        if len(picked) < from_other:  # it has nothing left
            return np.concatenate([picked, self._rest(tree, k - len(picked))])
        # When `main` has nothing left, all that `other` still holds was handed out: both were told of the same nodes.
        return np.concatenate([picked, self._fresh(tree, self._main, k - len(picked))])

    def _rest(self, tree: Tree, wanted: int) -> Ids:
        """What `main` has: nearly all of its nodes were handed out, so all are looked at, not pick by pick."""
        ids = self._main.pick(tree, max(wanted, len(self._main)))
        ids = ids[~self._handed[ids]]
        self._main.add(tree, ids[wanted:])
        self._handed[ids[:wanted]] = True
        return ids[:wanted]

    def _fresh(self, tree: Tree, strategy: Strategy, wanted: int) -> Ids:
        """At most so many of its nodes that the other one did not hand out."""
        found: list[Ids] = []
        while wanted:
            ids = strategy.pick(tree, wanted)
            if not len(ids):
                break
            ids = ids[~self._handed[ids]]
            self._handed[ids] = True
            found.append(ids)
            wanted -= len(ids)
        return np.concatenate(found) if found else np.empty(0, np.int64)
