"""No model is believed before it was evaluated, and a model changes no more than it must.

CheckedSolver   Sat that evaluation refutes → Unknown, so that the next link is tried
NearSolver      Sat → the same, with every leaf (then every byte) reverted to the parent's value that can be
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from veer.smt.arena import Arena, Leaf
from veer.smt.protocol import Answer, Evaluator, Literal, Query, Sat, Solver, Unknown

_MOST_TRIALS = 1 << 14
"""Bounds the work of one shrink: literals evaluated, about."""


class Checker:
    """Concrete evaluation of literals and of the bounds of the leaves that they depend on."""

    def __init__(self, arena: Arena, evaluator: Evaluator) -> None:
        self._arena = arena
        self._evaluator = evaluator

    def holds(self, literals: Sequence[Literal], data: bytes) -> bool:
        """Whether every literal has its polarity under an input."""
        return self._evaluator.holds(literals, data)

    def admits(self, literals: Sequence[Literal], data: bytes) -> bool:
        """Whether every literal holds and every leaf below them is within its bounds."""
        return self.holds(literals[::-1], data) and all(
            leaf.allows(leaf.read(data)) for leaf in self.leaves(literals) if leaf.low is not None
        )

    def leaves(self, literals: Iterable[Literal]) -> list[Leaf]:
        """The leaves that literals depend on, by ascending index."""
        indices: set[int] = set()
        for expression, _ in literals:
            indices |= self._arena.support(expression)
        return [self._arena.leaf(index) for index in sorted(indices)]

    def depends(self, literal: Literal, leaf: Leaf) -> bool:
        """Whether a literal may depend on a leaf."""
        return leaf.index in self._arena.support(literal[0])


class CheckedSolver:
    """Turns a model of the next link that does not satisfy the query into Unknown."""

    def __init__(self, checker: Checker, inner: Solver) -> None:
        self._checker = checker
        self._inner = inner

    def solve(self, query: Query) -> Answer:
        """The inner answer, if it is no model or a true one."""
        answer = self._inner.solve(query)
        if isinstance(answer, Sat) and not self._checker.admits(query.literals, answer.input):
            return Unknown("the model does not hold when it is evaluated", answer.by)
        return answer


class NearSolver:
    """Shrinks models of the next link towards the parent input; the inner models must be true."""

    def __init__(self, checker: Checker, inner: Solver) -> None:
        self._checker = checker
        self._inner = inner

    def solve(self, query: Query) -> Answer:
        """The inner answer, a model brought nearer to the parent."""
        answer = self._inner.solve(query)
        if not isinstance(answer, Sat):
            return answer
        return Sat(near(self._checker, query, answer.input), answer.by)


def near(checker: Checker, query: Query, model: bytes) -> bytes:
    """The model with leaves, then single bytes of wide leaves, reverted to the parent's while the query still holds."""
    data = model
    trials = _MOST_TRIALS
    for leaf in checker.leaves(query.literals):
        if trials <= 0:
            break
        old = leaf.read(query.parent)
        if old == leaf.read(data):
            continue
        affected = [literal for literal in reversed(query.literals) if checker.depends(literal, leaf)]
        reverted = _reverted(checker, affected, data, leaf, old)
        if reverted is None:
            for shift in range(8 * leaf.size - 8, -1, -8) if leaf.size > 1 else ():
                value = leaf.read(data)
                value ^= (value ^ old) & (0xFF << shift)
                data = _reverted(checker, affected, data, leaf, value) or data
        data = reverted or data
        trials -= len(affected) * (1 if reverted else 1 + leaf.size)
    return data


def _reverted(checker: Checker, affected: list[Literal], data: bytes, leaf: Leaf, value: int) -> bytes | None:
    """The input with another value in a leaf, if bounds and literals allow it."""
    if not leaf.allows(value):
        return None
    changed = bytearray(data)
    leaf.write(changed, value)
    return bytes(changed) if checker.holds(affected, bytes(changed)) else None
