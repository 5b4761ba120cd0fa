"""The text of one function in LLVM IR, while it grows: variables for cells, reads and writes of varnodes and memory.

An address of the machine is veer's own address (elf.py). One of 32 bits is widened with its sign: so a sum stays a sum
of wide numbers (addresses.py), and all that is mapped lies below 2 GiB.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct, field

from veer.frontends.machine.architectures import Architecture
from veer.frontends.machine.cells import Cell, Cells
from veer.frontends.machine.decoder import BITS, CONST, INTERNAL, MEMORY, REGISTER, UNIQUE, Varnode
from veer.frontends.machine.liveness import Use, Uses

_FIRST_REGISTER_BIT, _CARRY, _PSW = 0x80, 0xD7, 0x48
_BIT_REGISTERS = {0xE0: 0x0B, 0xF0: 0x0A}  # ACC, B: SLEIGH's offsets
WIDEST = 16
"""Bytes of the widest value."""


class UnsupportedOperationError(Exception):
    """What an instruction does cannot be written in IR; the text says what it is."""


class Body(Struct):
    """One function. `globals`: the module's variables of registers, which all functions share."""

    machine: Architecture
    cells: Cells
    lines: list[str] = field(default_factory=list)
    used: dict[str, Cell] = field(default_factory=dict)  # by name
    at: int = 0  # the instruction that is written
    place: str = ""  # its debug location
    uses: dict[int, Uses] = field(default_factory=dict)  # of registers, by instruction
    volatile: str = ""  # before the type of an access that may be one of a device
    _values: int = 0

    def line(self, text: str) -> None:
        """Adds an instruction."""
        self.lines.append(f"  {text}{self.place}")

    def label(self, name: str) -> None:
        """Begins a block."""
        self.lines.append(f"{name}:")

    def value(self, text: str) -> str:
        """Adds an instruction with a result, and gives its name."""
        self._values += 1
        name = f"%v{self._values}"
        self.line(f"{name} = {text}")
        return name

    def variable(self, cell: Cell) -> str:
        """The function's own copy of a register, or a temporary."""
        self.used[cell.name] = cell
        return f"%{cell.name}"

    def note(self, use: Use, cell: Cell | None = None) -> None:
        """That the instruction at hand uses a register so, or goes elsewhere."""
        if cell is None or cell.is_register:
            self.uses.setdefault(self.at, []).append((use, cell.name if cell is not None else ""))

    def read(self, varnode: Varnode) -> str:
        """Its value, of 8 * size bits."""
        width = bits(varnode)
        if varnode.space == CONST:
            return str(varnode.offset % (1 << width))
        if varnode.space == BITS:
            return self._bit(varnode.offset)
        if self.machine.base(varnode.space) is not None:
            return self.load(str(varnode.offset), varnode.size, varnode.space)
        require_known(varnode)
        cell = self.cells.cell(self.at, varnode)
        require_width(cell.size)
        self.note(Use.READ, cell)
        whole = self.value(f"load {cell.type}, ptr {self.variable(cell)}")
        if cell.is_flag:
            return self.value(f"zext i1 {whole} to i8")
        shift = self.cells.shift(cell, varnode)
        if shift:
            whole = self.value(f"lshr {cell.type} {whole}, {shift}")
        return whole if varnode.size == cell.size else self.value(f"trunc {cell.type} {whole} to i{width}")

    def write(self, varnode: Varnode, value: str) -> None:
        """Sets it to a value of 8 * size bits."""
        if varnode.space == BITS:
            self._set_bit(varnode.offset, value)
            return
        if self.machine.base(varnode.space) is not None:
            self.store(str(varnode.offset), varnode.size, value, varnode.space)
            return
        require_known(varnode)
        cell, width = self.cells.cell(self.at, varnode), bits(varnode)
        require_width(cell.size)
        self.note(Use.PART if varnode.size < cell.size else Use.WRITE, cell)
        if cell.is_flag:
            value = self.value(f"trunc i8 {value} to i1")
        elif varnode.size < cell.size:
            value = self._merged(cell, varnode, value, width)
        self.line(f"store {cell.type} {value}, ptr {self.variable(cell)}")

    def _merged(self, cell: Cell, varnode: Varnode, value: str, width: int) -> str:
        """The whole cell with a part of it replaced."""
        shift, whole_bits = self.cells.shift(cell, varnode), 8 * cell.size
        mask = ((1 << whole_bits) - 1) ^ (((1 << width) - 1) << shift)
        old = self.value(f"load {cell.type}, ptr {self.variable(cell)}")
        kept = self.value(f"and {cell.type} {old}, {mask}")
        wide = self.value(f"zext i{width} {value} to {cell.type}")
        moved = self.value(f"shl {cell.type} {wide}, {shift}") if shift else wide
        return self.value(f"or {cell.type} {kept}, {moved}")

    def is_flag(self, varnode: Varnode) -> bool:
        """Whether it holds 0 or 1 alone."""
        if varnode.space == CONST:
            return varnode.size == 1 and varnode.offset in (0, 1)
        return varnode.space in (REGISTER, UNIQUE) and self.cells.cell(self.at, varnode).is_flag

    def read_flag(self, varnode: Varnode) -> str:
        """Whether it is not 0, of 1 bit."""
        if varnode.space == CONST:
            return "true" if varnode.offset else "false"
        if self.is_flag(varnode):
            cell = self.cells.cell(self.at, varnode)
            self.note(Use.READ, cell)
            return self.value(f"load i1, ptr {self.variable(cell)}")
        return self.value(f"icmp ne i{bits(varnode)} {self.read(varnode)}, 0")

    def write_flag(self, varnode: Varnode, value: str) -> None:
        """Sets it to 0 or 1; the value has 1 bit."""
        if self.is_flag(varnode):
            cell = self.cells.cell(self.at, varnode)
            self.note(Use.WRITE, cell)
            self.line(f"store i1 {value}, ptr {self.variable(cell)}")
        else:
            self.write(varnode, self.value(f"zext i1 {value} to i{bits(varnode)}"))

    def load(self, address: str, size: int, space: str = MEMORY, width: int = 0) -> str:
        """The number of `size` bytes at an address of the machine, which has `width` bits (0: as many as all have)."""
        require_width(size)
        found = self.value(f"load {self.volatile}i{8 * size}, ptr {self._pointer(address, space, width)}, align 1")
        return self._ordered(found, size)

    def store(self, address: str, size: int, value: str, space: str = MEMORY, width: int = 0) -> None:
        """Writes a number there."""
        require_width(size)
        ordered = self._ordered(value, size)
        self.line(f"store {self.volatile}i{8 * size} {ordered}, ptr {self._pointer(address, space, width)}, align 1")

    def _bit(self, number: int) -> str:
        """A bit of an 8051, as a byte of 0 or 1."""
        byte = self.read(_byte_of(number))
        return self.value(f"and i8 {self.value(f'lshr i8 {byte}, {number % 8}')}, 1")

    def _set_bit(self, number: int, value: str) -> None:
        holder, shift = _byte_of(number), number % 8
        kept = self.value(f"and i8 {self.read(holder)}, {0xFF ^ 1 << shift}")
        moved = self.value(f"shl i8 {self.value(f'and i8 {value}, 1')}, {shift}")
        self.write(holder, self.value(f"or i8 {kept}, {moved}"))

    def _ordered(self, value: str, size: int) -> str:
        """In the other byte order where the machine is big-endian."""
        if not self.machine.is_big or size == 1:
            return value
        if size not in (2, 4, 8):
            raise UnsupportedOperationError(f"an access of {size} bytes")
        return self.value(f"call i{8 * size} @llvm.bswap.i{8 * size}(i{8 * size} {value})")

    def _pointer(self, address: str, space: str, width: int) -> str:
        base = self.machine.base(space)
        if base is None:
            raise UnsupportedOperationError(f"an access to the address space {space}")
        if self.machine.bits == 64:
            wide = address
        elif base:
            wide = str(base + int(address)) if not address.startswith("%") else self._based(base, address, width)
        elif address.startswith("%"):
            wide = self.value(f"sext i{self.machine.bits} {address} to i64")
        else:
            wide = str(int(address) - (1 << 32) if int(address) >> 31 else int(address))
        return self.value(f"inttoptr i64 {wide} to ptr")

    def _based(self, base: int, address: str, width: int) -> str:
        wide = self.value(f"zext i{width or self.machine.bits} {address} to i64")
        return self.value(f"add i64 {wide}, {base}")

    def registers(self) -> Iterable[Cell]:
        """The registers that the function has copies of, in order."""
        return [self.used[name] for name in sorted(self.used) if self.used[name].is_register]


def bits(varnode: Varnode) -> int:
    """Its width."""
    return 8 * varnode.size


def _byte_of(bit: int) -> Varnode:
    """The byte that a bit of an 8051 lies in: internal memory from 0x20 on, or a register.

    Raises UnsupportedOperationError for flags that SLEIGH does not follow, and for ports.
    """
    if bit < _FIRST_REGISTER_BIT:
        return Varnode(INTERNAL, 0x20 + bit // 8, 1)
    if bit == _CARRY or bit & ~7 in _BIT_REGISTERS:
        return Varnode(REGISTER, _PSW if bit == _CARRY else _BIT_REGISTERS[bit & ~7], 1)
    raise UnsupportedOperationError(f"the bit {bit:#x} of a register")


def require_known(varnode: Varnode) -> None:
    """Raises UnsupportedOperationError for what is no register and no memory: control registers of RISC-V."""
    if varnode.space not in (REGISTER, UNIQUE):
        raise UnsupportedOperationError(f"an access to the address space {varnode.space}")


def require_width(size: int) -> None:
    """Raises UnsupportedOperationError for values of vector instructions."""
    if size > WIDEST:
        raise UnsupportedOperationError(f"a value of {8 * size} bits")
