"""The strategy `specification`: towards the violation of a specification (LCT, section 5).

Open nodes lie in one bucket for each edge and monitors' state: how many events away a violation was when the node was
made, and which state they were in. A bucket's cost is its distance times the picks from it: a state that is near to a
violation, from which none follows, would else be tried for ever.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veer.search.distance import FAR
from veer.search.strategies.buckets import Buckets
from veer.search.strategies.by_edge import fill
from veer.search.strategies.nodebag import NodeBag
from veer.search.strategies.protocol import Ids
from veer.search.strategies.scene import Scene
from veer.search.tree import Tree
from veer.wire.layout import State

_STATES, _DISTANCES = 1 << 16, 1 << 8  # what `Tree.watched` holds: the distance in the lowest bits
_FARTHEST = 64  # of control flow
_EVENT = 4  # an event more is as far as so many edges


class Violation:
    """Buckets by edge and state, the nearest first."""

    def __init__(self, state: State, scene: Scene) -> None:
        self._state = int(state)
        self._to_events = scene.to_events
        self._buckets = Buckets(lambda key: NodeBag(scene.seed ^ key << 32))
        self._tried = np.empty(0, np.int64)
        self._weights = np.empty(0, np.int64)

    def __len__(self) -> int:
        return len(self._buckets)

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """See Strategy."""
        if not len(ids):
            return
        self._buckets.add(tree.edges(ids) * _STATES + tree.watched[ids], ids)
        self._buckets.tidy(lambda known: tree.state[known] == self._state)
        fresh = len(self._buckets.keys) - len(self._tried)
        self._tried = np.concatenate([self._tried, np.zeros(fresh, np.int64)])

    def pick(self, tree: Tree, k: int) -> Ids:
        """See Strategy."""
        picked: list[Ids] = []
        wanted = k
        while wanted and self._buckets.sizes.any():
            shares = fill(self._costs(), self._buckets.sizes, wanted)
            ids = self._buckets.take(shares)
            self._tried += shares
            picked.append(ids[tree.state[ids] == self._state])
            wanted -= len(picked[-1])
        return np.concatenate(picked) if picked else np.empty(0, np.int64)

    def _costs(self) -> npt.NDArray[np.int64]:
        """What no event follows comes last; the violation itself first."""
        if len(self._weights) != len(self._tried):
            keys = self._buckets.keys
            steps = self._to_events(keys // _STATES)
            _, ranks = np.unique(keys % _DISTANCES, return_inverse=True)
            near = 1 + _EVENT * ranks + np.minimum(steps, _FARTHEST)
            self._weights = np.where(steps == 0, 0, np.where(steps >= FAR, FAR, near))
        return (self._tried + 1) * self._weights
