"""Behind a campaign: bugs whose inputs hold objects of the unit's own are brought about by calls, or break a contract.

result ─► questions ─► a short campaign over sequences of the unit's functions ─► result, each such bug settled
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from veer.execution.interruption import may_be_lost
from veer.findings.reaching.candidates import Question, questions
from veer.findings.reaching.making import Unit
from veer.findings.reaching.plan import Chains, chains
from veer.findings.reaching.verdict import as_sought, never_called, settled
from veer.findings.rerun import Recorded
from veer.model.buildoptions import BuildOptions
from veer.model.ending import EndingKind
from veer.model.errors import VeerError
from veer.model.program import HarnessKind, Program
from veer.model.result import Bug, Result, Seconds, Test, in_order
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.protocol import PLAIN

MOST_CALLS = 20
"""Calls of a sequence."""
RUNS_IN_VAIN = 20_000
"""So many runs without anything new end the search over sequences, on a fast machine and on a slow one."""
_SHARE, _LEAST, _MOST = 1 / 2, 1.0, 30.0
"""Of the budget, and seconds: the last limit of that search, if the command has so much left."""
_BEHIND = 0.4
"""Of the time that the command has left: for what its bugs take behind it."""
_LEAST_BEHIND = 1.0
"""Seconds for that."""
_AROUND = 0.8
"""Seconds that the command takes around its campaigns: until it has begun, and to write what was found."""
Run = Callable[[BuildOptions, SearchOptions], Result]


def with_calls(result: Result, build: BuildOptions, search: SearchOptions, run: Run) -> Result:
    """The result, each of its bugs of severity ERROR or UNDEFINED with the calls that bring it about, where its input
    holds objects that functions of the unit make; where `run` finds no such calls, it is of severity CONTRACT."""
    is_stopped = result.ending.kind is EndingKind.STOPPED
    plan = _plan(result.program, result.tests, result.bugs, build, search) if not is_stopped else None
    if plan is None:
        return result
    if plan.calls is None:
        answers = {each.bug: never_called(each, plan.unit) for each in plan.asked}
        return replace(result, bugs=in_order(answers.get(bug, bug) for bug in result.bugs))
    of_calls = _of_calls(build, plan.calls)
    result = replace(result, builds=(*result.builds, of_calls))
    try:
        with may_be_lost():
            found = run(of_calls, _shortly(search, plan.asked, result.seconds))
    except VeerError as error:
        return _unsettled(result, str(error).splitlines()[0])
    except KeyboardInterrupt:  # while it was built, or twice
        return _stopped(result)
    if found.ending.kind is EndingKind.STOPPED:
        return _stopped(result)
    answers = {each.bug: settled(each, plan.calls.functions, found, plan.unit) for each in plan.asked}
    bugs = in_order(answers.get(bug, bug) for bug in result.bugs)
    return replace(result, bugs=bugs, seconds=_together(result.seconds, found.seconds))


def asks(program: Program, build: BuildOptions, search: SearchOptions, found: Recorded) -> bool:
    """Whether calls will be looked for that bring these bugs about."""
    plan = _plan(program, found.tests, found.bugs, build, search)
    return plan is not None and plan.calls is not None


class _Plan(NamedTuple):
    """What calls are asked, and which; None where nobody can make such calls."""

    unit: Unit
    asked: Sequence[Question]
    calls: Chains | None


def _plan(
    program: Program, tests: Sequence[Test], bugs: Sequence[Bug], build: BuildOptions, search: SearchOptions
) -> _Plan | None:
    """None where nothing is asked."""
    if not search.reach or program.facts is None or not _is_plain(program, build):
        return None
    unit = Unit(program, program.facts)
    asked = questions(tests, bugs, unit)
    return _Plan(unit, asked, chains(unit, [name for each in asked for name in each.structs])) if asked else None


def _stopped(result: Result) -> Result:
    """The result when someone stopped the search for calls: what was found is told."""
    ended = replace(result, ending=replace(result.ending, kind=EndingKind.STOPPED))
    return _unsettled(ended, "it was stopped")


def _unsettled(result: Result, why: str) -> Result:
    note = f"calls that bring its bugs about were not looked for to the end: {why}"
    return replace(result, program=replace(result.program, notes=(*result.program.notes, note)))


def _is_plain(program: Program, build: BuildOptions) -> bool:
    """Whether it is a campaign of one function in C whose arguments are inputs.

    What a predicate, or the type of a void pointer, says of the entry's arguments, calls could not be held to; nor are
    they interrupted.
    """
    is_bound = build.preconditions or build.void or build.globals or build.eager or build.interrupt
    is_function = program.harness is HarnessKind.FUNCTION and not program.declarations
    return is_function and not is_bound


def _of_calls(build: BuildOptions, planned: Chains) -> BuildOptions:
    """What decides the executable of the sequences: contracts of the entry are those of its calls."""
    contracts = tuple(replace(each, function=each.function or build.entry) for each in build.contracts)
    return replace(
        build,
        entry=f"calls of {build.entry}",
        sequence=planned.sequence,
        own_structs=planned.own,
        max_calls=MOST_CALLS,
        own_bounds=(),
        contracts=contracts,
    )


def _shortly(search: SearchOptions, asked: Sequence[Question], spent: Seconds) -> SearchOptions:
    """The options of the search over sequences, which tells of nothing else; `spent`: by the campaign before it."""
    left = search.budget + search.seconds_behind - (spent.total - spent.compile) - _AROUND
    budget = max(_LEAST, min(_MOST, _SHARE * search.budget, (1 - _BEHIND) * left))
    sought = tuple(dict.fromkeys(as_sought(each.bug) for each in asked))
    plain = replace(
        search, search=PLAIN, partition=(), checks_partition=False, criterion="branch", goal="all", jobs=1, cluster=""
    )
    found = replace(plain, max_runs=0, max_bugs=0, oracles=(), reach=False)
    behind = max(_LEAST_BEHIND, left - budget)
    return replace(found, budget=budget, behind=behind, plateau=RUNS_IN_VAIN, patience=0.0, sought=sought)


def _together(one: Seconds, other: Seconds) -> Seconds:
    """The times of both campaigns."""
    return replace(
        one,
        total=one.total + other.total,
        compile=one.compile + other.compile,
        execute=one.execute + other.execute,
        solve=one.solve + other.solve,
        explore=one.explore + other.explore,
    )
