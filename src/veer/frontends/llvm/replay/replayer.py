"""A replayer of native tests: on the plain build, and on those that count branches and mark decisions.

            ┌► plain        is the recorded outcome real? what does it return, write, print?
test ► DATA ┼► counters     which branches and lines does it run?
            └► conditions   which vectors of which decisions does it show?
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from msgspec import Struct

from veer.execution.replay import BY_CHANCE, NEGATIVE, POSITIVE, ReplayLimits, Seen, compare, describe
from veer.frontends.llvm.replay.agreement import difference
from veer.frontends.llvm.replay.confirmed import confirmed
from veer.frontends.llvm.replay.data import Ran, State, encoded, encoded_version
from veer.frontends.llvm.replay.left import confirmed_left
from veer.frontends.llvm.replay.made import ConditionsBuild, ReplayBuilds
from veer.frontends.llvm.replay.process import Driver, Ended
from veer.frontends.llvm.replay.versions import told
from veer.frontends.protocol import Built, Measurable
from veer.model.comparison import Look, Told
from veer.model.made import Left
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.replay import AT_LIMIT, NOT_ASKED, SAME, STOPPED, Proof, Replay, Verdict, Want, differs, not_replayed
from veer.model.result import Test
from veer.model.values import replace
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import launcher
from veer.toolchain.session import scratch_root

AT_ONCE = 2
"""Tests that are replayed beside each other."""


Settle = Callable[[Program, bytes], bytes]
"""A result's bytes -> the same without what lies in parts of it that hold no value: a language may have such parts."""


def as_it_is(program: Program, result: bytes) -> bytes:
    """All of a result holds values."""
    return result


class NativeReplayer(Struct):
    """Tests of one program (a Replayer). Builds are made, or waited for, when they are first needed.

    `builds`, `marks`: what makes the builds, or waits for them; `settle`: what of a result is compared.
    """

    built: Built
    toolchain: Toolchain
    seconds: float
    builds: Callable[[], ReplayBuilds]
    marks: Callable[[], ConditionsBuild | None] = lambda: None
    settle: Settle = as_it_is
    _builds: ReplayBuilds | None = None
    _marked: ConditionsBuild | None = None
    _is_asked: bool = False  # for the marks

    def replay(
        self, tests: Sequence[Test], is_stopped: Callable[[], bool] = lambda: False, want: Want = Want.ALL
    ) -> tuple[Replay, ...]:
        """See Replayer."""
        rounds = self._rounds(want)
        folder = tempfile.TemporaryDirectory(prefix="veer-replay-", dir=scratch_root())
        with folder as scratch, ThreadPoolExecutor(AT_ONCE) as pool:
            directory = Path(scratch)

            def one(number: int, test: Test) -> Replay:
                return Replay(test.name, STOPPED) if is_stopped() else rounds.replay(test, directory / str(number))

            return tuple(pool.map(one, range(len(tests)), tests))

    def measurable(self, want: Want = Want.ALL) -> Measurable:
        """See Replayer."""
        marked = self._decisions() if Want.MARKS in want else None
        return Measurable(self._made().lines, marked.decisions if marked is not None else None)

    def versions(self, test: Test, look: Look) -> Told | None:
        """See VersionsReplayer."""
        driver = Driver(self._made().plain, self._limits())
        program = self.built.program
        with tempfile.TemporaryDirectory(prefix="veer-replay-", dir=scratch_root()) as scratch:
            ended = []
            for version, name in enumerate(("old", "new")):
                home = Path(scratch) / name
                home.mkdir()
                ended.append(driver.run(encoded_version(program, test, version, look), home))
        return told(program, test, look, *ended)

    def _limits(self) -> ReplayLimits:
        confinement = self.built.program.confinement
        return ReplayLimits(launcher(self.toolchain), seconds=self.seconds, confinement=confinement)

    def _rounds(self, want: Want) -> _Rounds:
        limits = self._limits()
        made = self._made()
        edges = 2 * len(self.built.program.sites)
        marked = self._decisions() if Want.MARKS in want else None
        marks = sum(len(decision.vectors) for decision in marked.decisions) if marked is not None else 0
        return _Rounds(
            self.built.program,
            Driver(made.plain, limits) if Want.OUTCOME in want else None,
            Driver(made.counters, limits, edges, len(made.lines)) if Want.COVERAGE in want else None,
            Driver(marked.executable, limits, 0, marks) if marked is not None and marks else None,
            self.settle,
        )

    def _made(self) -> ReplayBuilds:
        if self._builds is None:
            self._builds = self.builds()
        return self._builds

    def _decisions(self) -> ConditionsBuild | None:
        """The build that marks decisions; None where the compiler cannot make it."""
        if not self._is_asked:
            self._marked = self.marks()
            self._is_asked = True
        return self._marked


