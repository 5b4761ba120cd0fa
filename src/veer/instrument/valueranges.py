"""The least and the greatest value of an integer, as far as the operations that make it tell.

    %a = sext i16 %x to i32        -32768 ... 32767
    %b = and i32 %y, 255           0 ... 255

Arithmetic on values that are small for their type cannot overflow, so it needs no check: neither in each run nor of a
solver, for which a product of two unknowns is hard. What comes from a phi, a load, an argument or a call is any value
of its type.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.typelayout import Layout

Range = tuple[int, int]
"""The least and the greatest value, as signed integers."""
_NUMBER = re.compile(r"-?\d+")
_DEPTH = 8
"""So many operations are followed: what makes a value small is near."""


class ValueRanges:
    """Of one function's values; `definitions`: the instruction that makes a value, before it is lowered."""

    def __init__(self, layout: Layout, definitions: Mapping[str, Instruction]) -> None:
        self._layout = layout
        self._definitions = definitions

    def of(self, operand: Operand) -> Range:
        """The range of an integer of at most 64 bits."""
        return self._range(operand, _DEPTH)

    def fits(self, opcode: str, operands: tuple[Operand, Operand], *, signed: bool) -> bool:
        """Whether the sum, difference or product of two integers cannot overflow their type."""
        width = self._layout.width(operands[0].type)
        if not width:
            return False
        low, high = _ARITHMETIC[opcode](self.of(operands[0]), self.of(operands[1]))
        if signed:
            return -(1 << (width - 1)) <= low and high < 1 << (width - 1)
        # An unsigned operand that is below 0 as a signed one is a large number.
        return min(self.of(operand)[0] for operand in operands) >= 0 and low >= 0 and high < 1 << width

    def _range(self, operand: Operand, depth: int) -> Range:
        width = self._layout.width(operand.type)
        every = _every(width)
        value = operand.value
        if _NUMBER.fullmatch(value):
            number = int(value)
            return (number, number) if every[0] <= number <= every[1] else every
        made = self._definitions.get(value)
        if made is None or depth == 0:
            return every
        found = self._made(made, depth - 1)
        return found if every[0] <= found[0] and found[1] <= every[1] else every

    def _made(self, made: Instruction, depth: int) -> Range:
        """The range of an instruction's result, one beyond its type's where that is all that can be said."""
        if made.opcode == "extractvalue":
            return self._flagged(made, depth)
        ranges = [self._range(operand, depth) for operand in made.operands if self._layout.width(operand.type)]
        every = _every(self._layout.width(made.type))
        if made.opcode == "select" and len(ranges) == 3:
            return min(ranges[1][0], ranges[2][0]), max(ranges[1][1], ranges[2][1])
        if made.opcode in ("sext", "zext", "trunc") and len(ranges) == 1:
            source = self._layout.width(made.operands[0].type)
            return _unsigned(ranges[0], source) if made.opcode == "zext" else ranges[0]
        rule = _BINARY.get(made.opcode)
        return rule(ranges[0], ranges[1], every) if rule is not None and len(ranges) == 2 else every

    def _flagged(self, made: Instruction, depth: int) -> Range:
        """The value of arithmetic with an overflow flag; where it may have overflowed, that is any."""
        call = self._definitions.get(made.operands[0].value)
        name = call.call.callee if call is not None and call.call is not None else ""
        opcode = name[len("@llvm.s") :].partition(".")[0]
        if call is None or made.indices != (0,) or ".with.overflow." not in name or opcode not in _ARITHMETIC:
            return _every(0)
        left, right = (self._range(operand, depth) for operand in call.operands)
        return _ARITHMETIC[opcode](left, right)


def _every(width: int) -> Range:
    """All values of a type; of one that has no width, more than any has."""
    return (-(1 << (width - 1)), (1 << (width - 1)) - 1) if width else (-(1 << 128), 1 << 128)


def _unsigned(signed: Range, width: int) -> Range:
    return signed if signed[0] >= 0 else (0, (1 << width) - 1)


def _sum(left: Range, right: Range) -> Range:
    return left[0] + right[0], left[1] + right[1]


def _difference(left: Range, right: Range) -> Range:
    return left[0] - right[1], left[1] - right[0]


def _product(left: Range, right: Range) -> Range:
    corners = [x * y for x in left for y in right]
    return min(corners), max(corners)


def _masked(left: Range, right: Range, every: Range) -> Range:
    """A mask without a sign leaves nothing beyond it."""
    most = [high for low, high in (left, right) if low >= 0]
    return (0, min(most)) if most else every


def _joined(left: Range, right: Range, every: Range) -> Range:
    """Bits of numbers that are not below 0 stay within the longer one's."""
    if left[0] < 0 or right[0] < 0:
        return every
    return 0, (1 << max(left[1], right[1]).bit_length()) - 1


def _shifted_left(left: Range, right: Range, every: Range) -> Range:
    """Only by a constant; beyond the type, it is no shift."""
    if right[0] != right[1] or not 0 <= right[0] < every[1].bit_length():
        return every
    return left[0] << right[0], left[1] << right[0]


def _shifted_right(left: Range, right: Range, every: Range) -> Range:
    """With the sign, by what is no more than the type has: the more bits are left out, the nearer to 0 or to -1."""
    if right[0] < 0 or right[1] > every[1].bit_length():
        return every
    least, most = right
    return left[0] >> (least if left[0] < 0 else most), left[1] >> (most if left[1] < 0 else least)


def _shifted_in_zeros(left: Range, right: Range, every: Range) -> Range:
    return _shifted_right(_unsigned(left, every[1].bit_length() + 1), right, every)


def _quotient(left: Range, right: Range, every: Range) -> Range:
    """Of numbers that are not below 0, for signed and unsigned division are one there."""
    return (0, left[1]) if left[0] >= 0 and right[0] > 0 else every


def _remainder(left: Range, right: Range, every: Range) -> Range:
    """By numbers above 0; the sign is the dividend's."""
    if right[0] <= 0:
        return every
    most = right[1] - 1
    return (0 if left[0] >= 0 else max(-most, left[0])), (0 if left[1] < 0 else min(most, left[1]))


def _unsigned_remainder(left: Range, right: Range, every: Range) -> Range:
    if right[0] <= 0:
        return every
    return 0, min(right[1] - 1, left[1]) if left[0] >= 0 else right[1] - 1


_ARITHMETIC: dict[str, Callable[[Range, Range], Range]] = {"add": _sum, "sub": _difference, "mul": _product}
_BINARY: dict[str, Callable[[Range, Range, Range], Range]] = {
    "add": lambda left, right, _: _sum(left, right),
    "sub": lambda left, right, _: _difference(left, right),
    "mul": lambda left, right, _: _product(left, right),
    "and": _masked,
    "or": _joined,
    "xor": _joined,
    "shl": _shifted_left,
    "lshr": _shifted_in_zeros,
    "ashr": _shifted_right,
    "sdiv": _quotient,
    "udiv": _quotient,
    "srem": _remainder,
    "urem": _unsigned_remainder,
}
