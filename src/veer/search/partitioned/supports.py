"""Which inputs the condition of a tree's node asks about."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veer.search.distinct import distinct
from veer.search.tree import Tree
from veer.wire.layout import NONE, Kind, Outcome
from veer.wire.shared import Shared

_LIST = 1 << 31

Array = npt.NDArray[np.uint32]


class Supports:
    """The leaves of conditions, by their literals' supports as `layout.NODE` has them."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._by_literal = shared.region("nodes")["support"]
        self._lists: dict[int, tuple[int, ...]] = {}

    def lists(self, tree: Tree, first: int) -> Array:
        """The supports of two leaves or more among the nodes from `first` on; a choice belongs to every block."""
        nodes = slice(first, tree.count)
        found = self._by_literal[tree.literal[nodes]]
        places = np.flatnonzero(found >= _LIST)
        result: Array = distinct(found[places[tree.kind[nodes][places] != int(Kind.CHOICE)]])
        return result

    def of_ends(self, tree: Tree, paths: npt.NDArray[np.void]) -> Array:
        """By path: the support of the condition that ended it, 0 if none of an oracle or a precondition did."""
        nodes = np.where(paths["node"] < tree.count, paths["node"], 0)
        is_end = (paths["node"] != NONE) & np.isin(tree.kind[nodes], (int(Kind.CHECK), int(Kind.ASSUME)))
        is_end &= paths["outcome"] != int(Outcome.RETURNED)
        result: Array = np.where(is_end, self._by_literal[tree.literal[nodes]], 0)
        return result

    def leaves(self, support: int) -> tuple[int, ...]:
        """The leaves of one support."""
        if support < _LIST:
            return (support - 1,) if support else ()
        known = self._lists.get(support)
        if known is None:
            place = support - _LIST
            table = self._shared.region("supports")
            count = int(table[place])
            known = self._lists[support] = tuple(table[place + 1 : place + 1 + count].tolist())
        return known
