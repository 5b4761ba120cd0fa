"""Bit-fields: where they lie within a value, and what they hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from veer.model.types import Type, TypeKind


class Bits(Struct, frozen=True):
    """A bit-field within a value: access path from the whole, first bit counted from the whole's start, width, type."""

    path: str
    position: int
    width: int
    type: Type
    const: bool = False

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


def bit_fields(types: Sequence[Type], type_: Type, count: int) -> list[Bits]:
    """The bit-fields of `count` elements, those within unions left out."""
    paths = [f"[{index}]" if count > 1 else "" for index in range(count)]
    return [
        bits for index, path in enumerate(paths) for bits in _bit_fields(types, type_, 8 * index * type_.size, path)
    ]


def _bit_fields(types: Sequence[Type], type_: Type, position: int, path: str) -> Iterator[Bits]:
    for bits in type_.bits:
        yield Bits(f"{path}.{bits.name}", position + bits.position, bits.width, types[bits.type], bits.const)
    if type_.kind == TypeKind.STRUCT:
        for field in type_.fields:
            step = f".{field.name}" if field.name else ""
            yield from _bit_fields(types, types[field.type], position + 8 * field.offset, path + step)
    elif type_.kind == TypeKind.ARRAY and types[type_.target].kind in (TypeKind.STRUCT, TypeKind.ARRAY):
        size = types[type_.target].size
        for index in range(type_.count):
            yield from _bit_fields(types, types[type_.target], position + 8 * index * size, f"{path}[{index}]")
