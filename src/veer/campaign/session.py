"""The search of a campaign: alone at first, in several processes once there is enough to do, saved as it goes."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent import futures
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from veer.execution.engine import EngineLibrary, attached
from veer.execution.executor import PersistentExecutor
from veer.execution.limits import Limits
from veer.model.errors import ExecutorError, ToolchainError
from veer.model.options import ALL_PATHS, SearchOptions
from veer.model.program import Program
from veer.model.progress import Progress
from veer.model.summaries import Summaries
from veer.oracles.bugs import reported
from veer.search.budget import Budget
from veer.search.census import Census
from veer.search.coverage import Items
from veer.search.explorer import Explorer
from veer.search.goal import goal_sites
from veer.search.history import History
from veer.search.memory import LastingSearch
from veer.search.parallel.keeping import Interim
from veer.search.parallel.part import Beginning, Part
from veer.search.parallel.pool import Limits as PoolLimits
from veer.search.parallel.pool import Pool
from veer.search.partitioned.search import PartitionedSearch, Wishes
from veer.search.queries import Queries
from veer.search.snapshot import leaf_name
from veer.smt.arena import Arena
from veer.smt.chain import chain
from veer.smt.evaluate import GuardedEvaluator, LazyEvaluator, ReferenceEvaluator
from veer.smt.protocol import Eliminated, Evaluator, SmtOptions, Solver
from veer.smt.registry import chosen
from veer.store import saved
from veer.store.saver import Saver
from veer.toolchain.cache import Cache
from veer.wire.layout import RUNG
from veer.wire.shared import Shared

_PROGRESS_SECONDS = 0.2
_ALONE_SECONDS = 0.2  # a search that is over before needs no workers
_BRANCHES_A_WORKER = 4

Report = Callable[[Progress], None]


def silent(_: Progress) -> None:
    """Tells nobody."""


@dataclass(frozen=True, slots=True)
class Earlier:
    """What an earlier session kept outside of the main shared memory: its search's state, and the pool's if any."""

    state: Mapping[str, Any] = field(default_factory=dict)
    interim: Interim | None = None


@dataclass(frozen=True, slots=True)
class Searched:
    """A search that is over; `kind` is that of its ending; `census` of all workers, None = the shared memory's own.

    `division`: the blocks that it was divided into, if it was.
    """

    kind: str
    census: Census | None
    paths: int
    queries: Queries
    seconds: float
    division: PartitionedSearch | None = None
    summaries: Summaries | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """One search in one shared memory. Times in seconds; `start`, of the campaign, in time.monotonic.

    `library`: the engine for Python, which evaluates what solvers say; it is attached as long as `resources` last.
    """

    shared: Shared
    program: Program
    search: SearchOptions
    start: float = field(default_factory=time.monotonic)
    progress: Report = silent
    history: History = field(default_factory=History)
    saver: Saver | None = None
    library: Future[Path] | None = None
    resources: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)
    alone_seconds: float = _ALONE_SECONDS

    def run(self, earlier: Earlier) -> Searched:
        """Searches until an ending. What could be gone on with is saved then."""
        began = time.monotonic()
        with contextlib.closing(self._lasting()) as lasting:
            lasting.restore(earlier.state)
            kind = "" if earlier.interim is not None else lasting.search(self._between_rounds(lasting, began))
        explorer = lasting.explorer
        census: Census | None
        if kind:
            if kind != "exhausted":
                self._save(lasting)
            census, paths = None, self.shared.counts.distinct_paths
        else:
            kind, census, paths = self._together(explorer, earlier.interim, began + self.search.budget)
        division = explorer.division if isinstance(explorer.division, PartitionedSearch) else None
        return Searched(kind, census, paths, explorer.queries, time.monotonic() - began, division)

    def run_compositional(self, cache: Cache | None = None) -> Searched | None:
        """The same by function summaries (--compositional), which are kept in `cache`; None where that cannot be: the
        program has an obstacle, or another campaign of this process has the engine."""
        began = time.monotonic()
        summaries_of = import_module("veer.search.compositional.campaign")  # a plain search need not wait for it
        if summaries_of.obstacle(self.program):
            return None
        with contextlib.ExitStack() as resources:
            engine = None
            if self.library is not None:
                engine = resources.enter_context(attached(self.library.result(), self.shared))
            if engine is None:
                return None
            executor = self.executor()
            resources.callback(executor.close)
            explorer = self.explorer(executor, engine=engine)
            campaign = (self.shared, executor, engine, self.search, explorer, began)
            compositional = summaries_of.Compositional(*campaign, cache)
            kind, census, summaries = compositional.run(self.program)
            if kind == import_module("veer.search.compositional.runs").NOTHING:
                return None
        paths = self.shared.counts.distinct_paths
        return Searched(kind, census, paths, explorer.queries, time.monotonic() - began, summaries=summaries)

    def executor(self) -> PersistentExecutor:
        """A process that runs the program; the caller closes it."""
        return PersistentExecutor(self.program.executable, self.shared, Limits(timeout=self.search.timeout))

    def explorer(
        self,
        executor: PersistentExecutor,
        search: SearchOptions | None = None,
        engine: EngineLibrary | None = None,
    ) -> Explorer:
        """The search, ready to start with this executor; its budget runs from now. `search`: other options; `engine`:
        the library, where the caller has it already."""
        search = search or self.search
        budget = Budget(time.monotonic() + search.budget, search.max_runs)
        on_round = self._progress_reporter()
        eliminated = Eliminated()
        solver = self._solver(eliminated, engine)
        division = self._division(executor, search, budget.deadline) if search.partitioned else None
        return Explorer(self.shared, executor, solver, self.program, search, budget, on_round, eliminated, division)

    def _division(self, executor: PersistentExecutor, search: SearchOptions, deadline: float) -> PartitionedSearch:
        wishes = Wishes(search.partition, search.checks_partition)
        return PartitionedSearch(self.shared, executor, wishes, self._name_of, deadline)

    def _name_of(self, leaf: int) -> str:
        return leaf_name(self.shared, self.program, leaf, 0)

    def items(self) -> Items:
        """The items that the search is after."""
        return Items(goal_sites(self.program, self.search.goal))

    def sample(self, items: Items) -> None:
        """Notes how far the search is."""
        covered = items.covered(self.shared.published("edge_seen"))
        self.history.add(time.monotonic() - self.start, self.shared.counts.runs, len(covered))

    # -- alone ------------------------------------------------------------------------------------------------

    def _lasting(self) -> LastingSearch:
        return LastingSearch(self.shared, self, self.search, 2 * len(self.program.sites))

    def _between_rounds(self, lasting: LastingSearch, began: float) -> Callable[[int], bool]:
        """Saves when it is time to; tells whether there is enough to do now for several workers."""

        def pause(open_branches: int) -> bool:
            if self.saver is not None and self.saver.is_due():
                self._save(lasting)
            is_long = time.monotonic() - began >= self.alone_seconds
            return self.search.jobs > 1 and is_long and open_branches >= _BRANCHES_A_WORKER * self.search.jobs

        return pause

    def _save(self, lasting: LastingSearch) -> None:
        """Keeps a copy of the campaign, to go on from here."""
        if self.saver is not None:
            Keeping(self, self.saver, lasting.explorer).alone()

    def _progress_reporter(self) -> Callable[[int], None]:
        """Tells of the search some times a second."""
        items, said = self.items(), [0.0]

        def on_round(open_branches: int) -> None:
            now = time.monotonic()
            if self.history.is_due(now - self.start):
                self.sample(items)
            if now - said[0] < _PROGRESS_SECONDS:
                return
            said[0] = now
            covered = len(items.covered(self.shared.published("edge_seen")))
            runs, paths, bugs = self.shared.counts.runs, self.shared.counts.distinct_paths, reported(self.shared)
            self.progress(Progress("explore", now - self.start, runs, paths, open_branches, covered, items.total, bugs))

        return on_round

    # -- in several processes ---------------------------------------------------------------------------------

    def _together(self, explorer: Explorer, interim: Interim | None, deadline: float) -> tuple[str, Census, int]:
        """Goes on with the search in several processes: the ending's kind, the census, the number of paths."""
        self.resources.close()  # the engine's library is for the workers now
        if self.library is not None:
            futures.wait([self.library])  # workers are forked: nothing else may run here then
        limits = PoolLimits(
            self.search.jobs,
            self.search.max_runs,
            self.search.plateau,
            self.search.criterion in ALL_PATHS,
            explorer.must_end,
        )
        pool = Pool(
            self.shared,
            self._maker(deadline),
            2 * len(self.program.sites),
            limits,
            keeper=Keeping(self, self.saver, explorer) if self.saver is not None else None,
            interim=interim,
            on_tick=self._tick_reporter(),
        )
        found = pool.explore()
        for state in found.states:
            explorer.queries.add_state(state.get("queries", {}))
        return found.kind, found.census, found.paths

    def _maker(self, deadline: float) -> Callable[[Shared, int], contextlib.AbstractContextManager[LastingSearch]]:
        """What makes the search of a part in its worker."""

        @contextlib.contextmanager
        def make(shared: Shared, max_runs: int) -> Iterator[LastingSearch]:
            left = max(0.001, deadline - time.monotonic())
            memory = self.search.campaign_memory // self.search.jobs
            search = replace(self.search, max_runs=max_runs, budget=left, plateau=0, campaign_memory=memory)
            with contextlib.ExitStack() as resources:
                part = replace(self, shared=shared, search=search, resources=resources, progress=silent)
                with contextlib.closing(part._lasting()) as lasting:
                    yield lasting

        return make

    def _tick_reporter(self) -> Callable[[int, int], None]:
        items = self.items()

        def on_tick(runs: int, paths: int) -> None:
            now, covered = time.monotonic() - self.start, len(items.covered(self.shared.published("edge_seen")))
            if self.history.is_due(now):
                self.history.add(now, runs, covered)
            bugs = reported(self.shared)
            self.progress(Progress("explore", now, runs, paths, 0, covered, items.total, bugs))

        return on_tick

    # -- solvers ----------------------------------------------------------------------------------------------

    def _solver(self, eliminated: Eliminated, engine: EngineLibrary | None) -> Solver:
        """The chain over the expressions of the shared memory; it counts in `eliminated`."""
        shared = self.shared
        arena = Arena.of(shared)
        options = SmtOptions(solvers=chosen(self.search.solver), without=frozenset(self.search.without))
        return chain(arena, LazyEvaluator(lambda: self._evaluator(arena, engine)), options, eliminated)

    def _evaluator(self, arena: Arena, engine: EngineLibrary | None) -> Evaluator:
        """The engine's, if there is one and no other campaign of this process has it; else the one in Python."""
        if engine is None and self.library is not None:
            with contextlib.suppress(ToolchainError, ExecutorError):
                engine = self.resources.enter_context(attached(self.library.result(), self.shared))
        return ReferenceEvaluator(arena) if engine is None else GuardedEvaluator(arena, engine)


