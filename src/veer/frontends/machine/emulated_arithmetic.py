"""Calculations of a machine's support library, for replays: in Python, which shares nothing with veer's IR.

A floating-point number travels as its bits. Python's numbers are doubles: one operation on two floats, rounded twice,
is the float that IEEE 754 wants (Figueroa, 1995).
"""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable

_WIDE = 64
_Number = Callable[..., int]


class ZeroDivisionOfProgramError(Exception):
    """The program divided by zero."""


def _float(bits: int) -> float:
    return float(struct.unpack("<f", struct.pack("<I", bits))[0])


def _double(bits: int) -> float:
    return float(struct.unpack("<d", struct.pack("<Q", bits))[0])


def _float_bits(value: float) -> int:
    return int.from_bytes(bytes(ctypes.c_float(value)), "little")


def _double_bits(value: float) -> int:
    return int(struct.unpack("<Q", struct.pack("<d", value))[0])


def _quotient(a: int, b: int) -> int:
    """Towards zero."""
    if b == 0:
        raise ZeroDivisionOfProgramError
    found = abs(a) // abs(b)
    return found if (a < 0) == (b < 0) else -found


def _rest(a: int, b: int) -> int:
    return a - b * _quotient(a, b)


def _both(bits: int) -> _Number:
    """The quotient, and the rest above it."""
    mask = (1 << bits) - 1
    return lambda a, b: (_quotient(a, b) & mask) | (_rest(a, b) & mask) << bits


def _divided(a: float, b: float) -> float:
    if b != 0 or math.isnan(a) or math.isnan(b):
        return a / b if b != 0 else math.nan
    if a == 0:
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _order(a: float, b: float) -> int:
    return (a > b) - (a < b)


def _below(a: float, b: float) -> int:
    return 1 if math.isnan(a) or math.isnan(b) else _order(a, b)


def _above(a: float, b: float) -> int:
    return -1 if math.isnan(a) or math.isnan(b) else _order(a, b)


def _nearest(bits: int, *, is_signed: bool) -> Callable[[float], int]:
    least, most = (-(1 << bits - 1), (1 << bits - 1) - 1) if is_signed else (0, (1 << bits) - 1)

    def whole(value: float) -> int:
        if math.isnan(value):
            return 0
        return least if value <= least else most if value >= most else int(value)

    return whole


def _from_integer(mantissa: int, value: int) -> float:
    """The nearest number with so many bits, of two equally near ones the even one: rounded once."""
    size = abs(value)
    spare = max(size.bit_length() - mantissa, 0)
    kept, lost, half = size >> spare, size & ((1 << spare) - 1), (1 << spare) >> 1
    kept += spare > 0 and (lost > half or (lost == half and kept & 1))
    return math.copysign(float(kept << spare), value)


