"""Which pointers of the inputs lead to one object, in words: a claim holds within them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.frontends.llvm.typerows import reachable
from veer.model.aliasing import may_alias
from veer.model.types import ExtentKind, Type, TypeKind

_ARRAYS = frozenset({ExtentKind.STRING, ExtentKind.FIXED, ExtentKind.LENGTH, ExtentKind.COUNT, ExtentKind.FLEXIBLE})
_ALONE = (ExtentKind.FUNCTION, ExtentKind.OPEN)
"""What pointers of these lead to is no alias of anything."""


def placed(types: Sequence[Type], roots: Sequence[int]) -> Iterator[str]:
    """How the objects lie that inputs of these types lead to. `roots`: ids of the types."""
    if _has_strangers(types, roots):
        yield "pointers of different types lead to different objects"
    if _has_several_arrays(types, roots):
        yield "pointers lead to the beginnings of objects"


def _has_strangers(types: Sequence[Type], roots: Sequence[int]) -> bool:
    """Whether there are pointers to data whose types do not let them be aliases of each other."""
    rows = [types[identity] for identity in reachable(types, roots)]
    targets = [row.target for row in rows if row.kind == TypeKind.POINTER and row.extent not in _ALONE]
    return any(not may_alias(types, targets[0], other) for other in targets[1:])


def _has_several_arrays(types: Sequence[Type], roots: Sequence[int]) -> bool:
    """Whether two pointers lead to more than one element each: one could point into the other's."""
    fields = [field.type for identity in reachable(types, roots) for field in types[identity].fields]
    places = [types[identity] for identity in (*roots, *fields) if identity >= 0]
    return sum(row.kind == TypeKind.POINTER and row.extent in _ARRAYS for row in places) > 1
