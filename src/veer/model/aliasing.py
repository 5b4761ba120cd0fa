"""Which pointers may lead to the same object: those whose targets C lets a program access through either.

`typedef int number` makes `number *` and `int *` such pointers, and so do `int *` and `unsigned *` (C11 6.5p7). The
runtime has the same rule (veer_may_alias in runtime/tracer/aliases.c).
"""

from __future__ import annotations

from collections.abc import Sequence

from veer.model.types import Type, TypeKind

_INTEGERS = (TypeKind.UNSIGNED, TypeKind.SIGNED, TypeKind.CHAR)


def may_alias(types: Sequence[Type], first: int, second: int) -> bool:
    """Whether an object of the type `first` (its id) may stand where one of the type `second` is wanted."""
    if first == second or first < 0 or second < 0:
        return first == second
    one, other = types[first], types[second]
    if one.size != other.size:
        return False
    if one.kind == TypeKind.POINTER and other.kind == TypeKind.POINTER:
        return one.extent == other.extent and may_alias(types, one.target, other.target)
    if one.kind in _INTEGERS:
        return other.kind in _INTEGERS
    return one.kind == other.kind and one.kind in (TypeKind.BOOL, TypeKind.FLOAT)
