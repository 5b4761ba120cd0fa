"""Node ids in buckets by a whole number (an edge, a depth, a score), so that only buckets are ever ranked."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

TIDY_AT = 4096  # ids, at least

Numbers = npt.NDArray[np.int64]
Wanted = Callable[[Numbers], npt.NDArray[np.bool_]]
"""From ids to whether each is wanted."""


class Container(Protocol):
    """A bucket."""

    def __len__(self) -> int: ...
    def push(self, ids: npt.NDArray[Any]) -> None:
        """Takes ids."""
        ...

    def pop(self, k: int) -> Numbers:
        """Gives at most k of them back."""
        ...

    def keep(self, is_wanted: Wanted) -> None:
        """Forgets those that are not wanted."""
        ...


class Buckets:
    """`keys[b]` and `sizes[b]` describe bucket b; buckets are numbered as they are first needed."""

    def __init__(self, make: Callable[[int], Container]) -> None:
        """`make` gives an empty bucket for a key."""
        self._make = make
        self._index: dict[int, int] = {}
        self._buckets: list[Container] = []
        self._tidy_at = TIDY_AT
        self.keys: Numbers = np.empty(0, np.int64)
        self.sizes: Numbers = np.empty(0, np.int64)

    def __len__(self) -> int:
        return int(self.sizes.sum())

    def add(self, keys: npt.NDArray[Any], ids: npt.NDArray[Any]) -> None:
        """Puts each id into the bucket of its key, in their order."""
        if not len(ids):
            return
        order = np.argsort(keys, kind="stable")
        sorted_keys, sorted_ids = np.asarray(keys)[order], np.asarray(ids, np.int64)[order]
        starts = np.flatnonzero(np.concatenate([[True], sorted_keys[1:] != sorted_keys[:-1]]))
        ends = [*starts[1:].tolist(), len(ids)]
        for key, start, end in zip(sorted_keys[starts].tolist(), starts.tolist(), ends, strict=True):
            bucket = self._bucket(key)
            self._buckets[bucket].push(sorted_ids[start:end])
            self.sizes[bucket] += end - start

    def take(self, shares: Numbers) -> Numbers:
        """Takes that many from each bucket, bucket by bucket."""
        chosen = np.flatnonzero(shares)
        return self.take_in_order(chosen, shares)

    def take_in_order(self, order: npt.NDArray[Any], shares: Numbers) -> Numbers:
        """Takes `shares[b]` from each bucket b of `order`, in that order."""
        taken = [self._buckets[bucket].pop(int(shares[bucket])) for bucket in order.tolist() if shares[bucket]]
        self.sizes[order] -= shares[order]
        return np.concatenate(taken) if taken else np.empty(0, np.int64)

    def take_lowest(self, k: int) -> Numbers:
        """Takes at most k, those with the lowest keys first."""
        order = np.flatnonzero(self.sizes)
        order = order[np.argsort(self.keys[order], kind="stable")]
        sizes = self.sizes[order]
        shares = np.zeros(len(self.sizes), np.int64)
        shares[order] = np.clip(k - (np.cumsum(sizes) - sizes), 0, sizes)
        return self.take_in_order(order, shares)

    def tidy(self, is_wanted: Wanted) -> None:
        """Forgets ids that are not wanted, once there are twice as many as it left last time.

        Where two strategies take turns over the same nodes, each holds what the other one has handed out.
        """
        if len(self) <= self._tidy_at:
            return
        for bucket in self._buckets:
            bucket.keep(is_wanted)
        self.sizes[:] = [len(bucket) for bucket in self._buckets]
        self._tidy_at = max(TIDY_AT, 2 * len(self))

    def _bucket(self, key: int) -> int:
        bucket = self._index.get(key)
        if bucket is None:
            bucket = self._index[key] = len(self._buckets)
            self._buckets.append(self._make(key))
            self.keys = np.append(self.keys, key)
            self.sizes = np.append(self.sizes, 0)
        return bucket
