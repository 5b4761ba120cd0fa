"""Values as C source: one scalar, a run of bytes as a string literal, the leaves of a type with their access paths.

What is written here is exact: a compiler that reads it gets the same bits back (of a NaN through its bit pattern).
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Sequence

from msgspec import Struct

from veer.model.inputs import Cell, Scalar
from veer.model.types import ExtentKind, Field, Type, TypeKind

_ESCAPES = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x09: "\\t", 0x0D: "\\r", 0x3F: "\\?"}
_SINGLE = {0x27: "\\'", 0x5C: "\\\\", 0x0A: "\\n", 0x09: "\\t", 0x0D: "\\r"}
MAXIMUM_LEAVES = 65536
"""Elements of an array that are told one by one."""
NAMELESS = "?"
"""In an access path: bytes that hold bit-fields, which have an offset but no name that C could assign."""


MOST_OFFERED = 6
"""Most pointers of a union's other members at one place (VEER_MAX_OFFERED of runtime/tracer/leaf_state.h)."""


class Leaf(Struct, frozen=True):
    """A scalar or pointer within a type: byte offset, access path from the whole (`.next`, `[3].v`, or empty).

    `const`: it, or a member that it is a part of, is declared so.
    """

    offset: int
    path: str
    type: Type
    in_union: bool = False
    const: bool = False


def leaves(
    types: Sequence[Type], root: Type, offset: int = 0, path: str = "", *, in_union: bool = False, const: bool = False
) -> Iterator[Leaf]:
    """The leaves of a type in the order of their offsets; of a union its `count` first members."""
    if root.kind in (TypeKind.STRUCT, TypeKind.UNION):
        is_union = root.kind == TypeKind.UNION
        members = root.fields[: root.count or 1] if is_union else root.fields
        for field in members:
            step = f".{field.name}" if field.name else ""
            if not step and types[field.type].kind not in (TypeKind.STRUCT, TypeKind.UNION):
                step = NAMELESS
            where, is_const = offset + field.offset, const or field.const
            inside = in_union or is_union
            yield from leaves(types, types[field.type], where, path + step, in_union=inside, const=is_const)
    elif root.kind == TypeKind.ARRAY and 0 <= root.target < len(types):
        element = types[root.target]
        for index in range(min(root.count, MAXIMUM_LEAVES)):
            where, step = offset + index * element.size, f"[{index}]"
            yield from leaves(types, element, where, path + step, in_union=in_union, const=const)
    elif root.kind != TypeKind.OPAQUE:
        yield Leaf(offset, path, root, in_union, const)


def offered(types: Sequence[Type], union: Type) -> list[Leaf]:
    """The pointers of a union's other members, of which one may lie where a number was made (runtime/tracer/unions.c).

    Offsets and paths count from the union. Left out are those that begin within a leaf of what is made.
    """
    if union.kind != TypeKind.UNION:
        return []
    made = list(leaves(types, union))
    found: list[Leaf] = []
    for field in union.fields[union.count or 1 :]:
        step = f".{field.name}" if field.name else ""
        for leaf in leaves(types, types[field.type], field.offset, step, in_union=True):
            is_cut = any(each.offset < leaf.offset < each.offset + each.type.size for each in made)
            is_crowded = sum(each.offset == leaf.offset for each in found) == MOST_OFFERED
            if (
                leaf.type.kind == TypeKind.POINTER
                and leaf.type.extent != ExtentKind.NULL
                and not (is_cut or is_crowded or leaf.offset % leaf.type.size)
            ):
                found.append(leaf)
    return found


def all_offered(types: Sequence[Type], root: Type, offset: int = 0, path: str = "") -> Iterator[tuple[int, Leaf]]:
    """The pointers that are offered within a type, each with its number in its union, from 1 on."""
    for number, leaf in enumerate(offered(types, root), 1):
        yield number, Leaf(offset + leaf.offset, path + leaf.path, leaf.type, in_union=True)
    if root.kind in (TypeKind.STRUCT, TypeKind.UNION):
        for field in root.fields[: root.count or 1] if root.kind == TypeKind.UNION else root.fields:
            step = f".{field.name}" if field.name else ""
            yield from all_offered(types, types[field.type], offset + field.offset, path + step)
    elif root.kind == TypeKind.ARRAY and 0 <= root.target < len(types):
        element = types[root.target]
        for index in range(min(root.count, MAXIMUM_LEAVES)):
            yield from all_offered(types, element, offset + index * element.size, f"{path}[{index}]")


