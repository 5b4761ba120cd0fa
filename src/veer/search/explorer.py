"""The loop: run, then pick open branches, expand them natively, answer what the ladder left, until an ending.

    run the first input
      │
      ▼
    pick ─► expand (native) ─► take what is new ─► a few queries ─► ending? ─no─┐
      ▲                                                                        │
      └──────────────── random restart, when spent but not complete (DART) ◄───┘

Python sees batches, never single runs. After a divergence the campaign goes on as LCT does (section
4.2): the target is marked, the real path is in the tree from the root.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from veer.execution.executor import Executor, Work
from veer.model.options import SearchOptions
from veer.model.program import Program
from veer.model.result import Ending
from veer.search.batching import Batching
from veer.search.budget import Budget
from veer.search.census import Census
from veer.search.coverage import Items
from veer.search.division import Division
from veer.search.ending import ending, lost_by
from veer.search.goal import goal_sites
from veer.search.queries import Queries
from veer.search.selector import selectors
from veer.search.tree import Tree
from veer.smt.protocol import Eliminated, Solver
from veer.wire.layout import State
from veer.wire.shared import Shared

_QUERIES_A_ROUND = 4  # beside one batch: about as long as the batch takes, and never starved by it
_FRUITLESS_RESTARTS = 3


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
    ) -> None:
        """`on_round` is called after each round with the number of branches that wait; `eliminated`: the solver's.

        `division`: what explores the inputs in parts; None = all together.
        """
        self._shared = shared
        self._executor = executor
        self.solver = solver
        self._program = program
        self._options = options
        self._budget = budget
        self._on_round = on_round
        self._tree = Tree.of(shared)
        self._items = Items(goal_sites(program, options.goal))
        self._open, waiting = selectors(shared, program, options)
        self.division = division
        self.queries = Queries(shared, self._tree, executor, solver, waiting, budget.deadline, eliminated)
        self._batching = Batching(options.batch)
        self._known_nodes = 0
        self._known_news = 0
        self._runs_at_news = 0
        self._restarts = 0
        self._fruitless = 0
        self._full = False
        self._swept_at = -1

    def explore(self) -> Ending:
        """Searches until an ending; raises ExecutorError when no executor can be kept alive."""
        kind = self.search()
        return ending(kind, self._shared, self._program, self._options)

    def search(self, pause: Callable[[int], bool] = lambda open_branches: False) -> str:
        """Searches until an ending and returns its kind, or until `pause(open branches)`, then an empty string.

        A campaign that has runs already (one that was saved, a worker's part) goes on where it is.
        """
        if self._shared.counts.runs and self._tree.count > 1:
            self._sweep()
            self.queries.skip()
            self._known_news = self._shared.count("interesting")
        else:
            self._note(self._executor.run(b"") if self.division is None else self.division.begin())
        self._runs_at_news = self._runs_at_news or self._shared.counts.runs
        while True:
            kind = self._must_end() or ("" if self._round() else self._spent())
            if kind:
                self.queries.settle()
                return kind
            if pause(len(self._open) + len(self.queries)):
                return ""

    def state(self) -> dict[str, Any]:
        """What the search knows outside of the shared memory, as JSON knows it."""
        return {
            "queries": self.queries.state(),
            "restarts": self._restarts,
            "fruitless": self._fruitless,
            "runs_at_news": self._runs_at_news,
            "division": self.division.state() if self.division is not None else {},
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes up what `state` told of this search in an earlier process; before `search`."""
        self.queries.add_state(state.get("queries", {}))
        self._restarts = int(state.get("restarts", 0))
        self._fruitless = int(state.get("fruitless", 0))
        self._runs_at_news = int(state.get("runs_at_news", 0))
        if self.division is not None:
            self.division.restore(state.get("division", {}))

    @property
    def is_full(self) -> bool:
        """Whether a table held no more."""
        return self._full

    def must_end(self, runs: int) -> str:
        """The ending that a limit, Ctrl-C or full coverage forces after so many runs, or an empty string."""
        exhausted_budget = self._budget.spent(runs)
        if exhausted_budget:
            return exhausted_budget
        if self._shared.command.stop:
            return "stopped"
        if self._full:
            return "budget"  # of memory: what was found stays, and the ledger says which table was full
        if not self._options.keep_going and self._is_covered():
            return "covered"
        return ""

    def _must_end(self) -> str:
        if forced := self.must_end(self._shared.counts.runs):
            return forced
        if self._options.plateau and self._shared.counts.runs - self._runs_at_news >= self._options.plateau:
            return "plateau"
        return ""

    def _round(self) -> bool:
        """One batch and a few queries. False if there was neither."""
        size = self._batching.size(self._shared.counts.runs, self._shared.statistics.symbolic_operations)
        ids = self._open.pick(self._tree, max(1, self._budget.within(size, self._shared.counts.runs)))
        if len(ids):
            work = self._executor.expand(ids.tolist(), deadline=self._budget.deadline)
            self._open.add(self._tree, np.array(work.left, np.int64))
            self._note(work)
        answered = self._answer_some()
        self._on_round(len(self._open) + len(self.queries))
        return bool(len(ids)) or answered

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
            self._runs_at_news = self._shared.counts.runs
        self._batching.note(something_new=news > self._known_news)
        self._known_news = news

    def _spent(self) -> str:
        """Nothing waits: exhausted, unless the search is incomplete and a random restart may still find something."""
        if self._sweep():
            return ""
        if self.division is not None:
            return self._divided_spent(self.division)
        if not lost_by(self._shared, Census.of(self._shared, 0), self._program.sites):
            return "exhausted"
        if self._restarts >= self._options.restarts or self._fruitless >= _FRUITLESS_RESTARTS:
            return "exhausted"
        self._restarts += 1
        before = (self._tree.count, self._shared.counts.distinct_paths)
        self._note(self._executor.run(b"", filler=self._restarts))
        after = (self._tree.count, self._shared.counts.distinct_paths)
        self._fruitless = 0 if after != before else self._fruitless + 1
        return ""

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

    def _divided_spent(self, division: Division) -> str:
        """No part has anything to do: exhausted, unless what the parts showed together changes them."""
        if not division.settle():
            return "exhausted"
        self._note(Work())
        return ""

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

    def _is_covered(self) -> bool:
        if self._options.criterion != "branch" or not self._items.total:
            return False
        return len(self._items.covered(self._shared.published("edge_seen"))) == self._items.total
