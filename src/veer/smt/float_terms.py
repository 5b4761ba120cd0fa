"""Floating-point terms of bitwuzla: binary32 and binary64, round to nearest even, conversions as x86-64 makes them."""

from __future__ import annotations

from typing import Any, TypeAlias

import bitwuzla
from bitwuzla import Kind, RoundingMode

from veer.smt.ieee import FORMATS, from_integer
from veer.wire.layout import Op

Term: TypeAlias = Any

_ROUNDED: dict[int, Kind] = {
    Op.FADD: Kind.FP_ADD,
    Op.FSUB: Kind.FP_SUB,
    Op.FMUL: Kind.FP_MUL,
    Op.FDIV: Kind.FP_DIV,
    Op.FSQRT: Kind.FP_SQRT,
}
_CONVERSIONS: dict[int, Kind] = {
    Op.SITOFP: Kind.FP_TO_FP_FROM_SBV,
    Op.UITOFP: Kind.FP_TO_FP_FROM_UBV,
    Op.FPEXT: Kind.FP_TO_FP_FROM_FP,
    Op.FPTRUNC: Kind.FP_TO_FP_FROM_FP,
}
FLOAT_OPERATORS = frozenset((*_ROUNDED, *_CONVERSIONS))
"""Operators whose terms are floats. FNEG and FABS are not among them: on bits they are exact for NaNs too."""
SIGN_OPERATORS: dict[int, Kind] = {Op.FNEG: Kind.FP_NEG, Op.FABS: Kind.FP_ABS}
"""Operators that can be made on bits and on floats."""
FLOAT_COMPARISONS: dict[int, Kind] = {
    Op.FOEQ: Kind.FP_EQUAL,
    Op.FOLT: Kind.FP_LT,
    Op.FOLE: Kind.FP_LEQ,
    Op.FUNO: Kind.FP_IS_NAN,
}


class FloatTerms:
    """Makes float terms with one term manager."""

    def __init__(self, manager: bitwuzla.TermManager) -> None:
        self._manager = manager
        self._nearest = manager.mk_rm_value(RoundingMode.RNE)
        self._towards_zero = manager.mk_rm_value(RoundingMode.RTZ)

    def from_bits(self, bits: Term, width: int) -> Term:
        """The float that a bit-vector of 32 or 64 bits represents."""
        shape = FORMATS[width]
        return self._manager.mk_term(Kind.FP_TO_FP_FROM_BV, [bits], [shape.exponent, shape.significand])

    def operate(self, op: int, width: int, made: list[Term]) -> Term:
        """The float term of an operator in FLOAT_OPERATORS; conversions from integers take bit-vectors."""
        if op in _ROUNDED:
            return self._manager.mk_term(_ROUNDED[op], [self._nearest, *made])
        shape = FORMATS[width]
        return self._manager.mk_term(_CONVERSIONS[op], [self._nearest, *made], [shape.exponent, shape.significand])

    def compare(self, op: int, made: list[Term]) -> Term:
        """The Bool term of an operator in FLOAT_COMPARISONS."""
        if op == Op.FUNO:
            return self._manager.mk_term(Kind.OR, [self._manager.mk_term(Kind.FP_IS_NAN, [term]) for term in made])
        return self._manager.mk_term(FLOAT_COMPARISONS[op], made)

    def to_integer(self, term: Term, old: int, width: int, *, signed: bool) -> Term:
        """FPTOSI and FPTOUI, towards zero; 1 << (width - 1) where SMT-LIB leaves it open (NaN, out of range)."""
        kind = Kind.FP_TO_SBV if signed else Kind.FP_TO_UBV
        value = self._manager.mk_term(kind, [self._towards_zero, term], [width])
        sort = self._manager.mk_bv_sort(width)
        indefinite = self._manager.mk_bv_value(sort, 1 << (width - 1))
        return self._manager.mk_term(Kind.ITE, [self._in_range(term, old, width, signed=signed), value, indefinite])

    def _in_range(self, term: Term, old: int, width: int, *, signed: bool) -> Term:
        """Whether the truncated float fits `width` bits: low - 1 < term < high; low - 1 may not be representable."""
        low, high = (-(1 << (width - 1)), 1 << (width - 1)) if signed else (0, 1 << width)
        below_high = self._manager.mk_term(Kind.FP_LT, [term, self._number(high, old)])
        exact = (1 - low).bit_length() <= FORMATS[old].significand
        if exact:
            above_low = self._manager.mk_term(Kind.FP_LT, [self._number(low - 1, old), term])
        else:
            above_low = self._manager.mk_term(Kind.FP_LEQ, [self._number(low, old), term])
        return self._manager.mk_term(Kind.AND, [above_low, below_high])

    def _number(self, number: int, width: int) -> Term:
        """The float constant of an integer that is representable."""
        sort = self._manager.mk_bv_sort(width)
        return self.from_bits(self._manager.mk_bv_value(sort, from_integer(number, width)), width)
