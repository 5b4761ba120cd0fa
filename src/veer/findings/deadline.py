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


class Deadline(Struct, frozen=True):
    """The end of one step or of several, in seconds of `clock`.

    `pace`: how much of its usual time a step may take, which is the time behind a search with the usual budget.
    """

    end: float = math.inf
    pace: float = 1.0
    clock: Callable[[], float] = time.monotonic

    @property
    def is_over(self) -> bool:
        """Whether it has come."""
        return self.clock() > self.end

    @property
    def left(self) -> float:
        """Seconds until then; 0 once it has come."""
        return max(0.0, self.end - self.clock())

    def within(self, seconds: float) -> Deadline:
        """The end of a step that may take so long from now on."""
        return replace(self, end=min(self.end, self.clock() + seconds))

    def usually(self, seconds: float) -> Deadline:
        """The end of a step that may take so long behind a search with the usual budget."""
        return self.within(self.pace * seconds)

    def part(self, share: float) -> Deadline:
        """The end of a step that leaves the rest of the time to those behind it."""
        return self.within(share * self.left)

    def earlier(self, seconds: float) -> Deadline:
        """So much earlier."""
        return replace(self, end=self.end - seconds)


NEVER = Deadline()
"""Steps take the time that they have of their own."""
