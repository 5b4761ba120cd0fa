"""A bag of node ids that gives them out from pseudo-random places: no Python object for each of millions.

Latest first digs into one subtree, oldest first never gets deep; random places do both (docs/decisions/0014). A large
pick, as when a search grinds on, is one block from a random place and one of the latest: neighbours in the bag are
neighbours in the tree, which spares the engine's trail, and a block costs what one id costs.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

_SINGLE = 4  # picks of at most so many ids take each from a place of its own
_RANDOM_SHARE = 4  # of a larger pick, a fourth comes from a random place
_MULTIPLIER = 6364136223846793005  # a linear congruential generator of 64 bits: the same on every machine
_INCREMENT = 1442695040888963407
_MASK = (1 << 64) - 1


def appended(array: npt.NDArray[np.int64], size: int, ids: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """The array, whose first `size` places are in use, with the ids behind them: a larger one when it is full."""
    end = size + len(ids)
    if end > len(array):
        grown = np.empty(2 * end, np.int64)
        grown[:size] = array[:size]
        array = grown
    array[size:end] = ids
    return array


class NodeBag:
    """Ids in the first `len(bag)` places of an array that grows; holes are filled from the end."""

    def __init__(self, seed: int) -> None:
        self._ids = np.empty(8, np.int64)
        self._size = 0
        self._state = (seed * _MULTIPLIER + _INCREMENT) & _MASK

    def __len__(self) -> int:
        return self._size

    def push(self, ids: npt.NDArray[Any]) -> None:
        """Adds ids."""
        self._ids = appended(self._ids, self._size, ids)
        self._size += len(ids)

    def pop(self, k: int) -> npt.NDArray[np.int64]:
        """Takes at most k ids."""
        wanted = min(k, self._size)
        if wanted <= 1:
            return self._somewhere(wanted)
        if wanted <= _SINGLE:
            return np.concatenate([self._somewhere(1) for _ in range(wanted)])
        anywhere = self._somewhere(wanted // _RANDOM_SHARE)
        self._size -= wanted - len(anywhere)
        return np.concatenate([anywhere, self._ids[self._size : self._size + wanted - len(anywhere)]])

    def keep(self, is_wanted: Callable[[npt.NDArray[np.int64]], npt.NDArray[np.bool_]]) -> None:
        """Forgets the ids that are not wanted; the others keep their order."""
        ids = self._ids[: self._size]
        self._ids, self._size = np.empty(8, np.int64), 0
        self.push(ids[is_wanted(ids)])

    def _somewhere(self, size: int) -> npt.NDArray[np.int64]:
        """Takes `size` neighbours from a random place."""
        self._state = (self._state * _MULTIPLIER + _INCREMENT) & _MASK
        start = (self._state >> 33) % (self._size - size + 1)
        end, last = start + size, self._size
        taken = self._ids[start:end].copy()
        moved = min(size, last - end)
        self._ids[start : start + moved] = self._ids[last - moved : last]
        self._size -= size
        return taken
