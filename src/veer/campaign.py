"""One campaign: the composition root, the only module that names concrete classes of every layer.

build ─► shared memory ─► executor ─► explore ─► re-run what is kept ─► suite ─► replay ─► Result ─► DIR
"""

from __future__ import annotations

import contextlib
import platform
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import FrameType

import numpy as np

from veer.execution import replay
from veer.execution.executor import PersistentExecutor
from veer.execution.limits import Limits
from veer.exploration import statistics
from veer.exploration.branches import branches
from veer.exploration.budget import Budget
from veer.exploration.coverage import Items
from veer.exploration.ending import ending as ending_of
from veer.exploration.explorer import Explorer
from veer.exploration.history import History
from veer.exploration.rerun import Material, material
from veer.exploration.selection import kept_paths
from veer.exploration.settings import configure
from veer.exploration.snapshot import snapshot
from veer.frontends.c import build as front_end
from veer.model.coverage import FunctionCoverage, LineCoverage, function_coverage, line_coverage
from veer.model.errors import ToolchainError
from veer.model.options import BuildOptions, SearchOptions
from veer.model.program import Program
from veer.model.progress import Progress
from veer.model.result import Bug, Count, Coverage, Result, Test
from veer.oracles.bugs import reported, suspects
from veer.smt.arena import Arena
from veer.smt.chain import chain
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.protocol import Solver
from veer.store import writer
from veer.store.sources import source_texts
from veer.suite import plain
from veer.suite.selection import selected
from veer.toolchain import compiler
from veer.toolchain.compiler import Toolchain
from veer.wire.shared import Shared

_PROGRESS_SECONDS = 0.2

Report = Callable[[Progress], None]


def run(build: BuildOptions, search: SearchOptions, out: Path | None, progress: Report = lambda _: None) -> Result:
    """Tests one entry; with `out`, everything is written there (nothing when None).

    Ctrl-C ends the search, not the campaign: what was found is re-run, replayed and written. A second one ends all.

    Raises:
        UsageError: the sources do not compile, there is no such entry, an input cannot be made.
        ToolchainError, ExecutorError, StoreError: something that should have worked did not.
    """
    if out is not None:
        writer.prepare(out)
    start = time.monotonic()
    progress(Progress("compile", 0.0))
    toolchain = compiler.find(build.cc)
    program = front_end.build(build, toolchain)
    compiled = time.monotonic() - start
    with Shared() as shared:
        campaign = Campaign(shared, program, build, search, toolchain, progress, start, compiled)
        result = campaign.result()
    if out is not None:
        progress(Progress("write", time.monotonic() - start))
        suite = {plain.file_name(program): plain.render(program, result.tests, result.bugs, result.branches)}
        writer.write(result, out, suite, plain.commands(program))
    return result


