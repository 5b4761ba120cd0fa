"""A last-in first-out pool of node ids that takes and gives arrays: no Python object for each of millions."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt


class Stack:
    """Chunks of ids; the end of the last chunk is the top."""

    def __init__(self) -> None:
        self._chunks: list[npt.NDArray[np.int64]] = []
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def push(self, ids: npt.NDArray[Any]) -> None:
        """Puts ids on top, the last of them topmost."""
        if len(ids):
            self._chunks.append(np.asarray(ids, np.int64))
            self._size += len(ids)

    def pop(self, k: int) -> npt.NDArray[np.int64]:
        """Takes at most k ids from the top, the topmost first."""
        taken: list[npt.NDArray[np.int64]] = []
        wanted = min(k, self._size)
        self._size -= wanted
        if wanted and len(self._chunks[-1]) > wanted:  # the usual case, without a copy
            chunk = self._chunks[-1]
            self._chunks[-1] = chunk[:-wanted]
            return chunk[: -wanted - 1 : -1]
        while wanted:
            chunk = self._chunks.pop()
            if len(chunk) > wanted:
                self._chunks.append(chunk[:-wanted])
                chunk = chunk[-wanted:]
            taken.append(chunk[::-1])
            wanted -= len(chunk)
        return np.concatenate(taken) if taken else np.empty(0, np.int64)
