"""Arrays of integers within a value are written as a whole: one statement in the place of one for each element.

r->buf[0] = 11;
r->buf[1] = 13;       →       veer_set(r->buf, 11, 13, 17, 19);
...
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from msgspec import Struct

from veer.model.literal import Leaf
from veer.model.types import TypeKind
from veer.suite.c.declarators import is_nameable

FEWEST = 4
"""Elements; fewer stand for themselves."""
_INTEGERS = frozenset((TypeKind.SIGNED, TypeKind.UNSIGNED, TypeKind.CHAR, TypeKind.BOOL))
_ELEMENT = re.compile(r"(?P<array>.*)\[(?P<index>\d+)\]")


class Row(Struct, frozen=True):
    """The first elements of an array, all of one type. `path`: of the array from the whole (`.buf`, `[2].key`)."""

    path: str
    leaves: tuple[Leaf, ...]

    @property
    def size(self) -> int:
        """Bytes."""
        return sum(leaf.type.size for leaf in self.leaves)


def rows(leaves: Sequence[Leaf]) -> Iterator[Row]:
    """The arrays among leaves that lie in the order of their offsets. Floats are compared one by one, and what is const
    or in a union is written otherwise: those are in none."""
    for path, group in groupby(leaves, key=_array):
        found = list(group)
        if path is not None and len(found) >= FEWEST and _is_whole(found):
            yield Row(path, tuple(found))


def _array(leaf: Leaf) -> str | None:
    """The path of the array that a leaf is an element of; None for what is written by itself."""
    element = _ELEMENT.fullmatch(leaf.path)
    is_plain = leaf.type.kind in _INTEGERS and is_nameable(leaf.type) and not leaf.in_union and not leaf.const
    return element["array"] if element is not None and is_plain else None


def _is_whole(leaves: Sequence[Leaf]) -> bool:
    """Whether these are the elements 0, 1, 2, ..., side by side and of one type."""
    first = leaves[0]
    return all(
        leaf.type.id == first.type.id
        and leaf.offset == first.offset + index * first.type.size
        and leaf.path.endswith(f"[{index}]")
        for index, leaf in enumerate(leaves)
    )
