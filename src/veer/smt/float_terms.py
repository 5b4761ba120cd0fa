"""Floating-point terms: binary32 and binary64, round to nearest even, conversions as x86-64 makes them.

Comparisons and conversions to integers of what is known to be a short binary fraction have no float (dyadic.py).
"""

from __future__ import annotations

from veer.smt.dyadic import Dyadics
from veer.smt.ieee import FORMATS, from_integer, signed_conversion_width, unsigned_conversion_width
from veer.smt.terms import BOOL, FLOATS, Number, Operator, Rounding, Terms, bits
from veer.smt.views import FROM_INTEGERS
from veer.wire.layout import Op

_RESULTS: dict[int, Operator] = {
    Op.FADD: Operator.FLOAT_ADD,
    Op.FSUB: Operator.FLOAT_SUB,
    Op.FMUL: Operator.FLOAT_MUL,
    Op.FDIV: Operator.FLOAT_DIV,
    Op.FSQRT: Operator.FLOAT_SQRT,
    Op.FFMA: Operator.FLOAT_FMA,
    Op.SITOFP: Operator.FLOAT_FROM_SIGNED,
    Op.UITOFP: Operator.FLOAT_FROM_UNSIGNED,
    Op.FPEXT: Operator.FLOAT_FROM_FLOAT,
    Op.FPTRUNC: Operator.FLOAT_FROM_FLOAT,
}
_INTEGRAL: dict[int, Rounding] = {
    Op.FRINT: Rounding.NEAREST_EVEN,
    Op.FFLOOR: Rounding.DOWN,
    Op.FCEIL: Rounding.UP,
    Op.FTRUNC: Rounding.TOWARDS_ZERO,
    Op.FROUND: Rounding.NEAREST_AWAY,
}
SIGN_OPERATORS: dict[int, Operator] = {Op.FNEG: Operator.FLOAT_NEG, Op.FABS: Operator.FLOAT_ABS}
"""Operators that can be made on bits and on floats."""
_COMPARISONS: dict[int, Operator] = {
    Op.FOEQ: Operator.FLOAT_EQUAL,
    Op.FOLT: Operator.FLOAT_LESS,
    Op.FOLE: Operator.FLOAT_LESS_EQUAL,
}


