"""Where the parts of a value lie: the leaves of a type that C can name one by one, and how they are written."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veer.model.literal import NAMELESS, Leaf, object_leaves
from veer.model.program import Program, Type, TypeKind


def assignable(program: Program, type_: Type, count: int, size: int = 0) -> list[Leaf]:
    """The leaves of an object that are alone at their bytes (two at the same bytes are bit-fields).

    `count` elements, or one with a flexible array within `size` bytes.
    """
    found = [leaf for leaf in object_leaves(program.types, type_, count, size) if NAMELESS not in leaf.path]
    found.sort(key=lambda leaf: leaf.offset)
    alone: list[Leaf] = []
    for position, leaf in enumerate(found):
        before = position > 0 and found[position - 1].offset + found[position - 1].type.size > leaf.offset
        behind = position + 1 < len(found) and leaf.offset + leaf.type.size > found[position + 1].offset
        if not before and not behind:
            alone.append(leaf)
    return alone


@dataclass(frozen=True, slots=True)
class Bits:
    """A bit-field within a value: access path from the whole, first bit counted from the whole's start, width, type."""

    path: str
    position: int
    width: int
    type: Type

    @property
    def held_by(self) -> range:
        """The bytes that hold it."""
        return range(self.position // 8, (self.position + self.width + 7) // 8)

    def value(self, data: bytes) -> int:
        """What it holds, sign-extended where its type is signed."""
        number = int.from_bytes(data, "little") >> self.position & self.mask
        is_negative = self.type.kind in (TypeKind.SIGNED, TypeKind.CHAR) and number >> (self.width - 1)
        return number - (1 << self.width) if is_negative else number

    @property
    def mask(self) -> int:
        return (1 << self.width) - 1


def bit_fields(program: Program, type_: Type, count: int) -> list[Bits]:
    """The bit-fields of `count` elements, those within unions left out."""
    paths = [f"[{index}]" if count > 1 else "" for index in range(count)]
    return [
        bits
        for index, path in enumerate(paths)
        for bits in _bit_fields(program.types, type_, 8 * index * type_.size, path)
    ]


def _bit_fields(types: Sequence[Type], type_: Type, position: int, path: str) -> Iterator[Bits]:
    for bits in type_.bits:
        yield Bits(f"{path}.{bits.name}", position + bits.position, bits.width, types[bits.type])
    if type_.kind == TypeKind.STRUCT:
        for field in type_.fields:
            step = f".{field.name}" if field.name else ""
            yield from _bit_fields(types, types[field.type], position + 8 * field.offset, path + step)
    elif type_.kind == TypeKind.ARRAY and types[type_.target].kind in (TypeKind.STRUCT, TypeKind.ARRAY):
        size = types[type_.target].size
        for index in range(type_.count):
            yield from _bit_fields(types, types[type_.target], position + 8 * index * size, f"{path}[{index}]")


def place(name: str, path: str, *, is_block: bool, is_single: bool) -> str:
    """A part of a variable or of the block that it points to: `x.v`, `p->next`, `p[2].v`, `*p`."""
    if not is_block or not is_single:
        return name + path
    if path.startswith("."):
        return f"{name}->{path[1:]}"
    return f"(*{name}){path}" if path else f"*{name}"
