"""The compositional search: it takes the scene apart for SMART's search, and puts together what that found."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator

from msgspec import Struct

from veer.execution.engine import EngineLibrary
from veer.model.ending import EndingKind
from veer.model.program import Fact, Program
from veer.search.budget import Budget
from veer.search.compositional.loops import Closing
from veer.search.compositional.outcome import node_counts, summaries
from veer.search.compositional.runs import Reason, RefusedError
from veer.search.compositional.smart import SmartSearch
from veer.search.compositional.stored import FORMAT, SummaryStore
from veer.search.compositional.terms import Terms
from veer.search.ending import is_imprecise
from veer.search.protocol import Ability, Instrumentation, Refusal, Searched
from veer.search.query_counts import QueryCounts
from veer.search.restarts import Restarts
from veer.search.scene import Scene
from veer.search.stopping import Stopping
from veer.smt.arena import Arena
from veer.smt.protocol import Answer, Query, Solver, Unknown
from veer.toolchain.cache import digest
from veer.toolchain.runtime import front_end_version, runtime_version
from veer.wire.boundaries import Boundaries
from veer.wire.costs import Costs
from veer.wire.layout import fingerprint
from veer.wire.shared import Shared

_COST_OF_A_QUERY = 1_000  # about microseconds (search/cost.py)


class CompositionalSearch:
    """See Search. It knows the paths of each function in one process, puts paths together, and saves summaries alone:
    so it takes no workers, runs not every path, and does not go on with what an earlier session left."""

    instrumentation = Instrumentation(boundaries=True)
    abilities: frozenset[Ability] = frozenset()

    def run(self, scene: Scene) -> Searched | Refusal:
        """See Search. Refuses what `Reason` says."""
        began = time.monotonic()
        if scene.earlier is not None:
            return Refusal(Reason.RESUMED)
        if jump := _jump(scene.program):
            return Refusal(Reason.JUMPS, jump)
        with scene.tools.engine(scene.shared) as engine:
            return Refusal(Reason.ENGINE) if engine is None else _searched(scene, engine, began)


COMPOSITIONAL = CompositionalSearch()


def _jump(program: Program) -> str:
    """The first function, by name, that leaves others than itself."""
    called = {name for function in program.functions for name in function.calls}
    return min(called & program.known_to(Fact.JUMPS, Fact.UNWINDS), default="")


def _searched(scene: Scene, engine: EngineLibrary, began: float) -> Searched | Refusal:
    shared, program, options = scene.shared, scene.program, scene.options
    deadline = began + options.budget
    stopping = Stopping(shared, program, options, Budget(deadline, options.max_runs))
    reporter = scene.reporter()

    def must_end() -> EndingKind | None:
        reporter.on_round(0)
        return stopping.must_end(shared.counts.runs)

    counts = QueryCounts()
    asked = CountedSolver(scene.tools.solver(shared, counts.eliminated, engine), counts, shared)
    terms = Terms(Arena.of(shared), engine)
    store = _store(scene, engine, terms)
    with contextlib.closing(scene.executor()) as executor, _recorded_boundaries(scene):
        search = SmartSearch(
            shared,
            executor,
            engine,
            terms,
            asked.solve,
            must_end,
            deadline,
            Closing({loop.site: loop for loop in program.loops}),
            store,
        )
        restarts = Restarts(options.restarts)
        ending = _ending(scene, search, stopping, restarts)
    if store is not None and not shared.counts.diverged:
        store.add(search.tries, search.runs.edges_of)
    if isinstance(ending, Refusal):
        return ending
    return Searched(
        ending,
        node_counts(shared, search, scene.edge_count),
        shared.counts.distinct_paths,
        counts,
        time.monotonic() - began,
        restarts.notes,
        has_run_every_path=False,
        summaries=summaries(shared, search, program),
    )


def _ending(scene: Scene, search: SmartSearch, stopping: Stopping, restarts: Restarts) -> EndingKind | Refusal:
    """Searches to an ending; where precision was lost, again with whatever a fresh random input showed (theorem 3:
    with DART's outer loop, it reaches what the plain search reaches)."""
    shared = scene.shared
    try:
        while True:
            kind = search.search()
            counts = node_counts(shared, search, scene.edge_count)
            if kind is not EndingKind.EXHAUSTED or not is_imprecise(shared, counts):
                return kind
            is_new = False
            while not is_new:
                if restarts.is_over:
                    return kind
                if forced := stopping.must_end(shared.counts.runs):
                    return forced
                is_new = search.runs.fresh(restarts.begin())
                restarts.note(is_new=is_new)
            search.runs.forget()
    except RefusedError as refused:
        return Refusal(refused.reason)


@contextlib.contextmanager
def _recorded_boundaries(scene: Scene) -> Iterator[None]:
    """While it lasts, runs record what crosses boundaries, and no path is cut."""
    before = scene.shared.options.max_depth
    scene.shared.options.max_depth, scene.shared.control(Boundaries).compositional = 0, 1
    try:
        yield
    finally:
        scene.shared.control(Boundaries).compositional = 0
        scene.shared.options.max_depth = before


def _store(scene: Scene, engine: EngineLibrary, terms: Terms) -> SummaryStore | None:
    """Summaries on disk; what else than the code they depend on is a part of their names."""
    if scene.summaries is None:
        return None
    options, program = scene.options, scene.program
    named = (*sorted(options.without), str(options.memory), *sorted(program.uninstrumented))
    version = digest(FORMAT, runtime_version(), front_end_version(), fingerprint(), *named)
    return SummaryStore(scene.summaries, version, program, scene.shared, engine, terms)


class CountedSolver(Struct, frozen=True):
    """A solver whose answers are counted."""

    solver: Solver
    counts: QueryCounts
    shared: Shared

    def solve(self, query: Query) -> Answer:
        """See Solver. A query that struck a limit for the first time is asked again, and not counted yet."""
        start = time.perf_counter()
        answer = self.solver.solve(query)
        self.counts.seconds += time.perf_counter() - start
        self.shared.control(Costs).query_cost += _COST_OF_A_QUERY
        if not isinstance(answer, Unknown):
            self.counts.note(answer)
        elif not answer.by_limit or query.patience != 1:
            self.counts.note_unknown(answer)
        return answer
