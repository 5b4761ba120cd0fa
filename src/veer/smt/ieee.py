"""Exact IEEE 754 binary32 and binary64 on bit patterns, as x86-64 SSE computes them (round to nearest even).

    bits ──decode──► Python float (a double holds every binary32) ──operate──► double ──encode──► bits

One rounding to double and one to single equals one rounding to single for + - * / and square root, because
53 >= 2 * 24 + 2 (Figueroa, "When is double rounding innocuous?", 1995). NaNs never pass through Python's arithmetic: an
operation on NaNs gives its first NaN operand, quieted; an invalid operation the default NaN, whose sign is set.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from ctypes import c_float
from fractions import Fraction

from msgspec import Struct

_SINGLE, _SINGLE_BITS = struct.Struct("<f"), struct.Struct("<I")
_DOUBLE, _DOUBLE_BITS = struct.Struct("<d"), struct.Struct("<Q")


class Format(Struct, frozen=True):
    """A floating-point format in bits: in all, exponent, significand (hidden bit included), as SMT-LIB counts them."""

    width: int
    exponent: int
    significand: int

    @property
    def sign(self) -> int:
        """The sign bit."""
        return 1 << (self.width - 1)

    @property
    def infinity(self) -> int:
        """Bits of +infinity; anything greater, sign aside, is a NaN."""
        return ((1 << self.exponent) - 1) << (self.significand - 1)

    @property
    def quiet(self) -> int:
        """The bit that makes a NaN quiet."""
        return 1 << (self.significand - 2)

    @property
    def default_nan(self) -> int:
        """What x86-64 gives for an invalid operation."""
        return self.sign | self.infinity | self.quiet

    def is_nan(self, bits: int) -> bool:
        """Whether these bits are a NaN."""
        return bits & ~self.sign > self.infinity


FORMATS = {32: Format(32, 8, 24), 64: Format(64, 11, 53)}


def decode(bits: int, width: int) -> float:
    """The number that the bits of a binary32 or binary64 mean. The bits of a NaN get lost."""
    if width == 32:
        return float(_SINGLE.unpack(_SINGLE_BITS.pack(bits))[0])
    return float(_DOUBLE.unpack(_DOUBLE_BITS.pack(bits))[0])


def encode(number: float, width: int) -> int:
    """Bits of the nearest binary32 or binary64; every NaN becomes the default NaN."""
    if math.isnan(number):
        return FORMATS[width].default_nan
    if width == 32:
        return int(_SINGLE_BITS.unpack(_SINGLE.pack(c_float(number).value))[0])
    return int(_DOUBLE_BITS.unpack(_DOUBLE.pack(number))[0])


def _divide(a: float, b: float) -> float:
    if b:
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _remainder(a: float, b: float) -> float:
    return math.nan if math.isinf(a) or b == 0 else math.fmod(a, b)


BINARY: dict[str, Callable[[float, float], float]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": _divide,
    "remainder": _remainder,
}


def binary(operation: Callable[[float, float], float], width: int, a: int, b: int) -> int:
    """Bits of `operation` on two bit patterns."""
    shape = FORMATS[width]
    for operand in (a, b):
        if shape.is_nan(operand):
            return operand | shape.quiet
    return encode(operation(decode(a, width), decode(b, width)), width)


def square_root(width: int, a: int) -> int:
    """Bits of the square root."""
    shape = FORMATS[width]
    if shape.is_nan(a):
        return a | shape.quiet
    number = decode(a, width)
    return encode(math.sqrt(number), width) if number >= 0 else shape.default_nan


def fused(width: int, a: int, b: int, c: int) -> int:
    """Bits of a * b + c, rounded once."""
    shape = FORMATS[width]
    for operand in (a, b, c):
        if shape.is_nan(operand):
            return operand | shape.quiet
    x, y, z = (decode(operand, width) for operand in (a, b, c))
    if math.isinf(z) and math.isfinite(x) and math.isfinite(y):
        return c
    if not math.isfinite(x) or not math.isfinite(y) or x == 0 or y == 0:
        return encode(x * y + z, width)
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        return encode(0.0, width)
    return shape.sign * (exact < 0) | _nearest(abs(exact), shape)


def _nearest(exact: Fraction, shape: Format) -> int:
    """Bits of the nearest number to one above 0, ties to even."""
    bias = (1 << shape.exponent - 1) - 1
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    exponent -= exact < Fraction(2) ** exponent
    least = max(exponent, 1 - bias) - (shape.significand - 1)  # what the last bit counts
    whole = round(exact / Fraction(2) ** least)
    # a sum that has one bit more carries into the exponent, as it should
    bits = whole if exponent < 1 - bias else whole + ((exponent + bias - 1) << shape.significand - 1)
    return min(bits, shape.infinity)


def half_away(number: float) -> int:
    """The nearest integer, ties away from zero."""
    whole = math.trunc(number)
    return whole + (1 if number > 0 else -1) if abs(number - whole) >= 0.5 else whole


def to_integral(rule: Callable[[float], int], width: int, a: int) -> int:
    """The integer that a rule rounds to, as a float with the operand's sign; NaNs become quiet."""
    shape = FORMATS[width]
    if shape.is_nan(a):
        return a | shape.quiet
    if a & ~shape.sign == shape.infinity:
        return a
    return encode(float(abs(rule(decode(a, width)))), width) | (a & shape.sign)


