"""What else is an input besides parameters, and which entries cannot have inputs at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veer.frontends.c.extents import ALWAYS_NULL
from veer.frontends.c.shapes import Shape
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.debuginfo import DebugGlobal
from veer.frontends.llvm.irtext import thread_locals
from veer.model.errors import UnsupportedInputError
from veer.model.program import Function
from veer.model.types import Type, TypeKind

LARGEST_GLOBAL = 4096
"""Bytes; a bigger variable (a table, a pool) keeps its initial value."""


def usable(shape: Shape, types: list[Type]) -> None:
    """Raises UnsupportedInputError naming the first parameter that cannot be made, why, and what to do."""
    if why := why_no_entry(shape.function, types):
        raise UnsupportedInputError(why)


def why_no_entry(function: Function, types: Sequence[Type]) -> str:
    """Why a function cannot be an entry: its first parameter that cannot be made, and what to do; or empty."""
    for parameter in function.parameters:
        head = f"the parameter {parameter.name} of {function.name} is unsupported"
        if parameter.unsupported:
            return f"{head}: {parameter.unsupported}"
        if parameter.type < 0 or types[parameter.type].kind == TypeKind.OPAQUE:
            return f"{head}: its type is unknown; give the function a prototype"
    return ""


def global_inputs(module: Module, table: TypeTable) -> tuple[tuple[tuple[str, int], ...], tuple[str, ...]]:
    """The variables of the entry's module that become inputs (name, type id), and notes on those that do not.

    Non-const variables at file scope, written in the user's own files.
    """
    chosen: list[tuple[str, int]] = []
    notes: list[str] = []
    of_threads = thread_locals(module.ir)
    for variable in module.debug.globals():
        if module.debug.is_const(variable.type) or not _is_own(module, variable):
            continue
        if variable.name in of_threads:
            notes.append(f"the global {variable.name} keeps its initial value: it is thread-local")
            continue
        identity = table.add(module.debug, variable.type)
        row = table.types[identity] if identity >= 0 else None
        if row is None or row.kind == TypeKind.OPAQUE or row.extent == ALWAYS_NULL or row.size == 0:
            notes.append(f"the global {variable.name} keeps its initial value: its type cannot be made")
        elif row.size > LARGEST_GLOBAL:
            notes.append(f"the global {variable.name} keeps its initial value: it has more than {LARGEST_GLOBAL} bytes")
        else:
            chosen.append((variable.name, table.assignable(identity)))
    return tuple(chosen), tuple(notes)


def comparable(variables: Sequence[tuple[str, int]], types: Sequence[Type]) -> tuple[tuple[str, int], ...]:
    """Those of the variables whose values mean the same in another process: no jmp_buf, which holds addresses."""
    return tuple(each for each in variables if not _holds_jump(types, types[each[1]]))


def _holds_jump(types: Sequence[Type], row: Type) -> bool:
    if row.kind == TypeKind.ARRAY and row.target >= 0:
        return _holds_jump(types, types[row.target])
    return row.name == "struct __jmp_buf_tag" or any(_holds_jump(types, types[each.type]) for each in row.fields)


def _is_own(module: Module, variable: DebugGlobal) -> bool:
    path = Path(variable.file)
    return path == module.source or module.source.parent in path.parents
