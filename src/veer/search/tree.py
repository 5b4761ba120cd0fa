"""The execution tree as Python sees it: views of the shared arrays, walked and counted, changed only in `state`.

A node is one *side* of a decision; `layout.TREE` draws how nodes hang together. An *edge* is a side of a
site, 2 * site + side: what strategies count by, as coverage does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from veer.wire.layout import NONE, TREE, State
from veer.wire.shared import Shared

_CHUNK = 1 << 20

Array = npt.NDArray[Any]


class Tree:
    """The arrays of `layout.TREE`, each at its full capacity, and how many nodes of them are published."""

    def __init__(self, arrays: Mapping[str, Array], count: Callable[[], int], edge_taken: Array) -> None:
        self.parent = arrays["parent"]
        self.literal = arrays["literal"]
        self.child = arrays["child"]
        self.sibling = arrays["sibling"]
        self.site = arrays["site"]
        self.context = arrays["context"]
        self.path = arrays["path"]
        self.depth = arrays["depth"]
        self.alternative = arrays["alternative"]
        self.kind = arrays["kind"]
        self.state = arrays["state"]
        self.watched = arrays["watched"]
        self._count = count
        self._edge_taken = edge_taken

    @classmethod
    def of(cls, shared: Shared) -> Tree:
        """The tree of a campaign."""
        arrays = {name: shared.region(f"tree_{name}") for name, _ in TREE}
        return cls(arrays, lambda: shared.count("tree_parent"), shared.region("edge_taken"))

    @property
    def count(self) -> int:
        """Nodes published so far, the root included."""
        return self._count()

    def edges(self, ids: Array) -> Array:
        """The edge of each node; a choice has two, sites that are not known share edge 0."""
        sites = self.site[ids].astype(np.int64)
        edges = 2 * sites + np.minimum(self.alternative[ids], 1)
        return np.where((sites == NONE) | (edges >= len(self._edge_taken)), 0, edges)

    def taken(self, edges: Array) -> Array:
        """How many sides with each of these edges a run has taken."""
        return self._edge_taken[edges].astype(np.int64)

    def in_state(self, state: State, first: int = 0) -> Array:
        """Ids of the nodes from `first` on that are in this state, ascending."""
        return np.flatnonzero(self.state[first : self.count] == int(state)) + first

    def states(self) -> dict[State, int]:
        """How many nodes are in each state."""
        numbers = np.bincount(self.state[: self.count], minlength=len(State))
        return {state: int(numbers[state]) for state in State}

    def states_by_edge(self, edge_count: int) -> Array:
        """How many nodes of each edge (row) are in each state (column)."""
        table = np.zeros(edge_count * len(State), np.int64)
        for first in range(0, self.count, _CHUNK):
            ids = np.arange(first, min(first + _CHUNK, self.count))
            keys = self.edges(ids) * len(State) + self.state[ids]
            table += np.bincount(keys[keys < len(table)], minlength=len(table))
        return table.reshape(edge_count, len(State))


def nearest_above(parents: Array, marked: Array) -> Array:
    """For each node the nearest marked one on the way to the root, itself included: by pointer doubling.

    The root, which is its own parent, is marked.
    """
    above = parents.copy()
    above[marked] = marked
    while True:
        further = np.empty_like(above)
        for first in range(0, len(above), _CHUNK):
            further[first : first + _CHUNK] = above[above[first : first + _CHUNK]]
        if np.array_equal(further, above):
            return above
        above = further
