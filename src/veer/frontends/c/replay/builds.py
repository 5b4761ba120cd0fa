"""The builds in which tests are replayed: a program's units without instrumentation, linked against runtime/replay.

                  user's units                 veer's own (stubs, --inputs)    and
    plain         as the compiler wrote them   as the compiler wrote them      runtime/replay
    counters      a mark on each edge, line    as the compiler wrote them      runtime/replay, runtime/counters
    conditions    clang's marks of decisions   as the compiler wrote them      runtime/replay, runtime/counters

No build depends on the tests, so that they are made beside the search. The units are the campaign's own, compiled from
the same IR, so that the counters build has the program's own site numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from veer.frontends.c.analysis import compile_modules
from veer.frontends.c.exchange import BuildRecord, ConditionsBuild, ReplayBuilds
from veer.frontends.c.flags import CONDITION_FLAGS, check_flags, link_flags, linker_of, user_flags
from veer.frontends.c.replay.found import replay_key
from veer.frontends.llvm.assembly import base_object, linked
from veer.frontends.llvm.compiled import compile_module
from veer.frontends.llvm.pool import make_units
from veer.frontends.llvm.unit import MadeUnit, UnitRequest, own_functions
from veer.model.coverage import CountedLine
from veer.model.decisions import Decision
from veer.model.errors import ToolchainError, UsageError
from veer.model.options import BuildOptions
from veer.model.program import Program, Site, SiteKind
from veer.toolchain.cache import digest
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import counters_object, front_end_version, replay_objects

COUNTED_LINES = 1 << 22
"""Bytes for lines in a file of counters: runtime/counters/counters.c."""
_DECISIONS = (SiteKind.BRANCH, SiteKind.CASE, SiteKind.SELECT, SiteKind.CHECK)
HARNESS = "the harness"
"""The label of a harness that is a unit of its own."""
Stage = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Parts:
    """What the builds of a program are made of: the user's units in their order, the entry's last, and veer's own."""

    users: tuple[UnitRequest, ...]
    own: tuple[UnitRequest, ...]


@dataclass(frozen=True, slots=True)
class Workshop:
    """What every build needs: the record of the program, its options, the compiler, whom to tell what is worked on."""

    record: BuildRecord
    options: BuildOptions
    toolchain: Toolchain
    stage: Stage

    @property
    def key(self) -> str:
        """Of the builds in the cache."""
        return replay_key(self.record.program)

    def made(self, requests: Sequence[UnitRequest], mode: str) -> tuple[MadeUnit, ...]:
        """The units in this mode, which needs no optimisation: a test is one run."""
        asked = [_in_mode(request, mode) for request in requests]
        version = digest(front_end_version(), self.toolchain.identity)
        return make_units(asked, version, self.toolchain.cache, self.stage)

    def linked(self, objects: Sequence[Path], output: Path) -> Path:
        """Links with the replay runtime. Raises ToolchainError."""
        every = [*objects, *replay_objects(self.toolchain)]
        missing = linked(linker_of(self.options, self.toolchain), every, output, link_flags(self.options))
        if missing:
            raise ToolchainError(f"what tests are replayed in lacks {', '.join(sorted(missing))}")
        return output


def build_replay(parts: Parts, workshop: Workshop) -> ReplayBuilds:
    """The plain and the counters build. Raises ToolchainError."""
    cache, key = workshop.toolchain.cache, workshop.key
    workshop.stage("what tests are replayed in")
    own = workshop.made(parts.own, "plain")
    plain = workshop.made(_without_checks(parts, workshop), "plain")
    counted = workshop.made(parts.users, "counters")
    first = _bases(workshop.record, counted)
    lines, line_bases = _numbered_lines(counted)
    with cache.scratch() as scratch:
        as_it_is = workshop.linked(_objects([*plain, *own]), scratch / "plain")
        numbers = base_object(first, scratch, line_bases)
        marked = [*_objects([*counted, *own]), numbers, counters_object(workshop.toolchain)]
        counting = workshop.linked(marked, scratch / "counters")
        return ReplayBuilds(
            cache.publish(as_it_is, "counters", key, "-plain"),
            cache.publish(counting, "counters", key, "-counted"),
            lines,
        )


def build_conditions(checked: Workshop) -> ConditionsBuild | None:
    """The build with marks of decisions; None for a clang that has none (before 19), or where they do not fit.

    The compiler's checks are left out: their branches are no decisions of the source. Raises ToolchainError.
    """
    workshop = replace(checked, options=_unchecked(checked.options))
    workshop.stage("the build that marks decisions")
    try:
        parts = compiled_parts(workshop, CONDITION_FLAGS)
    except (ToolchainError, UsageError):
        return None
    units = workshop.made(parts.users, "conditions")
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
        own = workshop.made(parts.own, "plain")
        objects = [*_objects([*units, *own]), numbers, counters_object(workshop.toolchain)]
        marked = workshop.linked(objects, scratch / "conditions")
        return ConditionsBuild(cache.publish(marked, "counters", workshop.key, "-conditions"), tuple(decisions))