def resize(a: int, old: int, new: int) -> int:
    """Bits of the same number in another format (FPEXT, FPTRUNC); a NaN keeps its top payload bits, quieted."""
    if old == new:
        return a
    source, target = FORMATS[old], FORMATS[new]
    if not source.is_nan(a):
        return encode(decode(a, old), new)
    shift = target.significand - source.significand
    payload = a & ((1 << (source.significand - 1)) - 1)
    payload = payload << shift if shift >= 0 else payload >> -shift
    sign = target.sign if a & source.sign else 0
    return sign | target.infinity | target.quiet | payload


def signed_conversion_width(width: int) -> int:
    """Bits of the cvttsd2si by which a signed integer of `width` bits is made: the low bits of a longer conversion."""
    return 32 if width <= 32 else 64


def unsigned_conversion_width(width: int) -> int:
    """The same for an unsigned integer of at most 32 bits: the least signed conversion that holds all its values."""
    return 32 if width <= 16 else 64


def to_signed_integer(a: int, old: int, width: int) -> int:
    """FPTOSI: towards zero; out of range (or a NaN) the integer indefinite value of the conversion that x86-64 uses."""
    return _truncated(a, old, signed_conversion_width(width))


def to_unsigned_integer(a: int, old: int, width: int) -> int:
    """FPTOUI as LLVM emits it for x86-64: by signed conversions, from 2**63 on by one of x - 2**63."""
    if width <= 32:
        return _truncated(a, old, unsigned_conversion_width(width))
    number = decode(a, old)
    return math.trunc(number) if 2.0**63 <= number < 2.0**64 else _truncated(a, old, 64)


def _truncated(a: int, old: int, bits: int) -> int:
    number = decode(a, old)
    half = 1 << (bits - 1)
    if math.isnan(number) or math.isinf(number) or not -half <= math.trunc(number) < half:
        return half
    return math.trunc(number)


def from_integer(number: int, width: int) -> int:
    """Bits of the nearest float of an integer of at most 64 bits, ties to even, rounded once."""
    precision = FORMATS[width].significand
    excess = abs(number).bit_length() - precision
    if excess > 0:
        half = 1 << (excess - 1)
        quotient, rest = abs(number) >> excess, abs(number) & ((1 << excess) - 1)
        quotient += rest > half or (rest == half and quotient & 1 == 1)
        number = (quotient << excess) * (-1 if number < 0 else 1)
    return encode(float(number), width)
