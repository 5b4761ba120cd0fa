"""Values and registers in the straight code of a bridge (bridges.py)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from veer.frontends.machine.cells import Cell, Cells
from veer.frontends.machine.decoder import Varnode
from veer.frontends.machine.image import Image
from veer.frontends.machine.places import At
from veer.model.types import Type, TypeKind

SIGNED = frozenset((TypeKind.SIGNED, TypeKind.CHAR))
"""Kinds of numbers that have a sign."""


class StraightCode(Struct):
    """The rows that are written, and what they do to registers."""

    image: Image
    cells: Cells
    registers: dict[str, Varnode]
    rows: list[str] = field(default_factory=list)
    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    kills: set[str] = field(default_factory=set)
    _values: int = 0

    def value(self, text: str) -> str:
        """A new value of this operation."""
        self._values += 1
        self.rows.append(f"  %v{self._values} = {text}")
        return f"%v{self._values}"

    def resized(self, value: str, width: int, wanted: int, type_: Type) -> str:
        """A number of another width, by the sign of its type."""
        return self.widened(value, width, wanted, is_signed=type_.kind in SIGNED)

    def widened(self, value: str, width: int, wanted: int, *, is_signed: bool) -> str:
        """A number of another width."""
        if width == wanted:
            return value
        way = "trunc" if wanted < width else "sext" if is_signed else "zext"
        return self.value(f"{way} i{width} {value} to i{wanted}")

    def joined(self, at: At) -> tuple[str, int]:
        """The value of one register or several, and its width."""
        part = 8 * self.registers[at.registers[0]].size
        whole, total = part * len(at.registers), ""
        for number, register in enumerate(at.registers):
            piece = self.read(register)
            if whole > part:
                wide = self.value(f"zext i{part} {piece} to i{whole}")
                piece = self.value(f"shl i{whole} {wide}, {number * part}")
            total = self.value(f"or i{whole} {total}, {piece}") if total else piece
        return total, whole

    def above(self, at: At) -> tuple[str, int]:
        """What lies above the stack pointer, and its width."""
        machine = self.image.architecture
        place = self.value(f"add i{machine.bits} {self.read(machine.stack)}, {at.stack}")
        pointer = self.value(f"inttoptr i{machine.bits} {place} to ptr")
        width = 8 * at.size
        return self.ordered(self.value(f"load i{width}, ptr {pointer}, align 1"), width), width

    def ordered(self, value: str, width: int) -> str:
        """A word of memory in the order of its bytes there."""
        if not self.image.architecture.is_big or width == 8:
            return value
        return self.value(f"call i{width} @llvm.bswap.i{width}(i{width} {value})")

    def to_registers(self, value: str, width: int, registers: Sequence[str], *, is_signed: bool) -> None:
        """Writes a number of `width` bits, its lowest part into the first register."""
        part = 8 * self.registers[registers[0]].size
        whole = part * len(registers)
        value = self.widened(value, width, whole, is_signed=is_signed)
        for number, register in enumerate(registers):
            piece = value
            if whole > part:
                moved = self.value(f"lshr i{whole} {value}, {number * part}")
                piece = self.value(f"trunc i{whole} {moved} to i{part}")
            self.write(register, piece)

    def _cell(self, register: str) -> tuple[Varnode, Cell, int]:
        varnode = self.registers[register]
        cell = self.cells.cell(-1, varnode)
        return varnode, cell, self.cells.shift(cell, varnode)

    def read(self, register: str) -> str:
        """What a register holds."""
        varnode, cell, shift = self._cell(register)
        self.reads.add(cell.name)
        value = self.value(f"load {cell.type}, ptr @veer.register.{cell.name}")
        if shift:
            value = self.value(f"lshr {cell.type} {value}, {shift}")
        return value if cell.size == varnode.size else self.value(f"trunc {cell.type} {value} to i{8 * varnode.size}")

    def write(self, register: str, value: str) -> None:
        """Gives a register a value."""
        varnode, cell, shift = self._cell(register)
        width = 8 * varnode.size
        self.writes.add(cell.name)
        if cell.size > varnode.size:
            mask = ((1 << 8 * cell.size) - 1) ^ (((1 << width) - 1) << shift)
            old = self.value(f"load {cell.type}, ptr @veer.register.{cell.name}")
            kept = self.value(f"and {cell.type} {old}, {mask}")
            wide = self.value(f"zext i{width} {value} to {cell.type}")
            moved = self.value(f"shl {cell.type} {wide}, {shift}")
            value = self.value(f"or {cell.type} {kept}, {moved}")
        else:
            self.kills.add(cell.name)
        self.rows.append(f"  store {cell.type} {value}, ptr @veer.register.{cell.name}")
