"""The slow path of one pure operation: calls that build the result's expression from shadows and values."""

from __future__ import annotations

from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.opcodes import BINARY
from veer.instrument.taint import CONCRETE, Lookup, Taint
from veer.instrument.typelayout import Layout
from veer.instrument.wide import WideOperations
from veer.instrument.writer import Code, FunctionWriter, constant_bits
from veer.wire.layout import Op, Predicate

_FLOAT_PREDICATES = {
    "oeq": Predicate.OEQ,
    "ogt": Predicate.OGT,
    "oge": Predicate.OGE,
    "olt": Predicate.OLT,
    "ole": Predicate.OLE,
    "one": Predicate.ONE,
    "ord": Predicate.ORD,
    "ueq": Predicate.UEQ,
    "ugt": Predicate.FUGT,
    "uge": Predicate.FUGE,
    "ult": Predicate.FULT,
    "ule": Predicate.FULE,
    "une": Predicate.UNE,
    "uno": Predicate.UNO,
}
_FLOAT_CASTS = frozenset(("fptosi", "fptoui", "sitofp", "uitofp", "fpext", "fptrunc"))


class SymbolicOperations:
    """Emits slow paths into the cold code of one function."""

    def __init__(self, writer: FunctionWriter, taint: Taint, layout: Layout) -> None:
        self._writer = writer
        self._taint = taint
        self._layout = layout
        self._wide = WideOperations(writer, taint, layout)

    def emit(self, code: Code, instruction: Instruction, lookup: Lookup, site: int) -> tuple[str, ...]:
        """Adds the calls for a pure operation; gives the shadows of its result."""
        if self._taint.is_wide(instruction):
            return self._wide.emit(code, instruction, lookup, site)
        return (self._scalar(code, instruction, lookup, site),)

    def _scalar(self, code: Code, instruction: Instruction, lookup: Lookup, site: int) -> str:
        opcode = instruction.opcode
        if opcode in BINARY:
            return self.binary(code, Op[opcode.upper()], instruction.operands, lookup, site)
        if opcode in ("icmp", "fcmp"):
            return self._compare(code, instruction, lookup)
        if opcode == "choose":
            return self._three(code, "veer_ternary", instruction, lookup)
        if opcode == "fused":
            return self._three(code, "veer_fused_sum", instruction, lookup)
        if opcode == "getelementptr":
            return self._address(code, instruction, lookup, site)
        if opcode in ("fneg", "unary"):
            operation = Op[instruction.detail or "FNEG"]
            return self.unary(code, operation, instruction.operands[0], lookup)
        return self._cast(code, instruction, lookup)

    def binary(self, code: Code, operation: Op, operands: tuple[Operand, ...], lookup: Lookup, site: int) -> str:
        """A call of veer_binary on two operands of one type."""
        left, right = operands[:2]
        return self._binary_call(
            code,
            operation,
            self._layout.width(left.type),
            (lookup(self._taint.shadow(left)), self._writer.bits(code, left.type, left.value)),
            (lookup(self._taint.shadow(right)), self._writer.bits(code, right.type, right.value)),
            site,
        )

    def unary(self, code: Code, operation: Op, operand: Operand, lookup: Lookup) -> str:
        """A call of veer_unary."""
        bits = self._writer.bits(code, operand.type, operand.value)
        shadow = lookup(self._taint.shadow(operand))
        width = self._layout.width(operand.type)
        return self._call(code, "veer_unary", f"i32 {int(operation)}, i32 {width}, i32 {shadow}, i64 {bits}")

    def cast_shadow(self, code: Code, operation: Op, widths: tuple[int, int], shadow: str, bits: str) -> str:
        """A call of veer_cast from the first width to the second."""
        return self._call(
            code, "veer_cast", f"i32 {int(operation)}, i32 {widths[0]}, i32 {widths[1]}, i32 {shadow}, i64 {bits}"
        )

    def _binary_call(
        self, code: Code, operation: Op, width: int, left: tuple[str, str], right: tuple[str, str], site: int
    ) -> str:
        return self._call(
            code,
            "veer_binary",
            f"i32 {int(operation)}, i32 {width}, i32 {left[0]}, i64 {left[1]}, i32 {right[0]}, i64 {right[1]}, "
            f"i32 {self._writer.unit.site(site)}",
        )

    def _compare(self, code: Code, instruction: Instruction, lookup: Lookup) -> str:
        predicate = instruction.detail
        if instruction.opcode == "icmp":
            number = Predicate[predicate.upper()]
        elif predicate in _FLOAT_PREDICATES:
            number = _FLOAT_PREDICATES[predicate]
        else:  # fcmp true, fcmp false
            return CONCRETE
        left, right = instruction.operands
        if left.type == "ptr" and right.value == "null" and predicate in ("eq", "ne"):
            bits = self._writer.bits(code, "ptr", left.value)
            shadow = lookup(self._taint.shadow(left))
            return self._call(code, "veer_compare_null", f"i32 {int(number)}, i32 {shadow}, i64 {bits}")
        return self._call(
            code,
            "veer_compare",
            f"i32 {int(number)}, i32 {self._layout.width(left.type)}, "
            f"i32 {lookup(self._taint.shadow(left))}, i64 {self._writer.bits(code, left.type, left.value)}, "
            f"i32 {lookup(self._taint.shadow(right))}, i64 {self._writer.bits(code, right.type, right.value)}",
        )

    def _three(self, code: Code, name: str, instruction: Instruction, lookup: Lookup) -> str:
        """A call with three operands: `condition ? then : other` as a value, which is no branch of the program."""
        operands = ", ".join(
            f"i32 {lookup(self._taint.shadow(operand))}, i64 {self._writer.bits(code, operand.type, operand.value)}"
            for operand in instruction.operands
        )
        return self._call(code, name, f"i32 {self._layout.width(instruction.type)}, {operands}")

    def _cast(self, code: Code, instruction: Instruction, lookup: Lookup) -> str:
        operand = instruction.operands[0]
        widths = (self._layout.width(operand.type), self._layout.width(instruction.type))
        if instruction.opcode in _FLOAT_CASTS:
            operation = Op[instruction.opcode.upper()]
        elif widths[0] > widths[1]:
            operation = Op.EXTRACT
        else:
            operation = Op.SEXT if instruction.opcode == "sext" else Op.ZEXT
        bits = self._writer.bits(code, operand.type, operand.value)
        return self.cast_shadow(code, operation, widths, lookup(self._taint.shadow(operand)), bits)

    def _address(self, code: Code, instruction: Instruction, lookup: Lookup, site: int) -> str:
        """base + offset + sum of index * size, all in 64 bits, with the value carried along for concrete parts."""
        base = instruction.operands[0]
        shadow = lookup(self._taint.shadow(base))
        value = self._writer.bits(code, "ptr", base.value)
        offset, terms = address_terms(self._layout, instruction)
        if offset:
            shadow = self._binary_call(code, Op.ADD, 64, (shadow, value), (CONCRETE, str(offset)), site)
            value = self._writer.value(code, f"add i64 {value}, {offset}")
        for index, size in terms:
            part = self._index(code, index, lookup)
            if size != 1:
                scaled = self._binary_call(code, Op.MUL, 64, part, (CONCRETE, str(size)), site)
                part = (scaled, self._writer.value(code, f"mul i64 {part[1]}, {size}"))
            shadow = self._binary_call(code, Op.ADD, 64, (shadow, value), part, site)
            value = self._writer.value(code, f"add i64 {value}, {part[1]}")
        return shadow

    def _index(self, code: Code, index: Operand, lookup: Lookup) -> tuple[str, str]:
        """(shadow, value) of an index, sign-extended to 64 bits."""
        shadow = lookup(self._taint.shadow(index))
        width = self._layout.width(index.type)
        if width == 64:
            return shadow, self._writer.bits(code, index.type, index.value)
        bits = self._writer.bits(code, index.type, index.value)
        value = self._writer.value(code, f"sext {index.type} {index.value} to i64")
        return self.cast_shadow(code, Op.SEXT, (width, 64), shadow, bits), value

    def _call(self, code: Code, name: str, arguments: str) -> str:
        return self._writer.value(code, f"call i32 {self._writer.unit.runtime(name)}({arguments})")


def address_terms(layout: Layout, instruction: Instruction) -> tuple[int, list[tuple[Operand, int]]]:
    """(constant offset in bytes modulo 2**64, [(variable index, bytes a step)]) of a getelementptr."""
    type_ = instruction.detail
    offset = 0
    terms: list[tuple[Operand, int]] = []
    for number, index in enumerate(instruction.operands[1:]):
        if number > 0:
            if layout.is_struct(type_):
                member = layout.members(type_)[int(index.value)]
                offset += member[0]
                type_ = member[1]
                continue
            type_ = layout.element(type_)
        size = layout.size(type_)
        bits = constant_bits(index.type, index.value)
        if bits is None:
            if size:
                terms.append((index, size))
        else:
            width = int(index.type[1:])
            offset += (bits - (1 << width) if bits >> (width - 1) else bits) * size
    return offset % (1 << 64), terms
