"""When steps behind a search end that only make its results better: one deadline, and within it a while for each step.

search ends ─► severity ─► shrinking ─► tests recorded ─► values ─► pairs ─┆─► replays, the suite, calls, writing
               └─────────── only better: until the deadline ───────────────┘   must be done: time is kept back
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

from msgspec import Struct

from veer.model.values import replace

_BUSY = 5.0
"""On a machine with nothing else to do a step takes little more than it works: executors work beside it."""


class Deadline(Struct, frozen=True):
    """The end of one step or of several, in seconds of `clock`; a step on its own has so much of the processor, too, by
    `work`: what it makes then hangs less on how busy the machine is.

    `pace`: how much of its usual time a step may take, which is the time behind a search with the usual budget.
    """

    end: float = math.inf
    pace: float = 1.0
    clock: Callable[[], float] = time.monotonic
    work_end: float = math.inf
    work: Callable[[], float] = time.process_time

    @property
    def is_over(self) -> bool:
        """Whether it has come."""
        return self.clock() > self.end or self.work() > self.work_end

    @property
    def left(self) -> float:
        """Seconds until then; 0 once it has come."""
        return max(0.0, self.end - self.clock())

    def within(self, seconds: float) -> Deadline:
        """The end of a step that may take so long from now on."""
        return replace(self, end=min(self.end, self.clock() + seconds))

    def working(self, seconds: float) -> Deadline:
        """The end of a step that may work so long from now on, and take some times as long."""
        return replace(self.within(_BUSY * seconds), work_end=min(self.work_end, self.work() + seconds))

    def usually(self, seconds: float) -> Deadline:
        """The end of a step that may work so long behind a search with the usual budget."""
        return self.working(self.pace * seconds)

    def part(self, share: float) -> Deadline:
        """The end of a step that leaves the rest of the time to those behind it."""
        work_left = max(0.0, self.work_end - self.work())
        return replace(self.within(share * self.left), work_end=self.work() + share * work_left)

    def earlier(self, seconds: float) -> Deadline:
        """So much earlier."""
        return replace(self, end=self.end - seconds)


NEVER = Deadline()
"""Steps take the time that they have of their own."""
