"""Options → the control block that executors read."""

from __future__ import annotations

import time

from veer.model.options import BuildOptions, SearchOptions
from veer.model.program import Program
from veer.wire.layout import RUNGS, Switch
from veer.wire.shared import Shared

GUARD_SIBLINGS = 257  # values of one symbolic address that are explored: all of a byte, and that there is no other
_STACK = 8 << 20
_SWITCHES = {"ladder": Switch.LADDER, "events": Switch.EVENTS}


def configure(
    shared: Shared, program: Program, build: BuildOptions, search: SearchOptions, *, seconds: float = 0.0
) -> None:
    """Sets what decides the runs, before the first executor starts; `seconds` is the age of a campaign that goes on."""
    control = shared.control
    control["edge_count"] = 2 * len(program.sites)
    control["max_depth"] = search.max_branches
    control["guard_siblings"] = GUARD_SIBLINGS
    control["max_steps"] = search.max_steps
    control["heap_limit"] = search.memory
    control["stack_limit"] = _STACK
    control["seed"] = search.seed
    control["check_leaks"] = int("leak" in build.checks)
    control["switched_off"] = sum(bit for name, bit in _SWITCHES.items() if name in search.without)
    control["rungs_off"] = sum(1 << number for number, rung in enumerate(RUNGS) if rung in search.without)
    control["partitioned"] = int(build.partitioned)
    control["start_nanoseconds"] = max(0, time.monotonic_ns() - int(seconds * 1e9))
    control["stop"] = control["record"] = control["filler"] = 0
