"""Inputs on both sides of comparisons that machine code makes a number of, where its source has a branch.

    return x == '_' ? 3 : x > 250;         sete cl; cmp al, 0xfb; setae al; or al, cl      one path, and no branch

On the path of a test each comparison of which a number was made is turned round, within the path's conditions. The
answer is a test where the path is the same and a test would see something else. Each comparison is shown once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from msgspec import Struct, field

from veer.findings.deadline import Deadline
from veer.findings.probes import TOLD, Path, Probes
from veer.smt.arena import Arena, operands
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.protocol import Literal, Query, Sat, Solver
from veer.wire.layout import FIRST_EXPRESSION, Kind, Op

_MOST_PROBES = 2000  # of a campaign
_MOST_SECONDS = 1.0
_MOST_SECONDS_A_QUERY = 0.2
_MOST_TRIES = 6  # of one comparison
_MOST = 100  # of a campaign
_DEEPEST = 8  # conditions of conditions
_MAKES_A_NUMBER = (Op.ZEXT, Op.SEXT, Op.ITE)
_JOINS = frozenset((Op.AND, Op.OR, Op.XOR, Op.NOT))


def calculated(
    probes: Probes,
    solver: Solver,
    arena: Arena,
    tests: Iterable[bytes],
    stopped: Callable[[], bool],
    deadline: Deadline,
) -> tuple[bytes, ...]:
    """More inputs for the paths of these tests."""
    goals = list(dict.fromkeys(_goals(probes.shared.published("nodes"), arena)))[:_MOST]
    if not goals:
        return ()
    deadline = deadline.usually(_MOST_SECONDS)
    probes.allow(_MOST_PROBES, deadline)
    search = _Search(probes, solver, ReferenceEvaluator(arena), goals, deadline)
    for data in tests:
        if stopped() or probes.left <= 0 or deadline.is_over:
            break
        search.look_at(data)
    return tuple(search.found)


def _goals(nodes: Any, arena: Arena) -> Iterator[int]:
    """The comparisons of which numbers are made, the oldest first."""
    places = np.flatnonzero(np.isin(nodes["op"], [int(each) for each in _MAKES_A_NUMBER]))
    for place in places[places >= FIRST_EXPRESSION].tolist():
        condition = arena.node(place).a
        if arena.node(condition).width == 1:
            yield from _parts(condition, arena, _DEEPEST)


def _parts(condition: int, arena: Arena, depth: int) -> Iterator[int]:
    """The comparisons that a condition joins."""
    node = arena.node(condition)
    if node.op not in _JOINS or not depth:
        yield condition
        return
    for each in operands(node):
        if arena.node(each).op != Op.CONST:
            yield from _parts(each, arena, depth - 1)


class _Base(Struct, frozen=True):
    """A test: its path, the conditions of that, and what a test sees."""

    data: bytes
    path: Path
    literals: Sequence[Literal]
    shown: object


class _Search(Struct):
    probes: Probes
    solver: Solver
    evaluator: ReferenceEvaluator
    goals: list[int]
    deadline: Deadline
    found: list[bytes] = field(default_factory=list)
    _seen: dict[Path, list[_Base]] = field(default_factory=dict)
    _tries: Counter[int] = field(default_factory=Counter)

    def look_at(self, data: bytes) -> None:
        """One test."""
        base = self._base(data)
        if base is None:
            return
        others = self._seen.setdefault(base.path, [])
        self.goals = [goal for goal in self.goals if not any(self._shows(goal, base, each) for each in others)]
        is_new = not others
        others.append(base)
        for goal in list(self.goals) if is_new else ():
            if goal in self.goals and self._tries[goal] < _MOST_TRIES and not self.deadline.is_over:
                self._tries[goal] += 1
                self._turn_round(goal, base)

    def _turn_round(self, goal: int, base: _Base) -> None:
        end = self.deadline.usually(_MOST_SECONDS_A_QUERY).end
        wanted = self.evaluator.evaluate(goal, base.data) == 0
        answer = self.solver.solve(Query((*base.literals, (goal, wanted)), base.data, end))
        other = self._base(answer.input) if isinstance(answer, Sat) else None
        if other is None or other.path != base.path or other.shown == base.shown:
            return
        self.found.append(other.data)
        self._seen[base.path].append(other)
        self.goals = [each for each in self.goals if not self._shows(each, base, other)]

    def _base(self, data: bytes) -> _Base | None:
        path = self.probes.path_of(data)
        if path is None or path.outcome not in TOLD:
            return None
        rows = self.probes.trace()
        columns = (rows[name].tolist() for name in ("kind", "literal", "alternative"))
        literals = [(literal, side == 1) for kind, literal, side in zip(*columns, strict=True) if kind != Kind.CHOICE]
        return _Base(data, path, literals, self.probes.shown())

    def _shows(self, goal: int, one: _Base, other: _Base) -> bool:
        """Whether these tests have both sides of a comparison, and it is seen."""
        return (
            self.evaluator.evaluate(goal, one.data) != self.evaluator.evaluate(goal, other.data)
            and one.shown != other.shown
        )
