"""CUTE's bounded depth-first search: the deepest open branch of the latest path first (CUTE section 3.3).

A run appends its new nodes from the top of its path downwards, so "the last that was made" is the deepest of the latest
path, and a stack is the whole strategy. The bound on the depth is the engine's: deeper nodes are made CUT, not OPEN.
With batches of 1 the order is exactly CUTE's; larger batches take the k deepest at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veer.search.strategies.chunks import Chunks
from veer.search.strategies.protocol import Ids
from veer.search.tree import Tree
from veer.wire.layout import State


class DepthFirst:
    """The strategy `dfs`."""

    def __init__(self, state: State = State.OPEN, seed: int = 0) -> None:
        self._state = int(state)
        self._stack = Chunks(latest_first=True)

    def __len__(self) -> int:
        return len(self._stack)

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """See Strategy."""
        self._stack.push(ids)

    def pick(self, tree: Tree, k: int) -> Ids:
        """See Strategy; the deepest first."""
        picked: list[Ids] = []
        wanted = k
        while wanted and len(self._stack):
            ids = self._stack.pop(wanted)
            ids = ids[tree.state[ids] == self._state]
            picked.append(ids)
            wanted -= len(ids)
        return np.concatenate(picked) if picked else np.empty(0, np.int64)
