"""What is saved of a search, so that it goes on as if nothing had been."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from msgspec import Struct, field

from veer.search.node_counts import NodeCounts
from veer.search.parallel.findings import Hashes
from veer.search.parallel.part import Part
from veer.search.parallel.protocol import Write
from veer.wire.shared import Shared

SearchState = Mapping[str, Any]
"""What a search knows outside of its shared memory, as JSON knows it."""


class WorkersState(Struct, frozen=True):
    """Where a search by several workers is: parts that are not merged; of those that are merged the states of their
    searches, the counts of their nodes, the identities of their paths."""

    parts: tuple[Part, ...]
    states: tuple[SearchState, ...]
    counts: NodeCounts
    hashes: Hashes


class Checkpoint(Struct, frozen=True):
    """What an earlier session left beside the main shared memory: its search's state, and that of its workers, if it
    had any."""

    state: SearchState = field(default_factory=dict)
    workers: WorkersState | None = None


class Checkpoints(Protocol):
    """Saves copies of a running search, one generation after the other."""

    def is_due(self) -> bool:
        """Whether it is time for the next generation; cheap."""
        ...

    def save(self, main: Shared, state: SearchState) -> None:
        """One generation of a search that has no workers."""
        ...

    def begin(self) -> None:
        """The next generation of a search that has workers begins; `commit` ends it."""
        ...

    def writer(self, number: int) -> Write:
        """What writes memory `number` of this generation, from 1; its answer is for `commit`."""
        ...

    def commit(
        self,
        main: Shared,
        state: SearchState,
        workers: WorkersState,
        files: Sequence[Any],
        states: Sequence[SearchState],
    ) -> None:
        """The generation is whole: `files` and the states of searches belong to `workers.parts`; `main` is memory 0."""
        ...
