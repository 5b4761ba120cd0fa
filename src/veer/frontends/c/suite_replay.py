"""Replay by a compiled suite in C: on the plain build, and on those that count branches and mark decisions.

suite.c ──► plain        is the recorded outcome real?
        ──► counters     which branches and lines does each test run?
        ──► conditions   which vectors of which decisions does it show?
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from veer.execution.replay import Limits, Seen, compare, covered_edges, describe, marked_lines, run
from veer.frontends.c.build import build_counters, conditions_build, counted_lines
from veer.frontends.protocol import Built, Measurable
from veer.model.decisions import Decision
from veer.model.outcome import Outcome
from veer.model.replay import AT_LIMIT, SAME, STOPPED, Proof, Replay, Verdict, Want, not_replayed
from veer.model.result import Test
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import launcher

NOT_HELD = not_replayed("the suite could not hold it")
_NOT_ASKED = not_replayed("its outcome was not asked for")
Render = Callable[[Sequence[Test]], str]


@dataclass(frozen=True, slots=True)
class SuiteReplayer:
    """Tests of a compiled suite, one process each; it measures nothing (a Replayer)."""

    executable: Path
    limits: Limits

    def replay(
        self, tests: Sequence[Test], is_stopped: Callable[[], bool] = lambda: False, want: Want = Want.ALL
    ) -> tuple[Replay, ...]:
        """See Replayer."""
        with tempfile.TemporaryDirectory(prefix="veer-replay-") as scratch:
            directory = Path(scratch)
            return tuple(
                Replay(test.name, STOPPED) if is_stopped() else self.replay_one(test, directory) for test in tests
            )

    def replay_one(self, test: Test, directory: Path) -> Replay:
        """One test, in this scratch directory."""
        if test.outcome.is_limit:
            return Replay(test.name, AT_LIMIT)
        seen = run(self.executable, test, self.limits, directory)
        if seen.exit_code == 2 and "usage:" in seen.errors:
            return Replay(test.name, NOT_HELD)
        verdict, proof = compare(test, seen)
        printed = seen.printed if verdict == SAME and not test.outcome.is_bug else None
        return Replay(test.name, verdict, _outcome(test, seen, verdict, proof), describe(seen), proof, printed=printed)

    def measurable(self) -> Measurable:
        """See Replayer."""
        return Measurable()


@dataclass(frozen=True, slots=True)
class _Suite:
    """A suite's text, its executables, and what their marks stand for."""

    text: str
    plain: Path
    counters: Path
    conditions: Path | None
    measurable: Measurable


@dataclass(slots=True)
class RenderedReplayer:
    """Tests as a suite that `render` writes, on all builds of it (a Replayer).

    A build is kept until other tests are asked for.
    """

    built: Built
    toolchain: Toolchain
    seconds: float
    render: Render
    _suite: _Suite | None = field(default=None, init=False)

    def replay(
        self, tests: Sequence[Test], is_stopped: Callable[[], bool] = lambda: False, want: Want = Want.ALL
    ) -> tuple[Replay, ...]:
        """See Replayer."""
        suite = self._built(self.render([_as_returned(test) for test in tests]))
        limits = Limits(launcher(self.toolchain), seconds=self.seconds)
        plain = SuiteReplayer(suite.plain, limits)
        with tempfile.TemporaryDirectory(prefix="veer-replay-") as scratch:
            directory = Path(scratch)
            return tuple(
                Replay(test.name, STOPPED) if is_stopped() else self._one(test, suite, plain, directory, want)
                for test in tests
            )

    def measurable(self) -> Measurable:
        """See Replayer."""
        return (self._suite or self._built(self.render(()))).measurable

    def _one(self, test: Test, suite: _Suite, plain: SuiteReplayer, directory: Path, want: Want) -> Replay:
        """The test on each build that is wanted."""
        found = plain.replay_one(test, directory) if Want.OUTCOME in want else Replay(test.name, _NOT_ASKED)
        if found.verdict == NOT_HELD:
            return found
        if Want.COVERAGE in want:
            count, lines = 2 * len(self.built.program.sites), len(suite.measurable.lines)
            edges, again = covered_edges(suite.counters, test, plain.limits, directory, count)
            printed = found.printed if again.printed == found.printed else None
            found = replace(found, edges=edges, lines=marked_lines(directory, lines), printed=printed)
        if Want.MARKS in want and suite.conditions is not None:
            covered_edges(suite.conditions, test, plain.limits, directory, 0)
            found = replace(found, marks=marked_lines(directory, _marks(suite.measurable.decisions or ())))
        return found

    def _built(self, text: str) -> _Suite:
        """The builds of this suite. Raises ToolchainError."""
        if self._suite is not None and self._suite.text == text:
            return self._suite
        program = self.built.program
        plain, counters = build_counters(program, self.built.options, text, self.toolchain)
        marked = conditions_build(program, text, self.toolchain)
        conditions, decisions = marked if marked is not None else (None, None)
        lines = counted_lines(program, text, self.toolchain)
        self._suite = _Suite(text, plain, counters, conditions, Measurable(lines, decisions))
        return self._suite


def _marks(decisions: Sequence[Decision]) -> int:
    """How many marks there are."""
    return sum(len(decision.vectors) for decision in decisions)


def _as_returned(test: Test) -> Test:
    """A run that veer cut off as a test that returns, so that a suite holds it; nothing is compared."""
    return replace(test, outcome=Outcome.RETURNED, returned=None) if test.outcome.is_limit else test


def _outcome(test: Test, seen: Seen, verdict: Verdict, proof: Proof) -> Outcome | None:
    """How it ended, as far as a process without checks shows it."""
    if seen.timed_out:
        return Outcome.HANG
    if proof is Proof.CONFIRMED or (verdict == SAME and not test.outcome.is_bug):
        return test.outcome
    if seen.signal:
        return None
    return Outcome.RETURNED if seen.line else Outcome.EXITED
