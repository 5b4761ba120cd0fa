"""Tells of a running search, and notes how its coverage grows."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from veer.model.program import Program
from veer.model.progress import Progress
from veer.oracles.bugs import KnownBugs
from veer.search.goal import goal_items
from veer.search.history import History
from veer.wire.shared import Shared

_SECONDS = 0.2  # between two reports

Report = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Tells nobody."""


class Reporter:
    """Of one search; `start`: of the campaign, in time.monotonic."""

    def __init__(
        self, shared: Shared, program: Program, goal: str, start: float, report: Report, history: History
    ) -> None:
        self._shared = shared
        self._items = goal_items(program, goal)
        self._start = start
        self._report = report
        self._history = history
        self._reported = 0.0
        self._bugs = KnownBugs(program.sites)

    def on_round(self, open_branches: int) -> None:
        """After a round of a search in this process: reports some times a second."""
        now = time.monotonic()
        if self._history.is_due(now - self._start):
            self._history.add(now - self._start, self._shared.counts.runs, self._covered())
        if now - self._reported >= _SECONDS:
            self._reported = now
            self._tell(now, self._shared.counts.runs, self._shared.counts.distinct_paths, open_branches)

    def on_tick(self, runs: int, paths: int) -> None:
        """Some times a second while workers search."""
        now = time.monotonic()
        if self._history.is_due(now - self._start):
            self._history.add(now - self._start, runs, self._covered())
        self._tell(now, runs, paths, 0)

    def note(self, reports: npt.NDArray[np.void]) -> None:
        """Learns of bugs that workers have reported."""
        self._bugs.add(reports)

    def sample(self) -> None:
        """Notes how far the search is."""
        self._history.add(time.monotonic() - self._start, self._shared.counts.runs, self._covered())

    def _covered(self) -> int:
        return len(self._items.covered(self._shared.published("edge_seen")))

    def _tell(self, now: float, runs: int, paths: int, open_branches: int) -> None:
        self._bugs.read(self._shared)
        seconds, covered, bugs = now - self._start, self._covered(), len(self._bugs)
        self._report(Progress("explore", seconds, runs, paths, open_branches, covered, self._items.total, bugs))
