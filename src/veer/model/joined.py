"""The results of several entries of one project as one: what is told of the whole (`veer test --all`).

Lines of one place are one, and so are branches, bugs and functions of one place and one function: a macro may define
many functions in one line. A test is called `ENTRY/NAME`. What two entries say of one branch is the better of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TypeVar

from msgspec.structs import asdict

from veer.model.coverage import FunctionCoverage, LineCoverage
from veer.model.describe import told
from veer.model.ending import BranchState, Claim, Ending, EndingKind
from veer.model.inputs import InputMap
from veer.model.program import Program
from veer.model.result import (
    Branch,
    Bug,
    Constraints,
    Count,
    Coverage,
    LedgerEntry,
    Operations,
    Queries,
    Result,
    Rung,
    Seconds,
    Test,
)
from veer.model.severity import worst_first
from veer.model.values import replace

_BEST_FIRST = (
    BranchState.COVERED,
    BranchState.UNKNOWN,
    BranchState.PRUNED,
    BranchState.UNREACHED,
    BranchState.INFEASIBLE,
)
"""Infeasible from one entry says nothing about another, so it is the last."""
_LEAST_FIRST = (Claim.NONE, Claim.CRITERION, Claim.LOCATIONS, Claim.PATHS)
_WORST_FIRST = (
    EndingKind.STOPPED,
    EndingKind.FAILED,
    EndingKind.BUDGET,
    EndingKind.MAX_RUNS,
    EndingKind.MAX_BUGS,
    EndingKind.PLATEAU,
    EndingKind.COVERED,
    EndingKind.FOUND,
    EndingKind.EXHAUSTED,
)
_Sum = TypeVar("_Sum", Seconds, Operations, Constraints, Rung)
_Counted = TypeVar("_Counted", LineCoverage, FunctionCoverage)
_Place = tuple[str, int, int, str, str, str, int]
"""File, line, column, text, function, side, and which of the sides that are alike in all of these: a macro may branch
more than once."""


def abridged(result: Result) -> Result:
    """The result without what the whole has no use for: the tree, the program's types and sites, what tests expect.

    Its tests keep their inputs as text, and in the engine's form.
    """
    program = result.program
    tests = tuple(
        replace(test, shown=tuple(told(program, test).items()), inputs=_only_raw(test), outputs=(), called=None)
        for test in result.tests
    )
    bare = Program(
        entry=program.entry,
        harness=program.harness,
        sources=program.sources,
        executable=Path(),
        functions=(),
        types=(),
        sites=(),
        bounds=program.bounds,
        notes=program.notes,
        language=program.language,
        requirements=program.requirements,
    )
    return replace(result, program=bare, tests=tests, samples=(), tree=(), decisions=(), partition=None, summaries=None)


def _only_raw(test: Test) -> InputMap:
    return InputMap(roots=(), objects=(), raw=test.inputs.raw)


def joined(parts: Sequence[Result], name: str) -> Result:
    """Abridged results as one, whose entry is called `name`. Raises ValueError when there are none."""
    if not parts:
        raise ValueError("there are no results to join")
    branches, numbers = _branches(parts)
    lines = _counted(part.lines for part in parts)
    functions = _counted(part.functions for part in parts)
    covered = Count(sum(each.state is BranchState.COVERED for each in branches), len(branches))
    first = parts[0]
    return Result(
        program=_program([part.program for part in parts], name),
        seed=first.seed,
        strategy=first.strategy,
        options=first.options | {"entry": ""},
        ending=_ending([part.ending for part in parts]),
        runs=sum(part.runs for part in parts),
        mutated_runs=sum(part.mutated_runs for part in parts),
        paths=sum(part.paths for part in parts),
        diverged=sum(part.diverged for part in parts),
        queries=_queries([part.queries for part in parts]),
        coverage=Coverage(branches=covered, lines=_count(lines), functions=_count(functions)),
        branches=branches,
        bugs=_bugs(parts),
        tests=tuple(test for part in parts for test in _tests(part, numbers)),
        ledger=_ledger(parts),
        seconds=_added(Seconds, [part.seconds for part in parts]),
        platform=first.platform,
        toolchain=first.toolchain,
        lines=lines,
        functions=functions,
        texts=tuple({text.path: text for part in parts for text in part.texts}.values()),
        operations=_added(Operations, [part.operations for part in parts]),
    )


def _program(programs: Sequence[Program], name: str) -> Program:
    return replace(
        programs[0],
        entry=name,
        sources=tuple(dict.fromkeys(source for each in programs for source in each.sources)),
        bounds=tuple(dict.fromkeys(bound for each in programs for bound in each.bounds)),
        notes=tuple(dict.fromkeys(note for each in programs for note in each.notes)),
        requirements={name: ids for each in programs for name, ids in each.requirements.items()},
    )


def bug_place(bug: Bug) -> tuple[str, str, int, int, str]:
    """What makes bugs of two entries one."""
    return bug.outcome.key, bug.file, bug.line, bug.column, bug.function


def _places(branches: Iterable[Branch]) -> list[tuple[_Place, Branch]]:
    """The branches of one entry with what makes those of two entries one."""
    seen: dict[tuple[str, int, int, str, str, str], int] = {}
    places: list[tuple[_Place, Branch]] = []
    for branch in branches:
        alike = (branch.file, branch.line, branch.column, branch.text, branch.function, branch.side)
        seen[alike] = seen.get(alike, -1) + 1
        places.append(((*alike, seen[alike]), branch))
    return places


def _branches(parts: Iterable[Result]) -> tuple[tuple[Branch, ...], dict[_Place, int]]:
    """The branches of all, and their numbers."""
    best: dict[_Place, Branch] = {}
    for part in parts:
        for place, branch in _places(part.branches):
            known = best.setdefault(place, branch)
            if _BEST_FIRST.index(branch.state) < _BEST_FIRST.index(known.state):
                best[place] = branch
    ordered = sorted(best, key=lambda place: place[:3])
    numbers = {place: number for number, place in enumerate(ordered)}
    return tuple(replace(best[place], id=number) for place, number in numbers.items()), numbers


def _counted(parts: Iterable[Sequence[_Counted]]) -> tuple[_Counted, ...]:
    """Lines or functions in the order of the sources, with the tests of all entries."""
    tests: dict[_Counted, int] = {}
    for part in parts:
        for each in part:
            alone = replace(each, tests=0)
            tests[alone] = tests.get(alone, 0) + each.tests
    return tuple(replace(each, tests=tests[each]) for each in sorted(tests, key=lambda each: (each.file, each.line)))


def _count(counted: Sequence[LineCoverage] | Sequence[FunctionCoverage]) -> Count | None:
    return Count(sum(each.tests > 0 for each in counted), len(counted)) if counted else None


def _bugs(parts: Iterable[Result]) -> tuple[Bug, ...]:
    found: dict[tuple[str, str, int, int, str], Bug] = {}
    for part in parts:
        for bug in part.bugs:
            own = replace(bug, test=f"{part.program.entry}/{bug.test}" if bug.test else "")
            known = found.setdefault(bug_place(bug), own)
            if known is not own:
                worse = min(known, own, key=_severity)
                found[bug_place(bug)] = replace(worse, count=known.count + bug.count)
    ordered = sorted(found.values(), key=_severity)
    return tuple(replace(bug, id=number) for number, bug in enumerate(ordered, 1))


def _severity(bug: Bug) -> tuple[bool, int]:
    """The worst first, those that are accepted last."""
    return bug.is_accepted, worst_first(bug.severity)


def _tests(part: Result, numbers: dict[_Place, int]) -> Iterator[Test]:
    """The tests of one entry, under its name, with the numbers of what they cover in the whole."""
    places = {branch.id: numbers[place] for place, branch in _places(part.branches)}
    for test in part.tests:
        covers = sorted(places[item] for item in test.covers if item in places)
        yield replace(test, name=f"{part.program.entry}/{test.name}", covers=tuple(covers))


def _ending(endings: Sequence[Ending]) -> Ending:
    """The weakest of all: what holds for every entry."""
    return Ending(
        min((each.kind for each in endings), key=_WORST_FIRST.index),
        min((each.claim for each in endings), key=_LEAST_FIRST.index),
        tuple(dict.fromkeys(bound for each in endings for bound in each.within)),
        tuple(dict.fromkeys(reason for each in endings for reason in each.lost_by)),
    )


def _queries(parts: Sequence[Queries]) -> Queries:
    answered: dict[str, int] = {}
    ladder: dict[str, Rung] = {}
    for part in parts:
        for name, count in part.answered_by.items():
            answered[name] = answered.get(name, 0) + count
        for name, rung in part.ladder.items():
            ladder[name] = _added(Rung, [ladder.get(name, Rung(0, 0, 0)), rung])
    return Queries(
        total=sum(part.total for part in parts),
        sat=sum(part.sat for part in parts),
        unsat=sum(part.unsat for part in parts),
        unknown=sum(part.unknown for part in parts),
        answered_by=answered,
        constraints=_added(Constraints, [part.constraints for part in parts]),
        ladder=ladder,
    )


def _ledger(parts: Iterable[Result]) -> tuple[LedgerEntry, ...]:
    counts: dict[LedgerEntry, int] = {}
    for part in parts:
        for entry in part.ledger:
            alone = replace(entry, count=0)
            counts[alone] = counts.get(alone, 0) + entry.count
    return tuple(replace(entry, count=count) for entry, count in counts.items())


def _added(kind: type[_Sum], values: Sequence[_Sum]) -> _Sum:
    """The sums, field by field."""
    rows = [asdict(value) for value in values]
    return kind(**{name: _sum([row[name] for row in rows]) for name in rows[0]})


def _sum(values: Sequence[Any]) -> Any:
    """Of numbers, or of numbers by name."""
    if not isinstance(values[0], dict):
        return sum(values)
    names = dict.fromkeys(name for each in values for name in each)
    return {name: sum(each.get(name, 0) for each in values) for name in names}
