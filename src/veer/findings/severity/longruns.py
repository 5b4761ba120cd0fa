"""Runs that used up their steps, made again: with few steps, with more conditions told apart, with smaller numbers
(decisions 0585 and 0586).

while (n--) ;      half of the steps meet half of the conditions: it asks on, and is long
for (;;) ;         half of the steps meet all of them: it is endless
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

from veer.execution.decode import model_outcome
from veer.execution.protocol import Executor
from veer.findings.severity.rounds import MANY_CONDITIONS
from veer.model.outcome import Outcome
from veer.search.distinct import distinct
from veer.wire.layout import NONE
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
_STEPS_OF_GROWTH = 50_000
"""Of runs with smaller numbers: two that end within them show how runs grow."""
_ENDS = (Outcome.RETURNED, Outcome.EXITED)
_STEPS_OF_LOOKS = (50_000, 41_000, 33_000)
LEAST_NUMBER = 4
"""With smaller ones there is no growth to see."""
_FARTHEST = 64
"""Growth is followed for so many numbers: one that is exponential has come to any bound by then, a loop that counts has
not."""
_OF_MOST = 0.75
"""Of the steps that a run has: with its number and this growth it would take so many."""
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


def grows(shared: Shared, executor: Executor, given: Callable[[int], bytes], number: int) -> bool:
    """Whether smaller numbers explain that a run of calls within calls uses up its steps (`given`: its input with
    another number); `number`: at least LEAST_NUMBER.

    fib(21) takes 1.62 times the steps of fib(20), and so on: fib(45) takes more than there are
    f(n) with for (unsigned char i = 0; i < n; i++)   takes hardly more for n = 255 than for 254, and for 256 never ends

    The last run is another one behind that.
    """
    most = shared.options.max_steps
    with limited(shared, steps=_STEPS_OF_GROWTH):
        last, steps, before = _longest(partial(_taken, shared, executor, given), number)
        if not 0 < before < steps:
            return False
        grown = math.log(steps) + min(number - last, _FARTHEST) * math.log(steps / before)
        return grown >= math.log(_OF_MOST * most) and _comes_and_goes(shared, executor, given(number))


def _longest(taken: Callable[[int], int], number: int) -> tuple[int, int, int]:
    """The largest number below that whose run ends, as far as one can see, its steps, and those of the number before
    it; 0 where there is none."""
    low, high = 1, 2
    while high < number and taken(high):
        low, high = high, min(2 * high, number)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if taken(middle) else (low, middle)
    return low, taken(low), taken(low - 1)


def _taken(shared: Shared, executor: Executor, given: Callable[[int], bytes], number: int) -> int:
    """The steps of a run; 0: it did not end within them."""
    ends = executor.probe(given(number)) and model_outcome(shared.run.last_outcome) in _ENDS
    return shared.options.max_steps - shared.run.steps_left if ends else 0


def _comes_and_goes(shared: Shared, executor: Executor, raw: bytes) -> bool:
    """Whether other calls are under way when a run has other numbers of steps: it stands in no loop of one call."""
    stacks = set()
    for steps in _STEPS_OF_LOOKS:
        with limited(shared, steps=steps):
            is_run = executor.probe(raw)
        report = shared.run.last_report
        if not is_run or report == NONE:
            return False
        record = shared.region("reports")[report]
        stacks.add(tuple(record["stack"][: int(record["depth"])].tolist()))
    return len(stacks) > 1
