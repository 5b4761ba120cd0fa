"""Sizes of a result that was read back: reports and suites make bytes of them, as many as they say."""

from __future__ import annotations

from collections.abc import Sequence

from veer.model.inputs import InputMap, MemoryObject, Root, Scalar
from veer.model.literal import MAXIMUM_LEAVES
from veer.model.result import Result
from veer.model.types import Type, TypeKind

_MOST_BYTES = 1 << 26
"""Of an object. No executor has room for an input of that size."""
_MOST_BITS = 128
"""Of a number."""
_MOST_PARTS = 1 << 24
"""Numbers and pointers of an object."""
_PARTS_A_BYTE = 8
_FEW_PARTS = 64


def require_sizes(result: Result) -> None:
    """Raises ValueError where an input of a test is larger than any that a run can have, or has a negative size."""
    parts = _Parts(result.program.types)
    for test in result.tests:
        _require(test.inputs, test.name, parts)


class _Parts:
    """How many numbers and pointers the types have that inputs are of."""

    def __init__(self, types: Sequence[Type]) -> None:
        self._types = types
        self._known: dict[int, int] = {}

    def fit(self, held: Root | MemoryObject) -> bool:
        """Whether its elements have room in it, and few enough parts."""
        count = held.count if isinstance(held, MemoryObject) else 1
        if not 0 <= held.type < len(self._types):
            return 0 <= count <= _MOST_BYTES
        room = max(1, held.size // max(self._types[held.type].size, 1))
        most = min(_MOST_PARTS, _PARTS_A_BYTE * held.size + _FEW_PARTS)
        return 0 <= count <= room and count * self._of(held.type) <= most

    def _of(self, number: int) -> int:
        """Those of one value of a type, more than any if it holds itself."""
        if number not in self._known:
            self._known[number] = _MOST_PARTS + 1
            self._known[number] = min(self._counted(self._types[number]), _MOST_PARTS + 1)
        return self._known[number]

    def _counted(self, type_: Type) -> int:
        if type_.kind is TypeKind.STRUCT:
            return sum(self._of(field.type) for field in type_.fields)
        if type_.kind is TypeKind.UNION:
            return max((self._of(field.type) for field in type_.fields), default=0)
        if type_.kind is TypeKind.ARRAY:
            told = min(max(type_.count, 0), MAXIMUM_LEAVES)
            return told * self._of(type_.target) if 0 <= type_.target < len(self._types) else 0
        return 1


def _require(inputs: InputMap, test: str, parts: _Parts) -> None:
    sized: tuple[Root | MemoryObject, ...] = (*inputs.roots, *inputs.objects)
    for held in sized:
        places = (held.size, *(cell.offset for cell in held.cells))
        widths = (cell.value.width for cell in held.cells if isinstance(cell.value, Scalar))
        fits = all(0 <= each <= _MOST_BYTES for each in places) and all(0 <= each <= _MOST_BITS for each in widths)
        fits &= parts.fit(held)
        if not fits:
            raise ValueError(f"an input of {test[:60]!r} is larger than any")
