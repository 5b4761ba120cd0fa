"""Expressions of the arena → terms, memoised per expression for the life of a table of terms.

An expression has up to three terms, one for each view that someone wanted (views.py).

SMT-LIB has no operator from a float to its bits: a fresh bit-vector b stands for them, and `fp(b) = term` is a
definition that every query with b in its cone must assume. All NaNs are equal there, so b may be any NaN pattern: more
than the machine gives, hence "unsat" is right and "sat" must be evaluated (*preferences* make it likely to hold). FREM,
which SMT-LIB has not either, is a fresh b without a definition. What holds of every product that cannot wrap is assumed
likewise (products.py).
"""

from __future__ import annotations

from collections.abc import Iterable

from veer.smt.arena import Arena, Leaf, MalformedExpressionError, Node, operands
from veer.smt.float_terms import SIGN_OPERATORS, FloatTerms
from veer.smt.operator_terms import OperatorTerms
from veer.smt.products import ProductFacts
from veer.smt.terms import BOOL as BOOL_SORT
from veer.smt.terms import Number, Operator, Terms, bits
from veer.smt.views import BOOL, FLOAT, FLOAT_RESULTS, native_view, operand_views, widths_fit
from veer.wire.layout import Op

_NATIVE = 0
_KEY_SHIFT = 2
_FLOATS = FLOAT_RESULTS | frozenset(SIGN_OPERATORS)


