"""A LOOKUP as a term of a solver: a binary decision diagram over the bits of the index, from the lowest on.

    entries  7 7 3 5        bit 0:  7   ite(b0, 5, 3)      bit 1:  ite(b1, ite(b0, 5, 3), 7)

Equal entries and equal pairs are one term, so that a table of long runs is small. Behind the table's end it is 0.
"""

from __future__ import annotations

from typing import Any

from bitwuzla import Kind


def look_up(manager: Any, index: Any, index_width: int, entries: list[int], width: int) -> Any:
    """The term of `width` bits "entry number `index`", where `index` is a bit-vector term of `index_width` bits."""
    reachable = entries[: 1 << index_width]
    bits = (len(reachable) - 1).bit_length()
    level = [*reachable, *(0 for _ in range((1 << bits) - len(reachable)))]
    sort = manager.mk_bv_sort(width)
    terms = {value: manager.mk_bv_value(sort, value) for value in {0, *reachable}}
    zero = terms[0]
    for bit in range(bits):
        level, terms = _merge(manager, _is_set(manager, index, bit), level, terms)
    found = terms[level[0]]
    if bits == index_width:
        return found
    end = manager.mk_bv_value(manager.mk_bv_sort(index_width), 1 << bits)
    return manager.mk_term(Kind.ITE, [manager.mk_term(Kind.BV_ULT, [index, end]), found, zero])


def _is_set(manager: Any, index: Any, bit: int) -> Any:
    extracted = manager.mk_term(Kind.BV_EXTRACT, [index], [bit, bit])
    return manager.mk_term(Kind.EQUAL, [extracted, manager.mk_bv_value(manager.mk_bv_sort(1), 1)])


def _merge(manager: Any, condition: Any, level: list[int], terms: dict[int, Any]) -> tuple[list[int], dict[int, Any]]:
    """Each pair of neighbours as one number, and the terms of these numbers."""
    numbers: dict[tuple[int, int], int] = {}
    merged: dict[int, Any] = {}
    for pair in zip(level[::2], level[1::2], strict=True):
        if pair not in numbers:
            low, high = pair
            numbers[pair] = len(numbers)
            both = (condition, terms[high], terms[low])
            merged[numbers[pair]] = terms[low] if low == high else manager.mk_term(Kind.ITE, list(both))
    return [numbers[pair] for pair in zip(level[::2], level[1::2], strict=True)], merged
