"""Hybrid search: concrete runs of changed inputs take turns with the concolic search (docs/decisions/0470).

    concolic rounds ──► cost ──► behind its share? ──► changed inputs, run concretely ──► what covers something new
          ▲                                                                                is run concolically
          └───────────────────────────── its tree has new open branches ◄──────────────────────────┘

Who gets how much is decided by what each has covered lately, for what it cost. Costs are counted in runs, steps and
queries, never by the clock, so that the same seed gives the same search. Claims are the tree's alone: a changed input
says something about a path only once it is run concolically.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec import Struct

from veer.execution.protocol import Executor, Work
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.search.cost import cost_of
from veer.search.goal import goal_items
from veer.wire.mutations import Mutations
from veer.wire.shared import Shared

# About microseconds, as measured once; what they are on this machine does not matter.
_ROUND, _SITE = 300.0, 1.0  # strategies look at the whole program where a round has covered something
_MUTATED_RUN, _MUTATED_STEP = 1.0, 0.02

_BEGINS = 200_000.0  # a search that costs less pays nothing for this
_LEAST_RUNS, _MOST_RUNS = 256, 1 << 16  # of a turn
_MOST_STEPS = 10_000_000  # of a turn: as much as _MOST_RUNS short ones; then the shares are decided anew
_MEMORY = 500_000.0  # what was found is worth half as much after this cost
_PRIOR = 50_000.0  # the cost for which one find is expected of who has not been tried
_WORK_OF_A_FIND = 1 << 18  # operations and evaluated expressions, some 30 ms
_LEAST_SHARE = 0.25
_SHARE_ONCE_COVERED = 0.1
_FRUITLESS = 200_000.0  # cost of mutated runs in a row that show nothing, where nothing else is left to do


class Side(Struct):
    """One of the two: what it cost in all and lately, and the edges that it covered first, lately."""

    cost: float = 0.0
    lately: float = 0.0
    found: float = 0.0

    def note(self, cost: float, found: int, fading: float) -> None:
        """Adds, after all before has faded."""
        self.cost += cost
        self.lately = self.lately * fading + cost
        self.found = self.found * fading + found

    @property
    def rate(self) -> float:
        """Edges for a unit of cost."""
        return (self.found + 1.0) / (self.lately + _PRIOR)


class Hybrid:
    """The turns of one search. `turn` after each round."""

    def __init__(self, shared: Shared, executor: Executor, program: Program, options: SearchOptions) -> None:
        self._shared = shared
        self._executor = executor
        self._most_runs = options.max_runs
        self._cost_of_a_look = _SITE * len(program.sites)
        self._mutations = shared.control(Mutations)
        self._items = goal_items(program, options.goal)
        self._concolic, self._mutated = Side(), Side()
        self._owed = 0.0  # cost of mutated runs that the concolic search has earned them
        self._cost_of_rounds = 0.0
        self._covered = -1
        self._counted = self._concolic_cost()
        self._seen = self._edges_seen()
        self._fruitless = 0.0

    def turn(self, deadline: float) -> Work | None:
        """A turn of mutated runs, if one is due."""
        covered = len(self._items.covered(self._shared.published("edge_seen")))
        self._cost_of_rounds += _ROUND + self._cost_of_a_look * (covered != self._covered)
        self._covered = covered
        self._note_concolic()
        if self._concolic.cost < _BEGINS or self._is_spent():
            return None
        runs = int(self._owed / self._cost_of_a_run())
        if runs < _LEAST_RUNS:
            return None
        return self._mutate(min(runs, _MOST_RUNS), deadline)

    def last_turn(self, deadline: float) -> Work | None:
        """A turn where the concolic search has nothing left to do, and lost precision; None: there were enough."""
        self._note_concolic()
        if self._fruitless >= _FRUITLESS or self._is_spent():
            return None
        runs = int((_FRUITLESS - self._fruitless) / self._cost_of_a_run()) + 1
        return self._mutate(min(max(runs, _LEAST_RUNS), _MOST_RUNS // 4), deadline)

    def _mutate(self, runs: int, deadline: float) -> Work:
        mutations = self._mutations
        before, steps, finds = mutations.mutated_runs, mutations.mutated_steps, mutations.mutation_finds
        mutations.run_limit, mutations.find_limit = self._most_runs, _WORK_OF_A_FIND
        mutations.turn_steps = _MOST_STEPS
        work = self._executor.mutate(runs, deadline=deadline)
        made = mutations.mutated_runs - before
        cost = _MUTATED_RUN * made + _MUTATED_STEP * (mutations.mutated_steps - steps)
        found = self._newly_seen()
        is_fruitful = found or mutations.mutation_finds != finds
        self._fruitless = 0.0 if is_fruitful else self._fruitless + (cost or _FRUITLESS)
        self._mutated.note(cost, found, _fading(cost))
        self._concolic.note(0.0, 0, _fading(cost))
        self._owed = max(0.0, self._owed - cost) if made else 0.0
        self._counted = self._concolic_cost()
        return work

    def _note_concolic(self) -> None:
        total = self._concolic_cost()
        cost, self._counted = total - self._counted, total
        has_begun = self._concolic.cost >= _BEGINS  # what comes first is easy, and says nothing of what follows
        self._concolic.note(cost, self._newly_seen() * has_begun, _fading(cost))
        self._mutated.note(0.0, 0, _fading(cost))
        share = self._share()
        self._owed += has_begun * cost * share / (1.0 - share)

    def _share(self) -> float:
        """The share of mutated runs."""
        if len(self._items.covered(self._shared.published("edge_seen"))) == self._items.total:
            return _SHARE_ONCE_COVERED
        share = self._mutated.rate / (self._mutated.rate + self._concolic.rate)
        return min(max(share, _LEAST_SHARE), 1.0 - _LEAST_SHARE)

    def _is_spent(self) -> bool:
        return 0 < self._most_runs <= self._shared.counts.runs

    def _cost_of_a_run(self) -> float:
        steps = self._mutations.mutated_steps / max(self._mutations.mutated_runs, 1)
        return _MUTATED_RUN + _MUTATED_STEP * steps

    def _concolic_cost(self) -> float:
        return cost_of(self._shared) + self._cost_of_rounds

    def _edges_seen(self) -> int:
        seen: Any = self._shared.published("edge_seen")
        return int(np.count_nonzero(seen))

    def _newly_seen(self) -> int:
        before, self._seen = self._seen, self._edges_seen()
        return self._seen - before


def _fading(cost: float) -> float:
    return float(0.5 ** (cost / _MEMORY))