def _counts(bits: int) -> dict[str, _Number]:
    return {
        "clz": lambda a: bits - a.bit_length(),
        "ctz": lambda a: (a & -a).bit_length() - 1 if a else bits,
        "popcount": lambda a: a.bit_count(),
        "parity": lambda a: a.bit_count() & 1,
        "bswap": lambda a: int.from_bytes(a.to_bytes(bits // 8, "little"), "big"),
    }


def _on_floats(letter: str, read: Callable[[int], float], kept: Callable[[float], int]) -> dict[str, _Number]:
    """Of one width, by the names of the EABI; `letter`: f or d."""
    mantissa, sign = (24, 1 << 31) if letter == "f" else (53, 1 << 63)

    def two(what: Callable[[float, float], float]) -> _Number:
        return lambda a, b: kept(what(read(a), read(b)))

    def seen(what: Callable[[float, float], int]) -> _Number:
        return lambda a, b: int(what(read(a), read(b)))

    def of(what: Callable[[float], int]) -> _Number:
        return lambda a: what(read(a))

    def made(a: int) -> int:
        return kept(_from_integer(mantissa, a))

    return {
        "add": two(lambda a, b: a + b),
        "sub": two(lambda a, b: a - b),
        "rsub": two(lambda a, b: b - a),
        "mul": two(lambda a, b: a * b),
        "div": two(_divided),
        "neg": lambda a: a ^ sign,
        "cmpeq": seen(lambda a, b: a == b),
        "cmplt": seen(lambda a, b: a < b),
        "cmple": seen(lambda a, b: a <= b),
        "cmpge": seen(lambda a, b: a >= b),
        "cmpgt": seen(lambda a, b: a > b),
        "cmpun": seen(lambda a, b: math.isnan(a) or math.isnan(b)),
        "below": seen(_below),
        "above": seen(_above),
        "2iz": of(_nearest(32, is_signed=True)),
        "2uiz": of(_nearest(32, is_signed=False)),
        "2lz": of(_nearest(_WIDE, is_signed=True)),
        "2ulz": of(_nearest(_WIDE, is_signed=False)),
        **dict.fromkeys(("i2", "ui2", "l2", "ul2"), made),
    }


def _shift(a: int, by: int, bits: int = _WIDE) -> int:
    """To the left where `by` is positive."""
    return (a << by) % (1 << bits) if by >= 0 else a >> -by


def _named() -> dict[str, _Number]:
    found: dict[str, _Number] = {
        **dict.fromkeys(("__aeabi_idiv", "__aeabi_uidiv", "__divsi3", "__udivsi3", "__divdi3", "__udivdi3"), _quotient),
        **dict.fromkeys(("__modsi3", "__umodsi3", "__moddi3", "__umoddi3"), _rest),
        **dict.fromkeys(("__aeabi_idivmod", "__aeabi_uidivmod"), _both(32)),
        **dict.fromkeys(("__aeabi_ldivmod", "__aeabi_uldivmod"), _both(_WIDE)),
        **dict.fromkeys(("__aeabi_lmul", "__muldi3", "__mulsi3"), lambda a, b: a * b),
        **dict.fromkeys(("__aeabi_llsl", "__ashldi3"), lambda a, by: _shift(a, min(by % (1 << 32), _WIDE))),
        **dict.fromkeys(
            ("__aeabi_llsr", "__lshrdi3", "__aeabi_lasr", "__ashrdi3"),
            lambda a, by: _shift(a, -min(by % (1 << 32), _WIDE)),
        ),
        **dict.fromkeys(("__aeabi_lcmp", "__aeabi_ulcmp"), _order),
        **dict.fromkeys(("__cmpdi2", "__ucmpdi2"), lambda a, b: _order(a, b) + 1),
        "__negdi2": lambda a: -a,
        "__aeabi_f2d": lambda a: _double_bits(_float(a)),
        "__aeabi_d2f": lambda a: _float_bits(_double(a)),
    }
    for mode, bits in (("si2", 32), ("di2", _WIDE)):
        found |= {f"__{name}{mode}": what for name, what in _counts(bits).items()}
    floats = {"f": _on_floats("f", _float, _float_bits), "d": _on_floats("d", _double, _double_bits)}
    for letter, mode in (("f", "sf"), ("d", "df")):
        own = floats[letter]
        found |= {f"__aeabi_{letter}{name}": what for name, what in own.items() if not name.endswith("i2")}
        found |= {f"__aeabi_{name}{letter}": own[name] for name in ("i2", "ui2", "l2", "ul2")}
        found |= {f"__{name}{mode}3": own[name] for name in ("add", "sub", "mul", "div")}
        found[f"__neg{mode}2"], found[f"__unord{mode}2"] = own["neg"], own["cmpun"]
        found |= {f"__{name}{mode}2": own["below"] for name in ("eq", "ne", "lt", "le")}
        found |= {f"__{name}{mode}2": own["above"] for name in ("gt", "ge")}
        for way, kind in (("fix", "2"), ("fixuns", "2u")):
            found[f"__{way}{mode}si"], found[f"__{way}{mode}di"] = own[f"{kind}iz"], own[f"{kind}lz"]
        for way, kind in (("float", ""), ("floatun", "u")):
            found[f"__{way}si{mode}"], found[f"__{way}di{mode}"] = own[f"{kind}i2"], own[f"{kind}l2"]
    found["__extendsfdf2"], found["__truncdfsf2"] = found["__aeabi_f2d"], found["__aeabi_d2f"]
    return found


CALCULATIONS = _named()
"""By their names; arguments are numbers with the signs of their types."""
