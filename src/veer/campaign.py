"""One campaign: the composition root, the only module that names concrete classes of every layer.

build ─► shared memory ─► executor ─► explore ─► re-run what is kept ─► suite ─► replay ─► Result ─► DIR
"""

from __future__ import annotations

import contextlib
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from veer import __version__
from veer.execution import replay
from veer.execution.engine import attached
from veer.execution.executor import PersistentExecutor
from veer.execution.interruption import Interruption, interruptions
from veer.execution.limits import Limits
from veer.exploration import statistics
from veer.exploration.branches import branches
from veer.exploration.budget import Budget
from veer.exploration.coverage import Items
from veer.exploration.ending import ending as ending_of
from veer.exploration.explorer import Explorer
from veer.exploration.goal import goal_sites
from veer.exploration.history import History
from veer.exploration.parallel.pool import Found, Pool
from veer.exploration.reachable import counted_sites, left_out, reachable_functions
from veer.exploration.readable import readable
from veer.exploration.rerun import Material, material, with_inputs
from veer.exploration.selection import kept_paths
from veer.exploration.settings import configure
from veer.exploration.snapshot import snapshot
from veer.frontends.c import build as front_end
from veer.model.coverage import FunctionCoverage, LineCoverage, function_coverage, line_coverage
from veer.model.errors import ExecutorError, ToolchainError
from veer.model.options import BuildOptions, SearchOptions
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.progress import Progress
from veer.model.result import Bug, Count, Coverage, Result, Test
from veer.oracles.bugs import Suspect, identity, reported, suspects
from veer.smt.arena import Arena
from veer.smt.chain import chain
from veer.smt.evaluate import GuardedEvaluator, LazyEvaluator, ReferenceEvaluator
from veer.smt.protocol import Evaluator, SmtOptions, Solver
from veer.smt.solvers import chosen
from veer.store import saved, writer
from veer.store.saved import SavedCampaign
from veer.store.saver import Saver
from veer.store.sources import source_texts
from veer.suite import plain
from veer.suite.selection import selected
from veer.toolchain import compiler
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import engine_library
from veer.wire import layout
from veer.wire.shared import Shared

_PROGRESS_SECONDS = 0.2
_ALONE_SECONDS = 0.2  # a search that is over before needs no workers
_BRANCHES_A_WORKER = 4

Report = Callable[[Progress], None]


def _silent(_: Progress) -> None:
    return


def run(
    build: BuildOptions,
    search: SearchOptions,
    out: Path | None,
    progress: Report = lambda _: None,
    *,
    keep: Path | None = None,
) -> Result:
    """Tests one entry; with `out`, everything is written there (nothing when None).

    With `keep`, a directory, copies of the running campaign are kept there, for `resume`. Ctrl-C ends the step that is
    under way (search, re-run, replay), not the campaign: what was found is written. Twice within one step it ends all.

    Raises:
        UsageError: the sources do not compile, there is no such entry or solver, an input cannot be made.
        ToolchainError, ExecutorError, StoreError: something that should have worked did not.
    """
    chosen(search.solver)  # a solver that is missing is told before anything is compiled
    if out is not None:
        writer.prepare(out)
    if keep is not None:
        saved.forget(keep)
    with Shared() as shared:
        result = _campaign(build, search, shared, progress, keep, None)
    if out is not None:
        suite = {
            plain.file_name(result.program): plain.render(result.program, result.tests, result.bugs, result.branches)
        }
        writer.write(result, out, suite, plain.commands(result.program))
    return result


def resume(out: Path, change: Callable[[SearchOptions], SearchOptions], progress: Report = lambda _: None) -> Result:
    """Goes on with the campaign that is kept in `out`; `change` gives this session's budget and endings.

    Raises what `run` raises, and UsageError when nothing that could go on is there, or the program has changed.
    """
    before = saved.read(out, made_by())
    with contextlib.ExitStack() as memories:
        parts = [memories.enter_context(saved.load(out, part)) for part in before.parts]
        return _campaign(before.build, change(before.search), parts[0], progress, out, before)


