"""Sizes of a result that was read back: reports and suites make bytes of them, as many as they say."""

from __future__ import annotations

from veer.model.inputs import InputMap, MemoryObject, Root, Scalar
from veer.model.result import Result

_MOST_BYTES = 1 << 26
"""Of an object. No executor has room for an input of that size."""
_MOST_BITS = 128
"""Of a number."""


def require_sizes(result: Result) -> None:
    """Raises ValueError where an input of a test is larger than any that a run can have, or has a negative size."""
    for test in result.tests:
        _require(test.inputs, test.name)


def _require(inputs: InputMap, test: str) -> None:
    sized: tuple[Root | MemoryObject, ...] = (*inputs.roots, *inputs.objects)
    for held in sized:
        places = (held.size, *(cell.offset for cell in held.cells))
        widths = (cell.value.width for cell in held.cells if isinstance(cell.value, Scalar))
        fits = all(0 <= each <= _MOST_BYTES for each in places) and all(0 <= each <= _MOST_BITS for each in widths)
        if not fits:
            raise ValueError(f"an input of {test[:60]!r} is larger than any")