@dataclass(frozen=True, slots=True)
class Campaign:
    """What the steps of one campaign share. Times in seconds; `start` in time.monotonic."""

    shared: Shared
    program: Program
    build: BuildOptions
    search: SearchOptions
    toolchain: Toolchain
    progress: Report
    start: float
    compiled: float
    history: History = field(default_factory=History)

    def result(self) -> Result:
        """Explores, re-runs, replays."""
        shared, program = self.shared, self.program
        configure(shared, program, self.build, self.search)
        limits = Limits(timeout=self.search.timeout)
        searched_from = time.monotonic()
        with interruptible(shared), contextlib.closing(self._executor(limits)) as executor:
            explorer = self.explorer(executor)
            ended = explorer.explore()
        searched = time.monotonic() - searched_from
        control = shared.control
        runs, paths, diverged = control["runs"], control["distinct_paths"], control["diverged"]
        self._sample()
        queries = statistics.queries(shared, explorer.queries)
        found = self._material(limits)
        ended = ending_of(ended.kind, shared, program, self.search)  # once more: a re-run may have shown a divergence
        tests, bugs, measured = self._replay(found)
        covered = Items(program.sites).covered(shared.published("edge_seen") if measured is None else measured.edges)
        states = branches(shared, program, ended, covered)
        return Result(
            program=program,
            seed=self.search.seed,
            strategy=self.search.strategy,
            options={**asdict(self.build), **asdict(self.search)},
            ending=ended,
            runs=runs,
            paths=paths,
            diverged=diverged,
            queries=queries,
            coverage=_coverage(measured, len(covered), Items(program.sites).total),
            branches=states,
            bugs=bugs,
            tests=tests,
            ledger=statistics.ledger(shared, program),
            seconds=statistics.seconds(
                shared,
                explorer.queries,
                total=time.monotonic() - self.start,
                compile=self.compiled,
                search=searched,
            ),
            platform=f"{platform.system()} {platform.machine()}",
            toolchain=self.toolchain.name,
            lines=measured.lines if measured is not None else (),
            functions=measured.functions if measured is not None else (),
            samples=self.history.samples,
            tree=snapshot(shared, program),
            texts=source_texts(program, states, bugs, measured.lines if measured is not None else ()),
        )

    def _executor(self, limits: Limits) -> PersistentExecutor:
        return PersistentExecutor(self.program.executable, self.shared, limits)

    def explorer(self, executor: PersistentExecutor) -> Explorer:
        """The search, ready to start with this executor; its budget runs from now."""
        budget = Budget(time.monotonic() + self.search.budget, self.search.max_runs)
        on_round = self._progress_reporter()
        solver = _solver(self.shared)
        return Explorer(self.shared, executor, solver, self.program, self.search, budget, on_round)

    def _progress_reporter(self) -> Callable[[int], None]:
        """Tells of the search some times a second."""
        items, control, said = Items(self.program.sites), self.shared.control, [0.0]

        def on_round(open_branches: int) -> None:
            now = time.monotonic()
            if self.history.is_due(now - self.start):
                self._sample()
            if now - said[0] < _PROGRESS_SECONDS:
                return
            said[0] = now
            covered = len(items.covered(self.shared.published("edge_seen")))
            self.progress(
                Progress(
                    "explore",
                    now - self.start,
                    control["runs"],
                    control["distinct_paths"],
                    open_branches,
                    covered,
                    items.total,
                    reported(self.shared),
                )
            )

        return on_round

    def _sample(self) -> None:
        """Notes how far the search is."""
        covered = Items(self.program.sites).covered(self.shared.published("edge_seen"))
        self.history.add(time.monotonic() - self.start, self.shared.control["runs"], len(covered))

    def _material(self, limits: Limits) -> Material:
        """Tests and bugs from a fresh process."""
        self.shared.control["stop"] = 0
        self.progress(Progress("replay", time.monotonic() - self.start))
        candidates = suspects(self.shared, self.program)
        kept = kept_paths(self.shared, candidates, all_paths=self.search.criterion == "path")
        with contextlib.closing(self._executor(limits)) as fresh:
            found = material(self.shared, fresh, self.program, kept, candidates)
        if self.search.criterion == "path":
            return found
        return Material(*selected(found.tests, found.bugs))

    def _replay(self, found: Material) -> tuple[tuple[Test, ...], tuple[Bug, ...], Measured | None]:
        """Tests and bugs as the plain build confirms them; what the counters build saw, or None."""
        suite = plain.render(self.program, found.tests, found.bugs)
        try:
            plain_build, counters = front_end.build_counters(self.program, self.build, suite, self.toolchain)
        except ToolchainError as error:
            why = f"not replayed: {str(error).splitlines()[0]}"
            return tuple(replace(test, replayed=why) for test in found.tests), found.bugs, None
        limits = replay.Limits(seconds=self.search.timeout)
        edge_count = 2 * len(self.program.sites)
        counted = front_end.counted_lines(self.program, suite, self.toolchain)
        seen = replay.replay(found.tests, plain_build, counters, limits, edge_count, len(counted))
        replayed = {r.name: r for r in seen}
        tests = tuple(replace(test, replayed=replayed[test.name].verdict) for test in found.tests)
        confirmed = {name for name, r in replayed.items() if r.confirmed}
        refuted = {name for name, r in replayed.items() if r.refuted}  # long computations that are no endless loops
        tests = tuple(test for test in tests if test.name not in refuted)
        bugs = tuple(
            replace(bug, confirmed="plain") if bug.test in confirmed else bug
            for bug in found.bugs
            if bug.test not in refuted
        )
        edges = np.zeros(edge_count, np.uint8)
        for r in replayed.values():
            edges[[edge for edge in r.edges if edge < edge_count]] = 1
        marked = [r.lines for r in seen]
        return tests, bugs, Measured(edges, line_coverage(counted, marked), function_coverage(counted, marked))


@dataclass(frozen=True, slots=True)
class Measured:
    """What the counters build saw in all replayed tests; `edges` has a byte an edge."""

    edges: np.ndarray
    lines: tuple[LineCoverage, ...]
    functions: tuple[FunctionCoverage, ...]


def _coverage(measured: Measured | None, branches_covered: int, branches_total: int) -> Coverage:
    if measured is None:
        return Coverage()
    return Coverage(
        branches=Count(branches_covered, branches_total),
        lines=_count(measured.lines),
        functions=_count(measured.functions),
    )


def _count(items: Sequence[LineCoverage | FunctionCoverage]) -> Count | None:
    return Count(sum(item.tests > 0 for item in items), len(items)) if items else None


def _solver(shared: Shared) -> Solver:
    """The chain over the expressions of the shared memory."""
    arena = Arena(
        shared.region("nodes"),
        shared.region("leaves"),
        lambda: shared.count("nodes"),
        lambda: shared.count("leaves"),
        shared.region("supports"),
    )
    return chain(arena, ReferenceEvaluator(arena))


@contextlib.contextmanager
def interruptible(shared: Shared) -> Iterator[None]:
    """Ctrl-C sets the stop flag, which ends the search after the current run; a second one raises KeyboardInterrupt."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGINT)

    def stop(_signal: int, _frame: FrameType | None) -> None:
        shared.control["stop"] = 1
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
