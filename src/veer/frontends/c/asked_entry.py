"""The entry that is asked for, and what of the options does not go with it."""

from __future__ import annotations

from collections.abc import Sequence

from veer.frontends.c.analysis import ALL_FUNCTIONS, compile_modules, find_entry, unknown_entry
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.debuginfo import DebugFunction
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.program import HarnessKind
from veer.toolchain.compiler import Toolchain


def entry_of(modules: Sequence[Module], options: BuildOptions, toolchain: Toolchain) -> tuple[Module, DebugFunction]:
    """The module that defines the entry, and the entry in it. Raises UsageError when there is none."""
    module = find_entry(modules, options.entry)
    if module is None:
        # A static function that nobody calls is only in the IR when it is asked for.
        complete = compile_modules(options, toolchain, ALL_FUNCTIONS)
        module = find_entry(complete, options.entry)
        if module is None:
            raise unknown_entry(complete, options.entry)
    entry = module.function(options.entry)
    if entry is None:
        raise unknown_entry(modules, options.entry)
    return module, entry


def first_own(options: BuildOptions) -> str:
    """An option that speaks of a parameter of the entry, as it was given; "" when there is none."""
    own = [f"--{option} {name}={number}" for option, name, number in options.own_bounds]
    own += [each.place for each in options.contracts if not each.function]
    return next(iter([*own, *(f"--void {hint}" for hint in options.void)]), "")


def check_options(options: BuildOptions, kind: HarnessKind) -> None:
    """Raises UsageError for an option about parameters where the harness passes none."""
    if options.preconditions and kind is not HarnessKind.FUNCTION:
        raise UsageError(f"--pre asks about the parameters of a function, and {options.entry} is a {kind} harness")
    if options.eager and kind is not HarnessKind.FUNCTION:
        raise UsageError(f"--eager makes the parameters of a function, and {options.entry} is a {kind} harness")
    is_given = options.own_bounds or any(not each.function for each in options.contracts)
    if is_given and kind not in (HarnessKind.FUNCTION, HarnessKind.LIBFUZZER):
        raise UsageError(
            f"{first_own(options)} bounds a parameter of a function, and {options.entry} is a {kind} harness"
        )


def check_cxx(options: BuildOptions, kind: HarnessKind, module: Module) -> None:
    """Raises UsageError for what works in C only."""
    used = (("--pre", options.preconditions), ("--globals", options.globals), ("--fail", options.fail))
    option = next((name for name, value in used if value), "")
    if option:
        raise UsageError(f"{option} works for entries in C, and {options.entry} is in C++ ({module.source.name})")
    if kind is not HarnessKind.FUNCTION:
        raise UsageError(
            f'{options.entry} of {module.source.name} is a {kind} harness in C++: name an extern "C" function instead'
        )
