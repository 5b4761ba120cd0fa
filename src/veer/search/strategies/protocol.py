"""What a strategy is."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from veer.search.tree import Tree

Ids = npt.NDArray[np.int64]


class Strategy(Protocol):
    """A ranking of tree nodes in one state (OPEN, or QUEUED for those that wait for a solver).

    It is told of nodes as they come and hands each out once; a node that it was told of twice may come twice. The same
    nodes in the same order give the same picks.
    """

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """Takes new nodes, in the order in which they were made."""
        ...

    def pick(self, tree: Tree, k: int) -> Ids:
        """The best at most k nodes that are still in the state; they are forgotten. Empty = nothing is left."""
        ...

    def __len__(self) -> int:
        """How many nodes wait (some may have left the state meanwhile)."""
        ...
