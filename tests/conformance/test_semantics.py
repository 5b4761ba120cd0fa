"""Every operator means the same to every back end as to the reference evaluator.

For an expression e, an input and the value v that the evaluator gives: "the leaves are the input's and e == v" must be
satisfiable, "... and e != v" must not be. Many pairs go into one query: all e == v, or some e != v.
"""

from __future__ import annotations

import random

import pytest
from back_ends import BACK_ENDS, every_back_end, every_solver
from random_dags import (
    ARITHMETIC,
    COMPARISONS,
    CONVERSIONS,
    DOUBLE_WIDTH,
    FLOAT_ARITHMETIC,
    FLOAT_COMPARISONS,
    FLOAT_UNARY,
    FUSED,
    TO_INTEGRAL,
    DagMaker,
    edge_value,
)
from sampling import IS_LONG
from smt_dag import ArenaBuilder

from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.ieee import FORMATS
from veer.smt.protocol import Query, Sat, SmtOptions, Unsat
from veer.wire.layout import Op

PATIENT = SmtOptions(time_limit=30_000)
FLOAT_RESULTS = frozenset(
    (*FLOAT_ARITHMETIC, *FUSED, *TO_INTEGRAL, Op.FSQRT, Op.SITOFP, Op.UITOFP, Op.FPEXT, Op.FPTRUNC)
)


def _has_nan(builder: ArenaBuilder, evaluator: ReferenceEvaluator, expression: int, data: bytes) -> bool:
    """Whether a float operation below gives a NaN, whose bits a solver leaves open."""
    for below in builder.arena.cone((expression,)):
        node = builder.arena.node(below)
        if node.op in FLOAT_RESULTS and FORMATS[node.width].is_nan(evaluator.evaluate(below, data)):
            return True
    return False


def _assert_agreement(name: str, builder: ArenaBuilder, expressions: list[int], data: bytes) -> None:
    """The back end gives these expressions the evaluator's values under this input, and no other."""
    evaluator = ReferenceEvaluator(builder.arena)
    leaves = [e for e in range(2, builder.node_count) if builder.arena.node(e).op == Op.LEAF]
    fixed = [(builder.equals(leaf, evaluator.evaluate(leaf, data)), True) for leaf in leaves]
    right = [(builder.equals(e, evaluator.evaluate(e, data)), True) for e in expressions]
    decided = [
        literal for literal, e in zip(right, expressions, strict=True) if not _has_nan(builder, evaluator, e, data)
    ]
    together = builder.constant(1, 1)
    for literal, _ in decided:
        together = builder.make(Op.AND, 1, together, literal)
    solver = BACK_ENDS[name](builder.arena, PATIENT)
    assert isinstance(solver.solve(Query((*fixed, *right), data)), Sat)
    answer = solver.solve(Query((*fixed, (together, False)), data))
    if not isinstance(answer, Unsat):
        wrong = [e for literal, e in zip(right, expressions, strict=True) if literal in decided]
        wrong = [e for e in wrong if not _is_decided(name, builder, e, data, fixed)]
        pytest.fail(f"{name} disagrees on {[builder.arena.node(e) for e in wrong]} under {data.hex()}")


def _is_decided(name: str, builder: ArenaBuilder, expression: int, data: bytes, fixed: list[tuple[int, bool]]) -> bool:
    value = ReferenceEvaluator(builder.arena).evaluate(expression, data)
    solver = BACK_ENDS[name](builder.arena, PATIENT)
    return isinstance(solver.solve(Query((*fixed, (builder.equals(expression, value), False)), data)), Unsat)


