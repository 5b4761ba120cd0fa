"""Sizes, alignments and offsets of IR types on x86-64, computed from their text (packed structs too)."""

from __future__ import annotations

import re
from typing import NamedTuple

from veer.instrument.lexer import closing, split_commas

MAX_LEAVES = 16
"""Aggregates with more scalars than this have no shadow of their own."""

_SCALARS = {
    # type: (bytes that a store writes, ABI alignment)
    "ptr": (8, 8),
    "float": (4, 4),
    "double": (8, 8),
    "half": (2, 2),
    "bfloat": (2, 2),
    "x86_fp80": (10, 16),
    "fp128": (16, 16),
}
_COUNTED = re.compile(r"(\d+) x ")


class Leaf(NamedTuple):
    """A scalar within a value: its byte offset, its type, and its width in bits (at most 64)."""

    offset: int
    type: str
    width: int


class UnknownTypeError(ValueError):
    """The type has no size (opaque, scalable) or is not known to veer."""


class Layout:
    """The type layout of one module; `named` maps `%struct.x` to the text of its body."""

    def __init__(self, named: dict[str, str]) -> None:
        self._named = named
        self._sizes: dict[str, tuple[int, int]] = {}
        self._leaves: dict[str, tuple[Leaf, ...]] = {}
        self._offsets: dict[str, tuple[tuple[int, str], ...]] = {}

    def names_type(self, name: str) -> bool:
        """Whether the module has a type of this name (with %)."""
        return name in self._named

    def resolve(self, type_: str) -> str:
        """The body of a named type, or the type itself."""
        while type_.startswith("%"):
            if type_ not in self._named:
                raise UnknownTypeError(type_)
            type_ = self._named[type_]
        return type_

    def store_size(self, type_: str) -> int:
        """Bytes that a load or store of the type touches."""
        return self._measure(type_)[0]

    def size(self, type_: str) -> int:
        """Bytes from one array element to the next (allocation size)."""
        bytes_, alignment = self._measure(type_)
        return _round_up(bytes_, alignment)

    def alignment(self, type_: str) -> int:
        """ABI alignment in bytes."""
        return self._measure(type_)[1]

    def width(self, type_: str) -> int:
        """Bits of a scalar that can have one shadow, else 0 (wide integers, vectors, aggregates, long double)."""
        if type_.startswith("i") and type_[1:].isdigit():
            bits = int(type_[1:])
            return bits if bits <= 64 else 0
        return {"ptr": 64, "double": 64, "float": 32}.get(type_, 0)

    def wide(self, type_: str) -> int:
        """Bits of an integer of 65 to 128 bits, which has one shadow for its lower 64 and one for the rest; else 0."""
        if not type_.startswith("i") or not type_[1:].isdigit():
            return 0
        bits = int(type_[1:])
        return bits if 64 < bits <= 128 else 0

    def leaves(self, type_: str) -> tuple[Leaf, ...]:
        """The scalars that a value consists of; empty if one of them can have no shadow or there are too many."""
        found = self._leaves.get(type_)
        if found is None:
            collected: list[Leaf] = []
            fits = self._collect(type_, 0, collected)
            found = self._leaves[type_] = tuple(collected) if fits else ()
        return found

    def members(self, type_: str) -> tuple[tuple[int, str], ...]:
        """(offset, type) of each member of a struct; raises UnknownTypeError for anything else."""
        found = self._offsets.get(type_)
        if found is None:
            found = self._offsets[type_] = self._place(self.resolve(type_))
        return found

    def element(self, type_: str) -> str:
        """Element type of an array or vector."""
        return self._counted(self.resolve(type_))[1]

    def count(self, type_: str) -> int:
        """Number of elements of an array or vector."""
        return self._counted(self.resolve(type_))[0]

    def is_struct(self, type_: str) -> bool:
        """Whether it is a struct, packed or not."""
        return self.resolve(type_).startswith(("{", "<{"))

    def leaf_range(self, type_: str, indices: tuple[int, ...]) -> tuple[int, int]:
        """Which leaves the member that the indices name has: (first, count)."""
        first = 0
        for index in indices:
            if self.is_struct(type_):
                members = [member for _, member in self.members(type_)]
                first += sum(len(self.leaves(member)) for member in members[:index])
                type_ = members[index]
            else:
                type_ = self.element(type_)
                first += index * len(self.leaves(type_))
        return first, len(self.leaves(type_))

    def leaf_paths(self, type_: str) -> tuple[tuple[int, ...], ...]:
        """The indices that lead to each leaf of a value."""
        if self.width(type_):
            return ((),)
        if self.wide(type_):
            return ((0,), (1,))
        if self.is_struct(type_):
            members = [member for _, member in self.members(type_)]
        else:
            members = [self.element(type_)] * self.count(type_)
        return tuple((index, *path) for index, member in enumerate(members) for path in self.leaf_paths(member))

    def is_packed(self, type_: str) -> bool:
        """Whether it is a vector whose lanes have no bytes of their own in memory (<8 x i1>)."""
        return (
            self.resolve(type_).startswith("<")
            and not self.is_struct(type_)
            and self.width(self.element(type_)) % 8 != 0
        )

    def member_type(self, type_: str, indices: tuple[int, ...]) -> str:
        """Type of the member that the indices of an extractvalue name."""
        for index in indices:
            type_ = self.members(type_)[index][1] if self.is_struct(type_) else self.element(type_)
        return type_

    def uniform_element(self, type_: str) -> int:
        """The size in bytes of every scalar in the type if they are all integers of one size (1, 2, 4, 8), else 1."""
        sizes: set[int] = set()
        self._scalar_sizes(type_, sizes)
        return sizes.pop() if len(sizes) == 1 and sizes <= {1, 2, 4, 8} else 1

    def _scalar_sizes(self, type_: str, sizes: set[int]) -> None:
        body = self.resolve(type_)
        if self.is_struct(body):
            for _, member in self.members(body):
                self._scalar_sizes(member, sizes)
        elif body[0] in "[<":
            self._scalar_sizes(self.element(body), sizes)
        else:
            sizes.add(self.store_size(body))

    def _collect(self, type_: str, offset: int, into: list[Leaf]) -> bool:
        width = self.width(type_)
        if width:
            into.append(Leaf(offset, type_, width))
            return len(into) <= MAX_LEAVES
        bits = self.wide(type_)
        if bits:
            into += [Leaf(offset, "i64", 64), Leaf(offset + 8, f"i{bits - 64}", bits - 64)]
            return len(into) <= MAX_LEAVES
        if type_[0] not in "%{[<":
            return False
        if self.is_struct(type_):
            return all(self._collect(member, offset + at, into) for at, member in self.members(type_))
        element, count = self.element(type_), self.count(type_)
        if count > MAX_LEAVES:
            return False
        size = self.size(element)
        return all(self._collect(element, offset + index * size, into) for index in range(count))

    def _measure(self, type_: str) -> tuple[int, int]:
        found = self._sizes.get(type_)
        if found is None:
            found = self._sizes[type_] = self._compute(self.resolve(type_))
        return found

    def _compute(self, body: str) -> tuple[int, int]:
        if body in _SCALARS:
            return _SCALARS[body]
        if body.startswith("i") and body[1:].isdigit():
            return _integer(int(body[1:]))
        if body.startswith(("{", "<{")):
            members = self._place(body)
            packed = body.startswith("<{")
            alignment = 1 if packed else max((self.alignment(member) for _, member in members), default=1)
            end = max((offset + self.size(member) for offset, member in members), default=0)
            return _round_up(end, alignment), alignment
        if body.startswith("["):
            count, element = self._counted(body)
            return count * self.size(element), self.alignment(element)
        if body.startswith("<"):
            count, element = self._counted(body)
            bits = count * (self.width(element) or 8 * self.store_size(element))
            bytes_ = (bits + 7) // 8
            return bytes_, 1 << max(bytes_ - 1, 0).bit_length()
        raise UnknownTypeError(body)

    def _place(self, body: str) -> tuple[tuple[int, str], ...]:
        packed = body.startswith("<{")
        if not body.startswith("{") and not packed:
            raise UnknownTypeError(body)
        inner = body[2:-2] if packed else body[1:-1]
        position = 0
        placed: list[tuple[int, str]] = []
        for member in split_commas(inner.strip()):
            if not packed:
                position = _round_up(position, self.alignment(member))
            placed.append((position, member))
            position += self.size(member)
        return tuple(placed)

    def _counted(self, body: str) -> tuple[int, str]:
        match = _COUNTED.match(body, 1)
        if match is None or closing(body, 0) != len(body):
            raise UnknownTypeError(body)
        return int(match[1]), body[match.end() : -1]


def _integer(bits: int) -> tuple[int, int]:
    bytes_ = (bits + 7) // 8
    return bytes_, min(1 << (bytes_ - 1).bit_length(), 16)


def _round_up(value: int, alignment: int) -> int:
    return (value + alignment - 1) // alignment * alignment
