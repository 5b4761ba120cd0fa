"""Floating-point terms of a solver: binary32 and binary64, round to nearest even, conversions as x86-64 makes them."""

from __future__ import annotations

from typing import Any, TypeAlias

from bitwuzla import Kind, RoundingMode

from veer.smt.ieee import FORMATS, from_integer, signed_conversion_width, unsigned_conversion_width
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
_INTEGRAL: dict[int, RoundingMode] = {
    Op.FRINT: RoundingMode.RNE,
    Op.FFLOOR: RoundingMode.RTN,
    Op.FCEIL: RoundingMode.RTP,
    Op.FTRUNC: RoundingMode.RTZ,
    Op.FROUND: RoundingMode.RNA,
}
SIGN_OPERATORS: dict[int, Kind] = {Op.FNEG: Kind.FP_NEG, Op.FABS: Kind.FP_ABS}
"""Operators that can be made on bits and on floats."""
_COMPARISONS: dict[int, Kind] = {Op.FOEQ: Kind.FP_EQUAL, Op.FOLT: Kind.FP_LT, Op.FOLE: Kind.FP_LEQ}


class FloatTerms:
    """Makes float terms with one term manager."""

    def __init__(self, manager: Any) -> None:
        self._manager = manager
        self._nearest = manager.mk_rm_value(RoundingMode.RNE)
        self._towards_zero = manager.mk_rm_value(RoundingMode.RTZ)

    def from_bits(self, bits: Term, width: int) -> Term:
        """The float that a bit-vector of 32 or 64 bits represents."""
        shape = FORMATS[width]
        return self._manager.mk_term(Kind.FP_TO_FP_FROM_BV, [bits], [shape.exponent, shape.significand])

    def operate(self, op: int, width: int, made: list[Term]) -> Term:
        """The float term of an operator in views.FLOAT_RESULTS; conversions from integers take bit-vectors."""
        if op in _ROUNDED:
            return self._manager.mk_term(_ROUNDED[op], [self._nearest, *made])
        if op in _INTEGRAL:
            return self._manager.mk_term(Kind.FP_RTI, [self._manager.mk_rm_value(_INTEGRAL[op]), *made])
        shape = FORMATS[width]
        return self._manager.mk_term(_CONVERSIONS[op], [self._nearest, *made], [shape.exponent, shape.significand])

    def compare(self, op: int, made: list[Term]) -> Term:
        """The Bool term of an operator in views.FLOAT_COMPARISONS."""
        if op == Op.FUNO:
            return self._manager.mk_term(Kind.OR, [self._manager.mk_term(Kind.FP_IS_NAN, [term]) for term in made])
        return self._manager.mk_term(_COMPARISONS[op], made)

    def to_signed_integer(self, term: Term, old: int, width: int) -> Term:
        """FPTOSI; where SMT-LIB leaves the result open (NaN, out of range), what `ieee.to_signed_integer` says."""
        return self._converted(term, old, signed_conversion_width(width), width)

    def to_unsigned_integer(self, term: Term, old: int, width: int) -> Term:
        """FPTOUI, as `ieee.to_unsigned_integer`."""
        if width <= 32:
            return self._converted(term, old, unsigned_conversion_width(width), width)
        make = self._manager.mk_term
        unsigned = make(Kind.FP_TO_UBV, [self._towards_zero, term], [64])
        in_range = self._between(term, old, -1, 1 << 64)
        return self._cut(make(Kind.ITE, [in_range, unsigned, self._converted(term, old, 64, 64)]), 64, width)

    def is_ordinary(self, term: Term, bits: Term, width: int) -> Term:
        """The Bool term "this float is no NaN, or its bits are those of the default NaN"."""
        make = self._manager.mk_term
        default = self._manager.mk_bv_value(self._manager.mk_bv_sort(width), FORMATS[width].default_nan)
        return make(Kind.OR, [make(Kind.NOT, [make(Kind.FP_IS_NAN, [term])]), make(Kind.EQUAL, [bits, default])])

    def _converted(self, term: Term, old: int, bits: int, width: int) -> Term:
        """The low `width` bits of the signed conversion to `bits` bits."""
        half = 1 << (bits - 1)
        value = self._manager.mk_term(Kind.FP_TO_SBV, [self._towards_zero, term], [bits])
        indefinite = self._manager.mk_bv_value(self._manager.mk_bv_sort(bits), half)
        low_is_exact = (half + 1).bit_length() <= FORMATS[old].significand
        in_range = self._between(term, old, -half - 1 if low_is_exact else -half, half, low_included=not low_is_exact)
        return self._cut(self._manager.mk_term(Kind.ITE, [in_range, value, indefinite]), bits, width)

    def _cut(self, term: Term, bits: int, width: int) -> Term:
        return term if bits == width else self._manager.mk_term(Kind.BV_EXTRACT, [term], [width - 1, 0])

    def _between(self, term: Term, old: int, low: int, high: int, *, low_included: bool = False) -> Term:
        """low < term < high (or low <= term); low and high are representable. False for a NaN."""
        above = Kind.FP_LEQ if low_included else Kind.FP_LT
        below_high = self._manager.mk_term(Kind.FP_LT, [term, self._number(high, old)])
        above_low = self._manager.mk_term(above, [self._number(low, old), term])
        return self._manager.mk_term(Kind.AND, [above_low, below_high])

    def _number(self, number: int, width: int) -> Term:
        """The float constant of an integer that is representable."""
        sort = self._manager.mk_bv_sort(width)
        return self.from_bits(self._manager.mk_bv_value(sort, from_integer(number, width)), width)