def object_leaves(types: Sequence[Type], root: Type, count: int, size: int) -> Iterator[Leaf]:
    """The leaves of `count` elements; of one struct also those of its flexible array that lie within `size` bytes."""
    for index in range(count):
        yield from leaves(types, root, index * root.size, f"[{index}]" if count > 1 else "")
    member = flexible(types, root)
    if count == 1 and member is not None:
        element = types[types[member.type].target]
        for index in range((size - member.offset) // element.size if element.size else 0):
            where, path = member.offset + index * element.size, f".{member.name}[{index}]"
            yield from leaves(types, element, where, path, const=member.const)


def flexible(types: Sequence[Type], root: Type) -> Field | None:
    """A struct's flexible array member."""
    last = root.fields[-1] if root.kind == TypeKind.STRUCT and len(root.fields) > 1 else None
    return (
        last if last is not None and types[last.type].kind == TypeKind.ARRAY and types[last.type].count == 0 else None
    )


def little_endian(value: Scalar) -> bytes:
    """The bytes of a scalar as they lie in memory."""
    return (value.bits & ((1 << value.width) - 1)).to_bytes((value.width + 7) // 8, "little")


def image(cells: Sequence[Cell], size: int) -> bytes:
    """The bytes of a root or an object; pointers are zeros."""
    memory = bytearray(size)
    for cell in cells:
        if isinstance(cell.value, Scalar):
            raw = little_endian(cell.value)
            memory[cell.offset : cell.offset + len(raw)] = raw
    return bytes(memory[:size])


def scalar(value: Scalar, type_: Type | None = None) -> str:
    """A scalar as a C constant: an enumerator's name, a character, an integer or a floating-point constant."""
    kind = type_.kind if type_ is not None and type_.kind in _INTEGER_KINDS else value.kind
    if value.kind == "float" or (type_ is not None and type_.kind == TypeKind.FLOAT):
        return floating(value.bits, value.width)
    number = _signed(value.bits, value.width) if kind in ("signed", "char") else value.bits
    if type_ is not None:
        for name, constant in type_.enumerators:
            if constant == number:
                return name
    if kind == "char" and 0x20 <= number < 0x7F:
        return character(number)
    return integer(number, value.width, is_signed=kind in ("signed", "char"))


_INTEGER_KINDS = (TypeKind.SIGNED, TypeKind.UNSIGNED, TypeKind.CHAR, TypeKind.BOOL)


def _signed(bits: int, width: int) -> int:
    return bits - (1 << width) if bits >> (width - 1) & 1 else bits


def integer(number: int, width: int, *, is_signed: bool) -> str:
    """An integer constant of a type that holds it; the least number of a type has no constant of its own in C."""
    if not is_signed:
        suffix = "ull" if number > 0xFFFF_FFFF else "u" if width >= 32 and number > 0x7FFF_FFFF else ""
        return f"{number}{suffix}"
    if number == -(1 << 63):
        return "(-9223372036854775807ll - 1)"
    if number == -(1 << 31) and width == 32:
        return "(-2147483647 - 1)"
    return f"{number}{'ll' if not -(1 << 31) <= number < 1 << 31 else ''}"


def floating(bits: int, width: int) -> str:
    """A floating-point constant with exactly these bits: float (32), double (64); long double is made of zeros."""
    if width not in (32, 64):
        return "0"
    code, unsigned, suffix = ("f", "I", "f") if width == 32 else ("d", "Q", "")
    number: float = struct.unpack("<" + code, struct.pack("<" + unsigned, bits))[0]
    if math.isnan(number):
        return f"veer_{'float' if width == 32 else 'double'}(0x{bits:x})"
    if math.isinf(number):
        return f"{'-' if number < 0 else ''}__builtin_inf{suffix}()"
    return _shortest(number, code) + suffix


def _shortest(number: float, code: str) -> str:
    """The shortest decimal that a compiler reads back as the same float."""
    if code == "d":
        return repr(number)
    for digits in range(1, 10):
        text = f"{number:.{digits}g}"
        if _is_same_float(float(text), number):
            return text if any(mark in text for mark in ".e") else text + ".0"
    return repr(number)


def _is_same_float(first: float, second: float) -> bool:
    """Whether both are the same number as float; false for what rounds to more than a float holds."""
    try:
        return struct.pack("<f", first) == struct.pack("<f", second)
    except OverflowError:
        return False


def character(number: int) -> str:
    """A character constant."""
    return f"'{_SINGLE.get(number, chr(number))}'"


def string(data: bytes) -> str:
    """A string literal with these bytes (a compiler adds one NUL); octal escapes, which end after three digits."""
    return '"' + "".join(_ESCAPES.get(b) or (chr(b) if 0x20 <= b < 0x7F else f"\\{b:03o}") for b in data) + '"'
