"""Which coverage items (sides of source branches) a search has covered."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from veer.model.program import Site


class Items:
    """The coverage items of a program; `edges[k]` is an edge that covers item `items[k]`."""

    def __init__(self, sites: Iterable[Site]) -> None:
        pairs = [(2 * s.id + side, item) for s in sites for side, item in enumerate(s.items) if item >= 0]
        self._edges = np.array([edge for edge, _ in pairs], np.int64)
        self._items = np.array([item for _, item in pairs], np.int64)
        self.total = len(set(self._items.tolist()))

    def covered(self, edge_seen: npt.NDArray[Any]) -> frozenset[int]:
        """The items whose edge is marked in `edge_seen` (a byte an edge)."""
        known = self._edges < len(edge_seen)
        seen = edge_seen[self._edges[known]] != 0
        return frozenset(self._items[known][seen].tolist())
