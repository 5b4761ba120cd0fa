"""The loop: run, then pick open branches, expand them natively, answer what the ladder left, until an ending.

    run the first input
      │
      ▼
    pick ─► expand (native) ─► take what is new ─► a few queries ─► ending? ─no─┐
      ▲                                                                        │
      └─────────── random restart, when spent and precision was lost (DART) ◄──┘

Python sees batches, never single runs. After a divergence the campaign goes on as LCT does (section
4.2): the target is marked, the real path is in the tree from the root.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from veer.execution.protocol import Executor, Work
from veer.model.ending import Ending, EndingKind
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.search.batching import Batching
from veer.search.budget import Budget
from veer.search.cost import FEWEST_IN_VAIN, SECOND, cost_of
from veer.search.division import Divide, Division
from veer.search.ending import ending, is_imprecise
from veer.search.exchange import Exchange, Exchanging
from veer.search.existing import Existing, Filling, holders
from veer.search.hybrid import Hybrid
from veer.search.node_counts import NodeCounts
from veer.search.queries import Queries
from veer.search.restarts import Restarts
from veer.search.scene import Scene
from veer.search.seeds import Seed
from veer.search.selector import selectors
from veer.search.stopping import Stopping
from veer.search.tree import Tree
from veer.smt.protocol import Eliminated, Solver
from veer.wire.layout import BEGINS, GOES_ON, POINTS, State
from veer.wire.shared import Shared

_QUERIES_A_ROUND = 4  # beside one batch: about as long as the batch takes, and never starved by it
_RUNS_IN_VAIN = 200
"""Without anything new, after which texts go on."""
_FAR = ((GOES_ON, 16), (BEGINS, 16), (POINTS, 4))
"""How inputs go on in a search within far larger bounds, and how many of them."""
_FIRST_BATCHES = 64  # of inputs that arrived, before the search; the others come round by round
_RESTARTS_A_ROUND = 32  # between two looks at the budget and the ledger

Pause = Callable[[int], bool]
"""Asked between rounds, with the number of branches that wait, whether the search is to pause."""


def never(open_branches: int) -> bool:
    """Pauses nothing."""
    return False


class Explorer:
    """One search over one program. `explore()` once; then `queries` holds the statistics of solving.

    `division`: what it is divided into, None if it is not.
    """

    def __init__(
        self,
        shared: Shared,
        executor: Executor,
        solver: Solver,
        program: Program,
        options: SearchOptions,
        budget: Budget,
        on_round: Callable[[int], None] = lambda open_branches: None,
        eliminated: Eliminated | None = None,
        division: Division | None = None,
        seeds: Sequence[Seed] = (),
        existing: Sequence[Existing] = (),
        exchange: Exchange | None = None,
        *,
        is_brief: bool = False,
    ) -> None:
        """`on_round` is called after each round with the number of branches that wait; `eliminated`: the solver's.

        `division`: what explores the inputs in parts; None = all together. `seeds`, `existing`, `exchange`, `is_brief`:
        see Scene.
        """
        self._shared = shared
        self._executor = executor
        self.solver = solver
        self._program = program
        self._options = options
        self._budget = budget
        self._on_round = on_round
        self._seeds = seeds
        self._existing = existing
        self._exchanging = Exchanging(shared, executor, program, exchange) if exchange is not None else None
        self._taken = 0  # existing inputs that were run as they are
        self._left_out: list[str] = []  # existing inputs that the program does not take, or not whole
        self._tree = Tree.of(shared)
        self._stopping = Stopping(shared, program, options, budget)
        self._open, waiting = selectors(shared, program, options)
        self.division = division
        is_hybrid = options.is_hybrid and division is None
        self.queries = Queries(
            shared, self._tree, executor, solver, waiting, budget.deadline, eliminated, is_hasty=is_hybrid
        )
        self._hybrid = Hybrid(shared, executor, program, options) if is_hybrid else None
        self._batching = Batching(options.batch)
        self._known_nodes = 0
        self._known_news = 0
        self._runs_at_news = 0
        self._cost_at_news = cost_of(shared)
        self._restarts = Restarts(options.restarts, options.restarts_in_all)
        self._paths_at_restart = 0  # 0 = there was none
        self._full = False
        self._swept_at = -1
        self._has_gone_on = not seeds
        self._is_brief = is_brief

    @classmethod
    def of(cls, scene: Scene, executor: Executor, divide: Divide | None = None) -> Explorer:
        """The search of a scene, ready to start; its budget runs from now. `divide`: makes the division."""
        budget = Budget(time.monotonic() + scene.options.budget, scene.options.max_runs)
        eliminated = Eliminated()
        return cls(
            scene.shared,
            executor,
            scene.tools.solver(scene.shared, eliminated),
            scene.program,
            scene.options,
            budget,
            scene.reporter().on_round,
            eliminated,
            divide(executor, budget.deadline) if divide is not None else None,
            scene.seeds,
            scene.existing,
            scene.exchange,
            is_brief=scene.is_brief,
        )

    def explore(self) -> Ending:
        """Searches until an ending; raises ExecutorError when no executor can be kept alive."""
        kind = self.search()
        assert kind is not None  # nobody pauses it
        return ending(kind, self._shared, self._program, self._options)

    def search(self, pause: Pause = never) -> EndingKind | None:
        """Searches until an ending and returns its kind, or until `pause(open branches)`, then None.

        A campaign that has runs already (one that was saved, a worker's part) goes on where it is.
        """
        if self._shared.counts.runs and self._tree.count > 1:
            self._sweep()
            self.queries.skip()
            self._known_news = self._shared.count("interesting")
        elif self._seeds:
            self._plant()
        else:
            self._note(self._executor.run(b"") if self.division is None else self.division.begin())
            self._begin_with_existing()
            self._begin_with_arrived()
        self._runs_at_news = self._runs_at_news or self._shared.counts.runs
        while True:
            kind = self._must_end() or (None if self._round() else self._spent())
            if self._exchanging is not None:
                kind = self._exchanged(self._exchanging, kind)
            if kind:
                self.queries.settle()
                return kind
            if pause(len(self._open) + len(self.queries)):
                return None

    def state(self) -> dict[str, Any]:
        """What the search knows outside of the shared memory, as JSON knows it."""
        return {
            "queries": self.queries.counts.state(),
            "restarts": self._restarts.state(),
            "paths_at_restart": self._paths_at_restart,
            "runs_at_news": self._runs_at_news,
            "division": self.division.state() if self.division is not None else {},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes up what `state` told of this search in an earlier process; before `search`."""
        self.queries.counts.add_state(state.get("queries", {}))
        self._restarts.restore(state.get("restarts", {}))
        self._paths_at_restart = int(state.get("paths_at_restart", 0))
        self._runs_at_news = int(state.get("runs_at_news", 0))
        self._cost_at_news = float(state.get("cost_at_news", self._cost_at_news))
        if self.division is not None:
            self.division.restore(state.get("division", {}))

    @property
    def notes(self) -> tuple[str, ...]:
        """What the user should know of the search."""
        return (*self._existing_notes(), *self._restarts.notes)

    @property
    def cost_at_news(self) -> float:
        """What the search had cost when it last showed anything new; `restore` takes it as well."""
        return self._cost_at_news

    @property
    def is_full(self) -> bool:
        """Whether a table held no more."""
        return self._full

    def _plant(self) -> None:
        """Runs the seeds. A report on one tells when it was run first."""
        for seed in self._seeds:
            if self._must_end():
                break
            self._note(self._executor.run(seed.input))
            report = self._shared.run.last_report
            if seed.run and report < self._shared.count("reports"):
                record = self._shared.report(report)
                record["run"], record["nanoseconds"] = seed.run, seed.nanoseconds

    def _begin_with_existing(self) -> None:
        """Runs the inputs that exist."""
        for each in self._existing:
            into = holders(self._program, each)
            filling = Filling(self._shared, into) if into is not None else None
            for work in filling.run(self._executor, self._must_end_now) if filling is not None else ():
                self._note(work)
            if self._must_end():
                return
            if filling is None or not filling.is_whole:
                self._left_out.append(each.name)
            else:
                self._taken += 1

    def _begin_with_arrived(self) -> None:
        """Runs what arrived before the search: so nothing is given that is there."""
        for _ in range(_FIRST_BATCHES if self._exchanging is not None else 0):
            before = self._shared.counts.runs
            self._take(self._exchanging)
            if self._shared.counts.runs == before or self._must_end():
                return

    def _take(self, exchanging: Exchanging | None) -> None:
        for work in exchanging.take(self._must_end_now) if exchanging is not None else ():
            self._note(work)

    def _must_end_now(self) -> bool:
        return self._must_end() is not None

    def _existing_notes(self) -> tuple[str, ...]:
        """How many of the inputs that exist were run as they are, and which were not."""
        if not self._existing:
            return ()
        ran = f"seeds: {self._taken} of {len(self._existing)} inputs were run first"
        if not self._left_out:
            return (ran,)
        more = f" and {len(self._left_out) - 1} more" if len(self._left_out) > 1 else ""
        name = self._program.entry
        return (ran, f"seeds: {self._left_out[0]}{more} did not fit: {name} takes no such input within its bounds")

    def _go_on(self) -> None:
        """Runs the seeds with texts that go on, once nothing was new for long: what is found without them needs no
        longer text, and may be claimed without a bound."""
        if self._has_gone_on or (self._shared.counts.runs - self._runs_at_news < _RUNS_IN_VAIN and not self._is_brief):
            return
        self._has_gone_on = True
        for filler, most in _FAR if self._is_brief else ((GOES_ON, None),):
            for seed in self._seeds[:most]:
                if self._must_end():
                    return
                self._note(self._executor.run(seed.input, filler=filler))

    def _must_end(self) -> EndingKind | None:
        if forced := self._stopping.must_end(self._shared.counts.runs, is_full=self._full):
            return forced
        in_vain = self._shared.counts.runs - self._runs_at_news
        is_long = 0 < self._options.plateau <= in_vain
        is_late = 0 < SECOND * self._options.patience <= cost_of(self._shared) - self._cost_at_news
        return EndingKind.PLATEAU if is_long or (is_late and in_vain >= FEWEST_IN_VAIN) else None

    def _round(self) -> bool:
        """One batch and a few queries. False if there was neither."""
        self._go_on()
        size = self._batching.size(self._shared.counts.runs, self._shared.statistics.symbolic_operations)
        ids = self._open.pick(self._tree, max(1, self._budget.within(size, self._shared.counts.runs)))
        if len(ids):
            work = self._executor.expand(ids.tolist(), deadline=self._budget.deadline)
            self._open.add(self._tree, np.array(work.left, np.int64))
            self._note(work)
        answered = self._answer_some()
        mutated = self._hybrid.turn(self._budget.deadline) if self._hybrid is not None else None
        if mutated is not None:
            self._note(mutated)
        self._on_round(len(self._open) + len(self.queries))
        return bool(len(ids)) or answered

    def _exchanged(self, exchanging: Exchanging, kind: EndingKind | None) -> EndingKind | None:
        """Gives what is new, and takes what arrived; a search that is spent waits for more. Returns the ending then."""
        exchanging.tell()
        if kind not in (None, EndingKind.EXHAUSTED):
            return kind
        runs = self._shared.counts.runs
        self._take(exchanging)
        exchanging.tell()
        if kind is not None and self._shared.counts.runs == runs:
            self._on_round(0)
            return None if exchanging.wait() else kind
        return None

    def _answer_some(self) -> bool:
        answered = False
        for _ in range(_QUERIES_A_ROUND):
            if self._must_end() or not self.queries.answer():
                break
            answered = True
            self._note(Work())
        return answered

    def _note(self, work: Work) -> None:
        """Takes what the last command appended: open nodes for the strategy, queries, news."""
        self._full |= work.full
        if self.division is not None:
            self._look(self.division)
        count = self._tree.count
        if count > self._known_nodes:
            self._add(State.OPEN, self._known_nodes)
            self._known_nodes = count
        self.queries.take()
        news = self._shared.count("interesting")
        if news > self._known_news:
            self._runs_at_news, self._cost_at_news = self._shared.counts.runs, cost_of(self._shared)
        self._batching.note(something_new=news > self._known_news)
        self._known_news = news

    def _spent(self) -> EndingKind | None:
        """Nothing waits: exhausted, unless precision was lost and a random restart may still find something."""
        if self._sweep():
            return None
        if self.division is not None and self.division.settle():
            self._note(Work())
            return None
        if self._restarts.is_over or not is_imprecise(self._shared, NodeCounts.of(self._shared, 0)):
            return EndingKind.EXHAUSTED
        mutated = self._hybrid.last_turn(self._budget.deadline) if self._hybrid is not None else None
        if mutated is not None:
            self._note(mutated)
            return None
        for _ in range(_RESTARTS_A_ROUND):
            if self._restarts.is_over or self._must_end() or self._restart():
                break
        return None

    def _restart(self) -> bool:
        """Runs a fresh random input; whether it left anything to search.

        Only paths count as new, its own and those that the search found since the last one. Nodes do not: where a run
        takes a symbolic address as it is, each address is a node, and a random one is hardly ever known.
        """
        number = self._restarts.begin()
        nodes, paths = self._tree.count, self._paths_at_restart or self._shared.counts.distinct_paths
        division = self.division
        self._note(self._executor.run(b"", filler=number) if division is None else division.fresh(number))
        self._paths_at_restart = self._shared.counts.distinct_paths
        is_new = self._paths_at_restart != paths
        self._restarts.note(is_new=is_new)
        return is_new or self._tree.count != nodes

    def _look(self, division: Division) -> None:
        """Takes what the division freed, or its new tree."""
        before = division.restarts
        freed = division.look()
        if division.restarts != before:
            self._known_nodes = 0
            self._open, waiting = selectors(self._shared, self._program, self._options)  # these know the old tree
            self.queries.begin_again(waiting)
        else:
            self._open.add(self._tree, freed)

    def _sweep(self) -> bool:
        """Takes up nodes that slipped through (a crash in the middle of a batch, a full queue), and queries that struck
        a limit; once between runs, but for new ones of these.
        """
        runs = self._shared.counts.runs
        if self._swept_at == runs and not self.queries.struck:
            return False
        self._swept_at = runs
        self._known_nodes = self._tree.count
        return bool(self._add(State.OPEN, 0) + self.queries.add(self._tree.in_state(State.QUEUED)))

    def _add(self, state: State, first: int) -> int:
        ids = self._tree.in_state(state, first)
        self._open.add(self._tree, ids)
        return len(ids)
