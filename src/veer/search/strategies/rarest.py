"""Rarest first: the open side whose edge was taken least, so that what no run has seen is tried before what all have.

A bucket's cost is how often its edge was taken *or tried*: an edge that is never feasible would else be tried for ever.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veer.search.strategies.by_edge import ByEdge
from veer.search.strategies.nodebag import NodeBag
from veer.search.strategies.protocol import Ids
from veer.search.tree import Tree
from veer.wire.layout import State


class Rarest:
    """The strategy `rarest`."""

    def __init__(self, state: State = State.OPEN, seed: int = 0) -> None:
        self._waiting = ByEdge(state, lambda edge: NodeBag(seed ^ edge << 32))

    def __len__(self) -> int:
        return len(self._waiting)

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """See Strategy."""
        self._waiting.add(tree, ids)

    def pick(self, tree: Tree, k: int) -> Ids:
        """See Strategy; ascending, so that neighbours in the tree are expanded one after the other."""
        waiting = self._waiting
        return np.sort(waiting.pick(tree, k, lambda: tree.taken(waiting.edges) + waiting.tried))
