"""The parts of which C's replay builds are made, and the build in which its decisions are measured.

conditions    clang's marks of decisions in the user's units, veer's own as they are, runtime/replay, runtime/counters
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from msgspec import Struct

from veer.frontends.c.analysis import compile_modules
from veer.frontends.c.apart import with_handles
from veer.frontends.c.checks import check_flags, checks_of
from veer.frontends.c.devices import seen_by
from veer.frontends.c.exchange import BuildRecord
from veer.frontends.c.flags import CONDITION_FLAGS, link_flags, linker_of, user_flags
from veer.frontends.c.ownchecks import with_own_checks, without_own_checks
from veer.frontends.c.specifications.watching import MONITORS, monitors_unit, with_watches
from veer.frontends.c.versions import other_modules
from veer.frontends.llvm.assembly import base_object
from veer.frontends.llvm.compiled import Module, compile_module
from veer.frontends.llvm.irtext import defined_functions, defined_names
from veer.frontends.llvm.replay.builds import COUNTED_LINES, Bench, Parts, objects_of
from veer.frontends.llvm.replay.builds import build_replay as build_of_parts
from veer.frontends.llvm.replay.made import ConditionsBuild, ReplayBuilds
from veer.frontends.llvm.unit import UnitRequest, own_functions
from veer.instrument.checks import without_checks
from veer.model.buildoptions import BuildOptions
from veer.model.decisions import Decision
from veer.model.errors import ToolchainError, UsageError
from veer.model.program import Program
from veer.model.values import replace
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import counters_object

HARNESS = "the harness"
"""The label of a harness that is a unit of its own."""
Stage = Callable[[str], None]


class Workshop(Struct, frozen=True):
    """What every build needs: the record of the program, its options, the compiler, whom to tell what is worked on."""

    record: BuildRecord
    options: BuildOptions
    toolchain: Toolchain
    stage: Stage

    @property
    def key(self) -> str:
        """Of the builds in the cache."""
        return self.bench.key

    @property
    def bench(self) -> Bench:
        """The same for what every language builds."""
        program, link = self.record.program, link_flags(self.options)
        linker = linker_of(self.options, self.toolchain)
        return Bench(program.executable, program.sites, self.record.units, self.toolchain, linker, link, self.stage)


def build_replay(parts: Parts, workshop: Workshop) -> ReplayBuilds:
    """The plain and the counters build. Raises ToolchainError."""
    unchecked = [replace(each, ir=without_own_checks(without_checks(each.ir))) for each in parts.users]
    return build_of_parts(parts, workshop.bench, unchecked)


def build_conditions(checked: Workshop) -> ConditionsBuild | None:
    """The build with marks of decisions; None for a clang that has none (before 19), or where they do not fit.

    The compiler's checks are left out: their branches are no decisions of the source. Raises ToolchainError.
    """
    workshop = replace(checked, options=_unchecked(checked.options))
    bench = workshop.bench
    workshop.stage("the build that marks decisions")
    try:
        parts = compiled_parts(workshop, CONDITION_FLAGS)
    except (ToolchainError, UsageError):
        return None
    units = bench.made(parts.users, "conditions")
    decisions: list[Decision] = []
    bases: dict[str, int] = {}
    count = 0
    for unit in units:
        bases[unit.name] = count
        decisions += [replace(decision, first=decision.first + count) for decision in unit.decisions]
        count += sum(len(decision.vectors) for decision in unit.decisions)
    if count > COUNTED_LINES:
        return None
    cache = workshop.toolchain.cache
    with cache.scratch() as scratch:
        numbers = base_object(dict.fromkeys(bases, 0), scratch, bases)
        own = bench.made(parts.own, "plain")
        objects = [*objects_of([*units, *own]), numbers, counters_object(workshop.toolchain)]
        marked = bench.linked(objects, scratch / "conditions")
        return ConditionsBuild(cache.publish(marked, "counters", bench.key, "-conditions"), tuple(decisions))


def compiled_parts(workshop: Workshop, extra: Sequence[str] = ()) -> Parts:
    """The parts, compiled anew from the record with `extra` flags: the sources, and the texts that veer wrote."""
    record, options = workshop.record, workshop.options
    modules = compile_modules(_only(options, _beside(options, record.program)), workshop.toolchain, extra)
    if options.against:
        modules = (
            *modules,
            *other_modules(options, workshop.toolchain, compile_modules(options, workshop.toolchain), extra),
        )
    entry = _entry_module(workshop, extra)
    defined = {name for module in (*modules, entry) for name in defined_functions(module.ir)}
    users = [_user(workshop, str(module.source), module.ir, defined) for module in modules]
    users.append(_entry(workshop, entry, defined))
    own = []
    for written in record.texts[1:]:
        if written.label == MONITORS and record.program.include is not None:
            source, shared = record.program.include, defined_names(entry.ir)
            unit = monitors_unit(written, source, shared, workshop.toolchain)
            own.append(replace(unit, aside=frozenset(record.aside)))
            continue
        module = compile_module(workshop.toolchain, written.path, written.flags, "what veer wrote")
        own.append(UnitRequest(written.label, module.ir, is_library=True))
    return Parts(tuple(users), tuple(own))


def _entry_module(workshop: Workshop, extra: Sequence[str]) -> Module:
    """The harness, with the entry's source within it unless that is C++."""
    record, options = workshop.record, workshop.options
    harness = record.texts[0]
    of = record.program.include
    is_cxx = bool(record.program.declarations)
    flags = () if is_cxx else (*user_flags(options, of), *check_flags(options, of), *extra, "-Wno-pedantic")
    module = compile_module(workshop.toolchain, harness.path, flags, f"the harness of {options.entry}")
    if record.program.watching is None or of is None:
        return module
    return replace(module, ir=with_handles(module.ir, of))


def _entry(workshop: Workshop, module: Module, defined: Collection[str]) -> UnitRequest:
    record = workshop.record
    is_cxx = bool(record.program.declarations)
    request = _user(workshop, HARNESS if is_cxx else str(record.program.include), module.ir, defined)
    return replace(request, last=own_functions(module.ir, record.texts[0].path))


def _user(workshop: Workshop, label: str, ir: str, defined: Collection[str]) -> UnitRequest:
    record, untouched = workshop.record, frozenset(workshop.options.uninstrumented)
    options = workshop.options
    is_bounded = record.program.include is not None and "array-bounds" in checks_of(options, record.program.include)
    checked = with_own_checks(without_checks(ir, untouched), defined, untouched, is_bounded=is_bounded)
    seen = seen_by(record.program.device, record.program.interrupt, checked)
    return UnitRequest(
        label,
        with_watches(seen, record.program.watching, defined),
        redirect=record.redirect,
        aside=frozenset(record.aside),
        uninstrumented=untouched,
        find=options.find,
        avoid=options.avoid,
    )


def _only(options: BuildOptions, sources: Sequence[Path]) -> BuildOptions:
    return replace(options, sources=tuple(sources))


def _unchecked(options: BuildOptions) -> BuildOptions:
    return replace(options, checks=(), no_checks=("all",))


def _beside(options: BuildOptions, program: Program) -> tuple[Path, ...]:
    """The sources that the harness does not include."""
    included = program.include.resolve() if program.include and not program.declarations else None
    return tuple(source for source in options.sources if source.resolve() != included)
