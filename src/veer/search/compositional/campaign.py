"""A compositional search within a campaign: what it needs of the session, and what it leaves for the result."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass

from veer.execution.engine import EngineLibrary
from veer.execution.executor import Executor
from veer.model.options import SearchOptions
from veer.model.program import Fact, Program
from veer.model.summaries import FunctionSummary, Summaries
from veer.search.census import Census
from veer.search.compositional.loops import ClosedTrie, Closing
from veer.search.compositional.search import SmartSearch
from veer.search.compositional.stored import FORMAT, Shelf
from veer.search.compositional.terms import Terms
from veer.search.explorer import Explorer
from veer.smt.arena import Arena
from veer.smt.protocol import Answer, Query, Sat, Unsat
from veer.toolchain.cache import Cache, digest
from veer.toolchain.runtime import front_end_version, runtime_version
from veer.wire.boundaries import Boundaries
from veer.wire.layout import NONE, Refusal, State, fingerprint
from veer.wire.shared import Shared

REFUSALS = {
    Refusal.INPUT: "it makes or decides an input",
    Refusal.EXTERNAL: "it calls code that is not instrumented",
    Refusal.HEAP: "it allocates or frees memory",
    Refusal.LOSS: "something in it was made concrete",
    Refusal.MEMORY: "it uses memory that no argument and no global leads to at once",
    Refusal.LARGE: "it uses an object of more than 1024 bytes",
    Refusal.SIGNATURE: "its outputs differ too much",
    Refusal.EXTENT: "it uses an object of symbolic size",
    Refusal.FORM: "a run of the loop went otherwise than its text says",
    Refusal.OFTEN: "too much crosses its boundary in one run",
    Refusal.LIMIT: "a run ended in it at a limit of steps, stack or memory",
}


def obstacle(program: Program) -> str:
    """Why a program cannot be searched by summaries at all, or an empty string."""
    jumps = sorted(
        {name for function in program.functions for name in function.calls} & program.known_to(Fact.JUMPS, Fact.UNWINDS)
    )
    return f"not compositional: {jumps[0]} leaves functions otherwise than by their returns" if jumps else ""


@dataclass(frozen=True, slots=True)
class Compositional:
    """One search. `explorer` lends its queries' statistics and its endings; `began` in time.monotonic."""

    shared: Shared
    executor: Executor
    engine: EngineLibrary
    options: SearchOptions
    explorer: Explorer
    began: float
    cache: Cache | None = None  # where summaries are kept on disk, if they are

    def run(self, program: Program) -> tuple[str, Census, Summaries]:
        """Searches until an ending: its kind, what counts for the claim, what became of the functions."""
        before = self.shared.options.max_depth
        self.shared.options.max_depth, self.shared.control(Boundaries).compositional = 0, 1
        terms = Terms(Arena.of(self.shared), self.engine)
        shelf = self._shelf(program, terms)
        search = SmartSearch(
            self.shared,
            self.executor,
            self.engine,
            terms,
            self._solve,
            self._must_end,
            self.began + self.options.budget,
            Closing({loop.site: loop for loop in program.loops}),
            shelf,
        )
        try:
            kind = search.search()
        finally:
            self.shared.control(Boundaries).compositional = 0
            self.shared.options.max_depth = before
        if shelf is not None and not self.shared.counts.diverged:
            shelf.keep(search.tries, search.runs.edges_of)
        return kind, self._census(search, 2 * len(program.sites)), self._summaries(search, program)

    def _shelf(self, program: Program, terms: Terms) -> Shelf | None:
        """Summaries on disk; what else than the code they depend on is a part of their names."""
        if self.cache is None:
            return None
        options = (*sorted(self.options.without), str(self.options.memory), *sorted(program.uninstrumented))
        version = digest(FORMAT, runtime_version(), front_end_version(), fingerprint(), *options)
        return Shelf(self.cache, version, program, self.shared, self.engine, terms)

    def _must_end(self) -> str:
        return self.explorer.must_end(self.shared.counts.runs)

    def _solve(self, query: Query) -> Answer:
        queries = self.explorer.queries
        start = time.perf_counter()
        answer = self.explorer.solver.solve(query)
        queries.seconds += time.perf_counter() - start
        if isinstance(answer, Sat):
            queries.sat += 1
        elif isinstance(answer, Unsat):
            queries.unsat += 1
        elif answer.by_limit and query.patience == 1:
            return answer  # it is asked again
        else:
            queries.unknown += 1
            queries.reasons[answer.reason] += 1
            return answer
        queries.answered_by[answer.by] += 1
        return answer

    def _census(self, search: SmartSearch, edges: int) -> Census:
        """Of the tries, where the plain search counts the nodes of its tree."""
        census = Census.empty(edges)
        census.outcomes[:] = Census.of(self.shared, 0).outcomes
        for state, sides in ((State.INFEASIBLE, search.counts.infeasible), (State.UNKNOWN, search.counts.unknown)):
            for edge, count in sides.items():
                if edge < edges:
                    census.table[edge, state] = count
        return census

    def _summaries(self, search: SmartSearch, program: Program) -> Summaries:
        refusals = self.shared.region("refusals")
        paths, shapes, used, closed, read = (Counter[int]() for _ in range(5))
        for trie in search.tries:
            paths[trie.function] += trie.paths
            shapes[trie.function] += 1
            closed[trie.function] += isinstance(trie, ClosedTrie)
            read[trie.function] += trie.from_disk
            used.update(node.call.function for node in trie.nodes() if node.call is not None)
        numbers = [NONE, *sorted({*paths} - {NONE}), *refusals[: len(program.sites)].nonzero()[0].tolist()]
        found, loops = [], {loop.site for loop in program.loops}
        for number in dict.fromkeys(numbers):
            site = program.sites[number] if number != NONE else None
            why = int(refusals[number]) if site is not None else 0
            found.append(
                FunctionSummary(
                    name=site.function if site is not None else program.entry,
                    file=site.file if site is not None else "",
                    line=site.line if site is not None else 0,
                    runs=search.runs.made[number],
                    paths=paths[number],
                    shapes=shapes[number],
                    made=shapes[number] if site is not None else 0,
                    used=used[number],
                    refused=REFUSALS[Refusal(why)] if why else "",
                    is_loop=number in loops,
                    closed=closed[number],
                    from_disk=read[number],
                )
            )
        return Summaries(tuple(found), search.runs.repeated, search.counts.largest_query)
