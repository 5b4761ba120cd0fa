"""How a LOOKUP is said with ITE: a binary decision diagram over the bits of the index, from the lowest on.

    entries  7 7 3 5        bit 0:  7   ite(b0, 5, 3)      bit 1:  ite(b1, ite(b0, 5, 3), 7)

Equal entries and equal pairs are one term, so that a table of long runs is small. Behind the table's end it is 0.
Measured against chains of ITE and array theory in bitwuzla: 256 entries take 0.3 ms, 6 ms and 190 ms.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

Handle = TypeVar("Handle")


class Chooser(Protocol[Handle]):
    """What a solver has to make for a look-up in a table with one index."""

    def value(self, entry: int) -> Handle:
        """The constant of an entry."""
        ...

    def is_set(self, bit: int) -> Handle:
        """The Bool "this bit of the index is 1"."""
        ...

    def is_below(self, bound: int) -> Handle:
        """The Bool "the index is less", unsigned."""
        ...

    def choose(self, condition: Handle, then: Handle, otherwise: Handle) -> Handle:
        """The ITE."""
        ...


def look_up(chooser: Chooser[Handle], index_width: int, entries: Sequence[int]) -> Handle:
    """The term "entry number index", the index of `index_width` bits."""
    reachable = list(entries[: 1 << index_width])
    bits = (len(reachable) - 1).bit_length()
    level = [*reachable, *(0 for _ in range((1 << bits) - len(reachable)))]
    terms = {value: chooser.value(value) for value in {0, *reachable}}
    zero = terms[0]
    for bit in range(bits):
        level, terms = _merge(chooser, chooser.is_set(bit), level, terms)
    found = terms[level[0]]
    return found if bits == index_width else chooser.choose(chooser.is_below(1 << bits), found, zero)


def _merge(
    chooser: Chooser[Handle], condition: Handle, level: list[int], terms: dict[int, Handle]
) -> tuple[list[int], dict[int, Handle]]:
    """Each pair of neighbours as one number, and the terms of these numbers."""
    numbers: dict[tuple[int, int], int] = {}
    merged: dict[int, Handle] = {}
    for pair in zip(level[::2], level[1::2], strict=True):
        if pair not in numbers:
            low, high = pair
            numbers[pair] = len(numbers)
            merged[numbers[pair]] = terms[low] if low == high else chooser.choose(condition, terms[high], terms[low])
    return [numbers[pair] for pair in zip(level[::2], level[1::2], strict=True)], merged
