"""What earlier queries taught: models that may hold again, and unsat cores that make every superset unsatisfiable.

Both work across paths, because expressions keep their ids for the whole campaign.
"""

from __future__ import annotations

from collections import deque

from veer.smt.checking import Checker
from veer.smt.protocol import Answer, Literal, Query, Sat, Solver, Unknown, Unsat

_CORES_PER_TARGET = 8


class RecentModels:
    """Tries the last models on the leaves of the query, all else as in the parent, before it asks the next link."""

    name = "model_cache"

    def __init__(self, checker: Checker, inner: Solver, capacity: int) -> None:
        self._checker = checker
        self._inner = inner
        self._models: deque[bytes] = deque(maxlen=capacity)

    def solve(self, query: Query) -> Answer:
        """Sat with a remembered model that holds, else the inner answer, whose model is remembered."""
        leaves = self._checker.leaves(query.literals)
        tried: set[bytes] = set()
        for model in reversed(self._models):
            data = bytearray(query.parent)
            for leaf in leaves:
                value = leaf.read(model)
                if value != leaf.read(data):
                    leaf.write(data, value)
            candidate = bytes(data)
            if candidate not in tried and self._checker.admits(query.literals, candidate):
                return Sat(candidate, self.name)
            tried.add(candidate)
        answer = self._inner.solve(query)
        if isinstance(answer, Sat):
            self._models.append(answer.input)
        return answer


class KnownAnswers:
    """Knows unsat cores, and queries on which every later link gave up; asks the next link about the rest.

    A core found for one target is kept under each of its literals, since any of them may be the next path's target.
    """

    name = "core_cache"

    def __init__(self, inner: Solver, capacity: int) -> None:
        self._inner = inner
        self._capacity = capacity
        self._cores: dict[Literal, list[frozenset[Literal]]] = {}
        self._unknown: dict[frozenset[Literal], tuple[float, Unknown]] = {}  # with the patience that was too little

    def solve(self, query: Query) -> Answer:
        """Unsat if a known core is part of the query, Unknown again if it was so with as much patience, else the inner
        answer.
        """
        literals = frozenset(query.literals)
        for core in self._cores.get(query.literals[-1], ()):
            if core <= literals:
                return Unsat(self.name, core)
        known = self._unknown.get(literals)
        if known is not None and (known[0] >= query.patience or not known[1].by_limit):
            return known[1]
        answer = self._inner.solve(query)
        if isinstance(answer, Unsat):
            self._remember(answer.core or literals)
        elif isinstance(answer, Unknown):
            if len(self._unknown) >= self._capacity:
                self._unknown.clear()
            self._unknown[literals] = query.patience, answer
        return answer

    def _remember(self, core: frozenset[Literal]) -> None:
        if len(self._cores) >= self._capacity:
            self._cores.clear()
        for literal in core:
            cores = self._cores.setdefault(literal, [])
            if len(cores) < _CORES_PER_TARGET:
                cores.append(core)
