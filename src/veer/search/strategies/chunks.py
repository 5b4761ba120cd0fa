"""A queue of node ids in the order in which they came, as arrays: no Python object for each of millions."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt


class Chunks:
    """Ids as the arrays in which they came; those that came first are given first, or those that came last."""

    def __init__(self, *, latest_first: bool) -> None:
        self._is_latest_first = latest_first
        self._chunks: deque[npt.NDArray[np.int64]] = deque()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def push(self, ids: npt.NDArray[Any]) -> None:
        """Puts ids behind the others."""
        if len(ids):
            self._chunks.append(np.asarray(ids, np.int64))
            self._size += len(ids)

    def pop(self, k: int) -> npt.NDArray[np.int64]:
        """Takes at most k ids, in the order in which they are given."""
        wanted = min(k, self._size)
        self._size -= wanted
        taken: list[npt.NDArray[np.int64]] = []
        while wanted:
            taken.append(self._next(wanted))
            wanted -= len(taken[-1])
        if len(taken) == 1:  # the usual case, without a copy
            return taken[0]
        return np.concatenate(taken) if taken else np.empty(0, np.int64)

    def keep(self, is_wanted: Callable[[npt.NDArray[np.int64]], npt.NDArray[np.bool_]]) -> None:
        """Forgets the ids that are not wanted; the others keep their order."""
        ids = np.concatenate([np.empty(0, np.int64), *self._chunks])
        self._chunks, self._size = deque(), 0
        self.push(ids[is_wanted(ids)])

    def _next(self, most: int) -> npt.NDArray[np.int64]:
        """At most so many ids of the chunk that is next; the rest of it stays."""
        if self._is_latest_first:
            chunk = self._chunks.pop()
            if len(chunk) > most:
                self._chunks.append(chunk[:-most])
            return chunk[: -most - 1 : -1]
        chunk = self._chunks.popleft()
        if len(chunk) > most:
            self._chunks.appendleft(chunk[most:])
        return chunk[:most]