def compiled_parts(workshop: Workshop, extra: Sequence[str] = ()) -> Parts:
    """The parts, compiled anew from the record with `extra` flags: the sources, and the texts that veer wrote."""
    record, options = workshop.record, workshop.options
    modules = compile_modules(_only(options, _beside(options, record.program)), workshop.toolchain, extra)
    users = [_user(workshop, str(module.source), module.ir) for module in modules]
    users.append(_entry(workshop, extra))
    own = []
    for written in record.texts[1:]:
        module = compile_module(workshop.toolchain, written.path, written.flags, "what veer wrote")
        own.append(UnitRequest(written.label, module.ir, is_library=True))
    return Parts(tuple(users), tuple(own))


def _entry(workshop: Workshop, extra: Sequence[str]) -> UnitRequest:
    """The harness, with the entry's source within it unless that is C++."""
    record, options = workshop.record, workshop.options
    harness = record.texts[0]
    of = record.program.include
    is_cxx = bool(record.program.declarations)
    flags = () if is_cxx else (*user_flags(options, of), *check_flags(options.checks), *extra, "-Wno-pedantic")
    module = compile_module(workshop.toolchain, harness.path, flags, f"the harness of {options.entry}")
    request = _user(workshop, HARNESS if is_cxx else str(of), module.ir)
    return replace(request, last=own_functions(module.ir, harness.path))


def _user(workshop: Workshop, label: str, ir: str) -> UnitRequest:
    record, untouched = workshop.record, frozenset(workshop.options.uninstrumented)
    return UnitRequest(label, ir, redirect=record.redirect, aside=frozenset(record.aside), uninstrumented=untouched)


def _only(options: BuildOptions, sources: Sequence[Path]) -> BuildOptions:
    return replace(options, sources=tuple(sources))


def _without_checks(parts: Parts, workshop: Workshop) -> tuple[UnitRequest, ...]:
    """The user's units as he compiles them."""
    if not check_flags(workshop.options.checks):
        return parts.users
    return compiled_parts(replace(workshop, options=_unchecked(workshop.options))).users


def _unchecked(options: BuildOptions) -> BuildOptions:
    return replace(options, checks=())


def _beside(options: BuildOptions, program: Program) -> tuple[Path, ...]:
    """The sources that the harness does not include."""
    included = program.include.resolve() if program.include and not program.declarations else None
    return tuple(source for source in options.sources if source.resolve() != included)


def _in_mode(request: UnitRequest, mode: str) -> UnitRequest:
    return UnitRequest(
        request.label,
        request.ir,
        mode,
        uninstrumented=request.uninstrumented if mode == "counters" else frozenset(),
        redirect=request.redirect,
        last=request.last,
        aside=request.aside,
        level=0,
    )


def _objects(units: Sequence[MadeUnit]) -> list[Path]:
    return [Path(unit.object) for unit in units]


def _bases(record: BuildRecord, units: Sequence[MadeUnit]) -> dict[str, int]:
    """The first site of each unit in the program. Raises ToolchainError where its decisions are not the program's."""
    by_label = {unit.label: unit for unit in record.units if not unit.is_library}
    for unit in units:
        known = by_label[unit.label]
        sites = record.program.sites[known.base : known.base + known.count]
        if _decisions(sites) != _decisions(unit.sites):
            raise ToolchainError(
                f"the branches of {unit.label} are numbered otherwise in the counters build: coverage is not measured"
            )
    return {unit.name: by_label[unit.label].base for unit in units}


def _decisions(sites: Sequence[Site]) -> list[tuple[str, str, int, int]]:
    return [(site.kind, site.file, site.line, site.column) for site in sites if site.kind in _DECISIONS]


def _numbered_lines(units: Sequence[MadeUnit]) -> tuple[tuple[CountedLine, ...], dict[str, int]]:
    """All counted lines, and where each unit's start."""
    lines: list[CountedLine] = []
    bases: dict[str, int] = {}
    for unit in units:
        bases[unit.name] = len(lines)
        lines += unit.lines
    if len(lines) > COUNTED_LINES:
        raise ToolchainError(f"the counters build has {len(lines)} lines and counts {COUNTED_LINES} at most")
    return tuple(lines), bases