class _Rounds(Struct, frozen=True):
    """The builds in which each test is run, one after the other; None: not wanted."""

    program: Program
    plain: Driver | None
    counters: Driver | None
    conditions: Driver | None
    settle: Settle

    def replay(self, test: Test, place: Path) -> Replay:
        """One test on each build, each in a directory of its own, whose name begins like this."""
        why_not = unmade(self.program, test)
        if why_not:
            return Replay(test.name, not_replayed(why_not))
        found = self._outcome(test, Path(f"{place}-plain"))
        hangs = test.outcome is Outcome.HANG and found.proof is Proof.CONFIRMED
        if self.counters is not None:
            ended = self._run(self.counters.shortly() if hangs else self.counters, test, Path(f"{place}-counters"))
            printed = found.printed if ended.seen.printed == found.printed else None
            found = replace(found, edges=ended.marks.edges, lines=ended.marks.lines, printed=printed)
        if self.conditions is not None:
            conditions = self.conditions.shortly() if hangs else self.conditions
            found = replace(found, marks=self._run(conditions, test, Path(f"{place}-conditions")).marks.lines)
        return found

    def _outcome(self, test: Test, home: Path) -> Replay:
        if test.outcome.is_limit:
            return Replay(test.name, AT_LIMIT)
        if self.plain is None:
            return Replay(test.name, NOT_ASKED)
        verdict, proof, ended, left = self._settled(self.plain, test, home)
        seen = _compared(self.program, test, ended, self.settle)
        printed = seen.printed if verdict == SAME and not test.outcome.is_bug else None
        called = confirmed(self.program, test, ended.ran) if verdict == SAME else None
        outcome = _outcome(test, ended, verdict, proof)
        return Replay(test.name, verdict, outcome, describe(seen), proof, printed=printed, called=called, left=left)

    def _settled(self, plain: Driver, test: Test, home: Path) -> tuple[Verdict, Proof, Ended, Left | None]:
        """How a test ends on the plain build, whatever stands in blocks that nobody has written, and what it leaves."""
        kept = test
        for number, fill in enumerate(_fills(test)):
            ended = self._run(plain.filled(fill), test, Path(f"{home}-{number}"))
            verdict, proof = compare(test, _compared(self.program, test, ended, self.settle))
            if verdict != SAME:
                break
            left = confirmed_left(self.program, kept, ended.ran)
            kept = replace(kept, left=left) if left is not None else kept
        else:
            return verdict, proof, ended, left
        if test.outcome.is_bug:
            return verdict, proof, ended, None
        ended = self._run(plain, test, Path(f"{home}-zeros"))
        verdict, proof = compare(test, _compared(self.program, test, ended, self.settle))
        return differs(BY_CHANCE) if verdict == SAME else verdict, proof, ended, None

    def _run(self, driver: Driver, test: Test, home: Path) -> Ended:
        home.mkdir()
        return driver.run(encoded(self.program, test, driver.edge_count, driver.line_count), home)


def _fills(test: Test) -> tuple[Mapping[str, str], ...]:
    """What blocks are filled with, run by run."""
    if test.outcome.is_bug:
        return ({},)
    return (POSITIVE, NEGATIVE) if test.left.made else (POSITIVE,)


def unmade(program: Program, test: Test) -> str:
    """Why a test with calls of undefined functions cannot be replayed, or nothing.

    A function whose result cannot be made leaves one raw byte, which only tells that it was called.
    """
    stubs = {f"{name}()": name for name in program.stubs}
    names = [stubs[root.name] for root in test.inputs.roots if root.name in stubs and root.type < 0 and root.size == 1]
    return f"{names[0]} is defined nowhere, and its result cannot be made" if names else ""


def _compared(program: Program, test: Test, ended: Ended, settle: Settle) -> Seen:
    """What was seen, with the report that a compiled suite would give."""
    seen, ran = ended.seen, ended.ran
    if ran.state is State.REFUSED:
        return replace(seen, line="not ok", output=f"# {test.name}: a precondition does not hold")
    if ran.state is not State.RETURNED:
        return seen
    found = _difference(program, test, ran, settle) if test.outcome is Outcome.RETURNED else "the function returned"
    if found is None:
        return replace(seen, line="ok")
    return replace(seen, line="not ok", output=f"# {test.name}: {found}")


def _difference(program: Program, test: Test, ran: Ran, settle: Settle) -> object | None:
    returned = settle(program, test.returned) if test.returned is not None else None
    return difference(program, replace(test, returned=returned), replace(ran, result=settle(program, ran.result)))


def _outcome(test: Test, ended: Ended, verdict: Verdict, proof: Proof) -> Outcome | None:
    """How it ended, as far as a process without checks shows it."""
    if ended.seen.timed_out:
        return Outcome.HANG
    if proof is Proof.CONFIRMED or (verdict == SAME and not test.outcome.is_bug):
        return test.outcome
    if ended.seen.signal:
        return None
    return Outcome.RETURNED if ended.ran.state is State.RETURNED else Outcome.EXITED
