"""Bytecode, decoded: one value for each instruction, with its operands by number.

Instruction(at=7, name="if_icmpge", number=19)           a jump to the instruction at 19
Instruction(at=4, name="iinc", number=2, second=-1)      adds -1 to local variable 2
Instruction(at=0, name="iload", number=1)                `iload_1`, and `wide iload`, are `iload`, too
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from veer.frontends.java.classfile.bytereader import ByteReader, ClassFormatError
from veer.frontends.java.classfile.opcodes import OPCODES

_LOCALS = ("iload", "lload", "fload", "dload", "aload", "istore", "lstore", "fstore", "dstore", "astore")
_SHORT = {f"{name}_{number}": (name, number) for name in _LOCALS for number in range(4)}
_WIDE = frozenset((*_LOCALS, "ret", "iinc"))


class Instruction(Struct, frozen=True):
    """An instruction at a byte offset of its method.

    `number`: the operand: a value, a local variable, an entry of the constant pool, the offset that a jump or a
    switch's default leads to; `second`: what is added (iinc), dimensions (multianewarray); `cases`: (value, offset) of
    a switch; `written`: its name as it is encoded; `size`: its bytes.
    """

    at: int
    name: str
    number: int = 0
    second: int = 0
    cases: tuple[tuple[int, int], ...] = ()
    written: str = ""
    size: int = 1

    @property
    def is_jump(self) -> bool:
        """Whether `number` is the offset of another instruction."""
        return self.name.startswith(("if", "goto", "jsr")) or bool(self.cases) or self.name.endswith("switch")

    @property
    def targets(self) -> tuple[int, ...]:
        """Offsets that it may jump to, without the instruction behind it."""
        return (self.number, *(to for _, to in self.cases)) if self.is_jump else ()


def decoded(code: bytes) -> tuple[Instruction, ...]:
    """All instructions of a method's code. Raises ClassFormatError."""
    reader = ByteReader(code)
    found = []
    while not reader.is_at_end:
        found.append(_instruction(reader))
    starts = {each.at for each in found}
    for each in found:
        if wrong := [to for to in each.targets if to not in starts]:
            raise ClassFormatError(f"{each.name} at {each.at} of a method jumps to {wrong[0]}, where no instruction is")
    return tuple(found)


def _instruction(reader: ByteReader) -> Instruction:
    at, opcode = reader.at, reader.u1()
    if opcode >= len(OPCODES):
        raise ClassFormatError(f"the instruction at {at} of a method has the unknown opcode {opcode}")
    name, kind = OPCODES[opcode]
    written = name
    if kind == "w":
        return _wide(reader, at)
    cases: Sequence[tuple[int, int]] = ()
    number, second = 0, 0
    if kind in ("T", "L"):
        number, cases = _switch(reader, at, kind)
    elif kind:
        number, second = _OPERANDS[kind](reader, at)
    if name in _SHORT:
        name, number = _SHORT[name]
    return Instruction(at, name, number, second, tuple(cases), written, reader.at - at)


def _wide(reader: ByteReader, at: int) -> Instruction:
    opcode = reader.u1()
    name = OPCODES[opcode][0] if opcode < len(OPCODES) else ""
    if name not in _WIDE:
        raise ClassFormatError(f"the instruction at {at} of a method is `wide` before opcode {opcode}")
    number = reader.u2()
    second = reader.s2() if name == "iinc" else 0
    return Instruction(at, name, number, second, (), f"{name}_w", reader.at - at)


def _switch(reader: ByteReader, at: int, kind: str) -> tuple[int, list[tuple[int, int]]]:
    reader.take(-reader.at % 4)
    default = at + reader.s4()
    if kind == "L":
        count = reader.s4()
        if count < 0:
            raise ClassFormatError(f"the switch at {at} of a method has {count} cases")
        return default, [(reader.s4(), at + reader.s4()) for _ in range(count)]
    low, high = reader.s4(), reader.s4()
    if low > high:
        raise ClassFormatError(f"the switch at {at} of a method goes from {low} to {high}")
    if (high - low + 1) * 4 > reader.end - reader.at:
        raise ClassFormatError(f"the switch at {at} of a method is longer than the method")
    return default, [(value, at + reader.s4()) for value in range(low, high + 1)]


def _interface_call(reader: ByteReader, at: int) -> tuple[int, int]:
    number, count = reader.u2(), reader.u1()
    reader.u1()
    return number, count


def _dynamic_call(reader: ByteReader, at: int) -> tuple[int, int]:
    number = reader.u2()
    reader.u2()
    return number, 0


_OPERANDS: dict[str, Callable[[ByteReader, int], tuple[int, int]]] = {
    "b": lambda reader, at: (reader.s1(), 0),
    "s": lambda reader, at: (reader.s2(), 0),
    "c": lambda reader, at: (reader.u1(), 0),
    "C": lambda reader, at: (reader.u2(), 0),
    "v": lambda reader, at: (reader.u1(), 0),
    "i": lambda reader, at: (reader.u1(), reader.s1()),
    "j": lambda reader, at: (at + reader.s2(), 0),
    "J": lambda reader, at: (at + reader.s4(), 0),
    "n": _interface_call,
    "d": _dynamic_call,
    "a": lambda reader, at: (reader.u1(), 0),
    "m": lambda reader, at: (reader.u2(), reader.u1()),
}
