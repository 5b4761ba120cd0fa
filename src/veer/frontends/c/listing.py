"""The functions that could be an entry, with their input shapes: for `veer list`."""

from __future__ import annotations

from pathlib import Path

from veer.frontends.c.analysis import ALL_FUNCTIONS, Module, compile_modules, limits, module_shapes
from veer.frontends.c.inputs import why_no_entry
from veer.frontends.c.typetable import TypeTable
from veer.model.options import BuildOptions
from veer.model.program import Function, Type
from veer.toolchain.compiler import Toolchain

__all__ = ["functions", "why_no_entry"]


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


def _is_own(module: Module, function: Function) -> bool:
    path = Path(function.file)
    return path == module.source or module.source.parent in path.parents