def _operands(builder: ArenaBuilder, source: random.Random, width: int, *, symbolic: bool) -> tuple[int, int, bytes]:
    """Two operands as leaves or constants, and the input that belongs to them."""
    a, b = edge_value(source, width), edge_value(source, width)
    if not symbolic:
        return builder.constant(width, a), builder.constant(width, b), b""
    made = []
    for _ in range(2):
        leaf = builder.leaf((width + 7) // 8 * 8)
        made.append(leaf if builder.width(leaf) == width else builder.make(Op.EXTRACT, width, leaf, 0))
    size = (width + 7) // 8
    return made[0], made[1], a.to_bytes(size, "little") + b.to_bytes(size, "little")


def _applied(builder: ArenaBuilder, op: Op, width: int, a: int, b: int) -> list[int]:
    if op in COMPARISONS or op in FLOAT_COMPARISONS:
        return [builder.compare(op, a, b)]
    if op in ARITHMETIC or op in FLOAT_ARITHMETIC:
        return [builder.make(op, width, a, b)]
    if op in FLOAT_UNARY or op in TO_INTEGRAL or op == Op.CTPOP:
        return [builder.make(op, width, a)]
    if op in (Op.FPTOSI, Op.FPTOUI):
        return [builder.make(op, wide, a) for wide in (8, 16, 24, 32, 48, 64)]
    if op in (Op.SITOFP, Op.UITOFP):
        return [builder.make(op, wide, a) for wide in (32, 64)]
    if op in (Op.FPEXT, Op.FPTRUNC):
        return [builder.make(op, 64 if op == Op.FPEXT else 32, a)]
    if op in (Op.ZEXT, Op.SEXT):
        return [builder.make(op, wide, a) for wide in (width, min(64, width + 5), 64)]
    if op == Op.EXTRACT:
        return [builder.make(op, width - low, a, low) for low in range(0, width, 3)]
    if op == Op.LOOKUP:
        sizes = (1, 2, 5, 16, 200)
        return [builder.look_up(a, [(7 * k * k + 3) % 251 for k in range(size)], 8) for size in sizes]
    if op == Op.CONCAT:
        return [builder.make(op, 2 * width, a, b)]
    if op == Op.UMULH:
        return [builder.make(op, width, a, b)]
    if op in DOUBLE_WIDTH:
        return [builder.make(op, width, a, b, b), builder.make(op, width, b, a, builder.make(Op.XOR, width, a, b))]
    if op in FUSED:
        return [
            builder.make(op, width, a, b, c)
            for c in (a, b, builder.make(Op.FNEG, width, builder.make(Op.FMUL, width, a, b)))
        ]
    if op == Op.ITE:
        return [builder.make(op, width, builder.compare(Op.ULT, a, b), a, b)]
    assert op == Op.NOT
    return [builder.make(op, 1, builder.compare(Op.ULT, a, b))]


def _cases(name: str, count: int) -> int:
    """How many cases a back end gets: cvc5 takes 0.1 s for the conversion of a constant, and 10 s for a square root."""
    return count if IS_LONG else -(-count // (6 if "cvc5" in name else 2))


def _widths(op: Op) -> tuple[int, ...]:
    if op == Op.FPEXT:
        return (32,)
    if op == Op.FPTRUNC:
        return (64,)
    if op in (*FLOAT_ARITHMETIC, *FUSED, *FLOAT_UNARY, *TO_INTEGRAL, *FLOAT_COMPARISONS, Op.FPTOSI, Op.FPTOUI):
        return (32, 64)
    if op == Op.CONCAT:
        return (1, 8, 13, 32)
    if op in DOUBLE_WIDTH and not IS_LONG:  # z3 takes seconds for wider ones
        return (1, 8, 13, 32)
    if not IS_LONG:
        return (1, 8, 13, 33, 64)
    return (1, 7, 8, 13, 32, 33, 63, 64)


ALL_OPERATORS = (
    *ARITHMETIC,
    *DOUBLE_WIDTH,
    *TO_INTEGRAL,
    *COMPARISONS,
    *FLOAT_ARITHMETIC,
    *FUSED,
    *FLOAT_UNARY,
    *FLOAT_COMPARISONS,
    *CONVERSIONS,
    *(Op.NOT, Op.ZEXT, Op.SEXT, Op.EXTRACT, Op.CONCAT, Op.LOOKUP, Op.ITE, Op.CTPOP),
)


def test_the_list_of_operators_is_complete():
    assert set(ALL_OPERATORS) == set(Op) - {Op.NONE, Op.CONST, Op.LEAF, Op.SLOT, Op.UNWRITTEN, Op.DEFERRED, Op.FREM}


@pytest.mark.parametrize("op", ALL_OPERATORS, ids=lambda op: op.name)
@every_solver
def test_operator_on_constants(op, name):
    source = random.Random(int(op))
    for width in _widths(op):
        builder = ArenaBuilder()
        expressions: list[int] = []
        for _ in range(_cases(name, 25)):
            a, b, _ = _operands(builder, source, width, symbolic=False)
            expressions += _applied(builder, op, width, a, b)
        _assert_agreement(name, builder, expressions, b"")


@pytest.mark.parametrize("op", ALL_OPERATORS, ids=lambda op: op.name)
@every_solver
def test_operator_on_inputs(op, name):
    source = random.Random(int(op))
    for width in _widths(op):
        builder = ArenaBuilder()
        expressions: list[int] = []
        inputs = b""
        for _ in range(_cases(name, 2 if width > 32 else 4)):
            a, b, data = _operands(builder, source, width, symbolic=True)
            inputs += data
            expressions += _applied(builder, op, width, a, b)
        _assert_agreement(name, builder, expressions, inputs)


@every_back_end
@pytest.mark.parametrize("floats", [False, True], ids=["integers", "floats"])
def test_random_dags(name, floats):
    source = random.Random(11)
    for _ in range(6 if name in ("bitwuzla", "chain") else 2):
        builder = ArenaBuilder()
        leaves = [builder.leaf(width) for width in (8, 16, 32, 64, 8)]
        maker = DagMaker(builder, source, leaves, floats=floats, tables=not floats)
        maker.grow(_cases(name, 20) if floats else 20)
        data = b"".join(
            edge_value(source, builder.width(leaf)).to_bytes(builder.width(leaf) // 8, "little") for leaf in leaves
        )
        _assert_agreement(name, builder, maker.pool, data)
