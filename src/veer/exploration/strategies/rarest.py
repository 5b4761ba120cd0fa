"""Rarest first: the open side whose edge was taken least, so that what no run has seen is tried before what all have.

Open nodes lie in one bucket an edge; only buckets are compared, never nodes (rescoring the whole pool costs a factor of
ten, facts/loop.md). A bucket's cost is how often its edge was taken *or tried*: an edge that is never feasible would
else be tried for ever. A batch fills the cheapest buckets like water:

    cost   9 │          ┌─┐
           7 │····┌─┐···│ │··· level: all that lies below it is picked
           4 │┌─┐ │ │   │ │
           1 ││ │ │ │┌─┐│ │
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veer.exploration.strategies.buckets import Buckets
from veer.exploration.strategies.pool import Pool
from veer.exploration.strategies.protocol import Ids
from veer.exploration.tree import Tree
from veer.wire.layout import State


class Rarest:
    """The strategy `rarest`."""

    def __init__(self, state: State = State.OPEN, seed: int = 0) -> None:
        self._state = int(state)
        self._buckets = Buckets(lambda edge: Pool(seed ^ edge << 32))
        self._tried = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self._buckets)

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """See Strategy."""
        if len(ids):
            self._buckets.add(tree.edges(ids), ids)
            self._buckets.tidy(lambda known: tree.state[known] == self._state)
            fresh = len(self._buckets.keys) - len(self._tried)
            self._tried = np.concatenate([self._tried, np.zeros(fresh, np.int64)])

    def pick(self, tree: Tree, k: int) -> Ids:
        """See Strategy; ascending, so that neighbours in the tree are expanded one after the other."""
        picked: list[Ids] = []
        buckets, wanted = self._buckets, k
        while wanted and buckets.sizes.any():
            shares = fill(tree.taken(buckets.keys) + self._tried, buckets.sizes, wanted)
            ids = buckets.take(shares)
            self._tried += shares
            picked.append(ids[tree.state[ids] == self._state])
            wanted -= len(picked[-1])
        return np.sort(np.concatenate(picked)) if picked else np.empty(0, np.int64)


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
