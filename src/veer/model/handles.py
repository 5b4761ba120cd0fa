"""Pointers to bytes with a type of their own, of which the unit makes what they lead to: `typedef char *sds;`.

A caller has such an object from a function that returns it, and from nowhere else: what stands before or behind the
bytes is the unit's own. A plain `char *` is a text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veer.model.types import ExtentKind, Type, TypeKind

_ALIAS = re.compile(r"(?:const |volatile )*([A-Za-z_]\w*)$")
_BYTES = (TypeKind.CHAR, TypeKind.SIGNED, TypeKind.UNSIGNED, TypeKind.OPAQUE)


def alias(type_: Type) -> str:
    """The name of a typedef that is a pointer to bytes; "" for any other type."""
    matched = _ALIAS.match(type_.name)
    is_pointer = type_.kind is TypeKind.POINTER and type_.extent is not ExtentKind.FUNCTION
    return matched[1] if is_pointer and matched is not None else ""


def is_handle(identity: int, types: Sequence[Type]) -> bool:
    """Whether a type is a pointer to bytes by a name of its own."""
    if identity < 0 or not alias(types[identity]):
        return False
    target = types[types[identity].target]
    return target.kind in _BYTES and target.size <= 1


def handle(identity: int, types: Sequence[Type]) -> int:
    """The first row of the same name: rows of one typedef have different extents."""
    name = alias(types[identity])
    return next(row.id for row in types if is_handle(row.id, types) and alias(row) == name)
