"""Moves the numbers of a witness to what the unit stores in their fields, as far as it still shows the fault.

r->buf[r->head + 1] with head = 4294967295      is out of bounds, and so it is with
                         head = 7               which the unit's own functions store: no contract is broken
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from veer.findings.severity.fields import outside
from veer.findings.severity.witness import Witness
from veer.model.inputs import Scalar
from veer.model.unitfacts import Stored

_MOST_TRIED = 16
"""Values of one number."""

Shows = Callable[[bytes], Witness | None]
"""Runs an input: its witness, if it shows the same fault."""


def repaired(raw: bytes, witness: Witness, shows: Shows) -> bytes:
    """The input with fewer numbers that the unit does not store; the same input where none can be moved."""
    for _ in range(len(tuple(outside(witness)))):
        moved = next(_moved(raw, witness, shows), None)
        if moved is None:
            break
        raw, witness = moved
    return raw


def _moved(raw: bytes, witness: Witness, shows: Shows) -> Iterator[tuple[bytes, Witness]]:
    """Inputs that show the same with one such number less."""
    before = len(tuple(outside(witness)))
    for _, value, stored in outside(witness):
        for number in candidates(stored) if value.at >= 0 and value.width % 8 == 0 else ():
            tried = put(raw, value, number)
            shown = shows(tried)
            if shown is not None and len(tuple(outside(shown))) < before:
                yield tried, shown


def candidates(stored: Stored) -> tuple[int, ...]:
    """Numbers that the unit stores: the ends, then those between, the greatest first."""
    between = range(stored.high - 1, stored.low, -1)
    return tuple(dict.fromkeys((stored.high, stored.low, *between[:_MOST_TRIED])))


def put(raw: bytes, value: Scalar, number: int) -> bytes:
    """The input with another value of a number."""
    size = value.width // 8
    grown = raw.ljust(value.at + size, b"\0")
    written = (number & ((1 << value.width) - 1)).to_bytes(size, "little")
    return grown[: value.at] + written + grown[value.at + size :]
