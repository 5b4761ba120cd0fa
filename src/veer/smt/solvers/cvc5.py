"""cvc5: veer's terms as its own, in a process of its own (apart.py).

Its time limit does not interrupt rewriting and bit-blasting: measured with 1.4.2, a chain of 16 divisions of doubles
took 26 s under a limit of 0.5 s, one of 60 divisions of 32 bits 10 s. So `make` gives a solver that is killed;
`make_here` is what runs in that process. Each query gets a new solver over terms that are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import cvc5
from cvc5 import Kind, RoundingMode, UnknownExplanation
from msgspec import Struct

from veer.smt.apart import Apart
from veer.smt.ieee import FORMATS
from veer.smt.protocol import SmtOptions
from veer.smt.table_terms import look_up
from veer.smt.term_solver import Checked, Model, Problem, Refuted, TermSolver, Undecided
from veer.smt.terms import FloatFinder, Operator, Rounding, SortKind, Term, TermSource, Translation

Handle: TypeAlias = Any
"""A cvc5.Term, of a table its entries; the wheel has no type information."""

_PLAIN: dict[Operator, Kind] = {
    Operator.NOT: Kind.NOT,
    Operator.AND: Kind.AND,
    Operator.OR: Kind.OR,
    Operator.XOR: Kind.XOR,
    Operator.EQUAL: Kind.EQUAL,
    Operator.ITE: Kind.ITE,
    Operator.ADD: Kind.BITVECTOR_ADD,
    Operator.SUB: Kind.BITVECTOR_SUB,
    Operator.MUL: Kind.BITVECTOR_MULT,
    Operator.UDIV: Kind.BITVECTOR_UDIV,
    Operator.SDIV: Kind.BITVECTOR_SDIV,
    Operator.UREM: Kind.BITVECTOR_UREM,
    Operator.SREM: Kind.BITVECTOR_SREM,
    Operator.BIT_NOT: Kind.BITVECTOR_NOT,
    Operator.BIT_AND: Kind.BITVECTOR_AND,
    Operator.BIT_OR: Kind.BITVECTOR_OR,
    Operator.BIT_XOR: Kind.BITVECTOR_XOR,
    Operator.SHL: Kind.BITVECTOR_SHL,
    Operator.LSHR: Kind.BITVECTOR_LSHR,
    Operator.ASHR: Kind.BITVECTOR_ASHR,
    Operator.ULT: Kind.BITVECTOR_ULT,
    Operator.ULE: Kind.BITVECTOR_ULE,
    Operator.SLT: Kind.BITVECTOR_SLT,
    Operator.SLE: Kind.BITVECTOR_SLE,
    Operator.CONCAT: Kind.BITVECTOR_CONCAT,
    Operator.FLOAT_NEG: Kind.FLOATINGPOINT_NEG,
    Operator.FLOAT_ABS: Kind.FLOATINGPOINT_ABS,
    Operator.FLOAT_EQUAL: Kind.FLOATINGPOINT_EQ,
    Operator.FLOAT_LESS: Kind.FLOATINGPOINT_LT,
    Operator.FLOAT_LESS_EQUAL: Kind.FLOATINGPOINT_LEQ,
    Operator.IS_NAN: Kind.FLOATINGPOINT_IS_NAN,
}
_EXTENSIONS = {Operator.ZERO_EXTEND: Kind.BITVECTOR_ZERO_EXTEND, Operator.SIGN_EXTEND: Kind.BITVECTOR_SIGN_EXTEND}
_ROUNDED = {
    Operator.FLOAT_ADD: Kind.FLOATINGPOINT_ADD,
    Operator.FLOAT_SUB: Kind.FLOATINGPOINT_SUB,
    Operator.FLOAT_MUL: Kind.FLOATINGPOINT_MULT,
    Operator.FLOAT_DIV: Kind.FLOATINGPOINT_DIV,
    Operator.FLOAT_SQRT: Kind.FLOATINGPOINT_SQRT,
    Operator.FLOAT_FMA: Kind.FLOATINGPOINT_FMA,
}
_CONVERSIONS = {
    Operator.FLOAT_FROM_FLOAT: Kind.FLOATINGPOINT_TO_FP_FROM_FP,
    Operator.FLOAT_FROM_SIGNED: Kind.FLOATINGPOINT_TO_FP_FROM_SBV,
    Operator.FLOAT_FROM_UNSIGNED: Kind.FLOATINGPOINT_TO_FP_FROM_UBV,
}
_TO_INTEGERS = {Operator.TO_SIGNED: Kind.FLOATINGPOINT_TO_SBV, Operator.TO_UNSIGNED: Kind.FLOATINGPOINT_TO_UBV}
_ROUNDINGS: dict[object, RoundingMode] = {
    Rounding.NEAREST_EVEN: RoundingMode.ROUND_NEAREST_TIES_TO_EVEN,
    Rounding.NEAREST_AWAY: RoundingMode.ROUND_NEAREST_TIES_TO_AWAY,
    Rounding.UP: RoundingMode.ROUND_TOWARD_POSITIVE,
    Rounding.DOWN: RoundingMode.ROUND_TOWARD_NEGATIVE,
    Rounding.TOWARDS_ZERO: RoundingMode.ROUND_TOWARD_ZERO,
}


def make(limits: SmtOptions) -> Sequence[TermSolver]:
    """cvc5 in a process of its own."""
    return (Apart("cvc5", "veer.smt.solvers.cvc5:make_here", limits),)


def make_here(limits: SmtOptions) -> Sequence[TermSolver]:
    """cvc5 in this process, whose time limits cannot be relied on."""
    del limits  # memory is the process's, time comes with the problem
    return (Cvc5(),)


class Cvc5Terms:
    """The terms of one table in a term manager of its own."""

    def __init__(self, terms: TermSource) -> None:
        self.manager = cvc5.TermManager()
        self.translation: Translation[Handle] = Translation(terms, self._make)
        self.floats = FloatFinder(terms)
        self._terms = terms
        self._special: dict[Operator, Callable[[Term, Sequence[Handle]], Handle]] = {
            Operator.VALUE: self._value,
            Operator.VARIABLE: self._variable,
            Operator.TABLE: lambda term, _: term.parameter,
            Operator.EXTRACT: self._extract,
            Operator.LOOKUP: self._look_up,
            Operator.ROUND: lambda term, made: self.manager.mkTerm(
                Kind.FLOATINGPOINT_RTI, self._rounding(term.parameter), *made
            ),
            Operator.FLOAT_FROM_BITS: lambda term, made: self.indexed(
                Kind.FLOATINGPOINT_TO_FP_FROM_IEEE_BV, _shape(term), *made
            ),
        }

    def indexed(self, kind: Kind, indices: Sequence[int], *made: Handle) -> Handle:
        """A term whose operator has indices."""
        return self.manager.mkTerm(self.manager.mkOp(kind, *indices), *made)

    def value(self, width: int, value: int) -> Handle:
        """A constant bit-vector."""
        return self.manager.mkBitVector(width, str(value), 10)

    def _make(self, term: Term, made: Sequence[Handle]) -> Handle:
        operator = term.operator
        if operator in _PLAIN:
            return self.manager.mkTerm(_PLAIN[operator], *made)
        if operator in self._special:
            return self._special[operator](term, made)
        if operator in _EXTENSIONS:
            width = self._terms[term.operands[0]].sort.width
            return self.indexed(_EXTENSIONS[operator], [term.sort.width - width], *made)
        if operator in _TO_INTEGERS:
            towards_zero = self._rounding(Rounding.TOWARDS_ZERO)
            return self.indexed(_TO_INTEGERS[operator], [term.sort.width], towards_zero, *made)
        nearest = self._rounding(Rounding.NEAREST_EVEN)
        if operator in _ROUNDED:
            return self.manager.mkTerm(_ROUNDED[operator], nearest, *made)
        return self.indexed(_CONVERSIONS[operator], _shape(term), nearest, *made)

    def _value(self, term: Term, _: Sequence[Handle]) -> Handle:
        value: Any = term.parameter
        if term.sort.kind is SortKind.BOOL:
            return self.manager.mkTrue() if value else self.manager.mkFalse()
        return self.value(term.sort.width, value)

    def _variable(self, term: Term, _: Sequence[Handle]) -> Handle:
        return self.manager.mkConst(self.manager.mkBitVectorSort(term.sort.width), term.parameter)

    def _extract(self, term: Term, made: Sequence[Handle]) -> Handle:
        low: Any = term.parameter
        return self.indexed(Kind.BITVECTOR_EXTRACT, [low + term.sort.width - 1, low], *made)

    def _look_up(self, term: Term, made: Sequence[Handle]) -> Handle:
        entries, index = made
        index_width = self._terms[term.operands[1]].sort.width
        return look_up(_Chooser(self, index, index_width, term.sort.width), index_width, entries)

    def _rounding(self, mode: object) -> Handle:
        return self.manager.mkRoundingMode(_ROUNDINGS[mode])


class _Chooser(Struct, frozen=True):
    """Makes the diagram of a look-up."""

    terms: Cvc5Terms
    index: Handle
    index_width: int
    width: int

    def value(self, entry: int) -> Handle:
        return self.terms.value(self.width, entry)

    def is_set(self, bit: int) -> Handle:
        extracted = self.terms.indexed(Kind.BITVECTOR_EXTRACT, [bit, bit], self.index)
        return self.terms.manager.mkTerm(Kind.EQUAL, extracted, self.terms.value(1, 1))

    def is_below(self, bound: int) -> Handle:
        return self.terms.manager.mkTerm(Kind.BITVECTOR_ULT, self.index, self.terms.value(self.index_width, bound))

    def choose(self, condition: Handle, then: Handle, otherwise: Handle) -> Handle:
        return self.terms.manager.mkTerm(Kind.ITE, condition, then, otherwise)


def _shape(term: Term) -> tuple[int, int]:
    shape = FORMATS[term.sort.width]
    return shape.exponent, shape.significand


class Cvc5:
    """cvc5 in this process."""

    name = "cvc5"

    def __init__(self) -> None:
        self._terms: Cvc5Terms | None = None

    def session(self, terms: TermSource) -> _Session:
        """One with a solver of its own."""
        if self._terms is None or self._terms.translation.terms is not terms:
            self._terms = Cvc5Terms(terms)
        return _Session(self._terms)


class _Session:
    """One query."""

    def __init__(self, terms: Cvc5Terms) -> None:
        self.taken_in: set[int] = set()
        self.pins = True
        self._terms = terms
        self._solver: Any = None

    def check(self, problem: Problem) -> Checked:
        """Decides a problem; Undecided for a limit and for whatever cvc5 refuses."""
        try:
            if self._terms.floats.any_below((*problem.facts, *problem.assumed)):
                return self._check_asserted(problem)
            return self._check_assumed(problem)
        except RuntimeError as error:
            return Undecided(str(error))

    def _check_assumed(self, problem: Problem) -> Checked:
        translated = self._terms.translation
        if self._solver is None:
            self._solver = self._new(("incremental", "produce-unsat-assumptions"))
            for fact in problem.facts:
                self._solver.assertFormula(translated[fact])
        assumed = {translated[number]: number for number in problem.assumed}
        result = self._timed(self._solver, problem).checkSatAssuming(*assumed)
        if not result.isUnsat():
            return self._model(result, self._solver, problem)
        return Refuted(frozenset([assumed[each] for each in self._solver.getUnsatAssumptions() if each in assumed]))

    def _check_asserted(self, problem: Problem) -> Checked:
        self.pins = False
        solver = self._timed(self._new(()), problem)
        for condition in (*problem.assumed, *problem.facts):
            solver.assertFormula(self._terms.translation[condition])
        result = solver.checkSat()
        return Refuted() if result.isUnsat() else self._model(result, solver, problem)

    def _model(self, result: Any, solver: Any, problem: Problem) -> Checked:
        if result.isSat():
            values = (solver.getValue(self._terms.translation[each]) for each in problem.variables)
            return Model(tuple([int(value.getBitVectorValue(10)) for value in values]))
        if result.getUnknownExplanation() == UnknownExplanation.TIMEOUT:
            return Undecided.out_of_time(problem.milliseconds)
        return Undecided(f"cvc5: {result}", by_limit=True)

    def _timed(self, solver: Any, problem: Problem) -> Any:
        solver.setOption("tlimit-per", str(problem.milliseconds))
        return solver

    def _new(self, options: Sequence[str]) -> Any:
        solver = cvc5.Solver(self._terms.manager)
        for option in ("produce-models", *options):
            solver.setOption(option, "true")
        solver.setLogic("QF_BVFP")
        return solver
