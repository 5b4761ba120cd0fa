"""Arrays within a struct, as C's initialisers have them: zeros at the end are left out.

name[0] = 'a', name[1] = 0, ..., name[15] = 0     name = "a"
v[0] = 3, v[1] = 0, v[2] = 4, v[3] = 0             v = {3, 0, 4}
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from veer.model.inputs import Cell, Scalar
from veer.model.literal import string

_ELEMENT = re.compile(r"(.+)\[(\d+)\]")


class Part(Struct, frozen=True):
    """A value of an aggregate: its access path (`.name[3]`), its cell, and the value in words."""

    path: str
    cell: Cell
    words: str


def folded(parts: Sequence[Part]) -> Iterator[tuple[str, str]]:
    """Path and value; of an array whose numbers are all there its own. Parts are in the order of their offsets."""
    for array, found in groupby(parts, _array):
        elements = list(found)
        if array and _is_whole(elements):
            yield array, _initialiser(elements)
        else:
            yield from ((each.path, each.words) for each in elements)


def _array(part: Part) -> str:
    """The array that a number is an element of; "" where it is none, or one of an array that is all there is."""
    element = _ELEMENT.fullmatch(part.path)
    return element[1] if element is not None and isinstance(part.cell.value, Scalar) else ""


def _is_whole(elements: Sequence[Part]) -> bool:
    """Whether they are the first ones of their array, two at least, with none left out."""
    indices = [int(each.path[each.path.rindex("[") + 1 : -1]) for each in elements]
    return len(elements) > 1 and indices == list(range(len(elements)))


def _initialiser(elements: Sequence[Part]) -> str:
    values = [each.cell.value for each in elements if isinstance(each.cell.value, Scalar)]
    if all(value.kind == "char" and value.width == 8 for value in values):
        return string(bytes(value.bits for value in values).rstrip(b"\0"))
    count = max((place + 1 for place, value in enumerate(values) if value.bits), default=1)
    return "{" + ", ".join(each.words for each in elements[:count]) + "}"
