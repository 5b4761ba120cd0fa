"""The functions that could be an entry, with their input shapes: for `veer list`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veer.frontends.c import inputs
from veer.frontends.c.analysis import ALL_FUNCTIONS, Module, compile_modules, limits, module_shapes
from veer.frontends.c.declarations import declarations
from veer.frontends.c.typetable import TypeTable
from veer.model.errors import UnsupportedInputError
from veer.model.options import BuildOptions
from veer.model.program import Function, Type
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain


def functions(options: BuildOptions, toolchain: Toolchain) -> tuple[tuple[Function, tuple[Type, ...]], ...]:
    """All functions that the sources define, each with the table of types that its type ids point into.

    Functions of headers outside of the sources' directories are left out. Raises UsageError, ToolchainError.
    """
    found: list[tuple[Function, tuple[Type, ...]]] = []
    for module in compile_modules(options, toolchain, ALL_FUNCTIONS):
        table = TypeTable(limits(options))
        shapes = module_shapes(module, table, 0)
        types = tuple(table.types)
        found += [(each.function, types) for each in shapes if _is_own(module, each.function)]
    return tuple(found)


def why_no_entry(function: Function, types: Sequence[Type]) -> str:
    """Why a function cannot be an entry, or empty: inputs that cannot be made, C++ that C cannot call."""
    why = inputs.why_no_entry(function, types)
    if why or Path(function.file).suffix not in CXX_SUFFIXES:
        return why
    try:
        declarations(function, types)
    except UnsupportedInputError as error:
        return str(error)
    return ""


def _is_own(module: Module, function: Function) -> bool:
    path = Path(function.file)
    return path == module.source or module.source.parent in path.parents
