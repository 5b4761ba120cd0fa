"""What holds of every product that cannot wrap: facts that spare a solver a proof about a multiplier.

    p = sext(a) * sext(b), of 64 bits, a and b of 32

    p < 0   =   a != 0, b != 0, and one of them is below 0
    p == 0  =   a == 0 or b == 0

A solver that turns a product into gates can prove neither of them in reasonable time, and what C code asks of a product
is often no more: is its sign that of the factors, is it 0, is it at least as large as a factor. The facts are those of
incremental linearization (Cimatti et al., "Incremental Linearization for SMT", 2018, section 3), and of bitwuzla's own
abstraction (Niemetz, Preiner and Zohar, "Scalable Bit-Blasting with Abstractions", CAV 2024), which has them for
products that may wrap, so without signs and sizes.
"""

from __future__ import annotations

from veer.smt.arena import Arena, Node
from veer.smt.terms import BOOL, Number, Operator, Terms
from veer.wire.layout import Op

_LEAST_WIDTH = 16
"""A narrower product is easy for any solver."""
_DEPTH = 6
"""So many operations are followed to what bounds a factor."""


class ProductFacts:
    """The facts on products in one table of terms."""

    def __init__(self, arena: Arena, terms: Terms) -> None:
        self._arena = arena
        self._terms = terms

    def of(self, node: Node, factors: tuple[Number, ...], product: Number) -> Number | None:
        """What holds of a product, as a Bool term; None if it has a constant factor, or may wrap."""
        if node.op != Op.MUL or node.width < _LEAST_WIDTH or self._is_constant(node.a) or self._is_constant(node.b):
            return None
        if self._bits(node.a) + self._bits(node.b) <= node.width:
            return self._unsigned(node.width, factors, product)
        if self._signed_bits(node.a) + self._signed_bits(node.b) <= node.width:
            return self._signed(node.width, factors, product)
        return None

    def _is_constant(self, expression: int) -> bool:
        return self._arena.node(expression).op == Op.CONST

    def _bits(self, expression: int, depth: int = _DEPTH) -> int:
        """So many bits hold the value as an unsigned number."""
        node = self._arena.node(expression)
        if node.op == Op.CONST:
            return node.value.bit_length()
        if depth == 0:
            return node.width
        if node.op == Op.ZEXT:
            return self._bits(node.a, depth - 1)
        if node.op == Op.AND:
            return min(self._bits(node.a, depth - 1), self._bits(node.b, depth - 1))
        if node.op == Op.CONCAT and self._bits(node.a, depth - 1) == 0:
            return self._bits(node.b, depth - 1)
        if node.op == Op.LSHR and self._is_constant(node.b):
            return max(0, self._bits(node.a, depth - 1) - self._arena.node(node.b).value)
        if node.op == Op.ITE:
            return max(self._bits(node.b, depth - 1), self._bits(node.c, depth - 1))
        return node.width

    def _signed_bits(self, expression: int, depth: int = _DEPTH) -> int:
        """So many bits hold the value as a signed number."""
        node = self._arena.node(expression)
        if node.op == Op.SEXT and depth:
            return self._signed_bits(node.a, depth - 1)
        if node.op == Op.ITE and depth:
            return max(self._signed_bits(node.b, depth - 1), self._signed_bits(node.c, depth - 1))
        if node.op == Op.CONST and node.value >> (node.width - 1):
            return (~node.value & ((1 << node.width) - 1)).bit_length() + 1
        if node.op in (Op.ADD, Op.SUB) and depth:
            return min(node.width, max(self._signed_bits(node.a, depth - 1), self._signed_bits(node.b, depth - 1)) + 1)
        return min(node.width, self._bits(expression, depth) + 1)

    def _unsigned(self, width: int, factors: tuple[Number, ...], product: Number) -> Number:
        """It is 0 where a factor is, and else at least as large as either."""
        make, zero = self._terms.make, self._terms.value(width, 0)
        left, right = factors
        no_left, no_right = (make(Operator.EQUAL, BOOL, (factor, zero)) for factor in factors)
        facts = (
            make(
                Operator.EQUAL,
                BOOL,
                (make(Operator.EQUAL, BOOL, (product, zero)), make(Operator.OR, BOOL, (no_left, no_right))),
            ),
            make(Operator.OR, BOOL, (no_right, make(Operator.ULE, BOOL, (left, product)))),
            make(Operator.OR, BOOL, (no_left, make(Operator.ULE, BOOL, (right, product)))),
        )
        return self._all(facts)

    def _signed(self, width: int, factors: tuple[Number, ...], product: Number) -> Number:
        """It is 0 where a factor is, and else has the sign that the factors' signs give."""
        make, zero = self._terms.make, self._terms.value(width, 0)
        nothing = [make(Operator.EQUAL, BOOL, (factor, zero)) for factor in factors]
        below = [make(Operator.SLT, BOOL, (factor, zero)) for factor in factors]
        is_zero = make(Operator.OR, BOOL, tuple(nothing))
        is_below = self._all((make(Operator.NOT, BOOL, (is_zero,)), make(Operator.XOR, BOOL, tuple(below))))
        facts = (
            make(Operator.EQUAL, BOOL, (make(Operator.EQUAL, BOOL, (product, zero)), is_zero)),
            make(Operator.EQUAL, BOOL, (make(Operator.SLT, BOOL, (product, zero)), is_below)),
        )
        return self._all(facts)

    def _all(self, facts: tuple[Number, ...]) -> Number:
        first, *others = facts
        for fact in others:
            first = self._terms.make(Operator.AND, BOOL, (first, fact))
        return first
