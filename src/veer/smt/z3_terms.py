"""z3's terms behind the face of bitwuzla's term manager, so that one TermBuilder serves both.

    manager.mk_term(Kind.BV_EXTRACT, [term], [7, 0])   ─►   Z3_mk_extract(context, 7, 0, term)

Terms are z3's own handles, made through its C interface (a third of the cost of z3's Python classes). Each is kept as
long as its manager, whose context owns it; a context is never shared, because z3 aborts when two threads use one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, TypeAlias

import z3
from bitwuzla import Kind, RoundingMode
from z3 import z3core

Handle: TypeAlias = Any
"""A z3.Ast or z3.Sort."""

_PLAIN: dict[Kind, Callable[..., Handle]] = {
    Kind.BV_ADD: z3core.Z3_mk_bvadd,
    Kind.BV_SUB: z3core.Z3_mk_bvsub,
    Kind.BV_MUL: z3core.Z3_mk_bvmul,
    Kind.BV_UDIV: z3core.Z3_mk_bvudiv,
    Kind.BV_SDIV: z3core.Z3_mk_bvsdiv,
    Kind.BV_UREM: z3core.Z3_mk_bvurem,
    Kind.BV_SREM: z3core.Z3_mk_bvsrem,
    Kind.BV_AND: z3core.Z3_mk_bvand,
    Kind.BV_OR: z3core.Z3_mk_bvor,
    Kind.BV_XOR: z3core.Z3_mk_bvxor,
    Kind.BV_SHL: z3core.Z3_mk_bvshl,
    Kind.BV_SHR: z3core.Z3_mk_bvlshr,
    Kind.BV_ASHR: z3core.Z3_mk_bvashr,
    Kind.BV_ULT: z3core.Z3_mk_bvult,
    Kind.BV_ULE: z3core.Z3_mk_bvule,
    Kind.BV_SLT: z3core.Z3_mk_bvslt,
    Kind.BV_SLE: z3core.Z3_mk_bvsle,
    Kind.BV_NOT: z3core.Z3_mk_bvnot,
    Kind.EQUAL: z3core.Z3_mk_eq,
    Kind.ITE: z3core.Z3_mk_ite,
    Kind.NOT: z3core.Z3_mk_not,
    Kind.XOR: z3core.Z3_mk_xor,
    Kind.FP_ADD: z3core.Z3_mk_fpa_add,
    Kind.FP_SUB: z3core.Z3_mk_fpa_sub,
    Kind.FP_MUL: z3core.Z3_mk_fpa_mul,
    Kind.FP_DIV: z3core.Z3_mk_fpa_div,
    Kind.FP_SQRT: z3core.Z3_mk_fpa_sqrt,
    Kind.FP_NEG: z3core.Z3_mk_fpa_neg,
    Kind.FP_ABS: z3core.Z3_mk_fpa_abs,
    Kind.FP_EQUAL: z3core.Z3_mk_fpa_eq,
    Kind.FP_LT: z3core.Z3_mk_fpa_lt,
    Kind.FP_LEQ: z3core.Z3_mk_fpa_leq,
    Kind.FP_IS_NAN: z3core.Z3_mk_fpa_is_nan,
    Kind.FP_RTI: z3core.Z3_mk_fpa_round_to_integral,
}
_OF_MANY: dict[Kind, Callable[..., Handle]] = {Kind.AND: z3core.Z3_mk_and, Kind.OR: z3core.Z3_mk_or}
_INDICES_FIRST: dict[Kind, Callable[..., Handle]] = {
    Kind.BV_EXTRACT: z3core.Z3_mk_extract,
    Kind.BV_ZERO_EXTEND: z3core.Z3_mk_zero_ext,
    Kind.BV_SIGN_EXTEND: z3core.Z3_mk_sign_ext,
}
_INDICES_LAST: dict[Kind, Callable[..., Handle]] = {
    Kind.FP_TO_SBV: z3core.Z3_mk_fpa_to_sbv,
    Kind.FP_TO_UBV: z3core.Z3_mk_fpa_to_ubv,
}
_TO_FLOAT: dict[Kind, Callable[..., Handle]] = {
    Kind.FP_TO_FP_FROM_BV: z3core.Z3_mk_fpa_to_fp_bv,
    Kind.FP_TO_FP_FROM_FP: z3core.Z3_mk_fpa_to_fp_float,
    Kind.FP_TO_FP_FROM_SBV: z3core.Z3_mk_fpa_to_fp_signed,
    Kind.FP_TO_FP_FROM_UBV: z3core.Z3_mk_fpa_to_fp_unsigned,
}
_ROUNDING: dict[RoundingMode, Callable[..., Handle]] = {
    RoundingMode.RNE: z3core.Z3_mk_fpa_rne,
    RoundingMode.RTZ: z3core.Z3_mk_fpa_rtz,
    RoundingMode.RTN: z3core.Z3_mk_fpa_rtn,
    RoundingMode.RTP: z3core.Z3_mk_fpa_rtp,
    RoundingMode.RNA: z3core.Z3_mk_fpa_rna,
}


class Z3Manager:
    """Makes terms in a context of its own. A kind that z3 is not taught is a KeyError: a fault of veer itself."""

    def __init__(self) -> None:
        self.context = z3.Context()
        self._ref = self.context.ref()
        self._sorts: dict[tuple[int, int], Handle] = {}

    def mk_term(self, kind: Kind, terms: Sequence[Handle], indices: Sequence[int] = ()) -> Handle:
        """The term of an operator; kinds and indices are bitwuzla's."""
        if kind in _PLAIN:
            return self._kept(_PLAIN[kind](self._ref, *terms))
        if kind is Kind.BV_CONCAT:
            return reduce(lambda a, b: self._kept(z3core.Z3_mk_concat(self._ref, a, b)), terms)
        if kind in _OF_MANY:
            return self._kept(_OF_MANY[kind](self._ref, len(terms), _array(terms)))
        if kind in _INDICES_FIRST:
            return self._kept(_INDICES_FIRST[kind](self._ref, *indices, *terms))
        if kind in _INDICES_LAST:
            return self._kept(_INDICES_LAST[kind](self._ref, *terms, *indices))
        return self._kept(_TO_FLOAT[kind](self._ref, *terms, self._float_sort(*indices)))

    def mk_bv_sort(self, width: int) -> Handle:
        """The sort of bit-vectors of a width."""
        return self._sort((width, 0), lambda: z3core.Z3_mk_bv_sort(self._ref, width))

    def mk_bv_value(self, sort: Handle, value: int) -> Handle:
        """A constant, from its unsigned value."""
        return self._kept(z3core.Z3_mk_numeral(self._ref, str(value), sort))

    def mk_const(self, sort: Handle, name: str | None) -> Handle:
        """A variable; without a name it is like no other."""
        if name is None:
            return self._kept(z3core.Z3_mk_fresh_const(self._ref, "open", sort))
        return self._kept(z3core.Z3_mk_const(self._ref, z3core.Z3_mk_string_symbol(self._ref, name), sort))

    def mk_true(self) -> Handle:
        """The constant true."""
        return self._kept(z3core.Z3_mk_true(self._ref))

    def mk_false(self) -> Handle:
        """The constant false."""
        return self._kept(z3core.Z3_mk_false(self._ref))

    def mk_rm_value(self, mode: RoundingMode) -> Handle:
        """A rounding mode."""
        return self._kept(_ROUNDING[mode](self._ref))

    def condition(self, term: Handle) -> z3.BoolRef:
        """A Bool term as z3's Python class, for its solver."""
        return z3.BoolRef(term, self.context)

    def _float_sort(self, exponent: int, significand: int) -> Handle:
        return self._sort((exponent, significand), lambda: z3core.Z3_mk_fpa_sort(self._ref, exponent, significand))

    def _sort(self, key: tuple[int, int], make: Callable[[], Handle]) -> Handle:
        sort = self._sorts.get(key)
        if sort is None:
            sort = self._sorts[key] = make()
            z3core.Z3_inc_ref(self._ref, z3core.Z3_sort_to_ast(self._ref, sort))
        return sort

    def _kept(self, term: Handle) -> Handle:
        z3core.Z3_inc_ref(self._ref, term)
        return term


def _array(terms: Sequence[Handle]) -> Handle:
    return (z3.Ast * len(terms))(*terms)
