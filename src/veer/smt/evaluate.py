"""The reference evaluator: what every expression means, in plain Python. Slow and obvious on purpose.

Bit-vectors follow SMT-LIB (division by zero included), floats `ieee.py`, which does what x86-64 does. Values are
unsigned integers of the node's width. runtime/engine/semantics.c says the same natively; a test compares the two.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from veer.smt import ieee
from veer.smt.arena import Arena, MalformedExpressionError, Node, operands
from veer.smt.protocol import Evaluator, Literal
from veer.wire.layout import FIRST_EXPRESSION, Op

_Rule = Callable[[Node, Arena, list[int]], int]
"""Node, its arena (for operand widths), the operands' values → value, not yet cut to the node's width."""


def to_signed(value: int, width: int) -> int:
    """The two's complement meaning of an unsigned value."""
    return value - (1 << width) if value >> (width - 1) else value


def _signed_divide(a: int, b: int, width: int) -> int:
    dividend, divisor = to_signed(a, width), to_signed(b, width)
    if divisor == 0:
        return 1 if dividend < 0 else -1
    quotient = abs(dividend) // abs(divisor)
    return quotient if (dividend < 0) == (divisor < 0) else -quotient


def _signed_remainder(a: int, b: int, width: int) -> int:
    dividend, divisor = to_signed(a, width), to_signed(b, width)
    if divisor == 0:
        return a
    rest = abs(dividend) % abs(divisor)
    return -rest if dividend < 0 else rest


def _operand_width(node: Node, arena: Arena) -> int:
    return arena.node(node.a).width


def _look_up(node: Node, arena: Arena, v: list[int]) -> int:
    entries = arena.table(node)
    return int(entries[v[0]]) if v[0] < len(entries) else 0


def _float_compare(test: Callable[[float, float], bool]) -> _Rule:
    def rule(node: Node, arena: Arena, v: list[int]) -> int:
        width = _operand_width(node, arena)
        return int(test(ieee.decode(v[0], width), ieee.decode(v[1], width)))

    return rule


def _float_binary(name: str) -> _Rule:
    operation = ieee.BINARY[name]
    return lambda n, _, v: ieee.binary(operation, n.width, v[0], v[1])


def _signed_compare(test: Callable[[int, int], bool]) -> _Rule:
    def rule(node: Node, arena: Arena, v: list[int]) -> int:
        width = _operand_width(node, arena)
        return int(test(to_signed(v[0], width), to_signed(v[1], width)))

    return rule


RULES: dict[int, _Rule] = {
    Op.CONST: lambda n, _, v: n.value,
    Op.ADD: lambda n, _, v: v[0] + v[1],
    Op.SUB: lambda n, _, v: v[0] - v[1],
    Op.MUL: lambda n, _, v: v[0] * v[1],
    Op.UDIV: lambda n, _, v: v[0] // v[1] if v[1] else -1,
    Op.SDIV: lambda n, _, v: _signed_divide(v[0], v[1], n.width),
    Op.UREM: lambda n, _, v: v[0] % v[1] if v[1] else v[0],
    Op.SREM: lambda n, _, v: _signed_remainder(v[0], v[1], n.width),
    Op.AND: lambda n, _, v: v[0] & v[1],
    Op.OR: lambda n, _, v: v[0] | v[1],
    Op.XOR: lambda n, _, v: v[0] ^ v[1],
    Op.SHL: lambda n, _, v: v[0] << v[1] if v[1] < n.width else 0,
    Op.LSHR: lambda n, _, v: v[0] >> min(v[1], 64),
    Op.ASHR: lambda n, _, v: to_signed(v[0], n.width) >> min(v[1], 64),
    Op.EQ: lambda n, _, v: int(v[0] == v[1]),
    Op.ULT: lambda n, _, v: int(v[0] < v[1]),
    Op.ULE: lambda n, _, v: int(v[0] <= v[1]),
    Op.SLT: _signed_compare(lambda a, b: a < b),
    Op.SLE: _signed_compare(lambda a, b: a <= b),
    Op.NOT: lambda n, _, v: ~v[0],
    Op.ZEXT: lambda n, _, v: v[0],
    Op.SEXT: lambda n, arena, v: to_signed(v[0], _operand_width(n, arena)),
    Op.EXTRACT: lambda n, _, v: v[0] >> n.b,
    Op.CONCAT: lambda n, arena, v: v[0] << arena.node(n.b).width | v[1],
    Op.ITE: lambda n, _, v: v[1] if v[0] else v[2],
    Op.LOOKUP: _look_up,
    Op.CTPOP: lambda n, _, v: v[0].bit_count(),
    Op.UMULH: lambda n, _, v: v[0] * v[1] >> n.width,
    Op.UDIVL: lambda n, _, v: (v[0] << n.width | v[1]) // v[2] if v[2] else -1,
    Op.UREML: lambda n, _, v: (v[0] << n.width | v[1]) % v[2] if v[2] else v[1],
    Op.FADD: _float_binary("add"),
    Op.FSUB: _float_binary("subtract"),
    Op.FMUL: _float_binary("multiply"),
    Op.FDIV: _float_binary("divide"),
    Op.FREM: _float_binary("remainder"),
    Op.FNEG: lambda n, _, v: v[0] ^ 1 << (n.width - 1),
    Op.FABS: lambda n, _, v: v[0] & (1 << (n.width - 1)) - 1,
    Op.FSQRT: lambda n, _, v: ieee.square_root(n.width, v[0]),
    Op.FFMA: lambda n, _, v: ieee.fused(n.width, v[0], v[1], v[2]),
    Op.FOEQ: _float_compare(lambda a, b: a == b),
    Op.FOLT: _float_compare(lambda a, b: a < b),
    Op.FOLE: _float_compare(lambda a, b: a <= b),
    Op.FUNO: _float_compare(lambda a, b: a != a or b != b),
    Op.FPTOSI: lambda n, arena, v: ieee.to_signed_integer(v[0], _operand_width(n, arena), n.width),
    Op.FPTOUI: lambda n, arena, v: ieee.to_unsigned_integer(v[0], _operand_width(n, arena), n.width),
    Op.SITOFP: lambda n, arena, v: ieee.from_integer(to_signed(v[0], _operand_width(n, arena)), n.width),
    Op.UITOFP: lambda n, _, v: ieee.from_integer(v[0], n.width),
    Op.FPEXT: lambda n, arena, v: ieee.resize(v[0], _operand_width(n, arena), n.width),
    Op.FPTRUNC: lambda n, arena, v: ieee.resize(v[0], _operand_width(n, arena), n.width),
    Op.FRINT: lambda n, _, v: ieee.to_integral(round, n.width, v[0]),
    Op.FFLOOR: lambda n, _, v: ieee.to_integral(math.floor, n.width, v[0]),
    Op.FCEIL: lambda n, _, v: ieee.to_integral(math.ceil, n.width, v[0]),
    Op.FTRUNC: lambda n, _, v: ieee.to_integral(math.trunc, n.width, v[0]),
    Op.FROUND: lambda n, _, v: ieee.to_integral(ieee.half_away, n.width, v[0]),
}


