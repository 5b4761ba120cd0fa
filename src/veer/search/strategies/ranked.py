"""Strategies that give each node a rank once, when it comes, and hand out the lowest rank first, oldest first.

bfs           rank = depth (LCT section 4.1)
generational  rank = minus the new coverage of the run that made the node (SAGE): all branches of a run together
nearest       rank = distance to the nearest uncovered branch in the control flow; `priority` mixes it with random picks
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from veer.search.strategies.buckets import Buckets
from veer.search.strategies.chunks import Chunks
from veer.search.strategies.protocol import Ids
from veer.search.tree import Tree
from veer.wire.layout import Kind, State

Rank = Callable[[Tree, npt.NDArray[Any]], npt.NDArray[Any]]
"""From nodes to ranks, low = first."""

_MOST_NEW = 1 << 16


class Ranked:
    """The nodes in buckets by rank."""

    def __init__(self, state: State, rank: Rank) -> None:
        self._state = int(state)
        self._rank = rank
        self._buckets = Buckets(lambda _: Chunks(latest_first=False))

    def __len__(self) -> int:
        return len(self._buckets)

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """See Strategy."""
        if len(ids):
            self._buckets.add(self._rank(tree, ids), ids)
            self._buckets.tidy(lambda known: tree.state[known] == self._state)

    def pick(self, tree: Tree, k: int) -> Ids:
        """See Strategy; the lowest rank first."""
        picked: list[Ids] = []
        wanted = k
        while wanted:
            ids = self._buckets.take_lowest(wanted)
            if not len(ids):
                break
            ids = ids[tree.state[ids] == self._state]
            picked.append(ids)
            wanted -= len(ids)
        return np.concatenate(picked) if picked else np.empty(0, np.int64)


def by_depth(tree: Tree, ids: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The rank of `bfs`."""
    depths: npt.NDArray[Any] = tree.depth[ids].astype(np.int64)
    return depths


class ByNewCoverage:
    """The rank of `generational`: the edges that a run was the first to take, as far as the tree shows them."""

    def __init__(self) -> None:
        self._seen = np.zeros(0, np.bool_)

    def __call__(self, tree: Tree, ids: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The nodes of one run have one rank."""
        paths = tree.path[ids].astype(np.int64)
        above = tree.edges(tree.parent[ids])
        is_two_sided = tree.kind[ids] != int(Kind.CHOICE)
        beside = tree.edges(ids) ^ 1  # the side that the run took
        edges = np.stack([above, np.where(is_two_sided, beside, above)], axis=1).ravel()
        self._grow(int(edges.max()) + 1)
        unique, first = np.unique(edges, return_index=True)
        is_new = ~self._seen[unique]
        self._seen[unique] = True
        owners = paths[first[is_new] // 2]
        runs, inverse = np.unique(paths, return_inverse=True)
        news = np.bincount(np.searchsorted(runs, owners), minlength=len(runs))
        rank: npt.NDArray[Any] = -np.minimum(news, _MOST_NEW)[inverse]
        return rank

    def _grow(self, count: int) -> None:
        if count > len(self._seen):
            self._seen = np.concatenate([self._seen, np.zeros(max(count, 64), np.bool_)])
