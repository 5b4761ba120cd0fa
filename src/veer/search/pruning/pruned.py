"""A strategy behind rules: what the rules prune is never handed out and gets the state PRUNED."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from veer.search.pruning.rules import Rule
from veer.search.strategies.protocol import Ids, Strategy
from veer.search.tree import Tree
from veer.wire.layout import State

_LARGEST_LOOK = 4096


class Pruned:
    """Hands on what the strategy behind it picks, in its order, but for nodes that a rule prunes.

    Rules are asked when a node's turn comes (lazily, as in OSMOSE: "on backtrack only"), not when it is made.
    """

    def __init__(self, strategy: Strategy, rules: Sequence[Rule], state: State = State.OPEN) -> None:
        self._strategy = strategy
        self._rules = rules
        self._state = int(state)
        self._ahead = np.empty(0, np.int64)  # looked at already and not pruned, in order
        self.count = 0

    def __len__(self) -> int:
        return len(self._strategy) + len(self._ahead)

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """See Strategy."""
        self._strategy.add(tree, ids)

    def pick(self, tree: Tree, k: int) -> Ids:
        """See Strategy."""
        look = k
        kept = self._sift(tree, self._ahead)
        while len(kept) < k:
            ids = self._strategy.pick(tree, look)
            if not len(ids):
                break
            kept = np.concatenate([kept, self._sift(tree, ids)])
            look = min(2 * look, _LARGEST_LOOK)  # many are pruned in a row when little is left to cover
        self._ahead = kept[k:]
        return kept[:k]

    def _sift(self, tree: Tree, ids: Ids) -> Ids:
        ids = ids[tree.state[ids] == self._state]
        if not len(ids):
            return ids
        pruned = np.zeros(len(ids), np.bool_)
        for rule in self._rules:
            pruned |= rule.prunes(tree, ids)
        tree.state[ids[pruned]] = int(State.PRUNED)
        self.count += int(pruned.sum())
        return ids[~pruned]
