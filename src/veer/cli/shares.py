"""What each function of `veer test --all` may take: shares of the budget, and of the time behind the searches.

The searches of all functions share the budget. All that the functions take shares the budget, 5 s and a fifth of it
(docs/decisions/0419). What a function leaves of either goes to those after it.
"""

from __future__ import annotations

from msgspec import Struct

from veer.model.searchoptions import SearchOptions
from veer.model.values import replace

NOT_ENOUGH = 0.25
"""Seconds; a share of the budget is at least this: enough for a small function on a busy machine."""
LEAST_BEHIND = 1.0
"""Seconds; a share of the time behind the searches is at least this."""
LENT = 0.5
"""Of what the searches may still take: what is lent to the time behind them, since most end early."""


class Share(Struct, frozen=True):
    """Seconds of search, and seconds behind it: what one function may take, or what it took."""

    search: float = 0.0
    behind: float = 0.0

    def of(self, options: SearchOptions) -> SearchOptions:
        """The options of a function that may take this."""
        return replace(options, budget=max(self.search, NOT_ENOUGH), behind=max(self.behind, LEAST_BEHIND))


class Shares:
    """What is left for the functions that are not done; `jobs` of them at a time have so many times the time of one."""

    def __init__(self, options: SearchOptions, jobs: int = 1) -> None:
        self._options = options
        self._search = jobs * options.budget
        self._all = jobs * (options.budget + options.seconds_behind)
        self._jobs, self._left = jobs, self._all

    @property
    def left(self) -> float:
        """Seconds that all may still take, so many at a time; builds are not counted."""
        return max(0.0, self._left / self._jobs)

    def take(self, waiting: int) -> Share:
        """The share of one of so many functions that wait. It is set aside until `give_back`.

        No function has more than one that is tested alone with such a budget.
        """
        most = self._options
        for_search = self._all * most.budget / (most.budget + most.seconds_behind)
        search = max(0.0, min(most.budget, self._search / waiting, for_search / waiting))
        alone = replace(most, budget=search).seconds_behind
        fair = (self._all - self._search + LENT * self._search) / waiting
        behind = max(0.0, min(alone, fair, self._all - search))
        self._search -= search
        self._all -= search + behind
        return Share(search, behind)

    def give_back(self, share: Share, used: Share) -> None:
        """A function that had this share is done. What it overdrew is taken from the others."""
        self._left -= used.search + used.behind
        self._search += share.search - used.search
        self._all += share.search + share.behind - used.search - used.behind
