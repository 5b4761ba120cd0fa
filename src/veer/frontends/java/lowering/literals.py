"""`new int[] {1, 2, 3}`: javac writes four instructions for each element; here it is a copy of constant data.

sipush 256; newarray byte                        an array of 256 bytes
dup; iconst_0; iconst_m1; bastore                (left out: the copy holds it)
...
"""

from __future__ import annotations

import struct
from collections.abc import Callable

from msgspec import Struct

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ConstantPool, Float32, Float64, Int32, Int64
from veer.frontends.java.classfile.model import Code
from veer.frontends.java.classfile.opcodes import ELEMENT_TYPES
from veer.frontends.java.lowering.layout import size_of

LEAST = 8
"""Elements from which on a copy is shorter."""
_MOST = 1 << 16
_SMALL = {**{f"iconst_{number}": number for number in range(6)}, "iconst_m1": -1, "lconst_0": 0, "lconst_1": 1}
_STORES = {"Z": "bastore", "B": "bastore", "C": "castore", "S": "sastore", "I": "iastore", "J": "lastore"}
_STORES |= {"F": "fastore", "D": "dastore"}


class ArrayLiteral(Struct, frozen=True):
    """What a new array holds. `inside`: offsets of the instructions that wrote it; `end`: where the code goes on."""

    data: bytes
    inside: frozenset[int]
    end: int


def array_literals(code: Code, pool: ConstantPool) -> dict[int, ArrayLiteral]:
    """Those of a method, by the offset of `newarray`."""
    made = [place for place, each in enumerate(code.instructions) if each.name == "newarray" and place]
    if not made:
        return {}
    heads = {to for each in code.instructions for to in each.targets}
    heads |= {handler.target for handler in code.handlers}
    found = {}
    for place in made:
        literal = _literal(code.instructions, place, heads, pool)
        if literal is not None:
            found[code.instructions[place].at] = literal
    return found


def _literal(
    instructions: tuple[Instruction, ...], place: int, heads: set[int], pool: ConstantPool
) -> ArrayLiteral | None:
    made = instructions[place]
    type_, length = ELEMENT_TYPES[made.number], _int(instructions[place - 1], pool)
    if length is None or not LEAST <= length <= _MOST or made.at in heads:
        return None
    size, inside = size_of(type_), set[int]()
    data = bytearray(length * size)
    written, at = 0, place + 1
    while at + 4 <= len(instructions):
        parts = instructions[at : at + 4]
        copy, where, what, store = parts
        index = _int(where, pool)
        value = _BYTES[type_](what, pool) if store.name == _STORES[type_] else None
        is_one = copy.name == "dup" and value is not None and index is not None and 0 <= index < length
        if not is_one or any(each.at in heads for each in parts):
            break
        assert index is not None and value is not None
        data[index * size : (index + 1) * size] = value
        inside |= {each.at for each in parts}
        written, at = written + 1, at + 4
    if written < max(LEAST, length // 4):
        return None
    last = instructions[at - 1]
    return ArrayLiteral(bytes(data), frozenset(inside), last.at + last.size)


def _int(each: Instruction, pool: ConstantPool) -> int | None:
    """The int that it pushes, where that is all that it does."""
    if each.name in ("bipush", "sipush"):
        return each.number
    if each.name.startswith("iconst"):
        return _SMALL[each.name]
    constant = pool.constant(each.number) if each.name.startswith("ldc") else None
    return constant.value if isinstance(constant, Int32) else None


def _whole(size: int, keeps: int = -1) -> Callable[[Instruction, ConstantPool], bytes | None]:
    def written(each: Instruction, pool: ConstantPool) -> bytes | None:
        value = _int(each, pool)
        return None if value is None else ((value & keeps) % (1 << 8 * size)).to_bytes(size, "little")

    return written


def _long(each: Instruction, pool: ConstantPool) -> bytes | None:
    constant = pool.constant(each.number) if each.name.startswith("ldc") else None
    value = constant.value if isinstance(constant, Int64) else _SMALL.get(each.name)
    is_one = isinstance(constant, Int64) or each.name.startswith("lconst")
    return (value % (1 << 64)).to_bytes(8, "little") if is_one and value is not None else None


def _float(each: Instruction, pool: ConstantPool) -> bytes | None:
    if each.name.startswith("fconst"):
        return struct.pack("<f", float(each.name[-1]))
    constant = pool.constant(each.number) if each.name.startswith("ldc") else None
    return constant.bits.to_bytes(4, "little") if isinstance(constant, Float32) else None


def _double(each: Instruction, pool: ConstantPool) -> bytes | None:
    if each.name.startswith("dconst"):
        return struct.pack("<d", float(each.name[-1]))
    constant = pool.constant(each.number) if each.name.startswith("ldc") else None
    return constant.bits.to_bytes(8, "little") if isinstance(constant, Float64) else None


_BYTES = {"Z": _whole(1, 1), "B": _whole(1), "C": _whole(2), "S": _whole(2), "I": _whole(4), "J": _long}
_BYTES |= {"F": _float, "D": _double}
"""An element of each type as memory holds it; None where the instruction pushes no constant of it."""
