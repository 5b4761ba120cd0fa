"""The queries that the native ladder left: taken from the queue, built from the tree, answered by smt, followed.

queue of the shared memory ─► waiting (a strategy over QUEUED nodes) ─► Query ─► smt ─► Sat: executor.follow
                                                                                   ├──► Unsat: INFEASIBLE
                                                                                   └──► Unknown: UNKNOWN, ledger

A query that struck a limit stays QUEUED and waits until nothing else is left to do; then it is asked once more, with
more patience. When the most patience was in vain too often in a row, the others are given up as they are. In a hybrid
search the first limit is short: what is hard has time, for changed inputs may get there before.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy.typing as npt

from veer.execution.protocol import Executor
from veer.search.constraints import PathConstraints
from veer.search.query_counts import QueryCounts
from veer.search.strategies.protocol import Strategy
from veer.search.tree import Tree
from veer.smt.arena import Arena
from veer.smt.protocol import Answer, Eliminated, Query, Sat, Solver, Unknown, Unsat
from veer.smt.weight import weigh
from veer.wire.costs import Costs
from veer.wire.layout import Loss, State
from veer.wire.shared import Shared

_PATIENCE = (0.2, 1.0, 4.0)  # times the usual limit; the first one where there is something better to do
_FRUITLESS = 2
_COST_OF_A_LINK, _COST_OF_A_SOLVER, _COST_OF_IGNORANCE = 5_000.0, 30_000.0, 400_000.0
_COST_OF_A_BIT, _MOST_BITS = 5.0, 50_000
_SOLVERS = ("bitwuzla", "z3", "cvc5")


class Queries:
    """The waiting queries, and the counts of those answered."""

    def __init__(
        self,
        shared: Shared,
        tree: Tree,
        executor: Executor,
        solver: Solver,
        waiting: Strategy,
        deadline: float = math.inf,
        eliminated: Eliminated | None = None,
        *,
        is_hasty: bool = False,
    ) -> None:
        """`waiting` ranks nodes in the state QUEUED; after `deadline` (time.monotonic) no answer is wanted any more.

        `eliminated`: where the solver counts. `is_hasty`: the first limit is short.
        """
        self._shared = shared
        self._tree = tree
        self._executor = executor
        self._solver = solver
        self._waiting = waiting
        self._deadline = deadline
        self._constraints = PathConstraints(tree)
        self._arena = Arena.of(shared)
        self._read = 0
        self._struck: dict[int, Unknown] = {}  # nodes whose query struck a limit, not yet asked with more patience
        self._tried: dict[int, int] = {}  # how often those were asked
        self._first = 0 if is_hasty else 1  # of _PATIENCE
        self._fruitless = 0
        self.counts = QueryCounts(eliminated or Eliminated())

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def cost(self) -> int:
        """About microseconds of all answers, by their kind alone."""
        return int(self._shared.control(Costs).query_cost)

    def take(self) -> None:
        """Takes what the executor appended to the queue since the last call."""
        queue = self._shared.published("queue")
        if self._read < len(queue):
            ids = queue[self._read :].copy()
            self._read = len(queue)
            self.add(ids[ids < self._tree.count])

    def begin_again(self, waiting: Strategy) -> None:
        """The tree is a new one, and so is the queue; the statistics stay. `waiting`: a strategy for it."""
        self._waiting = waiting
        self._constraints = PathConstraints(self._tree)
        self._struck.clear()
        self._read = 0

    def skip(self) -> None:
        """What the queue holds already is known from the states of the nodes: of a campaign that goes on."""
        self._read = self._shared.count("queue")

    def add(self, ids: npt.NDArray[Any]) -> int:
        """Puts nodes in the state QUEUED among those that wait; how many."""
        self._waiting.add(self._tree, ids)
        return len(ids)

    def answer(self) -> bool:
        """Answers the best waiting query. False if there is none.

        One that the deadline, or a signal, cut short waits on, and counts as not asked.
        """
        picked = self._waiting.pick(self._tree, 1)
        if not len(picked):
            return False
        node = int(picked[0])
        parent = self._shared.input_of(int(self._tree.path[node]))
        struck = self._struck.pop(node, None)
        stage = self._first if struck is None else self._tried.pop(node)
        is_last = stage == len(_PATIENCE) - 1
        if struck is not None and is_last and self._fruitless >= _FRUITLESS:
            self._give_up(node, struck)
            return True
        query = Query(self._constraints.of(node), parent, self._deadline, _PATIENCE[stage], self._is_stopped)
        start = time.perf_counter()
        answer = self._solver.solve(query)
        self.counts.seconds += time.perf_counter() - start
        self._shared.control(Costs).query_cost += int(self._cost(query, answer))
        match answer:
            case Sat():
                self.counts.note(answer)
                self._executor.follow(node, answer.input)
            case Unsat():
                self.counts.note(answer)
                self._tree.state[node] = State.INFEASIBLE
            case Unknown() if query.is_late:
                self._waiting.add(self._tree, picked)
            case Unknown(by_limit=True) if not is_last:
                self._struck[node], self._tried[node] = answer, stage + 1
            case Unknown():
                self._give_up(node, answer)
        if is_last:
            self._fruitless = self._fruitless + 1 if isinstance(answer, Unknown) else 0
        return True

    def _is_stopped(self) -> bool:
        return bool(self._shared.command.stop)

    @property
    def struck(self) -> int:
        """How many queries struck a limit and are to be asked once more."""
        return sum(self._tree.state[node] == State.QUEUED for node in self._struck)

    def settle(self) -> None:
        """Gives up what struck a limit and will not be asked again: the search has ended."""
        for node, answer in self._struck.items():
            if self._tree.state[node] == State.QUEUED:
                self._give_up(node, answer)
        self._struck.clear()

    def _give_up(self, node: int, answer: Unknown) -> None:
        self.counts.note_unknown(answer)
        self._tree.state[node] = State.UNKNOWN
        self._shared.note_loss(Loss.SOLVER, int(self._tree.site[node]))

    def _cost(self, query: Query, answer: Answer) -> float:
        """About how long the answer took: of a solver's, how large the formula of the target is."""
        if isinstance(answer, Unknown):
            return _COST_OF_IGNORANCE * min(1.0, query.patience)
        if answer.by not in _SOLVERS:
            return _COST_OF_A_LINK
        target = query.literals[-1][0]
        return _COST_OF_A_SOLVER + _COST_OF_A_BIT * weigh(self._arena, [target], set(), _MOST_BITS)
