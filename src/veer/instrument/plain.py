"""Makes plain operations: what lowered intrinsics and atomics are written in."""

from __future__ import annotations

from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.typelayout import Layout


class PlainCode:
    """A list of instructions that grows; names cannot clash with the program's or among each other."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.instructions: list[Instruction] = []
        self.location = 0
        self._count = 0

    def restart(self, location: int) -> None:
        """Begins an empty list; what is added comes from that DILocation."""
        self.instructions = []
        self.location = location

    def name(self) -> str:
        """A fresh name."""
        self._count += 1
        return f"%veer.l.{self._count}"

    def add(self, opcode: str, type_: str, *operands: Operand, detail: str = "", indices: tuple[int, ...] = ()) -> str:
        """Any operation; gives its result."""
        result = self.name()
        self.instructions.append(
            Instruction(result, opcode, type_, operands, "", self.location, detail=detail, indices=indices)
        )
        return result

    def operation(self, opcode: str, type_: str, left: str, right: str | int) -> str:
        """A binary operation."""
        return self.add(opcode, type_, Operand(type_, left), Operand(type_, str(right)))

    def compare(self, predicate: str, type_: str, left: str, right: str | int) -> str:
        """An icmp, or an fcmp of floats."""
        opcode = "fcmp" if type_ in ("float", "double") else "icmp"
        return self.add(opcode, "i1", Operand(type_, left), Operand(type_, str(right)), detail=predicate)

    def cast(self, opcode: str, source: str, value: str, target: str) -> str:
        """A cast from type `source` to type `target`."""
        return self.add(opcode, target, Operand(source, value))

    def identity(self, result: str, type_: str, value: str) -> None:
        """Gives a value another name."""
        self.instructions.append(Instruction(result, "bitcast", type_, (Operand(type_, value),), "", self.location))

    def choose(self, type_: str, condition: str, then: str, other: str) -> str:
        """`condition ? then : other` without a branch."""
        return self.add("choose", type_, Operand("i1", condition), Operand(type_, then), Operand(type_, other))

    def unary(self, detail: str, operand: Operand, callee: str) -> str:
        """An intrinsic of one operand that the runtime knows: CTPOP, FABS, FSQRT."""
        result = self.name()
        type_, value = operand
        text = f"call {type_} {callee}({type_} {value})"
        self.instructions.append(Instruction(result, "unary", type_, (operand,), text, self.location, detail=detail))
        return result

    def population(self, type_: str, value: str) -> str:
        """The number of ones."""
        return self.unary("CTPOP", Operand(type_, value), f"@llvm.ctpop.{type_}")

    def pair(self, type_: str, value: str, flag: str) -> str:
        """A `{ type, i1 }`."""
        aggregate = f"{{ {type_}, i1 }}"
        empty = Operand(aggregate, "zeroinitializer")
        first = self.add("insertvalue", aggregate, empty, Operand(type_, value), indices=(0,))
        return self.add("insertvalue", aggregate, Operand(aggregate, first), Operand("i1", flag), indices=(1,))

    def load(self, type_: str, pointer: Operand) -> str:
        """A load of a naturally aligned value."""
        result = self.name()
        size = self.layout.size(type_)
        self.instructions.append(Instruction(result, "load", type_, (pointer,), "", self.location, alignment=size))
        return result

    def store(self, type_: str, value: str, pointer: Operand) -> None:
        """A store of a naturally aligned value."""
        operands = (Operand(type_, value), pointer)
        size = self.layout.size(type_)
        self.instructions.append(Instruction("", "store", type_, operands, "", self.location, alignment=size))