class Formulas:
    """The terms of expressions. Raises MalformedExpressionError for expressions that break the arena's rules.

    `tells_products`: the definitions have facts on products, which solvers could find out themselves.
    """

    def __init__(self, arena: Arena, *, tells_products: bool = True) -> None:
        self.terms = Terms()
        self._arena = arena
        self._floats = FloatTerms(self.terms)
        self._operators = OperatorTerms(arena, self.terms, self._floats)
        self._products = ProductFacts(arena, self.terms) if tells_products else None
        self._numbers: dict[int, Number] = {}  # by key: an expression and a view
        self._bounds: dict[int, tuple[Number, ...]] = {}
        self._definitions: dict[int, Number] = {}  # by the key whose fresh bits or product it tells of
        self._ordinary: dict[int, Number] = {}  # by the same key: what the bits are, unless NaNs come from the input
        self._defined_below: dict[int, frozenset[int]] = {}  # by key: keys in `_definitions` in its cone; absent = none

    def literal(self, expression: int, *, holds: bool) -> Number:
        """The Bool term "this expression of width 1 is 1" (or is 0)."""
        if self._arena.node(expression).width != 1:
            raise MalformedExpressionError(f"Expression {expression} is a literal, but not of width 1.")
        number = self._number(expression, BOOL)
        return number if holds else self.terms.make(Operator.NOT, BOOL_SORT, (number,))

    def definitions(self, expressions: Iterable[int]) -> list[Number]:
        """What must be assumed along with literals over these expressions: the floats whose bits are looked at, and
        facts on products."""
        return [self._definitions[key] for key in self._defined(expressions)]

    def preferences(self, expressions: Iterable[int]) -> list[Number]:
        """What may be assumed too, so that a model is likely to hold: these bits are no NaN but the default one."""
        return [self._ordinary[key] for key in self._defined(expressions) if key in self._ordinary]

    def _defined(self, expressions: Iterable[int]) -> list[int]:
        keys: set[int] = set()
        for expression in expressions if self._definitions else ():
            keys |= self._defined_below.get(self._key(expression, BOOL), frozenset())
        return sorted(keys)

    def leaf(self, leaf: Leaf) -> Number:
        """The bit-vector variable of an input leaf."""
        return self.terms.variable(leaf.width, f"leaf{leaf.index}")

    def equals(self, leaf: Leaf, value: int) -> Number:
        """The Bool term "this leaf has this unsigned value"."""
        return self.terms.make(Operator.EQUAL, BOOL_SORT, (self.leaf(leaf), self.terms.value(leaf.width, value)))

    def bounds(self, leaf: Leaf) -> tuple[Number, ...]:
        """Bool terms for the leaf's bounds, none if it is free."""
        numbers = self._bounds.get(leaf.index)
        if numbers is None:
            numbers = self._bounds[leaf.index] = self._make_bounds(leaf)
        return numbers

    def _make_bounds(self, leaf: Leaf) -> tuple[Number, ...]:
        if leaf.low is None or leaf.high is None:
            return ()
        operator = Operator.SLE if leaf.signed else Operator.ULE
        mask = (1 << leaf.width) - 1
        variable = self.leaf(leaf)
        low, high = (self.terms.value(leaf.width, bound & mask) for bound in (leaf.low, leaf.high))
        make = self.terms.make
        return make(operator, BOOL_SORT, (low, variable)), make(operator, BOOL_SORT, (variable, high))

    def _number(self, expression: int, view: int) -> Number:
        wanted = self._key(expression, view)
        numbers = self._numbers
        if wanted in numbers:
            return numbers[wanted]
        missing: dict[int, tuple[int, ...]] = {}
        waiting = [wanted]
        while waiting:
            key = waiting.pop()
            if key not in missing:
                missing[key] = needs = self._needs(key)
                waiting.extend([need for need in needs if need not in numbers])
        for key in sorted(missing):
            self._note_definitions(key, missing[key])
            numbers[key] = self._build(key, tuple([numbers[need] for need in missing[key]]))
        return numbers[wanted]

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

    def _build(self, key: int, made: tuple[Number, ...]) -> Number:
        expression, view = key >> _KEY_SHIFT, key & 3
        node = self._arena.node(expression)
        if view == _NATIVE:
            number = self._build_native(expression, node, made)
            fact = None if self._products is None else self._products.of(node, made, number)
            if fact is not None:
                self._define(key, fact)
            return number
        if view == FLOAT and self._stays_float(node):
            if node.op == Op.ITE:
                return self._floats.choose(node.width, *made)
            return self._floats.sign(node.op, node.width, made)
        if view == FLOAT:
            return self._floats.from_bits(made[0], node.width)
        one = self.terms.value(1, 1)
        if view == BOOL:
            return self.terms.make(Operator.EQUAL, BOOL_SORT, (made[0], one))
        if native_view(node) == BOOL:
            return self.terms.make(Operator.ITE, bits(1), (made[0], one, self.terms.value(1, 0)))
        return self._define_bits(key, node, made[0])

    def _define_bits(self, key: int, node: Node, number: Number) -> Number:
        pattern = self.terms.variable(node.width, f"bits{key >> _KEY_SHIFT}")
        again = self._floats.from_bits(pattern, node.width)
        self._ordinary[key] = self._floats.is_ordinary(number, pattern, node.width)
        self._define(key, self.terms.make(Operator.EQUAL, BOOL_SORT, (again, number)))
        return pattern

    def _define(self, key: int, fact: Number) -> None:
        """Whoever asks about a term of this key, or one that is made of it, assumes this too."""
        self._definitions[key] = fact
        self._defined_below[key] = self._defined_below.get(key, frozenset()) | {key}

    def _build_native(self, expression: int, node: Node, made: tuple[Number, ...]) -> Number:
        if node.op == Op.LEAF:
            return self.leaf(self._arena.leaf(node.a))
        if node.op == Op.FREM:
            return self.terms.variable(node.width, f"open{expression}")
        return self._operators.make(node, made)

    def _check_widths(self, expression: int, node: Node, widths: list[int]) -> None:
        """Mixed widths hide bugs: solvers would not notice some of them, and others with an obscure message."""
        fit = widths_fit(node, widths) and (node.op != Op.LEAF or self._arena.leaf(node.a).width == node.width)
        if not fit:
            raise MalformedExpressionError(f"Operands of widths {widths} do not fit expression {expression}: {node}.")


class SharedFormulas:
    """The formulas that all solvers of a chain share, begun anew when there are too many terms."""

    def __init__(self, arena: Arena, most_terms: int, *, tells_products: bool = True) -> None:
        self._arena = arena
        self._most_terms = most_terms
        self._tells_products = tells_products
        self._formulas = Formulas(arena, tells_products=tells_products)

    def formulas(self) -> Formulas:
        """The current formulas; another object than last time means that all earlier terms are void."""
        if len(self._formulas.terms) > self._most_terms:
            self._formulas = Formulas(self._arena, tells_products=self._tells_products)
        return self._formulas
