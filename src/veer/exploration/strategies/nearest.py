"""Nearest first: the open side from which the least control flow leads to an uncovered branch, latest first.

Open nodes lie in one bucket an edge. A bucket's cost is its distance, and grows with each pick since something was last
covered, the faster the farther it is: of a goal that nobody can reach the picks would else never end. Within a bucket
the latest comes first: a goal behind a loop ("true" after t, r, u) is reached by going on from the last step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veer.exploration.strategies.buckets import Buckets
from veer.exploration.strategies.chunks import Chunks
from veer.exploration.strategies.protocol import Ids
from veer.exploration.strategies.rarest import fill
from veer.exploration.strategies.scene import Scene
from veer.exploration.tree import Tree
from veer.wire.layout import State

FARTHEST = 64


class Nearest:
    """Buckets by edge, the nearest first."""

    def __init__(self, state: State, scene: Scene) -> None:
        self._state = int(state)
        self._distances = scene.distances
        self._buckets = Buckets(lambda _: Chunks(latest_first=True))
        self._tried = np.empty(0, np.int64)
        self._before = np.empty(0, np.int64)

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
        """See Strategy."""
        picked: list[Ids] = []
        buckets, wanted = self._buckets, k
        while wanted and buckets.sizes.any():
            distances = self._look()
            shares = fill((self._tried + 1) * (1 + distances), buckets.sizes, wanted)
            ids = buckets.take(shares)
            self._tried += shares
            picked.append(ids[tree.state[ids] == self._state])
            wanted -= len(picked[-1])
        return np.concatenate(picked) if picked else np.empty(0, np.int64)

    def has_moved(self) -> bool:
        """Whether distances have changed since the last look: something was covered."""
        distances = self._measured()
        return bool((distances[: len(self._before)] != self._before).any())

    def sees_something(self) -> bool:
        """Whether any bucket that is not empty has an uncovered branch within reach."""
        return bool((self._measured()[self._buckets.sizes > 0] < FARTHEST).any())

    def _measured(self) -> npt.NDArray[np.int64]:
        return np.minimum(self._distances(self._buckets.keys), FARTHEST)

    def _look(self) -> npt.NDArray[np.int64]:
        distances = self._measured()
        if (distances[: len(self._before)] != self._before).any():
            self._tried[:] = 0
        self._before = distances
        return distances
