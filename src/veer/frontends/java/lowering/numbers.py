"""Arithmetic as Java has it: it wraps, shifts by the lower bits, never traps but for a divisor of 0, and saturates."""

from __future__ import annotations

from veer.frontends.java.lowering.kinds import IR_TYPES
from veer.frontends.java.lowering.text import FunctionText

_BINARY = {"add": "add", "sub": "sub", "mul": "mul", "and": "and", "or": "or", "xor": "xor"}
_FLOAT = {"add": "fadd", "sub": "fsub", "mul": "fmul", "div": "fdiv", "rem": "frem"}
_SHIFTS = {"shl": "shl", "shr": "ashr", "ushr": "lshr"}
_LIMITS = {
    ("F", "I"): ("0x41E0000000000000", "0xC1E0000000000000"),
    ("F", "J"): ("0x43E0000000000000", "0xC3E0000000000000"),
    ("D", "I"): ("0x41E0000000000000", "0xC1E0000000000000"),
    ("D", "J"): ("0x43E0000000000000", "0xC3E0000000000000"),
}
"""2^31 and 2^63, from which on floats are too large, and their negatives."""
_KINDS = {"i": "I", "l": "J", "f": "F", "d": "D"}
_EXTREMES = {"I": (2**31 - 1, -(2**31)), "J": (2**63 - 1, -(2**63))}


def kind_of_prefix(name: str) -> str:
    """The kind that an instruction is about, by its first letter."""
    return _KINDS[name[0]]


def binary(text: FunctionText, name: str, one: str, other: str) -> str:
    """iadd and its kin, without division of integers."""
    kind = kind_of_prefix(name)
    type_, operation = IR_TYPES[kind], name[1:]
    if kind in "FD":
        return text.value(f"{_FLOAT[operation]} {type_} {one}, {other}")
    return text.value(f"{_BINARY[operation]} {type_} {one}, {other}")


def shift(text: FunctionText, name: str, value: str, by: str) -> str:
    """A shift by the lower 5 or 6 bits of an int."""
    kind = kind_of_prefix(name)
    type_, bits = IR_TYPES[kind], 31 if kind == "I" else 63
    masked = text.value(f"and i32 {by}, {bits}")
    if kind == "J":
        masked = text.value(f"zext i32 {masked} to i64")
    return text.value(f"{_SHIFTS[name[1:]]} {type_} {value}, {masked}")


def divide(text: FunctionText, name: str, one: str, other: str) -> str:
    """idiv, irem, ldiv, lrem, where the divisor is known not to be 0. The least number divided by -1 is itself."""
    type_ = IR_TYPES[kind_of_prefix(name)]
    is_minus = text.value(f"icmp eq {type_} {other}, -1")
    divisor = text.choose(is_minus, type_, "1", other)
    if name[1:] == "rem":
        return text.value(f"srem {type_} {one}, {divisor}")
    quotient = text.value(f"sdiv {type_} {one}, {divisor}")
    negative = text.value(f"sub {type_} 0, {one}")
    return text.choose(is_minus, type_, negative, quotient)


def negate(text: FunctionText, name: str, value: str) -> str:
    """ineg and its kin."""
    kind = kind_of_prefix(name)
    return text.value(f"fneg {IR_TYPES[kind]} {value}" if kind in "FD" else f"sub {IR_TYPES[kind]} 0, {value}")


def convert(text: FunctionText, name: str, value: str) -> str:
    """i2l and its kin."""
    source, _, target = name.partition("2")
    if target in ("b", "c", "s"):
        narrow = text.value(f"trunc i32 {value} to {'i8' if target == 'b' else 'i16'}")
        return text.value(
            f"{'zext i16' if target == 'c' else 'sext i8' if target == 'b' else 'sext i16'} {narrow} to i32"
        )
    one, other = _KINDS[source], _KINDS[target]
    if other in "IJ" and one in "FD":
        return _saturated(text, one, other, value)
    operation = {"IJ": "sext", "JI": "trunc", "FD": "fpext", "DF": "fptrunc"}.get(one + other, "sitofp")
    return text.value(f"{operation} {IR_TYPES[one]} {value} to {IR_TYPES[other]}")


def _saturated(text: FunctionText, source: str, target: str, value: str) -> str:
    """A float as an integer: 0 for NaN, the largest or the least one for what does not fit."""
    from_, to = IR_TYPES[source], IR_TYPES[target]
    high, low = _LIMITS[source, target]
    most, least = _EXTREMES[target]
    fits_high = text.value(f"fcmp olt {from_} {value}, {high}")
    fits_low = text.value(f"fcmp oge {from_} {value}, {low}")
    fits = text.value(f"and i1 {fits_high}, {fits_low}")
    safe = text.choose(fits, from_, value, "0.0")
    number = text.value(f"fptosi {from_} {safe} to {to}")
    is_large = text.value(f"fcmp oge {from_} {value}, {high}")
    is_small = text.value(f"fcmp olt {from_} {value}, {low}")
    number = text.choose(is_large, to, str(most), number)
    return text.choose(is_small, to, str(least), number)


def compare(text: FunctionText, name: str, one: str, other: str) -> str:
    """lcmp, fcmpl and their kin: -1, 0 or 1; with NaN -1 (…l) or 1 (…g)."""
    type_ = IR_TYPES[kind_of_prefix(name)]
    if name == "lcmp":
        more, less = f"icmp sgt {type_}", f"icmp slt {type_}"
    else:
        is_high = name.endswith("g")
        more, less = f"fcmp {'ugt' if is_high else 'ogt'} {type_}", f"fcmp {'olt' if is_high else 'ult'} {type_}"
    is_more, is_less = text.value(f"{more} {one}, {other}"), text.value(f"{less} {one}, {other}")
    high, low = (text.value(f"zext i1 {each} to i32") for each in (is_more, is_less))
    return text.value(f"sub i32 {high}, {low}")


_INTEGER_TESTS = {"eq": "eq", "ne": "ne", "lt": "slt", "ge": "sge", "gt": "sgt", "le": "sle"}
_ORDERED, _UNORDERED = "o", "u"


def tested(name: str, test: str) -> str:
    """The predicate of `compare` by `name` and a test of its result against 0: "fcmp ult" for fcmpl and iflt."""
    if name == "lcmp":
        return f"icmp {_INTEGER_TESTS[test]}"
    nan = 1 if name.endswith("g") else -1
    holds_for_nan = {"eq": nan == 0, "ne": nan != 0, "lt": nan < 0, "ge": nan >= 0, "gt": nan > 0, "le": nan <= 0}[test]
    return f"fcmp {_UNORDERED if holds_for_nan else _ORDERED}{test}"


def integer_test(test: str) -> str:
    """The predicate of if_icmplt and its kin."""
    return _INTEGER_TESTS[test]
