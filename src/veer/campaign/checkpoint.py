"""Checkpoints of a running search in the campaign's directory, and what they give back to a later session."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from veer.search.history import History
from veer.search.node_counts import NodeCounts
from veer.search.parallel.checkpoint import Checkpoint, SearchState, WorkersState
from veer.search.parallel.part import Baseline, Part
from veer.search.parallel.protocol import Write
from veer.store import saved
from veer.store.saver import Saver
from veer.wire.layout import RUNG
from veer.wire.shared import Shared


class SavedCheckpoints(Struct, frozen=True):
    """See Checkpoints. `start`: of the campaign, in time.monotonic."""

    saver: Saver
    start: float
    history: History

    def is_due(self) -> bool:
        """See Checkpoints."""
        return self.saver.is_due()

    def save(self, main: Shared, state: SearchState) -> None:
        """See Checkpoints."""
        self.begin()
        self._commit([self.writer(0)(main)], [state], b"")

    def begin(self) -> None:
        """See Checkpoints."""
        self.saver.begin()

    def writer(self, number: int) -> Write:
        """See Checkpoints."""
        return self.saver.writer(number)

    def commit(
        self,
        main: Shared,
        state: SearchState,
        workers: WorkersState,
        files: Sequence[saved.Part | str],
        states: Sequence[SearchState],
    ) -> None:
        """See Checkpoints."""
        of_workers = {"states": list(workers.states), "counts": workers.counts.state()}
        parts = [
            {"baseline": part.baseline.state(), "search": each}
            for part, each in zip(workers.parts, states, strict=True)
        ]
        everyone = [{**state, "workers": of_workers}, *parts]
        self._commit([self.writer(0)(main), *files], everyone, workers.hashes.astype("<u8").tobytes())

    def _commit(self, files: Sequence[saved.Part | str], states: Sequence[Mapping[str, Any]], paths: bytes) -> None:
        parts = [saved.with_state(file, state) for file, state in zip(files, states, strict=True)]
        self.saver.commit(time.monotonic() - self.start, self.history.samples, parts, paths)


def checkpoint(main: saved.Part, parts: Sequence[tuple[Shared, saved.Part]], paths: bytes) -> Checkpoint:
    """What was saved: of the main memory, of each part with its memory, the identities of paths."""
    if "workers" not in main.state:
        return Checkpoint(main.state)
    workers = main.state["workers"]
    state = WorkersState(
        tuple(Part(shared, Baseline.of_state(part.state["baseline"], RUNG)) for shared, part in parts),
        (*workers["states"], *(part.state["search"] for _, part in parts)),
        NodeCounts.of_state(workers["counts"]),
        np.frombuffer(paths, "<u8").astype(np.uint64),
    )
    return Checkpoint(main.state, state)
