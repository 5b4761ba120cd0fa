"""The language of terms: each term once, operands before what they are in, translations in that order, tables."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import pytest
from random_dags import DagMaker
from smt_dag import ArenaBuilder

from veer.smt.formulas import Formulas, SharedFormulas
from veer.smt.table_terms import look_up
from veer.smt.terms import BOOL, FLOATS, FloatFinder, Operator, SortKind, Terms, Translation, bits, cone

_SAME_WIDTH = frozenset(Operator) & {
    *(Operator.ADD, Operator.SUB, Operator.MUL, Operator.UDIV, Operator.SDIV, Operator.UREM, Operator.SREM),
    *(Operator.BIT_NOT, Operator.BIT_AND, Operator.BIT_OR, Operator.BIT_XOR),
    *(Operator.SHL, Operator.LSHR, Operator.ASHR),
}
_COMPARISONS = {Operator.EQUAL, Operator.ULT, Operator.ULE, Operator.SLT, Operator.SLE}


def test_a_term_is_there_once() -> None:
    terms = Terms()
    x, seven = terms.variable(8, "x"), terms.value(8, 7)
    total = terms.make(Operator.ADD, bits(8), (x, seven))
    assert terms.make(Operator.ADD, bits(8), (x, seven)) == total
    assert terms.variable(8, "x") == x and terms.variable(16, "x") != x
    assert terms.make(Operator.ADD, bits(8), (seven, x)) != total
    assert len(terms) == 5 and terms[total].operands == (x, seven)


def test_a_translation_makes_each_term_once_and_operands_first() -> None:
    terms = Terms()
    x = terms.variable(8, "x")
    double = terms.make(Operator.ADD, bits(8), (x, x))
    terms.value(8, 99)  # nobody asks for it
    is_less = terms.make(Operator.ULT, BOOL, (double, x))
    made: list[Operator] = []

    def make(term: object, operands: list[str]) -> str:
        made.append(term.operator)  # type: ignore[attr-defined]
        return f"{term.operator.name}({','.join(operands)})"  # type: ignore[attr-defined]

    translation: Translation[str] = Translation(terms, make)  # type: ignore[arg-type]
    for _ in range(2):
        assert translation[is_less] == "ULT(ADD(VARIABLE(),VARIABLE()),VARIABLE())"
    assert made == [Operator.VARIABLE, Operator.ADD, Operator.ULT]
    assert cone(terms, (is_less,), {double}) == [x, is_less]


def test_floats_are_seen_below() -> None:
    terms = Terms()
    x, y = terms.variable(32, "x"), terms.variable(32, "y")
    equal = terms.make(Operator.EQUAL, BOOL, (x, y))
    is_nan = terms.make(Operator.IS_NAN, BOOL, (terms.make(Operator.FLOAT_FROM_BITS, FLOATS[32], (x,)),))
    finder = FloatFinder(terms)
    assert not finder.any_below([equal])
    assert finder.any_below([equal, terms.make(Operator.NOT, BOOL, (is_nan,))])


@pytest.mark.parametrize("floats", [False, True])
def test_the_sorts_of_what_formulas_make_fit(floats: bool) -> None:
    source = random.Random(5)
    builder = ArenaBuilder()
    leaves = [builder.leaf(width) for width in (8, 16, 32, 64)]
    maker = DagMaker(builder, source, leaves, floats=floats, tables=True)
    maker.grow(150)
    formulas = Formulas(builder.arena)
    for _ in range(40):
        formulas.literal(maker.literal(), holds=source.random() < 0.5)
    seen = set()
    for number in range(len(formulas.terms)):
        term = formulas.terms[number]
        sorts = [formulas.terms[operand].sort for operand in term.operands]
        assert all(operand < number for operand in term.operands)
        seen.add(term.operator)
        if term.operator in _SAME_WIDTH:
            assert {*sorts, term.sort} == {term.sort} and term.sort.kind is SortKind.BITS
        elif term.operator in _COMPARISONS:
            assert term.sort == BOOL and len(set(sorts)) == 1
        elif term.operator is Operator.ITE:
            assert sorts == [BOOL, term.sort, term.sort]
        elif term.operator is Operator.CONCAT:
            assert term.sort == bits(sorts[0].width + sorts[1].width)
        elif term.operator is Operator.EXTRACT:
            assert term.sort.width + int(term.parameter) <= sorts[0].width  # type: ignore[arg-type]
        elif term.operator is Operator.LOOKUP:
            assert sorts[0].kind is SortKind.TABLE and sorts[0].width == term.sort.width
    assert {Operator.LOOKUP, Operator.ITE, Operator.CONCAT, Operator.EXTRACT} <= seen
    assert (Operator.FLOAT_ADD in seen) == floats


def test_formulas_are_begun_anew_when_there_are_too_many_terms() -> None:
    builder = ArenaBuilder()
    literal = builder.equals(builder.leaf(8), 7)
    pool = SharedFormulas(builder.arena, 3)
    first = pool.formulas()
    first.literal(literal, holds=True)
    assert pool.formulas() is first
    first.literal(literal, holds=False)
    assert pool.formulas() is not first


@dataclass
class Counting:
    """Looks up with Python's numbers, for one index, and counts the choices."""

    index: int
    choices: list[object] = field(default_factory=list)

    def value(self, entry: int) -> int:
        return entry

    def is_set(self, bit: int) -> int:
        return self.index >> bit & 1

    def is_below(self, bound: int) -> int:
        return int(self.index < bound)

    def choose(self, condition: int, then: int, otherwise: int) -> int:
        self.choices.append(condition)
        return then if condition else otherwise


@pytest.mark.parametrize("entries", [[5], [7, 7, 3, 5], [1, 2, 3], list(range(200)), [9] * 256])
def test_a_look_up_finds_every_entry_and_0_behind_them(entries: list[int]) -> None:
    for index in range(256):
        expected = entries[index] if index < len(entries) else 0
        assert look_up(Counting(index), 8, entries) == expected


def test_equal_entries_need_no_choice() -> None:
    run = Counting(3)
    assert look_up(run, 8, [9] * 256) == 9 and not run.choices
    pairs = Counting(3)
    look_up(pairs, 8, [1, 2] * 128)
    assert len(pairs.choices) == 1
