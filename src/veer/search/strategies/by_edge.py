"""Open nodes in one bucket an edge, of which the cheapest are picked from: only buckets are compared, never nodes.

Rescoring the whole pool costs a factor of ten. A batch fills the cheapest buckets like water:

    cost   9 │          ┌─┐
           7 │····┌─┐···│ │··· level: all that lies below it is picked
           4 │┌─┐ │ │   │ │
           1 ││ │ │ │┌─┐│ │
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from veer.search.strategies.buckets import Buckets, Container
from veer.search.strategies.protocol import Ids
from veer.search.tree import Tree
from veer.wire.layout import State


class ByEdge:
    """`edges` and `sizes` describe the buckets; `tried` is how often each was picked from."""

    def __init__(self, state: State, make: Callable[[int], Container]) -> None:
        """`make` gives an empty bucket for an edge."""
        self._state = int(state)
        self._buckets = Buckets(make)
        self.tried = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self._buckets)

    @property
    def edges(self) -> npt.NDArray[np.int64]:
        """The edge of each bucket."""
        return self._buckets.keys

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """How many nodes are in each bucket."""
        return self._buckets.sizes

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """Puts nodes into the buckets of their edges."""
        if len(ids):
            self._buckets.add(tree.edges(ids), ids)
            self._buckets.tidy(lambda known: tree.state[known] == self._state)
            fresh = len(self._buckets.keys) - len(self.tried)
            self.tried = np.concatenate([self.tried, np.zeros(fresh, np.int64)])

    def pick(self, tree: Tree, k: int, costs: Callable[[], npt.NDArray[np.int64]]) -> Ids:
        """At most k nodes that are still in the state, from the cheapest buckets; `costs` is asked before each try."""
        picked: list[Ids] = []
        wanted = k
        while wanted and self._buckets.sizes.any():
            shares = fill(costs(), self._buckets.sizes, wanted)
            ids = self._buckets.take(shares)
            self.tried += shares
            picked.append(ids[tree.state[ids] == self._state])
            wanted -= len(picked[-1])
        return np.concatenate(picked) if picked else np.empty(0, np.int64)


def fill(costs: npt.NDArray[np.int64], sizes: npt.NDArray[np.int64], k: int) -> npt.NDArray[np.int64]:
    """How many to take from each bucket: k in all (or all there are), always from the cheapest.

    Each that is taken makes its bucket dearer by one. Ties go to the bucket that was made first.
    """
    if sizes.sum() <= k:
        return sizes.copy()
    filled = np.flatnonzero(sizes)
    low = int(costs[filled].min())  # nothing lies below
    high = int(costs[filled].max() + sizes.max())  # everything lies below
    while high - low > 1:
        level = (low + high) // 2
        if np.minimum(sizes, np.maximum(level - costs, 0)).sum() >= k:
            high = level
        else:
            low = level
    shares = np.minimum(sizes, np.maximum(low - costs, 0))
    spare = np.flatnonzero((costs + shares < high) & (shares < sizes))
    shares[spare[: k - int(shares.sum())]] += 1
    return shares
