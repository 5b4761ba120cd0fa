"""Floats that are short binary fractions, n / 2**s: what is asked of them is asked of n, without a float.

    (double)a * 0.5 < (double)b        a, b of 8 bits          ⟶   a  <  b * 2       in 10 bits

Sums and products of integers in floats are exact as long as n fits in the significand; solvers take their bits apart
all the same, which costs seconds in the place of microseconds. A Dyadic says nothing of a zero's sign: comparisons and
conversions to integers do not see it. What does (divisions by zero, square roots, the bits) has the float term itself.
"""

from __future__ import annotations

from typing import NamedTuple

from veer.smt.ieee import FORMATS, decode
from veer.smt.terms import BOOL, Number, Operator, Terms, bits

_MOST_SCALE = 64
"""2**-64 times any n is far from what is too small for a binary32."""
_SUMS = {Operator.FLOAT_ADD: Operator.ADD, Operator.FLOAT_SUB: Operator.SUB}
_COMPARISONS = {
    Operator.FLOAT_EQUAL: Operator.EQUAL,
    Operator.FLOAT_LESS: Operator.SLT,
    Operator.FLOAT_LESS_EQUAL: Operator.SLE,
}
_EXTENSIONS = (Operator.SIGN_EXTEND, Operator.ZERO_EXTEND)


class Dyadic(NamedTuple):
    """A float's value: the signed bit-vector `number`, `width` bits wide, divided by 2**scale."""

    number: Number
    width: int
    scale: int = 0


