"""What the front end's tests share: a compiler with a cache that outlives the session, and C written in the test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veer.frontends.c.contracts.clauses import Contract
from veer.frontends.c.contracts.reading import Knowledge, tree, with_access
from veer.frontends.c.extents import ObjectBounds
from veer.frontends.c.shapes import Shape, shape
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.compiled import Module, compile_module
from veer.frontends.llvm.debuginfo import DebugInfo
from veer.model.buildoptions import GivenTerms
from veer.model.types import Type
from veer.model.values import replace
from veer.toolchain.compiler import Toolchain, find


def toolchain() -> Toolchain:
    """zig with the cache that campaigns use: its first link takes eight seconds, the runtime as much."""
    return find(None)


def module_of(folder: Path, text: str, *flags: str) -> Module:
    """A C text as a module, statics that nobody calls included."""
    source = folder / "unit.c"
    source.write_text(text)
    module = compile_module(toolchain(), source, ("-Xclang", "-femit-all-decls", *flags))
    return replace(module, printed=with_access(toolchain(), module, flags, tree(toolchain(), source, flags)))


def debug_info(folder: Path, text: str, *flags: str) -> DebugInfo:
    """Debug info of a C text, statics that nobody calls included."""
    source = folder / "unit.c"
    source.write_text(text)
    return compile_module(toolchain(), source, ("-Xclang", "-femit-all-decls", *flags)).debug


def contract_of(
    folder: Path, text: str, name: str = "f", given: Sequence[GivenTerms] = (), flags: Sequence[str] = ()
) -> Contract:
    """What holds of a function's arguments."""
    module = module_of(folder, text, *flags)
    function = next(each for each in module.debug.functions() if each.name == name)
    return Knowledge(module).contract(function, given)


def shape_of(folder: Path, text: str, name: str = "f", *size_of: str) -> tuple[Shape, list[Type]]:
    """The input shape of a function in a C text, and the table of types; max_length 8, max_array 4."""
    module = module_of(folder, text)
    known = Knowledge(module)
    function = next(each for each in module.debug.functions() if each.name == name)
    table = TypeTable(ObjectBounds(8, 4))
    contract = known.contract(function, (), size_of)
    return shape(module.debug, function, table, contract, known.head(function)), table.types
