"""A strategy that is told only of nodes that may be negated; the others are HELD."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from veer.exploration.strategies.protocol import Ids, Strategy
from veer.exploration.tree import Tree
from veer.wire.layout import State

Flags = npt.NDArray[np.bool_]


class Guarded:
    """Hands on what `may_be_negated` lets through, when a node comes and again when its turn does."""

    def __init__(self, strategy: Strategy, may_be_negated: Callable[[Tree, Ids], Flags]) -> None:
        self._strategy = strategy
        self._may_be_negated = may_be_negated

    def __len__(self) -> int:
        return len(self._strategy)

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """See Strategy."""
        free = self._sift(tree, ids)
        if len(free):
            self._strategy.add(tree, free)

    def pick(self, tree: Tree, k: int) -> Ids:
        """See Strategy."""
        while len(ids := self._strategy.pick(tree, k)):
            if len(free := self._sift(tree, ids)):
                return free
        return ids

    def _sift(self, tree: Tree, ids: npt.NDArray[Any]) -> Ids:
        given = np.asarray(ids, np.int64)
        numbers: Ids = given[tree.state[given] == int(State.OPEN)]
        if not len(numbers):
            return numbers
        may = self._may_be_negated(tree, numbers)
        tree.state[numbers[~may]] = int(State.HELD)
        free: Ids = numbers[may]
        return free
