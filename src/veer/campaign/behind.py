"""How the time behind a search is shared: 5 s and a fifth of its budget, for all that the command still does.

the search ends ─► better inputs, severity ─► 0.65 ─► last records, replays, the suite ─► explanations ─► 0.8 ─► written
                                      └── 0.4 where calls are looked for that bring bugs about ──────────────────┘
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable

from msgspec import Struct

from veer.execution.replay import longest
from veer.findings.deadline import Deadline
from veer.findings.rerun import Recorded
from veer.frontends.llvm.replay.process import HANG_COUNTED
from veer.frontends.llvm.replay.replayer import AT_ONCE
from veer.model.searchoptions import SearchOptions

ALL = sys.maxsize
FOR_BETTER = 0.65
"""Of the time: what only makes results better ends then."""
EXPLAINED = 0.8
"""Of the time: what explains branches that no input takes ends then."""
FEWEST_HANGS = 4
"""Places at which runs used up their steps are looked at again at least, whatever time that takes."""
_RUNS_OF_A_HANG = 3
"""A place costs as much as so many replays: the runs that judge it and record its test take their time, too."""
FOR_CALLS = 0.25
"""Of the time, taken from what only makes results better: for the search for calls."""


class Behind(Struct, frozen=True):
    """The time behind one search: `seconds` from `since` on, the moment at which it ended, or should have.

    `pace`: see Deadline; `hang`: seconds that the replay of one takes; `asks_for_calls`: whether calls will be looked
    for that bring bugs about which were found.
    """

    since: float
    seconds: float
    pace: float
    hang: float
    asks_for_calls: Callable[[Recorded], bool] = lambda found: False
    clock: Callable[[], float] = time.monotonic

    @property
    def better(self) -> Deadline:
        """When what only makes results better ends."""
        return self._at(FOR_BETTER)

    @property
    def explained(self) -> Deadline:
        """When what explains branches that no input takes ends."""
        return self._at(EXPLAINED)

    @property
    def most_hangs(self) -> int:
        """Places at which runs used up their steps that there is time to look at again."""
        return max(FEWEST_HANGS, int(FOR_BETTER * self.seconds / (_RUNS_OF_A_HANG * self.hang))) if self.hang else ALL

    def for_calls(self, found: Recorded) -> float:
        """Seconds by which `better` is too late for these tests and bugs: those for the search for calls."""
        return FOR_CALLS * self.seconds if self.asks_for_calls(found) else 0.0

    def _at(self, share: float) -> Deadline:
        return Deadline(self.since + share * self.seconds, self.pace, self.clock)


NOTHING_BEHIND = Behind(math.inf, 0.0, 1.0, 0.0)
"""Before a search has ended."""


def behind(
    search: SearchOptions,
    began: float,
    asks_for_calls: Callable[[Recorded], bool] = lambda found: False,
    clock: Callable[[], float] = time.monotonic,
) -> Behind:
    """The time behind a search that began then, and has just ended: one that took too long takes it from there."""
    since = min(clock(), began + search.budget)
    return Behind(since, search.seconds_behind, search.pace, _hang(search), asks_for_calls, clock)


def _hang(search: SearchOptions) -> float:
    """Seconds that the replay of a hang takes, where several are waited for at once: in the plain build and another.

    Where bugs are sought nothing is kept back for it: more witnesses of a bug may decide what is told.
    """
    return 0.0 if search.sought else longest(search.timeout) * (1 + HANG_COUNTED) / AT_ONCE
