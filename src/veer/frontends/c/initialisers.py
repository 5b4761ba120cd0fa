"""Initialisers of the user's: `void veer_init_TYPE(struct TYPE *)` in the entry's source (LCT section 4.2).

TYPE is the struct's tag or a typedef's name. The runtime calls it for each new input object behind a pointer.
"""

from __future__ import annotations

from collections.abc import Sequence

from veer.frontends.c.analysis import ALL_FUNCTIONS, compile_modules
from veer.frontends.c.spelling import spelling
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.debuginfo import NO_NODE, DebugFunction, DebugInfo
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.types import Type
from veer.toolchain.compiler import Toolchain

PREFIX = "veer_init_"


def initialisers(entry: Module, options: BuildOptions, toolchain: Toolchain) -> dict[str, str]:
    """Struct, as C spells it → its initialiser. Raises UsageError for one that is no such function."""
    texts = {source: source.read_text(errors="replace") for source in options.sources}
    if not any(PREFIX in text for text in texts.values()):
        return {}
    found: dict[str, str] = {}
    # A static function that nobody calls is only in the IR when it is asked for.
    for module in compile_modules(options, toolchain, ALL_FUNCTIONS):
        for function in module.debug.functions():
            if not function.name.startswith(PREFIX) or function.name == options.entry:
                continue
            if module.source != entry.source:
                raise UsageError(f"{function.name} is in {module.source.name}: define it in {entry.source.name}")
            found[_structure(module.debug, function)] = function.name
    return found


def _structure(debug: DebugInfo, function: DebugFunction) -> str:
    """The struct that the function initialises."""
    type_, name = function.name.removeprefix(PREFIX), ""
    if len(function.parameters) == 1 and function.returns == NO_NODE:
        target = debug.node(debug.strip(function.parameters[0].type)).reference("baseType")
        node = debug.node(debug.strip(target))
        if node.tag == "DW_TAG_structure_type" and type_ in (node.text("name"), debug.node(target).text("name")):
            name = spelling(debug, debug.strip(target))
    if not name:
        raise UsageError(
            f"{function.name} is no initialiser: write void {function.name}(struct {type_} *), or rename it"
        )
    return name


def bounds(types: Sequence[Type], reached: set[int]) -> list[str]:
    """What initialisers mean for a claim."""
    rows = [types[identity] for identity in sorted(reached) if types[identity].initialiser]
    return [f"objects of {row.name} are as {row.initialiser} leaves them" for row in rows]
