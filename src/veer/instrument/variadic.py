"""Where the arguments behind `...` lie for the callee's va_arg (System V ABI for x86-64, sections 3.2.3 and 3.5.7).

A call knows its arguments' types, so it says in a table what its callee's va_start must know:

    [number of places, bytes of the overflow area, slot, offset, bytes, kind, slot, offset, bytes, kind, ...]

An offset counts from the beginning of the register save area (6 general registers of 8 bytes, 8 vector registers of 16
bytes), with the overflow area put right behind it. `slot` is that of the shadow in HOT.arguments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from veer.instrument.callsyntax import Argument, Call
from veer.instrument.typelayout import Layout
from veer.wire.layout import MAX_ARGUMENTS

LIST = "%struct.__va_list_tag"
"""The type of a va_list (System V ABI, figure 3.34)."""
SAVE_AREA = 176
_GENERAL_REGISTERS = 6
_VECTOR_REGISTERS = 8
_VECTORS = 8 * _GENERAL_REGISTERS
_ALIGNMENT = re.compile(r"\balign (\d+)")
_UNUSUAL = re.compile(r"\b(?:inreg|nest|inalloca)\b")
_VALUE, _COPY = 0, 1


class Place(Struct, frozen=True):
    """Where the callee finds a leaf (kind 0), or the struct that slot's value points to (kind 1)."""

    slot: int
    offset: int
    size: int
    kind: int


class Places(Struct, frozen=True):
    """All places of one call; `lost` are the numbers of slots that have none."""

    places: tuple[Place, ...]
    overflow: int
    lost: frozenset[int]

    def table(self) -> str:
        """The table as an IR constant with its type."""
        numbers = [len(self.places), self.overflow]
        for place in self.places:
            numbers += [place.slot, place.offset, place.size, place.kind]
        words = ", ".join(f"i32 {number}" for number in numbers)
        return f"[{len(numbers)} x i32] [{words}]"


class _Assignment:
    """Hands out registers and memory, argument by argument."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout
        self._general = 0
        self._vectors = 0
        self.overflow = 0
        self.is_known = True

    def offset(self, argument: Argument) -> int:
        """Offset of the next argument."""
        layout, type_ = self._layout, argument.type
        if _UNUSUAL.search(argument.attributes):
            self.is_known = False
        if argument.byval:
            found = _ALIGNMENT.search(argument.attributes)
            alignment = int(found[1]) if found else layout.alignment(argument.byval)
            return self._memory(layout.size(argument.byval), alignment)
        if type_ in ("float", "double") or (type_.startswith("<") and layout.store_size(type_) <= 16):
            if self._vectors < _VECTOR_REGISTERS:
                self._vectors += 1
                return _VECTORS + 16 * (self._vectors - 1)
            return self._memory(layout.store_size(type_), 16 if type_.startswith("<") else 8)
        if type_ == "x86_fp80":
            return self._memory(16, 16)
        return self._integer(type_)

    def _integer(self, type_: str) -> int:
        count = (self._layout.store_size(type_) + 7) // 8
        if not (type_ == "ptr" or re.fullmatch(r"i\d+", type_)) or count > 2:
            self.is_known = False
        if self._general + count <= _GENERAL_REGISTERS:
            self._general += count
            return 8 * (self._general - count)
        if count > 1:  # a pair that is torn apart, or not: nothing behind it is sure
            self.is_known = False
        return self._memory(8 * count, 8)

    def _memory(self, size: int, alignment: int) -> int:
        alignment = max(alignment, 8)
        begin = (self.overflow + alignment - 1) // alignment * alignment
        self.overflow = (begin + size + 7) // 8 * 8
        return SAVE_AREA + begin


def assign(layout: Layout, call: Call) -> Places:
    """The places of the arguments that are not fixed."""
    assignment = _Assignment(layout)
    places: list[Place] = []
    lost: set[int] = set()
    slot = 0
    for number, argument in enumerate(call.arguments):
        offset = assignment.offset(argument)
        leaves = list(_leaves(layout, argument, slot, offset))
        slot += len(leaves)
        if number < call.fixed:
            continue
        good = [leaf for leaf in leaves if assignment.is_known and leaf.size and leaf.slot < MAX_ARGUMENTS]
        places += good
        lost |= {leaf.slot for leaf in leaves} - {leaf.slot for leaf in good}
    return Places(tuple(places), assignment.overflow, frozenset(lost))


def _leaves(layout: Layout, argument: Argument, slot: int, offset: int) -> Iterator[Place]:
    """The slots of an argument, as Calls numbers them; size 0 for what cannot be stored byte by byte."""
    if argument.byval:
        yield Place(slot, offset, layout.size(argument.byval), _COPY)
        return
    leaves = layout.leaves(argument.type)
    for index, leaf in enumerate(leaves):
        yield Place(slot + index, offset + leaf.offset, leaf.width // 8 if leaf.width in (8, 16, 32, 64) else 0, _VALUE)
    if not leaves:
        yield Place(slot, offset, 0, _VALUE)
