"""The function that --interrupt names: it may be called before volatile accesses of the entry and of what it calls."""

from __future__ import annotations

from collections.abc import Sequence

from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.debuginfo import NO_NODE
from veer.instrument.interrupts import has_points
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import HarnessKind, Interrupt
from veer.toolchain.compiler import CXX_SUFFIXES


def interrupt_of(modules: Sequence[Module], unit: Module, options: BuildOptions, kind: HarnessKind) -> Interrupt | None:
    """The interrupt of an entry; None where there is none, and for the function itself. Raises UsageError.

    `unit`: the module of the entry. The function may be another one's, if it is not static there.
    """
    name = options.interrupt
    if not name:
        return None
    if kind is not HarnessKind.FUNCTION or unit.source.suffix in CXX_SUFFIXES:
        raise UsageError(f"--interrupt {name}: it works for functions in C, and {options.entry} is none: leave it out")
    if options.partitioned or options.compositional:
        search = "--partitioned" if options.partitioned else "--compositional"
        raise UsageError(f"--interrupt {name}: {search} does not know such calls; leave one of the two out")
    home = routine_of(modules, options, unit)
    return Interrupt(name, options.interrupt_calls, is_apart=home is not unit) if name != options.entry else None


def routine_of(modules: Sequence[Module], options: BuildOptions, unit: Module | None = None) -> Module:
    """The module that defines the function that --interrupt names: `unit` if it does, else another one.

    Raises UsageError where there is none, where it is no routine, and where code of `unit` cannot name it.
    """
    name = options.interrupt
    home = next((each for each in (unit, *modules) if each is not None and each.function(name) is not None), None)
    function = home.function(name) if home is not None else None
    if home is None or function is None:
        sources = ", ".join(each.source.name for each in modules)
        verb = "define" if len(modules) > 1 else "defines"
        raise UsageError(
            f"--interrupt {name}: {sources} {verb} no function of that name, or a static one that nobody calls; "
            "name one that is there"
        )
    if function.parameters or function.is_variadic or function.returns != NO_NODE:
        raise UsageError(f"--interrupt {name}: it takes arguments or returns something; give a void {name}(void)")
    if unit is not None and home is not unit and function.is_static:
        raise UsageError(
            f"--interrupt {name}: it is static in {home.source.name}, and {options.entry} is in {unit.source.name}; "
            f"name entries of {home.source.name} alone, or a function that is not static"
        )
    if not any(has_points(module.ir) for module in modules):
        raise UsageError(
            f"--interrupt {name}: the sources have no volatile access, before which it could be called; "
            "declare volatile what it shares with the others, or leave it out"
        )
    return home
