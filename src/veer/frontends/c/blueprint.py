"""What planning makes: all that is known of a program before anything is instrumented."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from veer.frontends.c.analysis import (
    ALL_FUNCTIONS,
    compile_modules,
    find_entry,
    module_shapes,
)
from veer.frontends.c.harness import Plan
from veer.frontends.c.state import initial_state
from veer.frontends.c.typetable import TypeTable
from veer.frontends.llvm.compiled import Module
from veer.model.buildoptions import BuildOptions
from veer.model.program import Function
from veer.model.unitfacts import UnitFacts
from veer.toolchain.compiler import Toolchain

MOST_OUTPUTS = 64
"""Global variables whose values are recorded around the call."""


class Blueprint(Struct, frozen=True):
    """All that is known before anything is instrumented."""

    modules: tuple[Module, ...]
    entry: Module
    plan: Plan
    table: TypeTable
    functions: tuple[Function, ...]
    notes: tuple[str, ...]
    bounds: tuple[str, ...]
    contracts: tuple[str, ...] = ()  # what is assumed of arguments, in words
    facts: UnitFacts | None = None  # what the code of all modules shows
    others: tuple[Module, ...] = ()  # of another version of the entry
    own_types: int = 0  # so many rows of the table came of the plan, those behind them of other functions


def begins_with(modules: Sequence[Module], module: Module, entries: Sequence[str], plan: Plan) -> tuple[str, ...]:
    """The bound on static data that is no input. A whole program begins with it in any case."""
    return initial_state(modules, module, entries, {name for name, _ in plan.globals})


def with_statics(
    modules: Sequence[Module], wanted: Sequence[str], options: BuildOptions, toolchain: Toolchain
) -> tuple[Module, ...]:
    """The modules in which predicates are looked for: a static one that nobody calls is in no other IR."""
    if all(find_entry(modules, name) is not None for name in wanted):
        return tuple(modules)
    return compile_modules(options, toolchain, ALL_FUNCTIONS)


def functions_of(
    modules: Sequence[Module], entry: Module, entered: Sequence[Function], table: TypeTable
) -> tuple[Function, ...]:
    found: dict[tuple[str, str], Function] = {}
    for unit, module in enumerate(modules):
        # Debug info numbers its nodes by module; 0 is the entry's.
        number = 0 if module.source == entry.source and module.ir == entry.ir else unit + 1
        for shape in module_shapes(module, table, number):
            found.setdefault((shape.function.name, shape.function.file), shape.function)
    found |= {(each.name, each.file): each for each in entered}
    return tuple(found.values())