class Dyadics:
    """The Dyadics of the float terms of one table, where they are known."""

    def __init__(self, terms: Terms) -> None:
        self._terms = terms
        self._known: dict[Number, Dyadic] = {}

    def note(self, number: Number, value: Dyadic | None) -> Number:
        """Keeps what a float term is, unless it is too long to be exact; the same term."""
        room = FORMATS[self._terms[number].sort.width].significand
        if value is not None and value.width <= room and 0 <= value.scale <= _MOST_SCALE:
            self._known[number] = value
        return number

    def of_bits(self, number: Number, width: int) -> Dyadic | None:
        """What a constant is, from its bits."""
        term = self._terms[number]
        if term.operator is not Operator.VALUE or not isinstance(term.parameter, int):
            return None
        value = decode(term.parameter, width)
        if value - value != 0:  # infinite, or no number
            return None
        numerator, denominator = value.as_integer_ratio()
        length = numerator.bit_length() + 1
        if length > FORMATS[width].significand:
            return None
        constant = self._terms.value(length, numerator & ((1 << length) - 1))
        return Dyadic(constant, length, denominator.bit_length() - 1)

    def of_integer(self, number: Number, *, signed: bool) -> Dyadic:
        """What the conversion of a bit-vector is; what only makes it longer is left out."""
        term = self._terms[number]
        while term.operator in _EXTENSIONS and (signed or term.operator is Operator.ZERO_EXTEND):
            inner = self._terms[term.operands[0]]
            if inner.sort == term.sort:
                break
            number, signed, term = term.operands[0], term.operator is Operator.SIGN_EXTEND, inner
        width = term.sort.width
        if not signed:
            number, width = self._long(number, width + 1, Operator.ZERO_EXTEND), width + 1
        return Dyadic(number, width)

    def of_operation(self, operator: Operator, operands: tuple[Number, ...]) -> Dyadic | None:
        """What a float operation on these terms gives."""
        known = [self._known.get(each) for each in operands]
        values = [each for each in known if each is not None]
        if len(values) < len(known):
            return None
        match operator:
            case Operator.FLOAT_FROM_FLOAT:
                return values[0]
            case Operator.ROUND:
                return None if values[0].scale else values[0]
            case Operator.FLOAT_NEG | Operator.FLOAT_ABS:
                return self._signed(operator, values[0])
            case Operator.FLOAT_ADD | Operator.FLOAT_SUB:
                one, other = self._alike(values[0], values[1], more=1)
                return one._replace(number=self._made(_SUMS[operator], one.width, one.number, other.number))
            case Operator.FLOAT_FMA:
                product = self._product(values[0], values[1])
                if product is None:
                    return None
                one, other = self._alike(product, values[2], more=1)
                return one._replace(number=self._made(Operator.ADD, one.width, one.number, other.number))
            case Operator.FLOAT_MUL:
                return self._product(values[0], values[1])
            case Operator.FLOAT_DIV:
                return self._quotient(values[0], values[1])
        return None

    def of_choice(self, condition: Number, then: Number, otherwise: Number) -> Dyadic | None:
        """What one of two floats is."""
        both = self._both(then, otherwise)
        if both is None:
            return None
        one, other = both
        return one._replace(number=self._made(Operator.ITE, one.width, condition, one.number, other.number))

    def compared(self, operator: Operator, operands: tuple[Number, ...]) -> Number | None:
        """The Bool term of a comparison of floats, of bit-vectors; None where they are not known."""
        both = self._both(*operands)
        if both is None:
            return None
        one, other = both
        return self._terms.make(_COMPARISONS[operator], BOOL, (one.number, other.number))

    def is_number(self, number: Number) -> bool:
        """Whether this float is known to be no NaN."""
        return number in self._known

    def whole(self, number: Number, width: int) -> Number | None:
        """The float as a signed integer of `width` bits; None where it is not known, no integer, or too long."""
        value = self._known.get(number)
        if value is None or value.scale or value.width > width:
            return None
        return self._long(value.number, width)

    def _signed(self, operator: Operator, value: Dyadic) -> Dyadic:
        width = value.width + 1
        number, zero = self._long(value.number, width), self._terms.value(width, 0)
        negated = self._made(Operator.SUB, width, zero, number)
        if operator is Operator.FLOAT_NEG:
            return Dyadic(negated, width, value.scale)
        is_negative = self._terms.make(Operator.SLT, BOOL, (number, zero))
        return Dyadic(self._made(Operator.ITE, width, is_negative, negated, number), width, value.scale)

    def _product(self, one: Dyadic, other: Dyadic) -> Dyadic:
        width = one.width + other.width
        factors = [self._long(each.number, width) for each in (one, other)]
        return Dyadic(self._made(Operator.MUL, width, *factors), width, one.scale + other.scale)

    def _quotient(self, value: Dyadic, divisor: Dyadic) -> Dyadic | None:
        """What a division by a constant power of two gives; others may have no end in binary."""
        constant = self._terms[divisor.number]
        power = constant.parameter
        if constant.operator is not Operator.VALUE or not isinstance(power, int):
            return None
        if power.bit_count() != 1 or power >> (divisor.width - 1):
            return None
        scale = value.scale + power.bit_length() - 1 - divisor.scale
        if scale >= 0:
            return value._replace(scale=scale)
        return self._over(value._replace(scale=scale), value.width - scale, 0)

    def _both(self, one: Number, other: Number) -> tuple[Dyadic, Dyadic] | None:
        """Two float terms with one scale and one width, where both are known."""
        first, second = self._known.get(one), self._known.get(other)
        return self._alike(first, second) if first is not None and second is not None else None

    def _alike(self, one: Dyadic, other: Dyadic, more: int = 0) -> tuple[Dyadic, Dyadic]:
        """Both with one scale and one width, `more` bits longer than they need."""
        scale = max(one.scale, other.scale)
        width = max(each.width + scale - each.scale for each in (one, other)) + more
        return self._over(one, width, scale), self._over(other, width, scale)

    def _over(self, value: Dyadic, width: int, scale: int) -> Dyadic:
        """The same value over 2**scale, in a width that has room for it."""
        number = self._long(value.number, width)
        if scale > value.scale:
            number = self._made(Operator.SHL, width, number, self._terms.value(width, scale - value.scale))
        return Dyadic(number, width, scale)

    def _long(self, number: Number, width: int, extension: Operator = Operator.SIGN_EXTEND) -> Number:
        """A bit-vector in `width` bits."""
        return number if self._terms[number].sort.width == width else self._made(extension, width, number)

    def _made(self, operator: Operator, width: int, *operands: Number) -> Number:
        return self._terms.make(operator, bits(width), operands)