@dataclass(frozen=True, slots=True)
class Keeping:
    """Copies of a session's search in the campaign's directory (a Keeper)."""

    session: Session
    saver: Saver
    explorer: Explorer

    def is_due(self) -> bool:
        """See Keeper."""
        return self.saver.is_due()

    def begin(self) -> None:
        """See Keeper."""
        self.saver.begin()

    def writer(self, number: int) -> Callable[[Shared], saved.Part | str]:
        """See Keeper."""
        return self.saver.writer(number)

    def alone(self) -> None:
        """One generation of a search that has no pool."""
        self.begin()
        self._commit([self.writer(0)(self.session.shared)], [self.explorer.state()], b"")

    def commit(
        self,
        main: Shared,
        interim: Interim,
        files: Sequence[saved.Part | str],
        states: Sequence[Mapping[str, Any]],
    ) -> None:
        """See Keeper."""
        pool = {"states": list(interim.states), "census": interim.census.state()}
        parts = [
            {"beginning": part.beginning.state(), "search": state}
            for part, state in zip(interim.parts, states, strict=True)
        ]
        everyone = [{**self.explorer.state(), "pool": pool}, *parts]
        self._commit([self.writer(0)(main), *files], everyone, interim.hashes.astype("<u8").tobytes())

    def _commit(self, files: Sequence[saved.Part | str], states: Sequence[Mapping[str, Any]], paths: bytes) -> None:
        parts = [saved.with_state(file, state) for file, state in zip(files, states, strict=True)]
        seconds = time.monotonic() - self.session.start
        self.saver.commit(seconds, self.session.history.samples, parts, paths)


def earlier_session(main: saved.Part, parts: Sequence[tuple[Shared, saved.Part]], paths: bytes) -> Earlier:
    """What `Keeping` kept: of the main memory, of each part with its memory, the identities of paths."""
    if "pool" not in main.state:
        return Earlier(main.state)
    pool = main.state["pool"]
    interim = Interim(
        tuple(Part(shared, Beginning.of_state(part.state["beginning"], RUNG)) for shared, part in parts),
        (*pool["states"], *(part.state["search"] for _, part in parts)),
        Census.of_state(pool["census"]),
        np.frombuffer(paths, "<u8").astype(np.uint64),
    )
    return Earlier(main.state, interim)
