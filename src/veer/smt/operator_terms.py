"""One operator of the arena as terms, in the view that it makes natively (views.py), over the terms of its operands."""

from __future__ import annotations

from veer.smt.arena import Arena, MalformedExpressionError, Node
from veer.smt.float_terms import SIGN_OPERATORS, FloatTerms
from veer.smt.terms import BOOL, Number, Operator, Terms, bits
from veer.smt.views import COMPARISONS, FLOAT_COMPARISONS, FLOAT_RESULTS, TO_INTEGERS
from veer.wire.layout import Op

_PLAIN: dict[int, Operator] = {
    Op.ADD: Operator.ADD,
    Op.SUB: Operator.SUB,
    Op.MUL: Operator.MUL,
    Op.UDIV: Operator.UDIV,
    Op.SDIV: Operator.SDIV,
    Op.UREM: Operator.UREM,
    Op.SREM: Operator.SREM,
    Op.AND: Operator.BIT_AND,
    Op.OR: Operator.BIT_OR,
    Op.XOR: Operator.BIT_XOR,
    Op.NOT: Operator.BIT_NOT,
    Op.SHL: Operator.SHL,
    Op.LSHR: Operator.LSHR,
    Op.ASHR: Operator.ASHR,
    Op.EQ: Operator.EQUAL,
    Op.ULT: Operator.ULT,
    Op.ULE: Operator.ULE,
    Op.SLT: Operator.SLT,
    Op.SLE: Operator.SLE,
    Op.CONCAT: Operator.CONCAT,
    Op.ITE: Operator.ITE,
    Op.ZEXT: Operator.ZERO_EXTEND,
    Op.SEXT: Operator.SIGN_EXTEND,
}
_LOGIC: dict[int, Operator] = {
    Op.NOT: Operator.NOT,
    Op.AND: Operator.AND,
    Op.OR: Operator.OR,
    Op.XOR: Operator.XOR,
    Op.ITE: Operator.ITE,
}
_DOUBLE_WIDTH = frozenset((Op.UMULH, Op.UDIVL, Op.UREML))
_POPULATION_STEPS = (1, 2, 4, 8, 16, 32)


class OperatorTerms:
    """Makes the terms of operators in one table."""

    def __init__(self, arena: Arena, terms: Terms, floats: FloatTerms) -> None:
        self._arena = arena
        self._terms = terms
        self._floats = floats
        self._tables: dict[int, Number] = {}

    def make(self, node: Node, made: tuple[Number, ...]) -> Number:
        """The term of an operator; of a leaf it is `Formulas.leaf`. MalformedExpressionError if it has no meaning."""
        op, width = node.op, node.width
        if width == 1 and op in _LOGIC:
            return self._terms.make(_LOGIC[op], BOOL, made)
        plain = _PLAIN.get(op)
        if plain is not None:
            return self._terms.make(plain, BOOL if op in COMPARISONS else bits(width), made)
        if op == Op.CONST:
            return self._terms.truth(bool(node.value)) if width == 1 else self._terms.value(width, node.value)
        if op == Op.EXTRACT:
            return self._terms.make(Operator.EXTRACT, bits(width), made, node.b)
        if op == Op.LOOKUP:
            return self._terms.make(Operator.LOOKUP, bits(width), (self._table(node), *made))
        if op in _DOUBLE_WIDTH:
            return self._double_width(op, width, made)
        if op == Op.CTPOP:
            return self._population_count(made[0], width)
        return self._float(node, made)

    def _table(self, node: Node) -> Number:
        number = self._tables.get(node.b)
        if number is None:
            entries = tuple(self._arena.table(node).tolist())
            number = self._tables[node.b] = self._terms.table(node.width, entries)
        return number

    def _float(self, node: Node, made: tuple[Number, ...]) -> Number:
        if node.op in FLOAT_COMPARISONS:
            return self._floats.compare(node.op, made)
        if node.op in TO_INTEGERS:
            convert = self._floats.to_signed_integer if node.op == Op.FPTOSI else self._floats.to_unsigned_integer
            return convert(made[0], self._arena.node(node.a).width, node.width)
        if node.op in FLOAT_RESULTS:
            return self._floats.operate(node.op, node.width, made)
        if node.op in SIGN_OPERATORS:
            sign = 1 << (node.width - 1)
            operator, mask = (Operator.BIT_XOR, sign) if node.op == Op.FNEG else (Operator.BIT_AND, sign - 1)
            return self._terms.make(operator, bits(node.width), (*made, self._terms.value(node.width, mask)))
        raise MalformedExpressionError(f"The operator of {node} has no meaning.")

    def _double_width(self, op: int, width: int, made: tuple[Number, ...]) -> Number:
        """Operators whose meaning is a product, quotient or remainder of twice the width."""
        make, double = self._terms.make, bits(2 * width)
        if op == Op.UMULH:
            factors = tuple([make(Operator.ZERO_EXTEND, double, (factor,)) for factor in made])
            return make(Operator.EXTRACT, bits(width), (make(Operator.MUL, double, factors),), width)
        dividend = make(Operator.CONCAT, double, made[:2])
        divisor = make(Operator.ZERO_EXTEND, double, made[2:])
        operator = Operator.UDIV if op == Op.UDIVL else Operator.UREM
        return make(Operator.EXTRACT, bits(width), (make(operator, double, (dividend, divisor)),), 0)

    def _population_count(self, number: Number, width: int) -> Number:
        """Adds neighbouring fields of 1, 2, 4, ... bits (Warren, "Hacker's Delight", section 5-1)."""
        make, sort = self._terms.make, bits(width)
        for step in _POPULATION_STEPS:
            if step >= width:
                break
            field = sum(((1 << step) - 1) << at for at in range(0, width, 2 * step)) % (1 << width)
            mask = self._terms.value(width, field)
            shifted = make(Operator.LSHR, sort, (number, self._terms.value(width, step)))
            kept = (make(Operator.BIT_AND, sort, (number, mask)), make(Operator.BIT_AND, sort, (shifted, mask)))
            number = make(Operator.ADD, sort, kept)
        return number
