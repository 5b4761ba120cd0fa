"""Runs that used up their steps, made again: with few steps, and with more conditions told apart (decision 0585).

while (n--) ;      half of the steps meet half of the conditions: it asks on, and is long
for (;;) ;         half of the steps meet all of them: it is endless
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from veer.execution.decode import model_outcome
from veer.execution.protocol import Executor
from veer.findings.severity.rounds import MANY_CONDITIONS
from veer.model.outcome import Outcome
from veer.search.distinct import distinct
from veer.wire.shared import Shared

STEPS_OF_A_TRY = 200_000
"""Of a hang that is tried with other values: it has shown what it asks of the input by then. What is told of it was run
to the end of its steps."""
SOME_CONDITIONS = 64
"""With fewer, nobody looks whether the run asks on: an outer loop of three has met 126 within two million steps."""
_OF_HALF = 0.9
"""Of the conditions that a run of all steps met: one of half the steps met no more, if it asks on. A loop that counts
meets half of them; of loops within each other, where the outer one asks, 0.71 and 0.79."""
_LEAST_STEPS = 400_000
"""Of a run that is asked whether it is long: a counter of 16 bits has begun anew by then."""
_DEEPEST = 1 << 17
"""As many conditions are told from each other there, whatever --max-branches says: twice what 16 bits count to."""


@contextmanager
def limited(shared: Shared, *, steps: int) -> Iterator[None]:
    """Runs have at most so many steps while the context lasts."""
    options = shared.options
    most = options.max_steps
    options.max_steps = min(most, steps)
    try:
        yield
    finally:
        options.max_steps = most


def conditions_met(shared: Shared) -> int:
    """How many different conditions of the input the last run met."""
    return len(distinct(shared.published("trace")["literal"]))


def asks_on(shared: Shared, executor: Executor, raw: bytes, filler: int, asked: int) -> bool:
    """Whether a run that used up its steps ends with some more of them, or meets new conditions in the second half of
    them. Where that takes too long, it does so if it met many: `asked`.

    It is the last run again behind that.
    """
    options = shared.options
    steps, depth = options.max_steps, options.max_depth

    def met(most: int) -> int:
        options.max_steps = most
        return conditions_met(shared) if executor.probe(raw, filler=filler) else 0

    options.max_depth = _DEEPEST
    try:
        for most in (max(steps, _LEAST_STEPS), _LEAST_STEPS):
            whole = met(most)
            if whole > _DEEPEST or (whole and model_outcome(shared.run.last_outcome) is not Outcome.HANG):
                return True
            if whole:
                return 0 < met(most // 2) <= _OF_HALF * whole
        return asked >= MANY_CONDITIONS
    finally:
        options.max_steps, options.max_depth = steps, depth
        executor.probe(raw, filler=filler)