def made_by() -> str:
    """Who can go on with a saved campaign: this version of veer, with this layout of the shared memory."""
    return f"veer {__version__}, layout {layout.fingerprint()}"


def _campaign(
    build: BuildOptions,
    search: SearchOptions,
    shared: Shared,
    progress: Report,
    keep: Path | None,
    before: SavedCampaign | None,
) -> Result:
    began = time.monotonic()
    progress(Progress("compile", 0.0))
    toolchain = compiler.find(build.cc)
    with ThreadPoolExecutor(1) as beside:
        library = beside.submit(engine_library, toolchain)
        program = front_end.build(build, toolchain)
    compiled = time.monotonic() - began
    files = front_end.files_read(program, toolchain)
    if before is not None:
        saved.require_unchanged(before, files)
    saver = None
    if keep is not None:
        generation = before.generation if before is not None else 0
        record = SavedCampaign(saved.SCHEMA, made_by(), str(Path.cwd()), build, search, files, generation, 0.0, (), ())
        saver = Saver(keep, record)
    with contextlib.ExitStack() as resources:
        campaign = Campaign(
            shared,
            program,
            build,
            search,
            toolchain,
            progress,
            began - (before.seconds if before is not None else 0.0),
            compiled,
            history=History(before.samples if before is not None else ()),
            resources=resources,
            library=library,
            saver=saver,
            before=before.parts[0].state if before is not None else {},
        )
        return campaign.result()


