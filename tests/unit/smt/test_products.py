"""Facts on products hold of all values, are told of those that cannot wrap alone, and spare solvers long proofs."""

from __future__ import annotations

import itertools

import pytest
from smt_dag import ArenaBuilder

from veer.smt.back_end import BackEnd
from veer.smt.chain import back_ends
from veer.smt.formulas import Formulas
from veer.smt.products import ProductFacts
from veer.smt.protocol import Query, Sat, SmtOptions, Unsat
from veer.smt.solvers.bitwuzla import STANDARD, solvers_of
from veer.smt.term_solver import Model, Problem, Refuted
from veer.smt.terms import BOOL, Operator
from veer.wire.layout import Op

FACTORS = ("zext", "sext", "masked", "shifted", "chosen", "sum", "joined")


def _factor(builder: ArenaBuilder, kind: str, leaf: int) -> int:
    """A factor of 16 bits of a leaf of 8."""
    zero = builder.constant(8, 0)
    wide = builder.make(Op.ZEXT, 16, leaf)
    signed = builder.make(Op.SEXT, 16, leaf)
    match kind:
        case "zext":
            return wide
        case "sext":
            return signed
        case "masked":
            return builder.binary(Op.AND, signed, builder.constant(16, 0xFF))
        case "shifted":
            return builder.binary(Op.LSHR, signed, builder.constant(16, 8))
        case "chosen":
            is_less = builder.compare(Op.SLT, leaf, zero)
            return builder.make(Op.ITE, 16, is_less, builder.constant(16, -7), wide)
        case "sum":
            narrow = builder.make(Op.SEXT, 16, builder.make(Op.EXTRACT, 4, leaf, 2))
            return builder.binary(Op.SUB, narrow, builder.make(Op.ZEXT, 16, builder.make(Op.EXTRACT, 3, leaf, 5)))
        case _:
            return builder.make(Op.CONCAT, 16, zero, leaf)


def _is_always_true(builder: ArenaBuilder, product: int) -> bool | None:
    """Whether what is told of a product holds whatever its leaves are; None if nothing is told."""
    formulas = Formulas(builder.arena)
    equal = builder.equals(product, 1)
    formulas.literal(equal, holds=True)
    facts = formulas.definitions([equal])
    if not facts:
        return None
    (fact,) = facts
    wrong = formulas.terms.make(Operator.NOT, BOOL, (fact,))
    session = solvers_of([STANDARD], SmtOptions())[0].session(formulas.terms)
    checked = session.check(Problem((), (wrong,), (), 60_000, float("inf")))
    assert isinstance(checked, Model | Refuted)
    return isinstance(checked, Refuted)


@pytest.mark.parametrize(("left", "right"), list(itertools.combinations_with_replacement(FACTORS, 2)))
def test_what_is_told_of_a_product_holds(left: str, right: str) -> None:
    builder = ArenaBuilder()
    x, y = builder.leaf(8), builder.leaf(8)
    factors = _factor(builder, left, x), _factor(builder, right, y)
    holds = _is_always_true(builder, builder.binary(Op.MUL, *factors))
    # Of "chosen" 9 bits with a sign are counted: times another one with 9, that is more than 16.
    assert holds in (True, None)
    if left == right != "chosen":
        assert holds


def test_nothing_is_told_of_a_product_that_may_wrap() -> None:
    builder = ArenaBuilder()
    x, y = builder.leaf(16), builder.leaf(9)
    wide = builder.make(Op.ZEXT, 16, y)
    assert _is_always_true(builder, builder.binary(Op.MUL, x, wide)) is None
    assert _is_always_true(builder, builder.binary(Op.MUL, wide, wide)) is None
    assert _is_always_true(builder, builder.binary(Op.MUL, wide, builder.constant(16, 3))) is None


def test_a_planted_mistake_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """A factor is taken for one bit less than it has."""
    real = ProductFacts._bits
    monkeypatch.setattr(ProductFacts, "_bits", lambda self, expression, depth=6: real(self, expression, depth) - 1)
    builder = ArenaBuilder()
    factors = [builder.make(Op.ZEXT, 16, builder.leaf(9)) for _ in range(2)]
    assert _is_always_true(builder, builder.binary(Op.MUL, *factors)) is False


def _signs(builder: ArenaBuilder, *, differ: bool) -> Query:
    """A product of two numbers of 32 bits that is within 47 bits, below 0 and -1 in its upper 17."""
    x, y = builder.leaf(32), builder.leaf(32)
    a, b = (builder.make(Op.SEXT, 64, leaf) for leaf in (x, y))
    product = builder.binary(Op.MUL, a, b)
    zero, zero_32 = builder.constant(64, 0), builder.constant(32, 0)
    upper = builder.make(Op.EXTRACT, 17, product, 47)
    rounded = builder.make(Op.EXTRACT, 32, builder.binary(Op.SUB, product, builder.constant(64, 1)), 16)
    same = builder.compare(Op.EQ, builder.compare(Op.SLT, x, zero_32), builder.compare(Op.SLT, y, zero_32))
    literals = (
        (builder.compare(Op.SLT, product, zero), True),
        (builder.equals(upper, (1 << 17) - 1), True),
        (builder.compare(Op.SLT, rounded, builder.constant(32, -(1 << 31) + 9)), True),
        (same, not differ),
    )
    return Query(literals, bytes(8))


@pytest.mark.parametrize("differ", [True, False])
def test_the_sign_of_a_product_is_known_at_once(differ: bool) -> None:
    builder = ArenaBuilder()
    query = _signs(builder, differ=differ)
    (solver, *_) = back_ends(builder.arena, SmtOptions())
    assert isinstance(solver, BackEnd)
    assert isinstance(solver.solve(query), Sat if differ else Unsat)


def test_the_facts_can_be_left_out() -> None:
    builder = ArenaBuilder()
    query = _signs(builder, differ=False)
    (solver, *_) = back_ends(builder.arena, SmtOptions(without=frozenset(("products",)), time_limit=50))
    assert not isinstance(solver.solve(query), Sat)
