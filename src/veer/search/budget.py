"""What a search may spend: seconds on the wall, runs."""

from __future__ import annotations

import time
from collections.abc import Callable

from msgspec import Struct

from veer.model.ending import EndingKind


class Budget(Struct, frozen=True):
    """`deadline` in the seconds of `clock`; `max_runs` 0 = no limit."""

    deadline: float
    max_runs: int = 0
    clock: Callable[[], float] = time.monotonic

    def spent(self, runs: int) -> EndingKind | None:
        """The ending that the budget forces after so many runs."""
        if self.max_runs and runs >= self.max_runs:
            return EndingKind.MAX_RUNS
        if self.clock() >= self.deadline:
            return EndingKind.BUDGET
        return None

    def within(self, batch: int, runs: int) -> int:
        """The batch, cut to the runs that are left."""
        return min(batch, self.max_runs - runs) if self.max_runs else batch