@dataclass(frozen=True, slots=True)
class Campaign:
    """What the steps of one campaign share. Times in seconds; `start` in time.monotonic.

    `library`: the engine for Python, which evaluates what solvers say; it is attached as long as `resources` last.
    """

    shared: Shared
    program: Program
    build: BuildOptions
    search: SearchOptions
    toolchain: Toolchain
    progress: Report
    start: float
    compiled: float
    history: History = field(default_factory=History)
    resources: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    library: Future[Path] | None = None
    saver: Saver | None = None
    before: Mapping[str, Any] = field(default_factory=dict)  # of an earlier session: Explorer.state

    def result(self) -> Result:
        """Explores, re-runs, replays."""
        with interruptions() as interruption:
            return self._result(interruption)

    def _result(self, interruption: Interruption) -> Result:
        shared, program = self.shared, self.program
        configure(shared, program, self.build, self.search, seconds=time.monotonic() - self.start)
        limits = Limits(timeout=self.search.timeout)
        searched_from = time.monotonic()
        interruption.begin(self._stop)
        with contextlib.closing(self._executor(limits)) as executor:
            explorer = self.explorer(executor)
            explorer.restore(self.before)
            kind = explorer.search(lambda open_branches: self._between_rounds(explorer, open_branches, searched_from))
        census, distinct = None, shared.control["distinct_paths"]
        if not kind:
            together = self._together(explorer, searched_from)
            kind, census, distinct = together.kind, together.census, together.paths
        ended = ending_of(kind, shared, program, self.search, census)
        if kind != "exhausted" and census is None:
            self._save(explorer)
        searched = time.monotonic() - searched_from
        control = shared.control
        runs, paths, diverged = control["runs"], distinct, control["diverged"]
        self._sample(self._items())
        queries, operations = statistics.queries(shared, explorer.queries), statistics.operations(shared)
        interruption.begin()
        found = self._material(limits, interruption)
        ended = ending_of(
            ended.kind, shared, program, self.search, census
        )  # once more: a re-run may have shown a divergence
        tests, bugs, measured = self._replay(found, interruption)
        if interruption.was_pressed:
            ended = replace(ended, kind="stopped")
        seen = shared.published("edge_seen")
        functions = reachable_functions(program, seen if measured is None else seen | measured.edges)
        counted = counted_sites(program, functions)
        items = Items(counted)
        measured = _within(measured, {function.name for function in program.functions} - functions)
        covered = items.covered(seen if measured is None else measured.edges)
        program = replace(
            program,
            notes=(*program.notes, *found.notes, *filter(None, [left_out(program, counted), self._not_saved()])),
        )
        states = branches(shared, program, ended, covered, counted, census)
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
            coverage=_coverage(measured, len(covered), items.total),
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
            operations=operations,
            texts=source_texts(program, states, bugs, measured.lines if measured is not None else ()),
        )

    def _between_rounds(self, explorer: Explorer, open_branches: int, searched_from: float) -> bool:
        """Saves when it is time to; whether there is enough to do now for several workers."""
        if self.saver is not None and self.saver.is_due():
            self._save(explorer)
        is_long = time.monotonic() - searched_from > _ALONE_SECONDS
        return self.search.jobs > 1 and is_long and open_branches >= _BRANCHES_A_WORKER * self.search.jobs

    def _together(self, explorer: Explorer, searched_from: float) -> Found:
        """Goes on with the search in several processes."""
        self._save(explorer)
        self.resources.close()  # the engine's library is for the workers now
        deadline = searched_from + self.search.budget
        items = self._items()

        @contextlib.contextmanager
        def make(shared: Shared, max_runs: int) -> Iterator[Explorer]:
            left = max(0.001, deadline - time.monotonic())
            search = replace(self.search, max_runs=max_runs, budget=left, plateau=0)
            with contextlib.ExitStack() as resources:
                part = replace(self, shared=shared, search=search, resources=resources, progress=_silent)
                with contextlib.closing(part._executor(Limits(timeout=search.timeout))) as executor:
                    yield part.explorer(executor)

        def on_tick(runs: int, paths: int) -> None:
            now, covered = time.monotonic() - self.start, len(items.covered(self.shared.published("edge_seen")))
            if self.history.is_due(now):
                self.history.add(now, runs, covered)
            bugs = reported(self.shared)
            self.progress(Progress("explore", now, runs, paths, 0, covered, items.total, bugs))

        pool = Pool(
            self.shared,
            make,
            jobs=self.search.jobs,
            edge_count=2 * len(self.program.sites),
            max_runs=self.search.max_runs,
            plateau=self.search.plateau,
            all_paths=self.search.criterion == "path",
            must_end=explorer.must_end,
            on_tick=on_tick,
        )
        found = pool.explore()
        for state in found.states:
            explorer.queries.add_state(state.get("queries", {}))
        return found

    def _save(self, explorer: Explorer) -> None:
        """Keeps a copy of the campaign, to go on from here."""
        if self.saver is not None:
            self.saver.save(time.monotonic() - self.start, self.history.samples, [(self.shared, explorer.state())])

    def _executor(self, limits: Limits) -> PersistentExecutor:
        return PersistentExecutor(self.program.executable, self.shared, limits)

    def explorer(self, executor: PersistentExecutor) -> Explorer:
        """The search, ready to start with this executor; its budget runs from now."""
        budget = Budget(time.monotonic() + self.search.budget, self.search.max_runs)
        on_round = self._progress_reporter()
        return Explorer(self.shared, executor, self._solver(), self.program, self.search, budget, on_round)

    def _not_saved(self) -> str:
        return self.saver.failure if self.saver is not None else ""

    def _progress_reporter(self) -> Callable[[int], None]:
        """Tells of the search some times a second."""
        items, control, said = self._items(), self.shared.control, [0.0]

        def on_round(open_branches: int) -> None:
            now = time.monotonic()
            if self.history.is_due(now - self.start):
                self._sample(items)
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

    def _items(self) -> Items:
        """The items that the search is after."""
        return Items(goal_sites(self.program, self.search.goal))

    def _sample(self, items: Items) -> None:
        """Notes how far the search is."""
        covered = items.covered(self.shared.published("edge_seen"))
        self.history.add(time.monotonic() - self.start, self.shared.control["runs"], len(covered))

    def _stop(self) -> None:
        """Ends the search after the run that is under way."""
        self.shared.control["stop"] = 1

    def _solver(self) -> Solver:
        """The chain over the expressions of the shared memory."""
        shared = self.shared
        arena = Arena(
            shared.region("nodes"),
            shared.region("leaves"),
            lambda: shared.count("nodes"),
            lambda: shared.count("leaves"),
            shared.region("supports"),
            shared.region("tables"),
        )
        options = SmtOptions(solvers=chosen(self.search.solver))
        return chain(arena, LazyEvaluator(lambda: self._evaluator(arena)), options)

    def _evaluator(self, arena: Arena) -> Evaluator:
        """The engine's, if there is one and no other campaign of this process has it; else the one in Python."""
        engine = None
        if self.library is not None:
            with contextlib.suppress(ToolchainError, ExecutorError):
                engine = self.resources.enter_context(attached(self.library.result(), self.shared))
        return ReferenceEvaluator(arena) if engine is None else GuardedEvaluator(arena, engine)

    def _material(self, limits: Limits, interruption: Interruption) -> Material:
        """Tests and bugs from a fresh process."""
        self.shared.control["stop"] = 0
        self.progress(Progress("replay", time.monotonic() - self.start))
        found, candidates = self._recorded(limits, interruption)
        known = frozenset(identity(suspect.fault) for suspect in candidates)
        with contextlib.closing(self._executor(limits)) as fresh:
            better = readable(self.shared, fresh, self.program, found.tests, known, interruption.is_pressed)
            for raw in better.faults:
                fresh.run(raw)  # into the tree: what was seen on the way is told, too
        if better.faults:
            found, _ = self._recorded(limits, interruption)
        with contextlib.closing(self._executor(limits)) as fresh:
            tests = with_inputs(self.shared, fresh, self.program, found.tests, better.inputs)
        return replace(found, tests=tests, notes=better.notes)

    def _recorded(self, limits: Limits, interruption: Interruption) -> tuple[Material, tuple[Suspect, ...]]:
        """The tests that the criterion needs, the bugs, and what they were suspected from."""
        candidates = suspects(self.shared, self.program)
        kept = kept_paths(self.shared, candidates, all_paths=self.search.criterion == "path")
        with contextlib.closing(self._executor(limits)) as fresh:
            found = material(self.shared, fresh, self.program, kept, candidates, interruption.is_pressed)
        if self.search.criterion == "path":
            return found, candidates
        return Material(*selected(found.tests, found.bugs), found.probes), candidates

    def _replay(
        self, found: Material, interruption: Interruption
    ) -> tuple[tuple[Test, ...], tuple[Bug, ...], Measured | None]:
        """Tests and bugs as the plain build confirms them; what the counters build saw, or None."""
        interruption.begin()
        run_again = (*found.tests, *found.probes)
        suite = plain.render(self.program, [_as_returned(test) for test in run_again], found.bugs)
        try:
            plain_build, counters = front_end.build_counters(self.program, self.build, suite, self.toolchain)
        except ToolchainError as error:
            why = f"not replayed: {str(error).splitlines()[0]}"
            return tuple(replace(test, replayed=why) for test in found.tests), found.bugs, None
        if interruption.is_pressed():
            return tuple(replace(test, replayed=replay.STOPPED) for test in found.tests), found.bugs, None
        limits = replay.Limits(seconds=self.search.timeout)
        edge_count = 2 * len(self.program.sites)
        counted = front_end.counted_lines(self.program, suite, self.toolchain)
        is_stopped = interruption.is_pressed
        seen = replay.replay(run_again, plain_build, counters, limits, edge_count, len(counted), is_stopped)
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


def _within(measured: Measured | None, outside: Set[str]) -> Measured | None:
    """Without the functions that the entry cannot reach."""
    if measured is None:
        return None
    return replace(
        measured,
        lines=tuple(line for line in measured.lines if line.function not in outside),
        functions=tuple(function for function in measured.functions if function.name not in outside),
    )


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


def _as_returned(test: Test) -> Test:
    """A run that veer cut off as a test that returns, so that a suite holds it; nothing is compared."""
    return replace(test, outcome=Outcome.RETURNED, returned=None) if test.outcome.is_limit else test
