"""Integers of 65 to 128 bits in slow paths: two shadows a value, packed into a word for the runtime (tracer/wide.c)."""

from __future__ import annotations

from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.opcodes import BINARY
from veer.instrument.taint import CONCRETE, Lookup, Taint
from veer.instrument.typelayout import Layout
from veer.instrument.writer import Code, FunctionWriter
from veer.wire.layout import Op, Predicate

_CASTS = {"zext": Op.ZEXT, "sext": Op.SEXT, "trunc": Op.EXTRACT}


class WideOperations:
    """Emits slow paths of operations on wide integers."""

    def __init__(self, writer: FunctionWriter, taint: Taint, layout: Layout) -> None:
        self._writer = writer
        self._taint = taint
        self._layout = layout

    def emit(self, code: Code, instruction: Instruction, lookup: Lookup, site: int) -> tuple[str, ...]:
        """Adds the call for an operation of opcodes.WIDE; gives the shadows of its result."""
        place = f"i32 {self._writer.unit.site(site)}"
        operands = ", ".join(self._operand(code, operand, lookup) for operand in instruction.operands)
        width = self._bits(instruction.operands[0].type)
        if instruction.opcode == "icmp":
            number = int(Predicate[instruction.detail.upper()])
            return (self._call(code, "veer_wide_compare", "i32", f"i32 {number}, i32 {width}, {operands}, {place}"),)
        if instruction.opcode in BINARY:
            number = int(Op[instruction.opcode.upper()])
            arguments = f"i32 {number}, i32 {width}, {operands}, {place}"
            return self._parts(code, self._call(code, "veer_wide_binary", "i64", arguments))
        number, target = int(_CASTS[instruction.opcode]), self._bits(instruction.type)
        arguments = f"i32 {number}, i32 {width}, i32 {target}, {operands}, {place}"
        parts = self._parts(code, self._call(code, "veer_wide_cast", "i64", arguments))
        return parts if self._layout.wide(instruction.type) else parts[:1]

    def _bits(self, type_: str) -> int:
        return self._layout.wide(type_) or self._layout.width(type_)

    def _operand(self, code: Code, operand: Operand, lookup: Lookup) -> str:
        """Packed shadow and both halves of the value."""
        shadows = [lookup(shadow) for shadow in self._taint.shadows(operand)]
        if self._layout.wide(operand.type):
            low, high = self._writer.halves(code, operand.type, operand.value)
        else:
            low, high = self._writer.bits(code, operand.type, operand.value), "0"
        return f"i64 {self._packed(code, shadows)}, i64 {low}, i64 {high}"

    def _packed(self, code: Code, shadows: list[str]) -> str:
        if all(shadow == CONCRETE for shadow in shadows):
            return "0"
        value = self._writer.value
        low = value(code, f"zext i32 {shadows[0]} to i64")
        if len(shadows) == 1:
            return low
        high = value(code, f"shl i64 {value(code, f'zext i32 {shadows[1]} to i64')}, 32")
        return value(code, f"or i64 {low}, {high}")

    def _parts(self, code: Code, packed: str) -> tuple[str, str]:
        value = self._writer.value
        high = value(code, f"lshr i64 {packed}, 32")
        return value(code, f"trunc i64 {packed} to i32"), value(code, f"trunc i64 {high} to i32")

    def _call(self, code: Code, name: str, returns: str, arguments: str) -> str:
        return self._writer.value(code, f"call {returns} {self._writer.unit.runtime(name)}({arguments})")
