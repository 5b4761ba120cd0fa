"""What of memory after a call can be compared with what was there before: by suites, and by replays."""

from __future__ import annotations

from collections.abc import Sequence

from veer.model.bitfields import Bits
from veer.model.inputs import Cell, Pointer, Scalar
from veer.model.literal import Leaf
from veer.model.result import Output
from veer.model.types import TypeKind

POINTER_SIZE = 8
"""Bytes."""


def part(data: bytes, leaf: Leaf) -> bytes:
    """The bytes of a leaf."""
    return data[leaf.offset : leaf.offset + leaf.type.size]


def is_known(cell: Cell | None) -> bool:
    """Whether the run looked at what the cell held."""
    if cell is None:
        return False
    return cell.value.used if isinstance(cell.value, Scalar) else cell.value.decided


def is_changed(leaf: Leaf, cell: Cell | None, output: Output) -> bool:
    """Whether the call changed this leaf. A pointer that the run never looked at is 0."""
    if leaf.type.kind != TypeKind.POINTER:
        return part(output.before, leaf) != part(output.after, leaf)
    if cell is not None and isinstance(cell.value, Pointer) and cell.value.into:
        return False  # only where it leads to after the call is known
    if cell is not None and isinstance(cell.value, Pointer) and cell.value.part:
        return not any(part(output.after, leaf))  # the same: it is no object's beginning
    before = cell.value.target if cell is not None and isinstance(cell.value, Pointer) else None
    after = dict(output.pointers).get(leaf.offset)
    if before is not None or after is not None:
        return before != after
    return any(part(output.after, leaf))


def are_bits_changed(bits: Bits, output: Output) -> bool:
    """Whether the call changed this bit-field."""
    return bits.value(output.before) != bits.value(output.after)


def is_settled(where: range, output: Output) -> bool:
    """Whether the unit has written all of these bytes: of others nobody can expect anything."""
    return not any(at in where for at in output.unwritten)


def place_of(leaf: Leaf) -> range:
    """The bytes of a leaf, by their offsets."""
    return range(leaf.offset, leaf.offset + leaf.type.size)


def holds_pointer(leaf: Leaf, cells: Sequence[Cell]) -> bool:
    """Whether a number of a union lies where the input has a pointer: its bytes are an address of one run."""
    if leaf.type.kind == TypeKind.POINTER or not leaf.in_union:
        return False
    held = [
        each.offset for each in cells if isinstance(each.value, Pointer) and (each.value.target or each.value.function)
    ]
    return any(at < leaf.offset + leaf.type.size and leaf.offset < at + POINTER_SIZE for at in held)