class FloatTerms:
    """Makes float terms in one table."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._dyadics = Dyadics(terms)

    def from_bits(self, number: Number, width: int) -> Number:
        """The float that a bit-vector of 32 or 64 bits represents."""
        made = self._terms.make(Operator.FLOAT_FROM_BITS, FLOATS[width], (number,))
        return self._dyadics.note(made, self._dyadics.of_bits(number, width))

    def operate(self, op: int, width: int, made: tuple[Number, ...]) -> Number:
        """The float term of an operator in views.FLOAT_RESULTS; conversions from integers take bit-vectors."""
        if op in _INTEGRAL:
            return self._operation(Operator.ROUND, width, made, _INTEGRAL[op])
        if op not in FROM_INTEGERS:
            return self._operation(_RESULTS[op], width, made)
        number = self._terms.make(_RESULTS[op], FLOATS[width], made)
        return self._dyadics.note(number, self._dyadics.of_integer(made[0], signed=op == Op.SITOFP))

    def sign(self, op: int, width: int, made: tuple[Number, ...]) -> Number:
        """The float term of an operator in SIGN_OPERATORS."""
        return self._operation(SIGN_OPERATORS[op], width, made)

    def choose(self, width: int, condition: Number, then: Number, otherwise: Number) -> Number:
        """The float term "if this, then that float, else the other"."""
        number = self._terms.make(Operator.ITE, FLOATS[width], (condition, then, otherwise))
        return self._dyadics.note(number, self._dyadics.of_choice(condition, then, otherwise))

    def compare(self, op: int, made: tuple[Number, ...]) -> Number:
        """The Bool term of an operator in views.FLOAT_COMPARISONS."""
        if op == Op.FUNO:
            return self._any_nan([number for number in made if not self._dyadics.is_number(number)])
        operator = _COMPARISONS[op]
        short = self._dyadics.compared(operator, made)
        return self._terms.make(operator, BOOL, made) if short is None else short

    def to_signed_integer(self, number: Number, old: int, width: int) -> Number:
        """FPTOSI; where SMT-LIB leaves the result open (NaN, out of range), what `ieee.to_signed_integer` says."""
        return self._converted(number, old, signed_conversion_width(width), width)

    def to_unsigned_integer(self, number: Number, old: int, width: int) -> Number:
        """FPTOUI, as `ieee.to_unsigned_integer`."""
        if width <= 32:
            return self._converted(number, old, unsigned_conversion_width(width), width)
        whole = self._dyadics.whole(number, 64)
        if whole is not None:
            return self._cut(whole, 64, width)
        make = self._terms.make
        unsigned = make(Operator.TO_UNSIGNED, bits(64), (number,))
        in_range = self._between(number, old, -1, 1 << 64)
        either = make(Operator.ITE, bits(64), (in_range, unsigned, self._converted(number, old, 64, 64)))
        return self._cut(either, 64, width)

    def is_ordinary(self, number: Number, pattern: Number, width: int) -> Number:
        """The Bool term "this float is no NaN, or its bits are those of the default NaN"."""
        make = self._terms.make
        is_number = make(Operator.NOT, BOOL, (make(Operator.IS_NAN, BOOL, (number,)),))
        default = self._terms.value(width, FORMATS[width].default_nan)
        return make(Operator.OR, BOOL, (is_number, make(Operator.EQUAL, BOOL, (pattern, default))))

    def _operation(
        self, operator: Operator, width: int, made: tuple[Number, ...], parameter: Rounding | None = None
    ) -> Number:
        number = self._terms.make(operator, FLOATS[width], made, parameter)
        return self._dyadics.note(number, self._dyadics.of_operation(operator, made))

    def _any_nan(self, numbers: list[Number]) -> Number:
        nans = [self._terms.make(Operator.IS_NAN, BOOL, (number,)) for number in numbers]
        if len(nans) > 1:
            return self._terms.make(Operator.OR, BOOL, tuple(nans))
        return nans[0] if nans else self._terms.truth(False)  # noqa: FBT003

    def _converted(self, number: Number, old: int, long: int, width: int) -> Number:
        """The low `width` bits of the signed conversion to `long` bits."""
        whole = self._dyadics.whole(number, long)
        if whole is not None:
            return self._cut(whole, long, width)
        half = 1 << (long - 1)
        value = self._terms.make(Operator.TO_SIGNED, bits(long), (number,))
        indefinite = self._terms.value(long, half)
        low_is_exact = (half + 1).bit_length() <= FORMATS[old].significand
        in_range = self._between(number, old, -half - 1 if low_is_exact else -half, half, low_included=not low_is_exact)
        either = self._terms.make(Operator.ITE, bits(long), (in_range, value, indefinite))
        return self._cut(either, long, width)

    def _cut(self, number: Number, old: int, width: int) -> Number:
        return number if old == width else self._terms.make(Operator.EXTRACT, bits(width), (number,), 0)

    def _between(self, number: Number, old: int, low: int, high: int, *, low_included: bool = False) -> Number:
        """low < number < high (or low <= number); low and high are representable. False for a NaN."""
        make = self._terms.make
        above = Operator.FLOAT_LESS_EQUAL if low_included else Operator.FLOAT_LESS
        below_high = make(Operator.FLOAT_LESS, BOOL, (number, self._number(high, old)))
        above_low = make(above, BOOL, (self._number(low, old), number))
        return make(Operator.AND, BOOL, (above_low, below_high))

    def _number(self, number: int, width: int) -> Number:
        """The float constant of an integer that is representable."""
        return self.from_bits(self._terms.value(width, from_integer(number, width)), width)
