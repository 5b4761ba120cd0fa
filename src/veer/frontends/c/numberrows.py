"""Numbers of debug info as rows of the table of types, and what else a row says by itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veer.frontends.llvm.debuginfo import Node
from veer.model.types import Type, TypeKind
from veer.model.values import replace

COMPLEX = "DW_ATE_complex_float"
_ENCODINGS = {
    "DW_ATE_boolean": TypeKind.BOOL,
    "DW_ATE_signed": TypeKind.SIGNED,
    "DW_ATE_signed_char": TypeKind.SIGNED,
    "DW_ATE_unsigned": TypeKind.UNSIGNED,
    "DW_ATE_unsigned_char": TypeKind.UNSIGNED,
    "DW_ATE_UTF": TypeKind.UNSIGNED,
    "DW_ATE_float": TypeKind.FLOAT,
}


def encoding(node: Node) -> str:
    """How debug info calls the encoding of a number's type."""
    return node.fields.get("encoding", "DW_ATE_unsigned")


def of_number(node: Node, row: Type) -> Type:
    """The row of a number that is not complex."""
    kind = _ENCODINGS.get(node.fields.get("encoding", ""), TypeKind.OPAQUE)
    if node.text("name") == "char":
        kind = TypeKind.CHAR
    return replace(row, kind=kind, alignment=max(row.size, 1))


def within(row: Type, bits: int) -> Type:
    """An integer type with the values that so many bits can hold."""
    signed = row.kind is TypeKind.SIGNED
    least, most = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)
    return replace(row, minimum=least, maximum=most, is_ranged=True)


def can_be_returned(row: Type) -> bool:
    """Whether a stub can return a value of this type: scalars, pointers, and structs that have a name."""
    if row.kind in (TypeKind.STRUCT, TypeKind.UNION):
        return row.size > 0 and bool(re.search(r"\w", re.sub(r"\b(struct|union|const|volatile)\b", "", row.name)))
    return row.kind == TypeKind.POINTER or (row.kind not in (TypeKind.OPAQUE, TypeKind.ARRAY) and row.size <= 8)


def keep_whole(kept: dict[int, bool], fields: Sequence[range]) -> None:
    """A bit-field that shares a byte with one that is kept is kept as a whole: a test sets bit-fields, not bytes."""
    changed = True
    while changed:
        changed = False
        for held in fields:
            some = [kept[byte] for byte in held]
            if any(some) and not all(some):
                kept |= dict.fromkeys(held, True)
                changed = True
