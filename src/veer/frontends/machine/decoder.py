"""One instruction at an address, as p-code: what SLEIGH (pypcode) says of the bytes there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field

from veer.frontends.machine.architectures import ARM, Architecture
from veer.frontends.machine.elf import extra
from veer.frontends.machine.image import Image

_LONGEST = 16  # bytes of an instruction
_IT = 0xBF
REGISTER, UNIQUE, CONST, MEMORY = "register", "unique", "const", "ram"
"""Address spaces of p-code."""
BITS, INTERNAL, CODE = "BITS", "INTMEM", "CODE"
"""Address spaces of an 8051."""
_USER_FLAGS = (0xD1, 0xD5)
"""UD and F0: SLEIGH uses their places in PSW for flags of its own, and no instruction that is lifted reads it whole."""
_BESIDE = 0x1000
"""Where such flags lie among the registers."""
_BANK = 8
"""Its registers R0 to R7 are the first bytes of internal memory."""


class Varnode(Struct, frozen=True):
    """`size` bytes at an offset of an address space; a number in the space `const`."""

    space: str
    offset: int
    size: int


class Operation(Struct, frozen=True):
    """A p-code operation. `space`: of LOAD and STORE, the space that is read or written; `named`: of CALLOTHER."""

    name: str
    output: Varnode | None
    inputs: tuple[Varnode, ...]
    space: str = ""
    named: str = ""


class Instruction(Struct, frozen=True):
    """`length` in bytes; `text`: its disassembly; `mnemonic`: its first word."""

    address: int
    length: int
    mnemonic: str
    text: str
    operations: tuple[Operation, ...]

    @property
    def next(self) -> int:
        """The address behind it."""
        return self.address + self.length


def _as_they_are(machine: Architecture, text: str, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    return operations


class Decoder(Struct):
    """Instructions of one image. A second context decodes the second instruction set.

    SLEIGH remembers what `it` of Thumb says of the instructions behind it, in the order in which they are read: all of
    them are read with it. `corrected`: mends what SLEIGH has wrong (corrections.py).
    """

    image: Image
    corrected: Callable[[Architecture, str, tuple[Operation, ...]], tuple[Operation, ...]] = _as_they_are
    _contexts: dict[bool, Any] = field(default_factory=dict)
    _known: dict[tuple[int, bool], Instruction | None] = field(default_factory=dict)
    _apart: Decoder | None = None

    def at(self, address: int, *, is_thumb: bool = False) -> Instruction | None:
        """The instruction that begins there; None where no instruction can be."""
        key = (address, is_thumb)
        if key not in self._known:
            self._known[key] = self._decoded(address, is_thumb=is_thumb) if self.image.is_code(address) else None
            if is_thumb and (first := self._known[key]) is not None:
                self._read_conditional(first)
        return self._known[key]

    def guessed(self, address: int, *, is_thumb: bool) -> Instruction | None:
        """The same of an address at which perhaps none begins, and without what stands before it: `at` knows nothing of
        that."""
        self._apart = self._apart or Decoder(self.image, self.corrected)
        return self._apart.at(address, is_thumb=is_thumb)

    def _read_conditional(self, first: Instruction) -> None:
        """Reads those that an `it` is about."""
        place = first.next
        for _ in range(conditional(self.image.read(first.address, 2))):
            behind = self._known[place, True] = self._decoded(place, is_thumb=True)
            if behind is None:
                return
            place = behind.next

    def registers(self) -> Mapping[str, Varnode]:
        """Registers by name."""
        found = self._context(is_thumb=False).registers
        return {name: Varnode(REGISTER, each.offset, each.size) for name, each in found.items()}

    def _context(self, *, is_thumb: bool) -> Any:
        if is_thumb not in self._contexts:
            machine: Architecture = self.image.architecture
            self._contexts[is_thumb] = extra("pypcode").Context(machine.thumb if is_thumb else machine.language)
        return self._contexts[is_thumb]

    def _decoded(self, address: int, *, is_thumb: bool) -> Instruction | None:
        context, data = self._context(is_thumb=is_thumb), self.image.read(address, _LONGEST)
        changed = _without_exchange(data, is_thumb=is_thumb) if self.image.architecture is ARM else None
        try:
            place = address - self.image.architecture.code_base
            shown = context.disassemble(changed or data, place, max_instructions=1).instructions[0]
            lifted = context.translate(changed or data, place, max_instructions=1)
        except Exception:  # pypcode raises errors of its own for what is no instruction
            return None
        base = self.image.architecture.code_base
        operations = tuple(_operation(each, base) for each in lifted.ops if each.opcode.name != "IMARK")
        text = f"{shown.mnem} {shown.body}".strip()
        if changed is not None:
            return _exchanging(address, data, operations, is_thumb=is_thumb)
        operations = self.corrected(self.image.architecture, text, operations)
        return Instruction(address, shown.length, shown.mnem.lower(), text, operations)


def conditional(data: bytes) -> int:
    """How many instructions an `it` of Thumb is about; 0 for another instruction."""
    mask = data[0] & 0xF if len(data) > 1 and data[1] == _IT else 0
    return 4 - ((mask & -mask).bit_length() - 1) if mask else 0


def _without_exchange(data: bytes, *, is_thumb: bool) -> bytes | None:
    """The call that goes where `blx ADDRESS` does and stays in its instruction set; None for another instruction.

    SLEIGH remembers what a `blx` that it has read says of its target, and takes all code behind that for the other
    instruction set, so that it may see none.
    """
    if len(data) < 4:
        return None
    if is_thumb:
        is_exchange = data[1] & 0xF8 == 0xF0 and data[3] & 0xD0 == 0xC0 and not data[2] & 1
        return bytes((*data[:3], data[3] | 0x10)) if is_exchange else None
    return bytes((*data[:3], 0xEB)) if data[3] & 0xFE == 0xFA else None


def _exchanging(address: int, data: bytes, call: tuple[Operation, ...], *, is_thumb: bool) -> Instruction:
    """`blx ADDRESS`. `call`: what _without_exchange does."""
    behind = 2 * (data[3] & 1)  # ARM: half of a word more
    target = next(each.inputs[0].offset for each in call if each.name == "CALL")
    target = target & ~3 if is_thumb else (target + behind) % (1 << 32)
    goal = Varnode(MEMORY, target, 4)
    operations = tuple(Operation(each.name, each.output, (goal,)) if each.name == "CALL" else each for each in call)
    return Instruction(address, 4, "blx", f"blx {target:#x}", operations)


def _operation(given: Any, code_base: int) -> Operation:
    name, inputs, space, named = given.opcode.name, list(given.inputs), "", ""
    if name in ("LOAD", "STORE"):
        space = inputs.pop(0).getSpaceFromConst().name
    if name == "CALLOTHER":
        named = inputs.pop(0).getUserDefinedOpName()
    output = _varnode(given.output, code_base) if given.output is not None else None
    return Operation(name, output, tuple(_varnode(each, code_base) for each in inputs), space, named)


def _varnode(given: Any, code_base: int) -> Varnode:
    """An address of code is one of veer's; what an 8051 has twice has one name."""
    space, offset = given.space.name, given.offset
    if space == CODE:
        return Varnode(MEMORY, offset + code_base, given.size)
    if space == INTERNAL and offset < _BANK:
        return Varnode(REGISTER, offset, given.size)
    if space == BITS and offset in _USER_FLAGS:
        return Varnode(REGISTER, _BESIDE + offset, given.size)
    return Varnode(space, offset, given.size)
