"""Bytes in a form of their own, whose length is in themselves: what is no such form, no caller gives.

unsigned char *next(unsigned char *p) { return p + 1 + (p[0] & 63); }      a list in one block: `p` leads to an element
uint8_t kind(const uint8_t *frame) { return frame[2 + frame[1]]; }         a frame whose second byte says how long it is

`char *` is a text, and what has a length beside it may hold anything. So may bytes of which the code looks for a 0.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Held, Witness
from veer.model.describe import type_at
from veer.model.inputs import Scalar
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.types import ExtentKind, TypeKind

_ENDINGS = (
    *(Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE, Outcome.SEGFAULT_WILD, Outcome.SEGFAULT_NULL),
    *(Outcome.USE_AFTER_FREE, Outcome.UNINITIALISED, Outcome.HANG),
)


def broken(witness: Witness) -> Iterator[Broken]:
    """The pointers to bytes without a length, and without an end that the code looks for, which the run has read."""
    if witness.fault.outcome not in _ENDINGS and not witness.passes_null:
        return
    for held, pointer in witness.pointers:
        if pointer.target and is_encoded(witness, held) and _is_read(witness, pointer.target):
            yield Broken(
                f"{held.words} is well-formed",
                f"it needs bytes behind `{held.words}` that say nothing of their length, and neither does a parameter",
            )


def is_encoded(witness: Witness, held: Held) -> bool:
    """Whether a pointer leads to bytes that are no text, and whose number is said nowhere."""
    target = type_at(witness.program, held.type.target)
    is_bytes = target is not None and target.size == 1 and target.kind is not TypeKind.CHAR
    is_open = is_bytes and held.type.extent is ExtentKind.STRING
    return is_open and held.place not in witness.facts.ended and held.place not in witness.facts.declared


def _is_read(witness: Witness, number: int) -> bool:
    item = next((each for each in witness.inputs.objects if each.number == number), None)
    return item is not None and any(isinstance(cell.value, Scalar) and cell.value.used for cell in item.cells)
