"""What is asked of floats that are short binary fractions is asked of integers: the same answers for the same inputs.

Random expressions of floats over integers; each literal that has no float left is worked out from its term, and by the
reference evaluator, which knows nothing of terms.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from random_dags import TO_INTEGRAL, edge_value
from smt_dag import ArenaBuilder

from veer.model.values import replace
from veer.smt import dyadic, ieee
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.formulas import Formulas
from veer.smt.terms import FloatFinder, Number, Operator, Terms, cone
from veer.wire.layout import Op

CONSTANTS = (0.0, -0.0, 1.0, -1.0, 2.0, 0.5, 0.25, -0.75, 3.0, 127.5, 1e6, 2.0**24, 2.0**40, 0.1, 1e300, float("inf"))
SIMPLE = 8
LITERALS = 100
INPUTS = 25


class FloatMaker:
    """Random floats over integer leaves of 8, 16 and 32 bits."""

    def __init__(self, source: random.Random) -> None:
        self.source = source
        self.builder = ArenaBuilder()
        self.leaves = [self.builder.leaf(width) for width in (8, 8, 16, 32)]
        self.pools: dict[int, list[int]] = {32: [], 64: []}
        for width, pool in self.pools.items():
            pool += [self.converted(width) if place < 5 else self.constant(width) for place in range(SIMPLE)]

    def constant(self, width: int) -> int:
        return self.builder.constant(width, ieee.encode(self.source.choice(CONSTANTS), width))

    def converted(self, width: int) -> int:
        leaf = self.source.choice(self.leaves)
        kind = self.source.randrange(4)
        if kind == 0:
            low = self.source.randrange(4)
            leaf = self.builder.make(Op.EXTRACT, 4, leaf, low)
        elif kind < 3:
            leaf = self.builder.make(self.source.choice((Op.SEXT, Op.ZEXT)), 32, leaf)
        return self.builder.make(self.source.choice((Op.SITOFP, Op.UITOFP)), width, leaf)

    def some(self, width: int) -> int:
        """A float; every other one is simple, for one that is not exact spoils all that is made of it."""
        pool = self.pools[width]
        return self.source.choice(pool[:SIMPLE] if self.source.random() < 0.5 else pool)

    def grow(self) -> None:
        """One more float."""
        width = self.source.choice((32, 64))
        make, one, other = self.builder.make, self.some(width), self.some(width)
        kind = self.source.randrange(9)
        if kind < 4:
            made = make(self.source.choice((Op.FADD, Op.FSUB, Op.FMUL, Op.FMUL)), width, one, other)
        elif kind == 4:
            made = make(self.source.choice((Op.FNEG, Op.FABS, *TO_INTEGRAL)), width, one)
        elif kind == 5:
            made = make(Op.ITE, width, self.literal(), one, other)
        elif kind == 6:
            made = make(Op.FDIV, width, one, self.source.choice((other, self.constant(width))))
        elif kind == 7:
            made = make(Op.FPEXT, 64, self.source.choice(self.pools[32]))
        else:
            made = make(Op.FPTRUNC, 32, self.source.choice(self.pools[64]))
        self.pools[self.builder.width(made)].append(made)

    def literal(self) -> int:
        """A comparison of floats, or of what a float is as an integer."""
        width = self.source.choice((32, 64))
        one, other = self.some(width), self.some(width)
        if self.source.random() < 0.3:  # what is next to it is told apart
            other = self.builder.make(Op.FADD, width, one, self.constant(width))
        if self.source.random() < 0.7:
            return self.builder.compare(self.source.choice((Op.FOEQ, Op.FOLT, Op.FOLE, Op.FUNO)), one, other)
        width = self.source.choice((16, 32, 64))
        whole = self.builder.make(self.source.choice((Op.FPTOSI, Op.FPTOUI)), width, one)
        limit = self.builder.constant(width, edge_value(self.source, width))
        return self.builder.compare(self.source.choice((Op.EQ, Op.ULT, Op.SLE)), whole, limit)


def _signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> (width - 1) else value


MEANINGS: dict[Operator, Callable[..., int]] = {
    Operator.ADD: lambda w, a, b: a + b,
    Operator.SUB: lambda w, a, b: a - b,
    Operator.MUL: lambda w, a, b: a * b,
    Operator.SHL: lambda w, a, b: a << b,
    Operator.EQUAL: lambda w, a, b: a == b,
    Operator.ULT: lambda w, a, b: a < b,
    Operator.SLT: lambda w, a, b: _signed(a, w) < _signed(b, w),
    Operator.SLE: lambda w, a, b: _signed(a, w) <= _signed(b, w),
    Operator.ITE: lambda w, a, b, c: b if a else c,
    Operator.SIGN_EXTEND: lambda w, a: _signed(a, w),
    Operator.ZERO_EXTEND: lambda w, a: a,
    Operator.NOT: lambda w, a: 1 - a,
}


def worked_out(terms: Terms, number: Number, leaves: dict[str, int]) -> int:
    """The value of a term without floats."""
    known: dict[Number, int] = {}
    for each in cone(terms, [number], ()):
        term = terms[each]
        operands = [known[operand] for operand in term.operands]
        if term.operator is Operator.VALUE:
            value = term.parameter
        elif term.operator is Operator.VARIABLE:
            value = leaves[str(term.parameter)]
        elif term.operator is Operator.EXTRACT:
            value = operands[0] >> int(term.parameter)  # type: ignore[arg-type]
        else:
            value = MEANINGS[term.operator](terms[term.operands[0]].sort.width, *operands)
        assert isinstance(value, int)
        known[each] = int(value) & ((1 << term.sort.width) - 1)
    return known[number]


def differences(seed: int) -> tuple[int, int]:
    """How many answers of literals without floats there were, and how many were wrong."""
    source = random.Random(seed)
    maker = FloatMaker(source)
    for _ in range(40):
        maker.grow()
    builder = maker.builder
    formulas, evaluator = Formulas(builder.arena), ReferenceEvaluator(builder.arena)
    finder, answers, wrong = FloatFinder(formulas.terms), 0, 0
    for literal in [maker.literal() for _ in range(LITERALS)]:
        number = formulas.literal(literal, holds=True)
        if finder.any_below([number]):
            continue
        for _ in range(INPUTS):
            values = [edge_value(source, builder.width(leaf)) for leaf in maker.leaves]
            data = b"".join(
                value.to_bytes(builder.width(leaf) // 8, "little")
                for value, leaf in zip(values, maker.leaves, strict=True)
            )
            named = {f"leaf{index}": value for index, value in enumerate(values)}
            answers += 1
            wrong += worked_out(formulas.terms, number, named) != evaluator.evaluate(literal, data)
    return answers, wrong


@pytest.mark.parametrize("seed", range(6))
def test_answers_are_those_of_the_floats(seed: int) -> None:
    answers, wrong = differences(seed)
    assert answers > LITERALS * INPUTS // 8, "too few literals are without floats"
    assert not wrong


ROOMY = {width: replace(shape, significand=shape.significand + 12) for width, shape in ieee.FORMATS.items()}
MISTAKES = {
    "more room than the significand has": ("FORMATS", ROOMY),
    "a difference is a sum": ("_SUMS", {Operator.FLOAT_ADD: Operator.ADD, Operator.FLOAT_SUB: Operator.ADD}),
    "less is less or equal": ("_COMPARISONS", {**dyadic._COMPARISONS, Operator.FLOAT_LESS: Operator.SLE}),
    "less is less without signs": ("_COMPARISONS", {**dyadic._COMPARISONS, Operator.FLOAT_LESS: Operator.ULT}),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_noticed(mistake: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, value = MISTAKES[mistake]
    monkeypatch.setattr(dyadic, name, value)
    assert any(differences(seed)[1] for seed in range(6))


@pytest.mark.parametrize(
    ("divisor", "is_float"), [(2.0, False), (0.25, False), (3.0, True), (-2.0, True), (None, True)]
)
def test_only_division_by_a_constant_power_of_two_is_exact(divisor: float | None, is_float: bool) -> None:
    builder = ArenaBuilder()
    leaf = builder.leaf(8)
    if divisor is None:
        below = builder.make(Op.SITOFP, 64, builder.make(Op.EXTRACT, 4, leaf, 1))  # an operator with a number, too
    else:
        below = builder.constant(64, ieee.encode(divisor, 64))
    quotient = builder.make(Op.FDIV, 64, builder.make(Op.SITOFP, 64, leaf), below)
    literal = builder.compare(Op.FOLT, quotient, builder.constant(64, ieee.encode(1.0, 64)))
    formulas = Formulas(builder.arena)
    number = formulas.literal(literal, holds=True)
    assert FloatFinder(formulas.terms).any_below([number]) == is_float
