"""Variables that no source and no library defines are inputs: DART's external variables (DART 3.1).

extern int limit;                       any value
extern int (*handler)(int code);        NULL, or a function of its type
extern const unsigned crc_table[256];   stays all zeros: a table that nobody changes is no input
extern char version[];                  so does what has no size here

Only those that the entry's source declares and that the entry leads to: a suite sets them by their names. What it does
not lead to, is nothing that a claim depends on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.frontends.c.extents import ALWAYS_NULL
from veer.frontends.c.flags import linker_of
from veer.frontends.c.inputs import LARGEST_GLOBAL
from veer.frontends.c.results import variables
from veer.frontends.c.state import StaticUnit, reached
from veer.frontends.c.symbols import in_system_library
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.irtext import declared_data, defined_names, thread_locals
from veer.model.buildoptions import BuildOptions
from veer.model.types import TypeKind
from veer.toolchain.compiler import Toolchain

_UNIT = -3000
"""Debug info numbers its nodes by module; the probe's numbers must not meet those of a module (results.py)."""
_OF_VEER = ("veer_", "llvm.")


def outside(
    modules: Sequence[Module],
    module: Module,
    entries: Sequence[str],
    options: BuildOptions,
    toolchain: Toolchain,
    table: TypeTable,
) -> tuple[tuple[str, int], ...]:
    """The variables that become inputs (name, type id). None where something else is linked that may define them."""
    if options.link or options.uninstrumented or linker_of(options, toolchain) is not toolchain:
        return ()
    undefined = set(_undefined(modules, module))
    used = sorted(undefined & _mentioned(modules, module, entries))
    if not used:
        return ()
    # All are asked for at once: then all entries ask the same.
    known = variables(module, sorted(undefined), options, toolchain)
    found = []
    for name in used:
        if name not in known:
            continue
        debug, reference = known[name]
        identity = -1 if debug.is_const(reference) else table.add(debug, reference, _UNIT)
        row = table.types[identity] if identity >= 0 else None
        is_made = row is not None and row.kind != TypeKind.OPAQUE and row.extent != ALWAYS_NULL
        if row is not None and is_made and 0 < row.size <= LARGEST_GLOBAL:
            found.append((name, table.assignable(identity)))
    return tuple(found)


def beside(modules: Sequence[Module], module: Module, entries: Sequence[str]) -> frozenset[str]:
    """The variables that some source declares, none defines, and the entries do not lead to."""
    undefined = {name for each in (*modules, module) for name in _undefined(modules, each)}
    return frozenset(undefined - _mentioned(modules, module, entries))


def _mentioned(modules: Sequence[Module], module: Module, entries: Sequence[str]) -> set[str]:
    """What the functions and variables mention that the entries, of this module, lead to."""
    units = [StaticUnit.of(module if each.source == module.source else each) for each in modules]
    own = next((unit for unit, each in zip(units, modules, strict=True) if each.source == module.source), None)
    found = reached(units, own or StaticUnit.of(module), entries)
    return {name for unit, each in found for name in (*unit.leads_to(each), *unit.stores_to(each))}


def _undefined(modules: Sequence[Module], module: Module) -> Iterator[str]:
    """The variables that the module declares and that nobody defines."""
    threads = thread_locals(module.ir)
    defined = {name for each in modules for name in defined_names(each.ir)}
    for name in declared_data(module.ir):
        is_known = name in defined or name in threads or name.startswith(_OF_VEER)
        if not is_known and not in_system_library(name):
            yield name
