"""Registers and temporaries as variables: varnodes that overlap are parts of one cell.

RAX (8 bytes), EAX (4), AL (1)   one cell of 64 bits, read by shifting, written by masking
ZF (1 byte, holds 0 or 1 alone)  a cell of 1 bit, so that comparisons stay comparisons
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from veer.frontends.machine.decoder import CONST, REGISTER, UNIQUE, Instruction, Operation, Varnode
from veer.frontends.machine.descent import Routine

Key = tuple[int, int]
"""The address of the instruction whose temporary it is, or -1 for a register; the offset of its first byte."""
FLAGS = frozenset(
    (
        *("INT_EQUAL", "INT_NOTEQUAL", "INT_LESS", "INT_LESSEQUAL", "INT_SLESS", "INT_SLESSEQUAL", "INT_CARRY"),
        *("INT_SCARRY", "INT_SBORROW", "BOOL_NEGATE", "BOOL_AND", "BOOL_OR", "BOOL_XOR"),
        *("FLOAT_EQUAL", "FLOAT_NOTEQUAL", "FLOAT_LESS", "FLOAT_LESSEQUAL", "FLOAT_NAN"),
    )
)
"""Operations whose result is 0 or 1."""
_EVERYWHERE = -1
_WIDEST = 16


class Cell(Struct, frozen=True):
    """`size` bytes from `offset` on. `is_flag`: it holds 0 or 1 alone."""

    key: Key
    size: int
    is_flag: bool = False

    @property
    def is_register(self) -> bool:
        """Or a temporary of one instruction."""
        return self.key[0] == _EVERYWHERE

    @property
    def type(self) -> str:
        """In IR."""
        return "i1" if self.is_flag else f"i{8 * self.size}"

    @property
    def name(self) -> str:
        """Of its variable within a function."""
        owner = "r" if self.is_register else f"t{self.key[0]:x}_"
        return f"{owner}{self.key[1]:x}"


class Cells(Struct):
    """The cells of a program."""

    is_big: bool
    _of: dict[Key, Cell] = field(default_factory=dict)  # by the key of each byte

    def cell(self, instruction: int, varnode: Varnode) -> Cell:
        """The cell that it is, or is a part of."""
        return self._of[_key(instruction, varnode)]

    def knows(self, varnode: Varnode) -> bool:
        """Whether the program uses the register, as one of no more than 16 bytes: others are never written."""
        cell = self._of.get(_key(_EVERYWHERE, varnode))
        return cell is not None and cell.size <= _WIDEST

    def shift(self, cell: Cell, varnode: Varnode) -> int:
        """How many bits lie below it."""
        first = varnode.offset - cell.key[1]
        return 8 * (cell.size - first - varnode.size if self.is_big else first)


def cells_of(routines: Iterable[Routine], registers: Iterable[Varnode], *, is_big: bool) -> Cells:
    """The cells of these functions. `registers`: others that are used beside them."""
    used = [(_EVERYWHERE, each) for each in registers]
    used += [(address, each) for address, _, each in _varnodes(routines)]
    found = Cells(is_big)
    extents: dict[int, list[tuple[int, int]]] = {}
    for address, each in used:
        place = _key(address, each)
        extents.setdefault(place[0], []).append((each.offset, each.offset + each.size))
    for owner, ranges in extents.items():
        for begin, end in _merged(ranges):
            cell = Cell((owner, begin), end - begin)
            found._of.update({(owner, byte): cell for byte in range(begin, end)})
    _mark_flags(found, list(routines))
    return found


def _key(instruction: int, varnode: Varnode) -> Key:
    return (_EVERYWHERE if varnode.space == REGISTER else instruction, varnode.offset)


def _merged(ranges: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Ranges that overlap, as one each."""
    begin, end = -1, -1
    for first, behind in sorted(ranges):
        if first >= end:
            if end > begin:
                yield begin, end
            begin, end = first, behind
        end = max(end, behind)
    yield begin, end


def _mark_flags(cells: Cells, routines: list[Routine]) -> None:
    """Cells of one byte are flags unless something else is written there. What comes from elsewhere (a register at the
    beginning of the program) is 0."""
    flags = {cell.key for cell in cells._of.values() if cell.size == 1}
    writes = [
        (cells.cell(address, operation.output).key, operation, address)
        for routine in routines
        for address, instruction in routine.instructions.items()
        for operation in instruction.operations
        if operation.output is not None and operation.output.space in (REGISTER, UNIQUE)
    ]
    changed = True
    while changed:
        wrong = {key for key, operation, at in writes if key in flags and not _is_flag(cells, operation, at, flags)}
        flags -= wrong
        changed = bool(wrong)
    for byte, cell in list(cells._of.items()):
        if cell.key in flags:
            cells._of[byte] = Cell(cell.key, cell.size, is_flag=True)


def _is_flag(cells: Cells, operation: Operation, address: int, flags: set[Key]) -> bool:
    if operation.name in FLAGS:
        return True
    if operation.name != "COPY":
        return False
    source = operation.inputs[0]
    if source.space == CONST:
        return source.offset in (0, 1)
    return source.space in (REGISTER, UNIQUE) and cells.cell(address, source).key in flags


def _varnodes(routines: Iterable[Routine]) -> Iterator[tuple[int, Operation, Varnode]]:
    for routine in routines:
        for instruction in routine.instructions.values():
            yield from varnodes(instruction)


def varnodes(instruction: Instruction) -> Iterator[tuple[int, Operation, Varnode]]:
    """The registers and temporaries that an instruction reads or writes, with its address."""
    for operation in instruction.operations:
        for each in (*operation.inputs, *([operation.output] if operation.output is not None else ())):
            if each.space in (REGISTER, UNIQUE):
                yield instruction.address, operation, each
