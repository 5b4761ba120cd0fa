"""Fields that the functions of a unit set together, so that a NULL in the one says something of the other.

l->head = n; l->len++;           head and len are set together
l->head = 0; l->len = 0;         and so they are where head becomes NULL: what len says is true of head
n->next = 0;                     a function that sets next to NULL and leaves key alone: the two have nothing in common
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations

from veer.frontends.c.contracts.origins import Origins
from veer.model.unitfacts import Place, PlaceKind


def kept_together(functions: Sequence[Origins]) -> frozenset[tuple[Place, Place]]:
    """Pairs of a pointer and a field of the same struct that is set wherever the pointer becomes NULL."""
    together: set[tuple[Place, Place]] = set()
    apart: set[tuple[Place, Place]] = set()
    fields: set[Place] = set()
    cleared: list[tuple[Place, set[Place]]] = []
    for function in functions:
        stored, nulls = _stores(function)
        fields |= stored
        together |= {(one, other) for one, other in permutations(stored, 2) if one.owner == other.owner}
        cleared += [(place, stored) for place in nulls]
    for place, stored in cleared:
        apart |= {(place, other) for other in fields - stored}
    return frozenset(together - apart)


def _stores(function: Origins) -> tuple[set[Place], set[Place]]:
    """The fields that a function sets, and those that it sets to NULL."""
    stored: set[Place] = set()
    nulls: set[Place] = set()
    for address, value in function.stores():
        places = {place for place in function.targets(address) if isinstance(place, Place)}
        fields = {place for place in places if place.kind is PlaceKind.FIELD}
        stored |= fields
        if value == "null":
            nulls |= fields
    return stored, nulls
