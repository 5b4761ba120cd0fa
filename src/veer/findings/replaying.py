"""The last step of a campaign: a replay in the tests' own language confirms them, and measures what they cover."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from pathlib import Path
from types import MappingProxyType

import numpy as np
from msgspec import Struct

from veer.execution.replay import SANDBOXED
from veer.findings.rerun import Recorded
from veer.frontends.protocol import Replayer
from veer.model.coverage import FunctionCoverage, LineCoverage, function_coverage, line_coverage
from veer.model.decisions import Decision, DecisionCoverage, counted_conditions, counted_pairs, decision_coverage
from veer.model.errors import ToolchainError
from veer.model.outcome import Outcome
from veer.model.program import HarnessKind, Program
from veer.model.replay import SAME, STOPPED, Agreement, Proof, Replay, Want, not_replayed
from veer.model.result import Bug, Confirmation, Count, Coverage, Test
from veer.model.values import replace
from veer.search.environment import is_the_same_tomorrow

MOST_PRINTED = 2000
"""Bytes of standard output that a test expects; of longer ones it expects nothing."""
_MOST_NAMED = 3
_USED_UP = MappingProxyType({Outcome.HANG: "steps", Outcome.STACK_OVERFLOW: "stack"})


class Judge(Struct, frozen=True):
    """What says whether tests of a program are real; it is asked for what is in `want`, until `is_stopped`."""

    program: Program
    replayer: Replayer
    is_stopped: Callable[[], bool]
    want: Want = Want.ALL

    def vectors(self, tests: Sequence[Test]) -> Vectors | None:
        """What the tests show of each decision; None when the language marks none. Raises ToolchainError."""
        return _vectors(tests, self.replayer.replay(tests, self.is_stopped, Want.MARKS), self.replayer)


class Measured(Struct, frozen=True):
    """What all replayed tests covered; `edges` has a byte an edge."""

    edges: np.ndarray
    lines: tuple[LineCoverage, ...]
    functions: tuple[FunctionCoverage, ...]
    decisions: tuple[DecisionCoverage, ...] | None = None  # None: nobody asked, or the language marks none


class Replayed(Struct, frozen=True):
    """Tests and bugs as the replay confirms them; `measured` is None when nothing could be run.

    `notes`: the runs that used up their steps or their stack, and of which nobody can say whether they end.
    """

    tests: tuple[Test, ...]
    bugs: tuple[Bug, ...]
    measured: Measured | None = None
    notes: tuple[str, ...] = ()


def differing(tests: Iterable[Test]) -> tuple[str, ...]:
    """Why nothing may be claimed after a replay: tests that did there what the search did not see. What the sandbox
    refuses says nothing of the program."""
    names = [
        test.name
        for test in tests
        if test.replayed.startswith(Agreement.DIFFERS) and SANDBOXED not in test.replayed and not test.outcome.is_bug
    ]
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    told = f"{', '.join(names[:_MOST_NAMED])}{more}"
    return (f"what the plain build does is not what the search saw ({told})",) if names else ()


def replayed(found: Recorded, judge: Judge, *, is_complete: bool = False) -> Replayed:
    """Runs every test again, until the judge is stopped.

    `is_complete`: the vectors of every feasible path were looked at for what the criterion needs.
    """
    try:
        seen = judge.replayer.replay(found.tests, judge.is_stopped, judge.want)
    except ToolchainError as error:
        return _unmeasured(found, str(not_replayed(str(error).splitlines()[0])))
    if found.tests and all(one.verdict == STOPPED for one in seen):
        return _unmeasured(found, str(STOPPED))
    tests, bugs, notes = _verdicts(found, seen)
    if is_the_same_tomorrow(judge.program):
        printed = {one.name: one.printed for one in seen}
        tests = tuple(_with_output(test, printed[test.name], judge.program) for test in tests)
    is_complete &= not found.probes and [test.replayed for test in tests] == [str(SAME)] * len(found.tests)
    return Replayed(tests, bugs, _measured(found, seen, judge, is_complete=is_complete), notes)


def _unmeasured(found: Recorded, why: str) -> Replayed:
    """Tests and bugs where nothing could be run: none that used up its steps, or its stack."""
    tests = tuple(replace(test, replayed=why) for test in found.tests if not test.outcome.needs_replay)
    cut = [bug for bug in found.bugs if bug.outcome.needs_replay]
    notes = _cut(found, cut, {test.name: why for test in found.tests})
    return Replayed(tests, tuple(bug for bug in found.bugs if bug not in cut), notes=notes)


def _measured(found: Recorded, seen: Sequence[Replay], judge: Judge, *, is_complete: bool) -> Measured:
    """What the tests covered together. A run that veer ended is not replayed, for nothing would end it before it forks,
    or removes a directory: of what it covered, the branches are those that veer saw."""
    tests = found.tests
    edges = np.zeros(2 * len(judge.program.sites), np.uint8)
    probed = {item for probe in found.probes for item in probe.covers}
    for site in judge.program.sites:
        for side, item in enumerate(site.items):
            edges[2 * site.id + side] = item in probed
    for test, one in zip(tests, seen, strict=True):
        edges[[edge for edge in one.edges if edge < len(edges) and _counts(test, edge, judge.program)]] = 1
    counted, marked = judge.replayer.measurable(judge.want).lines, [one.lines for one in seen]
    vectors = _vectors(tests, seen, judge.replayer) if Want.MARKS in judge.want else None
    return Measured(
        edges,
        line_coverage(counted, marked),
        function_coverage(counted, marked),
        vectors.coverage(is_complete=is_complete) if vectors is not None else None,
    )


def _counts(test: Test, edge: int, program: Program) -> bool:
    """Whether the edge lies before the bug that the test shows, if it shows one: a build without checks runs on."""
    return not test.outcome.is_bug or program.sites[edge >> 1].items[edge & 1] in test.covers


class Vectors(Struct, frozen=True):
    """The decisions of a program, and the marks that each test set, the tests that are better to name first."""

    decisions: tuple[Decision, ...]
    marks: Mapping[str, tuple[int, ...]]

    def coverage(self, *, is_complete: bool) -> tuple[DecisionCoverage, ...]:
        """See `decision_coverage`."""
        return tuple(decision_coverage(each, self.marks, is_complete=is_complete) for each in self.decisions)


def _vectors(tests: Sequence[Test], seen: Sequence[Replay], replayer: Replayer) -> Vectors | None:
    decisions = replayer.measurable().decisions
    if decisions is None:
        return None
    marks = {one.name: one.marks for one in seen}
    # A bug's test goes on behind the bug on a build without checks: it is the last to be named.
    ordered = sorted(tests, key=lambda test: test.outcome.is_bug)
    return Vectors(decisions, {test.name: marks[test.name] for test in ordered})


def _verdicts(found: Recorded, seen: Sequence[Replay]) -> tuple[tuple[Test, ...], tuple[Bug, ...], tuple[str, ...]]:
    """The tests with what their replay showed, the bugs, and notes on what was cut.

    A run that used up its steps or its stack is left out unless the replay saw that it hangs, or overflows: most are
    long computations.
    """
    verdicts = {one.name: str(one.verdict) for one in seen}
    confirmed = {one.name for one in seen if one.proof is Proof.CONFIRMED}
    refuted = {one.name for one in seen if one.proof is Proof.REFUTED}
    called = {one.name: one.called for one in seen}
    left = {one.name: one.left for one in seen}
    returned = {one.name: one.returned for one in seen}
    shows = {test.name: test.outcome for test in found.tests if test.name in confirmed}
    tests = tuple(
        replace(
            test,
            replayed=verdicts[test.name],
            called=called[test.name] or test.called,
            left=left[test.name] or test.left,
            returned=test.returned if returned[test.name] is None else returned[test.name],
        )
        for test in found.tests
        if not test.outcome.needs_replay or test.name in confirmed
    )
    bugs = tuple(
        replace(bug, confirmed=Confirmation.PLAIN) if shows.get(bug.test) is bug.outcome else bug for bug in found.bugs
    )
    cut = [bug for bug in bugs if bug.outcome.needs_replay and bug.confirmed is not Confirmation.PLAIN]
    unknown = (bug for bug in cut if bug.test not in refuted)
    return tests, tuple(bug for bug in bugs if bug not in cut), _cut(found, unknown, verdicts)


def _cut(found: Recorded, bugs: Iterable[Bug], verdicts: Mapping[str, str]) -> tuple[str, ...]:
    """A note on each of these runs, of which no replay has seen what the search saw, and none has seen the end."""
    outcomes = {test.name: test.outcome for test in found.tests}

    def why(bug: Bug) -> str:
        if bug.test not in outcomes:
            return "it was not run again"
        if not outcomes[bug.test].needs_replay:
            return f"it ended otherwise when it was run again: {outcomes[bug.test].sentence}"
        return verdicts[bug.test]

    return tuple(
        f"{Path(bug.file).name}:{bug.line} {bug.function}: a run used up its {_USED_UP[bug.outcome]} here; whether it "
        f"would end is not known, so it is no bug ({why(bug)})"
        for bug in bugs
    )


def _with_output(test: Test, printed: bytes | None, program: Program) -> Test:
    """The test with what it prints. That it prints nothing is expected of whole programs alone."""
    if printed is None or len(printed) > MOST_PRINTED or not (printed or program.harness is HarnessKind.PROGRAM):
        return test
    return replace(test, printed=printed)


def within(measured: Measured | None, outside: Set[str]) -> Measured | None:
    """Without the functions that the entry cannot reach."""
    if measured is None:
        return None
    return replace(
        measured,
        lines=tuple(line for line in measured.lines if line.function not in outside),
        functions=tuple(function for function in measured.functions if function.name not in outside),
        decisions=None
        if measured.decisions is None
        else tuple(each for each in measured.decisions if each.decision.function not in outside),
    )


def coverage(measured: Measured | None, branches_covered: int, branches_total: int) -> Coverage:
    """The counts that a result shows; empty when nothing was measured."""
    if measured is None:
        return Coverage()
    return Coverage(
        branches=Count(branches_covered, branches_total),
        lines=_count(measured.lines),
        functions=_count(measured.functions),
        conditions=Count(*counted_conditions(measured.decisions)) if measured.decisions is not None else None,
        mcdc=Count(*counted_pairs(measured.decisions)) if measured.decisions is not None else None,
    )


def _count(items: Sequence[LineCoverage | FunctionCoverage]) -> Count | None:
    return Count(sum(item.tests > 0 for item in items), len(items)) if items else None
