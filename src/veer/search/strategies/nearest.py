"""Nearest first: the open side from which the least control flow leads to an uncovered branch, latest first.

Open nodes lie in one bucket an edge. A bucket's cost is the square of its distance, times the picks from it since
something was last covered: of a goal that nobody can reach the picks would else never end. Within a bucket the latest
comes first: a goal behind a loop ("true" after t, r, u) is reached by going on from the last step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veer.search.strategies.by_edge import ByEdge
from veer.search.strategies.chunks import Chunks
from veer.search.strategies.protocol import Ids
from veer.search.strategies.scene import Scene
from veer.search.tree import Tree
from veer.wire.layout import State

FARTHEST = 64


class Nearest:
    """Buckets by edge, the nearest first."""

    def __init__(self, state: State, scene: Scene) -> None:
        self._distances = scene.distances
        self._waiting = ByEdge(state, lambda _: Chunks(latest_first=True))
        self._before = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """See Strategy."""
        self._waiting.add(tree, ids)

    def pick(self, tree: Tree, k: int) -> Ids:
        """See Strategy."""
        return self._waiting.pick(tree, k, self._costs)

    def has_moved(self) -> bool:
        """Whether distances have changed since the last look: something was covered."""
        distances = self._measured()
        return bool((distances[: len(self._before)] != self._before).any())

    def sees_something(self) -> bool:
        """Whether any bucket that is not empty has an uncovered branch within reach."""
        return bool((self._measured()[self._waiting.sizes > 0] < FARTHEST).any())

    def _measured(self) -> npt.NDArray[np.int64]:
        return np.minimum(self._distances(self._waiting.edges), FARTHEST)

    def _costs(self) -> npt.NDArray[np.int64]:
        distances = self._measured()
        if (distances[: len(self._before)] != self._before).any():
            self._waiting.tried[:] = 0
        self._before = distances
        return (self._waiting.tried + 1) * (1 + distances) ** 2
