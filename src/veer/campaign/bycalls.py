"""A function that no run gets through, since what it is given has something before it that only the unit's own
functions put there: `typedef char *sds;`. The calls that make such objects, as `--sequence` takes them.
"""

from __future__ import annotations

from veer.model.buildoptions import BuildOptions
from veer.model.handles import alias, is_handle
from veer.model.outcome import Outcome
from veer.model.program import Function, HarnessKind
from veer.model.result import Result
from veer.model.severity import Severity
from veer.model.values import replace

_MOST_MAKERS = 3
SUFFIX = "_by_calls"
"""What such a campaign is called, behind the entry's name."""
_SEEN_BEHIND = frozenset({Outcome.LEAK, Outcome.FAULTED, Outcome.DIFFERS})
"""Bugs of runs that got through the entry."""


def is_stuck(result: Result) -> bool:
    """Whether no run got through the entry for what it was given: each ended as a bug before it returned, and no bug is
    the entry's own error."""
    has_error = any(bug.severity is Severity.ERROR for bug in result.bugs)
    ends_early = all(each.outcome.is_bug and each.outcome not in _SEEN_BEHIND for each in result.tests)
    return bool(result.tests) and ends_early and not has_error


def calls_for(result: Result) -> str:
    """The sequence that ends with the entry; "" where a run got through, or no function of the unit makes what it is
    given."""
    program = result.program
    entry = program.function(program.entry)
    if entry is None or entry.is_static or program.harness is not HarnessKind.FUNCTION or not is_stuck(result):
        return ""
    wanted = _handles(result, entry)
    found = [
        each
        for each in program.functions
        if each.returns >= 0 and is_handle(each.returns, program.types) and alias(program.types[each.returns]) in wanted
    ]
    makers = sorted((each for each in found if _is_maker(result, entry, each)), key=lambda each: len(each.parameters))
    names = ",".join(each.name for each in makers[:_MOST_MAKERS])
    return f"{{{names}}},{entry.name}" if names else ""


def advice(result: Result) -> tuple[str, ...]:
    """A note on the calls that make what the entry is given, where no run got through it."""
    calls = calls_for(result)
    entry = result.program.entry
    return (f"no run got through {entry}: --sequence '{calls}' lets calls make what it is given",) if calls else ()


def _is_maker(result: Result, entry: Function, function: Function) -> bool:
    """Whether other sources can call a function of the entry's source, and it is given no such object itself."""
    is_callable = not function.is_static and not function.variadic and function.file == entry.file
    is_made = not any(each.unsupported for each in function.parameters)
    return is_callable and is_made and function.name != entry.name and not _handles(result, function)


def _handles(result: Result, function: Function) -> set[str]:
    types = result.program.types
    return {alias(types[each.type]) for each in function.parameters if is_handle(each.type, types)}


def build_of(build: BuildOptions, sequence: str) -> BuildOptions:
    """What decides the executable of these calls: the entry's contracts are those of its calls."""
    contracts = tuple(replace(each, function=each.function or build.entry) for each in build.contracts)
    return replace(build, entry=f"{build.entry}{SUFFIX}", sequence=sequence, contracts=contracts, own_bounds=())
