"""What ends a search whatever is left to do: its budget, Ctrl-C, a full table, enough bugs, full coverage, new code."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from veer.model.ending import EndingKind
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.oracles.bugs import KnownBugs
from veer.search.budget import Budget
from veer.search.cost import cost_of
from veer.search.goal import goal_items, places
from veer.wire.shared import Shared
from veer.wire.targets import Targets

_RUNS_BEHIND_NEW_CODE = 200
"""A search goes on for so many runs behind one that came to new code: others may come to more of it."""


class Stopping:
    """Asked between two runs or queries; `budget` runs from when it was made."""

    def __init__(self, shared: Shared, program: Program, options: SearchOptions, budget: Budget) -> None:
        self.budget = budget
        self._shared = shared
        self._options = options
        self._items = goal_items(program, options.goal)
        self._bugs = KnownBugs(program.sites)
        self._seeks_place = bool(places(program))
        self._most_cost = cost_of(shared) + options.most_cost if options.most_cost else 0.0

    def note(self, reports: npt.NDArray[np.void]) -> None:
        """Learns of bugs that workers have reported."""
        self._bugs.add(reports)

    def must_end(self, runs: int, *, is_full: bool = False) -> EndingKind | None:
        """The ending that is forced after so many runs; `is_full`: a table holds no more."""
        if spent := self.budget.spent(runs):
            return spent
        if self._shared.command.stop:
            return EndingKind.STOPPED
        if 0 < self._most_cost <= cost_of(self._shared):
            return EndingKind.BUDGET
        if is_full:
            return EndingKind.BUDGET  # of memory: what was found stays, and the ledger says which table was full
        if self._options.max_bugs and self._known_bugs() >= self._options.max_bugs:
            return EndingKind.MAX_BUGS
        if self._has_new_code(runs):
            return EndingKind.NEW_CODE
        if self._seeks_place:
            return EndingKind.FOUND if self._is_covered() else None
        if not self._options.keep_going and self._is_covered():
            return EndingKind.COVERED
        return None

    def _has_new_code(self, runs: int) -> bool:
        """Whether the program is to be built again with code that runs came to (wire/targets.py)."""
        targets = self._shared.control(Targets)
        return targets.target_count > 0 and runs - targets.last_target_run >= _RUNS_BEHIND_NEW_CODE

    def _known_bugs(self) -> int:
        self._bugs.read(self._shared)
        return len(self._bugs)

    def _is_covered(self) -> bool:
        if (self._options.criterion != "branch" and not self._seeks_place) or not self._items.total:
            return False
        return len(self._items.covered(self._shared.published("edge_seen"))) == self._items.total
