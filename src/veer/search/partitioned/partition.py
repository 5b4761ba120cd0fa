"""A partition of the input leaves into blocks, beside a few shared ones that belong to every block (section 5.2).

The paper merges whatever interferes. An input that everything depends on (a header's type, the predicate of a guard)
would then make one block of all: as a shared one it is searched with each block, so that for each of its values the
others are apart. `label` of a leaf is the smallest leaf of its block, or SHARED.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

SHARED = -1
Labels = npt.NDArray[np.int64]


class Partition:
    """The finest partition at first, which only gets coarser; leaves are numbered from 0 and come as runs make them."""

    def __init__(self) -> None:
        self._parent: list[int] = []
        self._shared: set[int] = set()
        self._labels: Labels = np.empty(0, np.int64)
        self._is_fresh = True
        self.version = 0
        """Changes with every merge."""

    def __len__(self) -> int:
        return len(self._parent)

    @property
    def shared(self) -> frozenset[int]:
        """The leaves that belong to every block."""
        return frozenset(self._shared)

    def grow(self, count: int) -> None:
        """There are so many leaves now; new ones are blocks of their own."""
        if count > len(self._parent):
            self._parent.extend(range(len(self._parent), count))
            self._is_fresh = False

    def find(self, leaf: int) -> int:
        """The block's smallest leaf."""
        root = leaf
        while self._parent[root] != root:
            root = self._parent[root]
        while self._parent[leaf] != root:
            self._parent[leaf], leaf = root, self._parent[leaf]
        return root

    def share(self, leaves: Iterable[int]) -> bool:
        """Puts leaves into every block; whether any was not there. What they had brought together stays together."""
        fresh = set(leaves) - self._shared
        self._shared |= fresh
        if fresh:
            self._is_fresh = False
            self.version += 1
        return bool(fresh)

    def merge(self, leaves: Sequence[int]) -> bool:
        """Makes one block of those of these leaves, shared ones left out; whether they were several."""
        roots = sorted({self.find(leaf) for leaf in leaves if leaf not in self._shared})
        for root in roots[1:]:
            self._parent[root] = roots[0]
        if len(roots) > 1:
            self._is_fresh = False
            self.version += 1
        return len(roots) > 1

    @property
    def labels(self) -> Labels:
        """The label of each leaf."""
        if not self._is_fresh:
            self._labels = np.array([self.find(leaf) for leaf in range(len(self._parent))], np.int64)
            self._labels[list(self._shared)] = SHARED
            self._is_fresh = True
        return self._labels

    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """The blocks, each ascending, by their smallest leaf; shared leaves are in none."""
        found: dict[int, list[int]] = {}
        for leaf, label in enumerate(self.labels.tolist()):
            if label != SHARED:
                found.setdefault(label, []).append(leaf)
        return tuple(tuple(block) for _, block in sorted(found.items()))
