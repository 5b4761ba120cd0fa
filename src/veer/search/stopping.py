"""What ends a search whatever is left to do: its budget, Ctrl-C, a full table, full coverage."""

from __future__ import annotations

from veer.model.ending import EndingKind
from veer.model.options import SearchOptions
from veer.model.program import Program
from veer.search.budget import Budget
from veer.search.coverage import Items
from veer.search.goal import goal_sites
from veer.wire.shared import Shared


class Stopping:
    """Asked between two runs or queries; `budget` runs from when it was made."""

    def __init__(self, shared: Shared, program: Program, options: SearchOptions, budget: Budget) -> None:
        self.budget = budget
        self._shared = shared
        self._options = options
        self._items = Items(goal_sites(program, options.goal))

    def must_end(self, runs: int, *, is_full: bool = False) -> EndingKind | None:
        """The ending that is forced after so many runs; `is_full`: a table holds no more."""
        if spent := self.budget.spent(runs):
            return spent
        if self._shared.command.stop:
            return EndingKind.STOPPED
        if is_full:
            return EndingKind.BUDGET  # of memory: what was found stays, and the ledger says which table was full
        if not self._options.keep_going and self._is_covered():
            return EndingKind.COVERED
        return None

    def _is_covered(self) -> bool:
        if self._options.criterion != "branch" or not self._items.total:
            return False
        return len(self._items.covered(self._shared.published("edge_seen"))) == self._items.total