class ReferenceEvaluator:
    """Evaluates expressions of an arena; values are kept as long as the input stays the same."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._input: bytes | None = None
        self._values: dict[int, int] = {}

    def evaluate(self, expression: int, input: bytes) -> int:
        """Value of an expression under an input; MalformedExpressionError for one that breaks the arena's rules."""
        if input != self._input:
            self._input = input
            self._values = {}
        values = self._values
        waiting = [expression]
        while waiting:
            current = waiting[-1]
            if current in values:
                waiting.pop()
                continue
            node = self._arena.node(current)
            missing = [o for o in operands(node) if o not in values]
            if missing:
                waiting.extend(missing)
            else:
                values[current] = self._value(node, input)
                waiting.pop()
        return values[expression]

    def holds(self, literals: Sequence[Literal], input: bytes) -> bool:
        """Whether every literal has its polarity under an input."""
        return all(self.evaluate(expression, input) == polarity for expression, polarity in literals)

    def _value(self, node: Node, data: bytes) -> int:
        if node.op == Op.LEAF:
            value = self._arena.leaf(node.a).read(data)
        else:
            rule = RULES.get(node.op)
            if rule is None:
                raise MalformedExpressionError(f"The operator of {node} has no meaning.")
            value = rule(node, self._arena, [self._values[o] for o in operands(node)])
        return value & ((1 << node.width) - 1)


class GuardedEvaluator:
    """A native evaluator behind a check of the arena: it follows records as they are, and a wild write of the program
    under test must not lead it elsewhere.
    """

    def __init__(self, arena: Arena, native: Evaluator) -> None:
        self._arena = arena
        self._native = native

    def evaluate(self, expression: int, input: bytes) -> int:
        """See Evaluator; MalformedExpressionError for what breaks the arena's rules."""
        self._arena.check_to(expression)
        return self._native.evaluate(expression, input)

    def holds(self, literals: Sequence[Literal], input: bytes) -> bool:
        """See Evaluator; MalformedExpressionError for what breaks the arena's rules."""
        self._arena.check_to(max((expression for expression, _ in literals), default=FIRST_EXPRESSION - 1))
        return self._native.holds(literals, input)


class LazyEvaluator:
    """Another evaluator, made when it is first asked: most campaigns end before any query reaches smt."""

    def __init__(self, make: Callable[[], Evaluator]) -> None:
        self._make = make
        self._made: Evaluator | None = None

    def evaluate(self, expression: int, input: bytes) -> int:
        """See Evaluator."""
        return self._evaluator().evaluate(expression, input)

    def holds(self, literals: Sequence[Literal], input: bytes) -> bool:
        """See Evaluator."""
        return self._evaluator().holds(literals, input)

    def _evaluator(self) -> Evaluator:
        if self._made is None:
            self._made = self._make()
        return self._made
