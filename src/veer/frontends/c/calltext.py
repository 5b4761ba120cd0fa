"""Pieces of C that harnesses are written of."""

from __future__ import annotations

from veer.model.types import Type, TypeKind

_INTEGERS = {1: "char", 2: "short", 4: "int", 8: "long"}


def variable(row: Type) -> str:
    """A C type of the same size and passing convention as the parameter's, in words that need no header."""
    if row.kind == TypeKind.POINTER:
        return "void *"
    if row.kind == TypeKind.BOOL:
        return "_Bool"
    if row.kind == TypeKind.FLOAT:
        return "float" if row.size == 4 else "double"
    if row.kind in (TypeKind.STRUCT, TypeKind.UNION):
        return row.name
    return f"{'unsigned' if row.kind == TypeKind.UNSIGNED else 'signed'} {_INTEGERS[row.size]}"


def escape(text: str) -> str:
    """As the inside of a C string."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def argument_list(arguments: str) -> str:
    """A va_list of x86-64 that leads to these arguments, none of them in a register (System V ABI, section 3.5.7)."""
    members = "unsigned veer_general, veer_floating; void *veer_rest, *veer_saved;"
    return f"(void *)&(struct {{ {members} }}){{48u, 176u, {arguments}, 0}}"
