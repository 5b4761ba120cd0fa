"""The function that --interrupt names: it may be called before volatile accesses of the entry and of what it calls."""

from __future__ import annotations

from collections.abc import Sequence

from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.debuginfo import NO_NODE
from veer.instrument.interrupts import has_points
from veer.model.errors import UsageError
from veer.model.options import BuildOptions
from veer.model.program import HarnessKind, Interrupt
from veer.toolchain.compiler import CXX_SUFFIXES


def interrupt_of(modules: Sequence[Module], unit: Module, options: BuildOptions, kind: HarnessKind) -> Interrupt | None:
    """The interrupt of an entry; None where there is none, and for the function itself. Raises UsageError.

    `unit`: the module of the entry, which has the function, too.
    """
    name = options.interrupt
    if not name:
        return None
    if kind is not HarnessKind.FUNCTION or unit.source.suffix in CXX_SUFFIXES:
        raise UsageError(f"--interrupt {name}: it works for functions in C, and {options.entry} is none: leave it out")
    if options.partitioned or options.compositional:
        search = "--partitioned" if options.partitioned else "--compositional"
        raise UsageError(f"--interrupt {name}: {search} does not know such calls; leave one of the two out")
    function = unit.function(name)
    if function is None:
        raise UsageError(
            f"--interrupt {name}: {unit.source.name} defines no function of that name, or a static one that nobody "
            "calls; name one that it has"
        )
    if function.parameters or function.is_variadic or function.returns != NO_NODE:
        raise UsageError(f"--interrupt {name}: it takes arguments or returns something; give a void {name}(void)")
    if not any(has_points(module.ir) for module in modules):
        raise UsageError(
            f"--interrupt {name}: the sources have no volatile access, before which it could be called; "
            "declare volatile what it shares with the others, or leave it out"
        )
    return Interrupt(name, options.interrupt_calls) if name != options.entry else None
