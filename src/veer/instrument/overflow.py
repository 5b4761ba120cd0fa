"""Arithmetic with an overflow flag, in plain operations.

Where the operands are too small to overflow (valueranges.py), there is no check. Products with a constant overflow
beyond bounds of the other factor; others are made in double width, or by upper halves above 32 bits.
"""

from __future__ import annotations

import re

from veer.instrument.instructions import Instruction
from veer.instrument.plain import PlainCode

_NUMBER = re.compile(r"-?\d+")


def with_overflow(code: PlainCode, opcode: str, call: Instruction, *, signed: bool) -> str:
    """llvm.{s,u}{add,sub,mul}.with.overflow: the result and whether it is not what arithmetic says."""
    type_, left = call.operands[0]
    right = call.operands[1].value
    width = code.layout.width(type_)
    if opcode == "mul":
        for factor, other in ((right, left), (left, right)):
            if _NUMBER.fullmatch(factor):
                return _multiple(code, type_, other, int(factor), signed=signed)
        if width > 32:
            return _wide_product(code, type_, left, right, signed=signed)
        double = f"i{2 * width}"
        extend = "sext" if signed else "zext"
        wide = code.operation(
            "mul", double, code.cast(extend, type_, left, double), code.cast(extend, type_, right, double)
        )
        value = code.cast("trunc", double, wide, type_)
        again = code.cast(extend, type_, value, double)
        return code.pair(type_, value, code.compare("ne", double, wide, again))
    return code.pair(type_, *_sum(code, opcode, call, signed=signed))


def without_overflow(opcode: str, code: PlainCode, call: Instruction) -> str:
    """The same, of operands that cannot overflow."""
    type_, left = call.operands[0]
    return code.pair(type_, code.operation(opcode, type_, left, call.operands[1].value), "false")


def _multiple(code: PlainCode, type_: str, factor: str, constant: int, *, signed: bool) -> str:
    """The product with a constant overflows if the factor is beyond what the constant leaves room for."""
    width = code.layout.width(type_)
    value = code.operation("mul", type_, factor, str(constant))
    if constant in (0, 1):
        return code.pair(type_, value, "false")
    if not signed:
        most = ((1 << width) - 1) // (constant % (1 << width))
        return code.pair(type_, value, code.compare("ugt", type_, factor, str(most)))
    least, greatest = -(1 << (width - 1)), (1 << (width - 1)) - 1
    size = abs(constant)
    low, high = (-(-least // size), greatest // size) if constant > 0 else (-(greatest // size), -least // size)
    below = code.compare("slt", type_, factor, str(low))
    if high >= greatest:
        return code.pair(type_, value, below)
    return code.pair(type_, value, code.operation("or", "i1", below, code.compare("sgt", type_, factor, str(high))))


def _sum(code: PlainCode, opcode: str, call: Instruction, *, signed: bool) -> tuple[str, str]:
    """The sum or difference of a call's operands, and whether it overflows."""
    type_, left = call.operands[0]
    right = call.operands[1].value
    value = code.operation(opcode, type_, left, right)
    if not signed:
        return value, code.compare("ult", type_, *((value, left) if opcode == "add" else (left, right)))
    differs = code.operation("xor", type_, left, value)  # where the sign is not the left operand's
    other = code.operation("xor", type_, right, value if opcode == "add" else left)
    signs = code.operation("and", type_, differs, other)
    return value, code.compare("slt", type_, signs, 0)


def saturating(opcode: str, code: PlainCode, call: Instruction, *, signed: bool) -> str:
    """llvm.{s,u}{add,sub}.sat: the bound that was passed, if one was."""
    type_, left = call.operands[0]
    width = code.layout.width(type_)
    value, overflow = _sum(code, opcode, call, signed=signed)
    if not signed:
        return code.choose(type_, overflow, "-1" if opcode == "add" else "0", value)
    least = str(-(1 << (width - 1)))
    bound = code.choose(type_, code.compare("slt", type_, left, 0), least, str((1 << (width - 1)) - 1))
    return code.choose(type_, overflow, bound, value)


def _wide_product(code: PlainCode, type_: str, left: str, right: str, *, signed: bool) -> str:
    """The product of 33 to 64 bits overflows if its upper half is not what the lower half's sign says."""
    full = "i64"
    if type_ != full:
        extend = "sext" if signed else "zext"
        left, right = code.cast(extend, type_, left, full), code.cast(extend, type_, right, full)
    upper = _upper_product(code, left, right)
    if signed:
        for factor, other in ((left, right), (right, left)):
            taken = code.operation("and", full, code.operation("ashr", full, factor, 63), other)
            upper = code.operation("sub", full, upper, taken)
    lower = code.operation("mul", full, left, right)
    expected = code.operation("ashr", full, lower, 63) if signed else "0"
    overflow = code.compare("ne", full, upper, expected)
    value = lower
    if type_ != full:
        value = code.cast("trunc", full, lower, type_)
        again = code.cast("sext" if signed else "zext", type_, value, full)
        overflow = code.operation("or", "i1", overflow, code.compare("ne", full, lower, again))
    return code.pair(type_, value, overflow)


def _upper_product(code: PlainCode, left: str, right: str) -> str:
    """Upper 64 bits of the unsigned product, from four products of halves."""
    full, mask = "i64", 0xFFFFFFFF
    low_left, low_right = code.operation("and", full, left, mask), code.operation("and", full, right, mask)
    high_left, high_right = code.operation("lshr", full, left, 32), code.operation("lshr", full, right, 32)
    lowest = code.operation("lshr", full, code.operation("mul", full, low_left, low_right), 32)
    middle = code.operation("add", full, code.operation("mul", full, high_left, low_right), lowest)
    carry = code.operation("lshr", full, middle, 32)
    other = code.operation(
        "add", full, code.operation("mul", full, low_left, high_right), code.operation("and", full, middle, mask)
    )
    upper = code.operation("add", full, code.operation("mul", full, high_left, high_right), carry)
    return code.operation("add", full, upper, code.operation("lshr", full, other, 32))
