"""Options → the control block that executors read."""

from __future__ import annotations

import time

from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.growth import NOT_GROWN, Doublings
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.model.types import ExtentKind
from veer.wire.bounds import Bounds
from veer.wire.flows import Flows
from veer.wire.layout import RUNGS, Bound, Switch
from veer.wire.shared import Shared

GUARD_SIBLINGS = 257  # values of one symbolic address that are explored: all of a byte, and that there is no other
_FOLLOWED, _FOR_STUBS_ALONE = 1, 2
_STACK = 8 << 20
_MOST_BRANCHES = (1 << 32) - 1
_SWITCHES = {"ladder": Switch.LADDER, "events": Switch.EVENTS}


def configure(
    shared: Shared,
    program: Program,
    build: BuildOptions,
    search: SearchOptions,
    doublings: Doublings = NOT_GROWN,
    *,
    seconds: float = 0.0,
) -> None:
    """Sets what decides the runs, before the first executor starts; `seconds` is the age of a campaign that goes on.

    Raises UsageError for a number that there is no room for.
    """
    options = shared.options
    shared.counts.edge_count = 2 * len(program.sites)
    if search.max_branches > _MOST_BRANCHES:
        raise UsageError(
            f"--max-branches {search.max_branches}: that is too large; at most {_MOST_BRANCHES}, and 0: all"
        )
    options.max_depth = search.max_branches
    options.guard_siblings = GUARD_SIBLINGS
    options.max_steps = search.max_steps
    options.heap_limit = search.memory
    options.stack_limit = _STACK
    options.seed = search.seed
    options.check_leaks = int("leak" in program.checks)
    options.follows_unwritten = _follows_unwritten(program)
    options.switched_off = sum(bit for name, bit in _SWITCHES.items() if name in search.without)
    options.rungs_off = sum(1 << number for number, rung in enumerate(RUNGS) if rung in search.without)
    shared.control(Bounds).doublings = sum(times << 4 * Bound[kind.name] for kind, times in doublings.items())
    shared.control(Flows).partitioned = int(build.partitioned)
    options.start_nanoseconds = max(0, time.monotonic_ns() - int(seconds * 1e9))
    shared.command.stop = shared.command.record = shared.command.filler = 0


def _follows_unwritten(program: Program) -> int:
    """Whether memory that nobody has written has words of its own: where its use is looked for, or stubs write it."""
    if "uninitialised" in program.checks:
        return _FOLLOWED
    of_callbacks = (row.passed for row in program.types if row.extent is ExtentKind.FUNCTION)
    given = (*program.passed.values(), *of_callbacks)
    return _FOR_STUBS_ALONE if any(each.is_written for passed in given for each in passed) else 0
