"""A run's input as the values that it asked for, in that order, as Hypothesis sees it.

struct node *p: 1 (fresh)   p->v: 5   p->next: 1 (fresh)   p->next->v: 7   p->next->next: 0 (NULL)
                                      └───── to leave these two out makes the list shorter ─────┘
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

from msgspec import Struct

from veer.model.inputs import Scalar
from veer.model.plainness import CHARACTERS, TEXT_KINDS, plainness
from veer.wire.layout import LeafKind

_FEW = 32
"""Numbers from 0 on that are tried one by one, and a quarter as many below 0."""
_FLOATS = {32: ("<f", "<I"), 64: ("<d", "<Q")}
_FRACTIONS = (0.5, 0.25, 0.75, 0.125)


class Choice(Struct, frozen=True):
    """One value of an input: its bits, its kind, and the numbers that it may be (inclusive)."""

    bits: int
    width: int
    kind: LeafKind
    low: int
    high: int

    @property
    def name(self) -> str:
        """Its kind as in Scalar."""
        return self.kind.name.lower()

    @property
    def is_text(self) -> bool:
        """Whether it is shown as a character."""
        return self.name in TEXT_KINDS and self.width == 8

    @property
    def is_number(self) -> bool:
        """Whether sums and differences of it make sense."""
        return self.kind in (LeafKind.SIGNED, LeafKind.UNSIGNED, LeafKind.CHAR, LeafKind.BYTE)

    @property
    def is_float(self) -> bool:
        """Whether it is a floating-point number."""
        return self.kind is LeafKind.FLOAT

    @property
    def is_pointer(self) -> bool:
        """Whether it may be a pointer: a number of alternatives, of which 0 is NULL and 1 an object of its own."""
        return self.kind is LeafKind.CHOICE

    @property
    def number(self) -> int:
        """The value as the program sees it."""
        return Scalar(self.bits, self.width, self.name).number

    @property
    def plainest_number(self) -> int:
        """The plainest value as a number."""
        return Scalar(self.plainest(), self.width, self.name).number

    def bits_of(self, number: int) -> int:
        """The bits of a number."""
        return number & ((1 << self.width) - 1)

    def allows(self, number: int) -> bool:
        """Whether it may have this value."""
        return self.low <= number <= self.high

    def is_plainer(self, bits: int) -> bool:
        """Whether these bits are plainer than its own."""
        return plainness(bits, self.width, self.name) < plainness(self.bits, self.width, self.name)

    def plainest(self) -> int:
        """The bits of the plainest value."""
        if self.is_text:
            return CHARACTERS[0]
        return self.bits_of(min(max(0, self.low), self.high)) if self.is_number else 0

    def plainer(self) -> Iterator[int]:
        """Bits of some plainer values, the plainest first: all characters, of other numbers the first few and
        those without one of their bits."""
        found = self._candidates()
        yield from (bits for bits in dict.fromkeys(found) if self.is_plainer(bits))

    def _candidates(self) -> Iterator[int]:
        if self.is_text:
            yield from CHARACTERS
        elif self.kind is LeafKind.CHOICE:
            yield from range(min(self.bits, 1 << 8))
        elif self.kind is LeafKind.FLOAT:
            yield from self._floats()
        else:
            few = (each for number in range(_FEW) for each in ((number, -number) if 4 * number < _FEW else (number,)))
            without = (self.number & ~(1 << bit) for bit in range(self.width) if self.bits >> bit & 1)
            yield from (self.bits_of(each) for each in (*few, -self.number, *without) if self.allows(each))

    def _floats(self) -> Iterator[int]:
        if self.width not in _FLOATS:
            return
        code, whole = _FLOATS[self.width]
        value = struct.unpack(code, struct.pack(whole, self.bits))[0]
        near = [float(round(value)), float(int(value))] if abs(value) < 1e15 else []
        parts = [each + part for each in near for part in (*_FRACTIONS, *(-part for part in _FRACTIONS))]
        few = [float(each) for each in range(_FEW // 2)]
        for each in (*few, *near, *(10.0**power for power in range(2, 16)), *_FRACTIONS, *parts, abs(value)):
            for signed in (each, -each):
                yield struct.unpack(whole, struct.pack(code, signed))[0]
