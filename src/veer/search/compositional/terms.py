"""Terms with slots → terms of the program's inputs: substitution over the arena, simplified as the tracer's are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from veer.model.errors import VeerError
from veer.smt.arena import OPERAND_COUNT, Arena, operands
from veer.wire.layout import Op

Environment = Mapping[int, int]
"""What slots stand for: expression of a slot → expression."""


class NoRoomError(VeerError):
    """The arena holds no more terms."""


class Maker(Protocol):
    """What makes expressions: execution.engine.EngineLibrary."""

    def expression(self, op: Op, width: int, a: int, b: int = 0, c: int = 0) -> int:
        """An operator on expressions, simplified; 0 = no room."""
        ...

    def constant(self, width: int, value: int) -> int:
        """A constant; 0 = no room."""
        ...

    def leaf_expression(self, leaf: int) -> int:
        """The value of an input leaf."""
        ...


class Terms:
    """Makes terms. Raises NoRoomError when the arena is full."""

    def __init__(self, arena: Arena, maker: Maker) -> None:
        self._arena = arena
        self._maker = maker
        self._has_slots: dict[int, bool] = {}
        self.true = self.constant(1, 1)
        self.false = self.constant(1, 0)

    def constant(self, width: int, value: int) -> int:
        """A constant."""
        return _made(self._maker.constant(width, value))

    def operation(self, op: Op, width: int, *operands: int) -> int:
        """An operator on terms, simplified."""
        return _made(self._maker.expression(op, width, *operands))

    def value_of(self, term: int) -> int | None:
        """Of a constant."""
        node = self._arena.node(term)
        return node.value if node.op == Op.CONST else None

    def stripped(self, literal: int) -> tuple[int, bool]:
        """Without its negations, and whether their number is odd."""
        is_negated = False
        while (node := self._arena.node(literal)).op == Op.NOT:
            literal, is_negated = node.a, not is_negated
        return literal, is_negated

    def negation(self, literal: int) -> int:
        """Not that."""
        return _made(self._maker.expression(Op.NOT, 1, literal))

    def every(self, literals: Iterable[int]) -> int:
        """All of them."""
        result = self.true
        for literal in literals:
            result = self._join(Op.AND, result, literal, self.true, self.false)
        return result

    def some(self, literals: Iterable[int]) -> int:
        """At least one of them."""
        result = self.false
        for literal in literals:
            result = self._join(Op.OR, result, literal, self.false, self.true)
        return result

    def choice(self, condition: int, yes: int, no: int) -> int:
        """One of two terms of the same width."""
        if condition == self.true or yes == no:
            return yes
        if condition == self.false:
            return no
        return _made(self._maker.expression(Op.ITE, self._arena.node(yes).width, condition, yes, no))

    def either(self, condition: int, yes: int, no: int) -> int:
        """The literal `yes` where the condition holds, else `no`."""
        if yes in (self.true, condition):
            return self.some((condition, no))
        if no == self.false:
            return self.every((condition, yes))
        if yes == self.false:
            return self.every((self.negation(condition), no))
        if no == self.true:
            return self.some((self.negation(condition), yes))
        return self.choice(condition, yes, no)

    def is_leaf_value(self, leaf: int, value: int) -> int:
        """The literal "this leaf has that value"."""
        term = _made(self._maker.leaf_expression(leaf))
        return _made(self._maker.expression(Op.EQ, 1, term, self.constant(self._arena.node(term).width, value)))

    def compared(self, literal: int) -> int:
        """The term that a literal compares with a constant for equality; 0 = it is another kind of literal."""
        node = self._arena.node(literal)
        return node.a if node.op == Op.EQ and self._arena.node(node.b).op == Op.CONST else 0

    def has_slots(self, term: int) -> bool:
        """Whether a slot occurs in it."""
        known = self._has_slots.get(term)
        if known is None:
            for each in self._unknown_below(term):
                node = self._arena.node(each)
                self._has_slots[each] = node.op == Op.SLOT or any(self._has_slots[below] for below in operands(node))
            known = self._has_slots[term]
        return known

    def substitute(self, term: int, environment: Environment, memo: dict[int, int]) -> int:
        """The term with its slots replaced; those that are not in the environment stay. `memo`: of this environment."""
        if not self.has_slots(term):
            return term
        waiting = [term]
        while waiting:
            each = waiting[-1]
            if each in memo:
                waiting.pop()
                continue
            node = self._arena.node(each)
            missing = [below for below in operands(node) if below not in memo and self._has_slots[below]]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            memo[each] = environment.get(each, each) if node.op == Op.SLOT else self._rebuilt(each, memo)
        return memo[term]

    def size(self, literals: Iterable[int]) -> int:
        """How many distinct terms they consist of."""
        found: set[int] = set()
        waiting = list(literals)
        while waiting:
            term = waiting.pop()
            if term not in found:
                found.add(term)
                waiting += operands(self._arena.node(term))
        return len(found)

    def _rebuilt(self, term: int, memo: dict[int, int]) -> int:
        node = self._arena.node(term)
        below = [memo.get(each, each) for each in operands(node)]
        if below == list(operands(node)):
            return term
        rest = (node.a, node.b, node.c)[OPERAND_COUNT[node.op] :]
        return _made(self._maker.expression(Op(node.op), node.width, *below, *rest))

    def _unknown_below(self, term: int) -> list[int]:
        """The terms below one that were not looked at, operands first."""
        found: set[int] = set()
        waiting = [term]
        while waiting:
            each = waiting.pop()
            if each not in found and each not in self._has_slots:
                found.add(each)
                waiting += operands(self._arena.node(each))
        return sorted(found)

    def _join(self, op: Op, left: int, right: int, neutral: int, absorbing: int) -> int:
        if left in (absorbing, right) or right == neutral:
            return left
        if right == absorbing or left == neutral:
            return right
        return _made(self._maker.expression(op, 1, left, right))


def _made(expression: int) -> int:
    if not expression:
        raise NoRoomError("the arena holds no more expressions")
    return expression
