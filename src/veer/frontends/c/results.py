"""What functions that are defined nowhere return and are given, and the types of such variables, as C says it: their IR
says no more than "a pointer".

A probe asks the compiler. It is the source with a variable for each function, in whose debug info the type stands:

    #include "/home/u/shop.c"
    __typeof__(&lookup) veer_probe_0;          a pointer to a function that returns struct item *
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from veer.frontends.c.analysis import knowledge_of
from veer.frontends.c.contracts.taken import known_structs
from veer.frontends.c.extents import is_composite, why_never
from veer.frontends.c.flags import user_flags
from veer.frontends.c.numberrows import can_be_returned
from veer.frontends.c.typetable import TypeTable
from veer.frontends.c.voids import is_void_pointer, taken_pointer
from veer.frontends.llvm.compiled import Module, compile_module
from veer.frontends.llvm.debuginfo import NO_NODE, DebugInfo
from veer.frontends.llvm.irtext import declared_functions
from veer.model.buildoptions import BuildOptions
from veer.model.errors import ToolchainError, UsageError
from veer.model.stubcalls import Passed
from veer.model.unitfacts import result_place
from veer.toolchain.cache import digest
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain

_MOST_KEPT = 8
_ATTEMPTS = 4
_UNDECLARED = re.compile(r"use of undeclared identifier '(\w+)'")
_FIRST_UNIT = -1000
"""Debug info numbers its nodes by module; a probe's numbers must not meet those of a module."""


class Declared(Struct, frozen=True):
    """What a declaration says: the type id of a pointer or a struct that comes back and can be made, or -1; the
    parameters."""

    result: int
    passed: tuple[Passed, ...]


def declared(
    names: Collection[str], modules: Sequence[Module], options: BuildOptions, toolchain: Toolchain, table: TypeTable
) -> dict[str, Declared]:
    """What the declarations of these functions say, of those that some module can be asked for. A pointer to void is
    one to what that module's code takes it for."""
    found: dict[str, Declared] = {}
    for number, module in enumerate(modules):
        asked = sorted((set(names) & set(declared_functions(module.ir))) - set(found))
        debug = _probe(module, asked, options, toolchain) if asked else None
        for index, name in enumerate(asked if debug is not None else ()):
            function = _function(debug, f"veer_probe_{index}") if debug is not None else NO_NODE
            if debug is None or function == NO_NODE:
                continue
            unit = _FIRST_UNIT - number
            types = debug.node(debug.node(function).reference("types")).references
            returned = _as_taken(debug, types[0] if types else NO_NODE, module, name)
            is_made = returned != NO_NODE and _is_made(debug, returned)
            result = table.add(debug, returned, unit) if is_made else -1
            is_result = result >= 0 and can_be_returned(table.types[result])
            found[name] = Declared(result if is_result else -1, table.passed(debug, function, unit))
    return found


def probed(
    module: Module, names: Sequence[str], options: BuildOptions, toolchain: Toolchain
) -> dict[str, tuple[DebugInfo, int]]:
    """The types of these functions that the module declares, as nodes; of none where they cannot be asked for."""
    return _answers(_probe(module, names, options, toolchain) if names else None, names, _function)


def variables(
    module: Module, names: Sequence[str], options: BuildOptions, toolchain: Toolchain
) -> dict[str, tuple[DebugInfo, int]]:
    """The types of these variables that the module declares, as nodes; of none where they cannot be asked for."""
    return _answers(_probe(module, names, options, toolchain) if names else None, names, _behind)


def _answers(
    debug: DebugInfo | None, names: Sequence[str], node: Callable[[DebugInfo, str], int]
) -> dict[str, tuple[DebugInfo, int]]:
    """What a probe says of the names, in their order, where it says something."""
    if debug is None:
        return {}
    found = {name: node(debug, f"veer_probe_{index}") for index, name in enumerate(names)}
    return {name: (debug, each) for name, each in found.items() if each != NO_NODE}


def _probe(module: Module, names: Sequence[str], options: BuildOptions, toolchain: Toolchain) -> DebugInfo | None:
    """The debug info of the source with the variables, but for names that are declared in a block alone; None where it
    does not compile."""
    unknown: set[str] = set()
    for _ in range(_ATTEMPTS):
        lines = [f'#include "{module.read}"']
        for index, name in enumerate(names):
            if name not in unknown:
                lines += [f"#undef {name}", f"__typeof__(&{name}) veer_probe_{index} __attribute__((used));"]
        text = "\n".join([*lines, ""])
        path = toolchain.cache.write(text.encode(errors="surrogateescape"), "harness", digest(text), ".c")
        flags = (*user_flags(options, module.source), "-w", "-fno-caret-diagnostics")
        found = _compiled(path, flags, digest(module.ir), toolchain)
        if not isinstance(found, str):
            return found
        more = set(_UNDECLARED.findall(found)).intersection(names) - unknown
        if not more:
            return None
        unknown |= more
    return None


@lru_cache(maxsize=_MOST_KEPT)
def _compiled(path: Path, flags: tuple[str, ...], of: str, toolchain: Toolchain) -> DebugInfo | str:
    """The debug info of a probe, of the source `of` this digest, or what the compiler says: builds of many entries ask
    the same."""
    del of
    try:
        return compile_module(toolchain, path, flags).debug
    except (UsageError, ToolchainError) as error:
        return str(error)


def _function(debug: DebugInfo, variable: str) -> int:
    """The type of the function behind this variable."""
    behind = _behind(debug, variable)
    return NO_NODE if behind == NO_NODE else debug.strip(behind)


def _behind(debug: DebugInfo, variable: str) -> int:
    """The type of what a pointer of this name leads to."""
    reference = next((each.type for each in debug.globals() if each.name == variable), NO_NODE)
    return NO_NODE if reference == NO_NODE else debug.node(debug.strip(reference)).reference("baseType")


def _as_taken(debug: DebugInfo, returned: int, module: Module, function: str) -> int:
    """What a function returns; for `void *`, what its callers in C take it for. `debug`: of a probe of the module."""
    if not is_void_pointer(debug, returned) or module.source.suffix in CXX_SUFFIXES:
        return returned
    struct = knowledge_of(module).taken().nodes.get(result_place(function), NO_NODE)
    if not is_composite(module.debug, struct):
        return returned
    own = module.debug
    name = own.node(struct).text("name") or own.typedef_of.get(struct, "")
    there = known_structs(debug).get(name)
    return returned if there is None else taken_pointer(debug, there)


def _is_made(debug: DebugInfo, reference: int) -> bool:
    node = debug.node(debug.strip(reference))
    if node.tag == "DW_TAG_pointer_type":
        return not why_never(debug, node.reference("baseType"))
    return is_composite(debug, debug.strip(reference))
