"""Tells the engine which leaf is of which block, and what the others are held at: it negates a node only for its block.

On the way back come the nodes that were HELD and may be negated since blocks were merged. See engine/blocks.c.
"""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from veer.execution.protocol import Executor
from veer.search.partitioned.partition import SHARED, Partition
from veer.search.strategies.protocol import Ids
from veer.wire.blocks import Blocks
from veer.wire.layout import NONE, LeafKind
from veer.wire.shared import Shared


class Holding:
    """The engine's side of a partition."""

    def __init__(self, shared: Shared, executor: Executor) -> None:
        self._shared = shared
        self._executor = executor
        self._restarts = executor.restarts
        self._shown = np.empty(0, np.int64)  # the labels that the engine has

    def begin(self, base: bytes) -> None:
        """From the next run on inputs are compared with `base`, and nodes are HELD."""
        held = self._shared.region("held_input")
        held[: len(base)] = np.frombuffer(base, np.uint8)[: len(held)]
        self._shared.control(Blocks).held_leaves = 0
        self._shared.control(Blocks).holds_blocks = 1

    def show(self, partition: Partition) -> Ids:
        """Blocks have changed: the nodes that may be negated from now on, which are OPEN."""
        labels = partition.labels
        before = self._shown
        known = min(len(before), len(labels))
        changed = np.flatnonzero(labels[:known] != before[:known])
        fresh = np.arange(known, len(labels))
        kinds = self._shared.published("leaves")["kind"][fresh]
        expected = np.where(kinds == int(LeafKind.CHOICE), SHARED, fresh)  # what the engine takes a new leaf for
        changed = np.concatenate([changed, fresh[labels[fresh] != expected]])
        self._shown = labels.copy()
        self._shared.region("leaf_blocks")[: len(labels)] = np.where(labels == SHARED, NONE, labels)
        self._shared.control(Blocks).labelled_leaves = len(labels)
        if self._executor.restarts != self._restarts or (labels[changed] == SHARED).any():
            self._restarts = self._executor.restarts
            return self._released(())  # what waits for a leaf may not be filed under it
        if not len(changed):
            return np.empty(0, np.int64)
        return self._released(np.flatnonzero(np.isin(labels, labels[changed])).tolist())

    def _released(self, leaves: Collection[int]) -> Ids:
        self._executor.release(leaves)
        return np.sort(self._shared.published("freed")).astype(np.int64)
