"""A first-in first-out pool of node ids that takes and gives arrays."""

from __future__ import annotations

from collections import deque
from typing import Any

import numpy as np
import numpy.typing as npt


class Queue:
    """Chunks of ids; the beginning of the first chunk is next."""

    def __init__(self) -> None:
        self._chunks: deque[npt.NDArray[np.int64]] = deque()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def push(self, ids: npt.NDArray[Any]) -> None:
        """Puts ids at the end."""
        if len(ids):
            self._chunks.append(np.asarray(ids, np.int64))
            self._size += len(ids)

    def pop(self, k: int) -> npt.NDArray[np.int64]:
        """Takes at most k ids from the beginning, in order."""
        taken: list[npt.NDArray[np.int64]] = []
        wanted = min(k, self._size)
        self._size -= wanted
        while wanted:
            chunk = self._chunks.popleft()
            if len(chunk) > wanted:
                self._chunks.appendleft(chunk[wanted:])
                chunk = chunk[:wanted]
            taken.append(chunk)
            wanted -= len(chunk)
        return np.concatenate(taken) if taken else np.empty(0, np.int64)
