"""Expressions → terms of a solver, memoised per expression for the life of a term manager (bitwuzla's face: z3_terms).

An expression has up to three terms, one for each view that someone wanted (views.py).

SMT-LIB has no operator from a float to its bits: a fresh bit-vector b stands for them, and `fp(b) = term` is a
definition that every query with b in its cone must assume. All NaNs are equal there, so b may be any NaN pattern: more
than the machine gives, hence "unsat" is right and "sat" must be evaluated (*preferences* make it likely to hold). FREM,
which SMT-LIB has not either, is a fresh b without a definition.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from bitwuzla import Kind

from veer.smt.arena import Arena, Leaf, MalformedExpressionError, Node, operands
from veer.smt.float_terms import SIGN_OPERATORS, FloatTerms
from veer.smt.table_terms import look_up
from veer.smt.views import (
    BOOL,
    FLOAT,
    FLOAT_COMPARISONS,
    FLOAT_RESULTS,
    TO_INTEGERS,
    native_view,
    operand_views,
    widths_fit,
)
from veer.wire.layout import Op

Term: TypeAlias = Any
"""A bitwuzla.Term or a z3.Ast; the wheels have no type information."""

_NATIVE = 0
_KEY_SHIFT = 2

_KINDS: dict[int, Kind] = {
    Op.ADD: Kind.BV_ADD,
    Op.SUB: Kind.BV_SUB,
    Op.MUL: Kind.BV_MUL,
    Op.UDIV: Kind.BV_UDIV,
    Op.SDIV: Kind.BV_SDIV,
    Op.UREM: Kind.BV_UREM,
    Op.SREM: Kind.BV_SREM,
    Op.AND: Kind.BV_AND,
    Op.OR: Kind.BV_OR,
    Op.XOR: Kind.BV_XOR,
    Op.SHL: Kind.BV_SHL,
    Op.LSHR: Kind.BV_SHR,
    Op.ASHR: Kind.BV_ASHR,
    Op.EQ: Kind.EQUAL,
    Op.ULT: Kind.BV_ULT,
    Op.ULE: Kind.BV_ULE,
    Op.SLT: Kind.BV_SLT,
    Op.SLE: Kind.BV_SLE,
    Op.CONCAT: Kind.BV_CONCAT,
    Op.ITE: Kind.ITE,
}
_LOGIC: dict[int, Kind] = {Op.AND: Kind.AND, Op.OR: Kind.OR, Op.XOR: Kind.XOR}
_FLOATS = FLOAT_RESULTS | frozenset(SIGN_OPERATORS)
_POPULATION_STEPS = (1, 2, 4, 8, 16, 32)


class TermBuilder:
    """All terms of one term manager. Raises MalformedExpressionError for expressions that break the arena's rules."""

    def __init__(self, arena: Arena, manager: Any) -> None:
        """`manager` is bitwuzla's TermManager or one with its face (z3_terms.Z3Manager)."""
        self.manager = manager
        self._arena = arena
        self._floats = FloatTerms(self.manager)
        self._terms: dict[int, Term] = {}
        self._leaves: dict[int, Term] = {}
        self._negations: dict[int, Term] = {}
        self._bounds: dict[int, tuple[Term, ...]] = {}
        self._definitions: dict[int, Term] = {}  # by the key whose fresh bits it defines
        self._ordinary: dict[int, Term] = {}  # by the same key: what the bits are, unless NaNs come from the input
        self._defined_below: dict[int, frozenset[int]] = {}  # by key: keys in `_definitions` in its cone; absent = none

    def __len__(self) -> int:
        """How many terms are kept."""
        return len(self._terms)

    def literal(self, expression: int, *, holds: bool) -> Term:
        """The Bool term "this expression of width 1 is 1" (or is 0)."""
        if self._arena.node(expression).width != 1:
            raise MalformedExpressionError(f"Expression {expression} is a literal, but not of width 1.")
        term = self._term(expression, BOOL)
        if holds:
            return term
        negation = self._negations.get(expression)
        if negation is None:
            negation = self._negations[expression] = self.manager.mk_term(Kind.NOT, [term])
        return negation

    def definitions(self, expressions: Iterable[int]) -> list[Term]:
        """What must be assumed along with literals over these expressions, for floats whose bits are looked at."""
        return [self._definitions[key] for key in self._defined(expressions)]

    def preferences(self, expressions: Iterable[int]) -> list[Term]:
        """What may be assumed too, so that a model is likely to hold: these bits are no NaN but the default one."""
        return [self._ordinary[key] for key in self._defined(expressions)]

    def _defined(self, expressions: Iterable[int]) -> list[int]:
        keys: set[int] = set()
        for expression in expressions if self._definitions else ():
            keys |= self._defined_below.get(self._key(expression, BOOL), frozenset())
        return sorted(keys)

    def leaf(self, leaf: Leaf) -> Term:
        """The bit-vector constant of an input leaf."""
        term = self._leaves.get(leaf.index)
        if term is None:
            sort = self.manager.mk_bv_sort(leaf.width)
            term = self._leaves[leaf.index] = self.manager.mk_const(sort, f"leaf{leaf.index}")
        return term

    def equals(self, leaf: Leaf, value: int) -> Term:
        """The Bool term "this leaf has this unsigned value"."""
        return self.manager.mk_term(Kind.EQUAL, [self.leaf(leaf), self._constant(leaf.width, value)])

    def bounds(self, leaf: Leaf) -> tuple[Term, ...]:
        """Bool terms for the leaf's bounds, none if it is free."""
        terms = self._bounds.get(leaf.index)
        if terms is None:
            terms = self._bounds[leaf.index] = self._make_bounds(leaf)
        return terms

    def concatenation(self, leaves: list[Leaf]) -> Term:
        """All these leaves as one bit-vector, the first the most significant."""
        terms = [self.leaf(leaf) for leaf in leaves]
        return terms[0] if len(terms) == 1 else self.manager.mk_term(Kind.BV_CONCAT, terms)

    def _make_bounds(self, leaf: Leaf) -> tuple[Term, ...]:
        if leaf.low is None or leaf.high is None:
            return ()
        kind = Kind.BV_SLE if leaf.signed else Kind.BV_ULE
        mask = (1 << leaf.width) - 1
        term = self.leaf(leaf)
        low, high = (self._constant(leaf.width, bound & mask) for bound in (leaf.low, leaf.high))
        return self.manager.mk_term(kind, [low, term]), self.manager.mk_term(kind, [term, high])

    def _constant(self, width: int, value: int) -> Term:
        return self.manager.mk_bv_value(self.manager.mk_bv_sort(width), value)

    def _term(self, expression: int, view: int) -> Term:
        wanted = self._key(expression, view)
        terms = self._terms
        if wanted in terms:
            return terms[wanted]
        missing: dict[int, tuple[int, ...]] = {}
        waiting = [wanted]
        while waiting:
            key = waiting.pop()
            if key not in missing:
                missing[key] = needs = self._needs(key)
                waiting.extend([need for need in needs if need not in terms])
        for key in sorted(missing):
            self._note_definitions(key, missing[key])
            terms[key] = self._build(key, [terms[need] for need in missing[key]])
        return terms[wanted]

    def _note_definitions(self, key: int, needs: tuple[int, ...]) -> None:
        if self._defined_below:
            below = [self._defined_below[need] for need in needs if need in self._defined_below]
            if below:
                self._defined_below[key] = frozenset().union(*below)

    def _needs(self, key: int) -> tuple[int, ...]:
        """Keys of the terms that a term is made from."""
        expression, view = key >> _KEY_SHIFT, key & 3
        node = self._arena.node(expression)
        if view == FLOAT and self._stays_float(node):
            views = (BOOL, FLOAT, FLOAT) if node.op == Op.ITE else (FLOAT,)
            return tuple(self._key(o, v) for o, v in zip(operands(node), views, strict=True))
        if view != _NATIVE:
            return (expression << _KEY_SHIFT,)
        below = operands(node)
        nodes = [self._arena.node(operand) for operand in below]
        self._check_widths(expression, node, [other.width for other in nodes])
        if not below:
            return ()
        return tuple(
            [
                operand << _KEY_SHIFT | (_NATIVE if native_view(other) == wanted else wanted)
                for operand, other, wanted in zip(below, nodes, operand_views(node, nodes[0].width), strict=True)
            ]
        )

    def _key(self, expression: int, view: int) -> int:
        """Memo key. Ascending keys are a topological order: a native view sorts before its conversions."""
        native = native_view(self._arena.node(expression))
        return expression << _KEY_SHIFT | (_NATIVE if view == native else view)

    def _stays_float(self, node: Node) -> bool:
        """Whether the float view is made from float operands, not from this node's bits: no definition needed."""
        if node.op == Op.ITE:
            return any(self._arena.node(branch).op in _FLOATS for branch in (node.b, node.c))
        return node.op in SIGN_OPERATORS

    def _build(self, key: int, made: list[Term]) -> Term:
        expression, view = key >> _KEY_SHIFT, key & 3
        node = self._arena.node(expression)
        if view == _NATIVE:
            return self._build_native(node, made)
        if view == FLOAT and self._stays_float(node):
            kind = Kind.ITE if node.op == Op.ITE else SIGN_OPERATORS[node.op]
            return self.manager.mk_term(kind, made)
        if view == FLOAT:
            return self._floats.from_bits(made[0], node.width)
        if view == BOOL:
            return self.manager.mk_term(Kind.EQUAL, [made[0], self._constant(1, 1)])
        if native_view(node) == BOOL:
            return self.manager.mk_term(Kind.ITE, [made[0], self._constant(1, 1), self._constant(1, 0)])
        return self._define_bits(key, node, made[0])

    def _define_bits(self, key: int, node: Node, float_term: Term) -> Term:
        bits = self.manager.mk_const(self.manager.mk_bv_sort(node.width), f"bits{key >> _KEY_SHIFT}")
        again = self._floats.from_bits(bits, node.width)
        self._ordinary[key] = self._floats.is_ordinary(float_term, bits, node.width)
        self._definitions[key] = self.manager.mk_term(Kind.EQUAL, [again, float_term])
        self._defined_below[key] = self._defined_below.get(key, frozenset()) | {key}
        return bits

    def _build_native(self, node: Node, made: list[Term]) -> Term:
        op, width = node.op, node.width
        make = self.manager.mk_term
        if op == Op.CONST:
            if width == 1:
                return self.manager.mk_true() if node.value else self.manager.mk_false()
            return self._constant(width, node.value)
        if op == Op.LEAF:
            return self.leaf(self._arena.leaf(node.a))
        kind = _LOGIC.get(op) if width == 1 else None
        kind = kind or _KINDS.get(op)
        if kind is not None:
            return make(kind, made)
        if op == Op.NOT:
            return make(Kind.NOT if width == 1 else Kind.BV_NOT, made)
        if op == Op.EXTRACT:
            return make(Kind.BV_EXTRACT, made, [node.b + width - 1, node.b])
        if op in (Op.ZEXT, Op.SEXT):
            kind = Kind.BV_ZERO_EXTEND if op == Op.ZEXT else Kind.BV_SIGN_EXTEND
            return make(kind, made, [width - self._arena.node(node.a).width])
        if op == Op.LOOKUP:
            entries = self._arena.table(node).tolist()
            return look_up(self.manager, made[0], self._arena.node(node.a).width, entries, width)
        if op in (Op.UMULH, Op.UDIVL, Op.UREML):
            return self._double_width(op, width, made)
        if op == Op.CTPOP:
            return self._population_count(made[0], width)
        return self._build_float(node, made)

    def _build_float(self, node: Node, made: list[Term]) -> Term:
        if node.op in FLOAT_COMPARISONS:
            return self._floats.compare(node.op, made)
        if node.op in TO_INTEGERS:
            convert = self._floats.to_signed_integer if node.op == Op.FPTOSI else self._floats.to_unsigned_integer
            return convert(made[0], self._arena.node(node.a).width, node.width)
        if node.op in FLOAT_RESULTS:
            return self._floats.operate(node.op, node.width, made)
        if node.op in SIGN_OPERATORS:
            sign = 1 << (node.width - 1)
            if node.op == Op.FNEG:
                return self.manager.mk_term(Kind.BV_XOR, [*made, self._constant(node.width, sign)])
            return self.manager.mk_term(Kind.BV_AND, [*made, self._constant(node.width, sign - 1)])
        if node.op == Op.FREM:
            return self.manager.mk_const(self.manager.mk_bv_sort(node.width), None)
        raise MalformedExpressionError(f"The operator of {node} has no meaning.")

    def _double_width(self, op: int, width: int, made: list[Term]) -> Term:
        """Operators whose meaning is a product, quotient or remainder of twice the width."""
        make = self.manager.mk_term
        if op == Op.UMULH:
            factors = [make(Kind.BV_ZERO_EXTEND, [factor], [width]) for factor in made]
            return make(Kind.BV_EXTRACT, [make(Kind.BV_MUL, factors)], [2 * width - 1, width])
        dividend, divisor = make(Kind.BV_CONCAT, made[:2]), make(Kind.BV_ZERO_EXTEND, [made[2]], [width])
        kind = Kind.BV_UDIV if op == Op.UDIVL else Kind.BV_UREM
        return make(Kind.BV_EXTRACT, [make(kind, [dividend, divisor])], [width - 1, 0])

    def _population_count(self, term: Term, width: int) -> Term:
        """Adds neighbouring fields of 1, 2, 4, ... bits (Warren, "Hacker's Delight", section 5-1)."""
        make = self.manager.mk_term
        for step in _POPULATION_STEPS:
            if step >= width:
                break
            mask = self._constant(
                width, sum(((1 << step) - 1) << at for at in range(0, width, 2 * step)) % (1 << width)
            )
            shifted = make(Kind.BV_SHR, [term, self._constant(width, step)])
            term = make(Kind.BV_ADD, [make(Kind.BV_AND, [term, mask]), make(Kind.BV_AND, [shifted, mask])])
        return term

    def _check_widths(self, expression: int, node: Node, widths: list[int]) -> None:
        """Mixed widths hide bugs: bitwuzla would not notice some of them, and others with an obscure message."""
        fit = widths_fit(node, widths) and (node.op != Op.LEAF or self._arena.leaf(node.a).width == node.width)
        if not fit:
            raise MalformedExpressionError(f"Operands of widths {widths} do not fit expression {expression}: {node}.")
