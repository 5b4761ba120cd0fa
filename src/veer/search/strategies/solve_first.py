"""OSMOSE's solve-first: depth-first over runs, where along the current path every other branch is tried once, shorter
prefixes first, before the search goes on below the deepest of them (slides "Heuristic 3").

    a run makes   1 ─ 2 ─ 3      all three are tried at once, 1 first, each by one run;
                  │   │   │      then what the run of 3 made, all of it; then what the run of 2 made; ...
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veer.search.strategies.protocol import Ids
from veer.search.tree import Tree
from veer.wire.layout import State


class SolveFirst:
    """The strategy `dfs` under `--solve-first`."""

    def __init__(self, state: State = State.OPEN) -> None:
        self._state = int(state)
        self._runs: list[npt.NDArray[np.int64]] = []  # what each run made, the latest last
        self._current = np.empty(0, np.int64)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """See Strategy."""
        if not len(ids):
            return
        ids = np.asarray(ids, np.int64)
        cuts = np.flatnonzero(np.diff(tree.path[ids].astype(np.int64))) + 1
        self._runs += np.split(ids, cuts)
        self._size += len(ids)

    def pick(self, tree: Tree, k: int) -> Ids:
        """See Strategy; never from two runs at once, since the first may still make what comes before the second."""
        while self._size:
            if not len(self._current):
                self._current = self._runs.pop()
            head, self._current = self._current[:k], self._current[k:]
            self._size -= len(head)
            ids: Ids = head[tree.state[head] == self._state]
            if len(ids):
                return ids
        return np.empty(0, np.int64)
