"""The last step of a campaign: tests and bugs on the plain build, coverage as the counters build measures it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from veer.execution import replay
from veer.findings.rerun import Material
from veer.frontends.c import build as front_end
from veer.model.coverage import FunctionCoverage, LineCoverage, function_coverage, line_coverage
from veer.model.decisions import Decision, DecisionCoverage, counted_conditions, counted_pairs, decision_coverage
from veer.model.errors import ToolchainError
from veer.model.options import BuildOptions
from veer.model.outcome import Outcome
from veer.model.program import HarnessKind, Program
from veer.model.result import Bug, Count, Coverage, Test
from veer.search.environment import is_the_same_tomorrow
from veer.suite.c import plain
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import launcher

MOST_PRINTED = 2000
"""Bytes of standard output that a test expects; of longer ones it expects nothing."""


@dataclass(frozen=True, slots=True)
class Rig:
    """What tests run in once more: builds of a program without instrumentation, each test for at most `seconds`."""

    program: Program
    build: BuildOptions
    toolchain: Toolchain
    seconds: float
    is_stopped: Callable[[], bool]

    @property
    def limits(self) -> replay.Limits:
        """What each test may use. Raises ToolchainError."""
        return replay.Limits(launcher(self.toolchain), seconds=self.seconds)

    def builds(self, tests: Sequence[Test], bugs: Sequence[Bug]) -> Builds:
        """The suite of these tests, compiled. Raises ToolchainError."""
        suite = plain.render(self.program, [_as_returned(test) for test in tests], bugs)
        return Builds(suite, *front_end.build_counters(self.program, self.build, suite, self.toolchain))

    def vectors(self, tests: Sequence[Test], builds: Builds) -> Vectors | None:
        """What the tests show of each decision; None when there is no conditions build."""
        marked = front_end.conditions_build(self.program, builds.suite, self.toolchain)
        if marked is None:
            return None
        executable, decisions = marked
        # A bug's test goes on behind the bug on a build without checks: it is the last to be named.
        ordered = sorted(tests, key=lambda test: test.outcome.is_bug)
        count = sum(len(decision.vectors) for decision in decisions)
        return Vectors(decisions, replay.marked_vectors(ordered, executable, count, self.limits, self.is_stopped))


@dataclass(frozen=True, slots=True)
class Builds:
    """A suite's text in C, and its executables: as it is, and with counters."""

    suite: str
    plain: Path
    counters: Path


@dataclass(frozen=True, slots=True)
class Measured:
    """What the counters build saw in all replayed tests; `edges` has a byte an edge."""

    edges: np.ndarray
    lines: tuple[LineCoverage, ...]
    functions: tuple[FunctionCoverage, ...]
    decisions: tuple[DecisionCoverage, ...] | None = None  # None: there is no conditions build


@dataclass(frozen=True, slots=True)
class Replayed:
    """Tests and bugs as the plain build confirms them; `measured` is None when no suite could be built."""

    tests: tuple[Test, ...]
    bugs: tuple[Bug, ...]
    measured: Measured | None = None


def replayed(found: Material, rig: Rig, *, is_complete: bool = False) -> Replayed:
    """Runs every test on the plain and the counting builds, until the rig is stopped.

    `is_complete`: the vectors of every feasible path were looked at for what the criterion needs.
    """
    run_again = (*found.tests, *found.probes)
    try:
        builds = rig.builds(run_again, found.bugs)
    except ToolchainError as error:
        why = f"not replayed: {str(error).splitlines()[0]}"
        return Replayed(tuple(replace(test, replayed=why) for test in found.tests), found.bugs)
    if rig.is_stopped():
        return Replayed(tuple(replace(test, replayed=replay.STOPPED) for test in found.tests), found.bugs)
    edge_count = 2 * len(rig.program.sites)
    counted = front_end.counted_lines(rig.program, builds.suite, rig.toolchain)
    seen = replay.replay(run_again, builds.plain, builds.counters, rig.limits, edge_count, len(counted), rig.is_stopped)
    edges = np.zeros(edge_count, np.uint8)
    for one in seen:
        edges[[edge for edge in one.edges if edge < edge_count]] = 1
    marked = [one.lines for one in seen]
    tests, bugs = _verdicts(found, seen)
    if is_the_same_tomorrow(rig.program):
        printed = {one.name: one.printed for one in seen}
        tests = tuple(_with_output(test, printed[test.name], rig.program) for test in tests)
    vectors = rig.vectors(tests, builds)
    is_complete &= not found.probes and [test.replayed for test in tests] == ["same"] * len(found.tests)
    measured = Measured(
        edges,
        line_coverage(counted, marked),
        function_coverage(counted, marked),
        vectors.coverage(is_complete=is_complete) if vectors is not None else None,
    )
    return Replayed(tests, bugs, measured)


@dataclass(frozen=True, slots=True)
class Vectors:
    """The decisions of a program, and the marks that each test set, the tests that are better to name first."""

    decisions: tuple[Decision, ...]
    marks: Mapping[str, tuple[int, ...]]

    def coverage(self, *, is_complete: bool) -> tuple[DecisionCoverage, ...]:
        """See `decision_coverage`."""
        return tuple(decision_coverage(each, self.marks, is_complete=is_complete) for each in self.decisions)


def _verdicts(found: Material, seen: Sequence[replay.Replay]) -> tuple[tuple[Test, ...], tuple[Bug, ...]]:
    """The tests with what their replay showed; what was refuted is left out: long computations, no endless loops."""
    verdicts = {one.name: one.verdict for one in seen}
    confirmed = {one.name for one in seen if one.confirmed}
    refuted = {one.name for one in seen if one.refuted}
    tests = tuple(replace(test, replayed=verdicts[test.name]) for test in found.tests if test.name not in refuted)
    bugs = tuple(
        replace(bug, confirmed="plain") if bug.test in confirmed else bug
        for bug in found.bugs
        if bug.test not in refuted
    )
    return tests, bugs


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


def _as_returned(test: Test) -> Test:
    """A run that veer cut off as a test that returns, so that a suite holds it; nothing is compared."""
    return replace(test, outcome=Outcome.RETURNED, returned=None) if test.outcome.is_limit else test
