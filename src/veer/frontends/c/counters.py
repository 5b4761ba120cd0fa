"""The builds on which a suite is replayed: plain, as the user would compile it, with a counter an edge, and one with
clang's marks of decisions (instrument/conditions.py).

The counters build has the program's own site numbers: its units are the same, with the same bases, and the suite's unit
includes the entry's source as the harness did, its own functions being numbered behind the source's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from veer.frontends.c.analysis import compile_modules
from veer.frontends.c.exchange import Reply, Request, UnitBase
from veer.frontends.c.flags import CONDITION_FLAGS, check_flags, link_flags, linker_of, user_flags
from veer.frontends.c.symbols import like_the_library
from veer.frontends.llvm.assembly import base_object, linked
from veer.frontends.llvm.compiled import compile_module
from veer.frontends.llvm.irtext import defined_functions
from veer.frontends.llvm.levels import with_levels
from veer.frontends.llvm.pool import make_units
from veer.frontends.llvm.unit import MadeUnit, UnitRequest, own_functions
from veer.model.coverage import CountedLine
from veer.model.decisions import Decision
from veer.model.errors import ToolchainError, UsageError
from veer.model.options import BuildOptions
from veer.model.program import USER_MAIN, Program, Site, SiteKind
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain, compile_object, shorten
from veer.toolchain.runtime import counters_object

COUNTED_LINES = 1 << 22
"""Bytes for lines in a file of counters: runtime/counters/counters.c."""
_DECISIONS = (SiteKind.BRANCH, SiteKind.CASE, SiteKind.SELECT, SiteKind.CHECK)
_PLAIN = ("-O0", "-g", "-fno-omit-frame-pointer", "-w", "-UNDEBUG")


def build_counted(request: Request, toolchain: Toolchain, version: str, stage: Callable[[str], None]) -> Reply:
    """Both builds of a suite's text. Raises ToolchainError when the suite does not compile."""
    record, text = request.record, request.suite
    if record is None or text is None:
        raise ToolchainError("the cold build was asked for counters of nothing: this is a bug of veer's")
    cache = toolchain.cache
    suite = cache.write(_with_entry(text, record.program).encode(), "harness", request.key, ".c")
    with cache.scratch() as scratch:
        stage("the plain build of the suite")
        plain = _plain_build(request.options, record.program, toolchain, suite, scratch)
        stage("the counters build of the suite")
        units = _counted_units(request, toolchain, suite, version, stage)
        _check_numbers(record.program, record.units, units[-1])
        bases = _bases(record.units, units)
        lines, line_bases = _numbered_lines(units)
        numbers = base_object(bases, scratch, line_bases)
        objects = [*(Path(unit.object) for unit in units), numbers, counters_object(toolchain)]
        output = scratch / "counters"
        missing = linked(linker_of(request.options, toolchain), objects, output, link_flags(request.options))
        if missing:
            raise ToolchainError(f"the counters build of the suite lacks {', '.join(sorted(missing))}")
        stage("the conditions build of the suite")
        conditions = _conditions_build(request, toolchain, suite, version, scratch, stage)
        return Reply(
            plain=cache.publish(plain, "counters", request.key, "-plain"),
            counters=cache.publish(output, "counters", request.key, "-counted"),
            lines=lines,
            conditions=cache.publish(conditions[0], "counters", request.key, "-conditions") if conditions else None,
            decisions=conditions[1] if conditions else (),
        )


def _with_entry(text: str, program: Program) -> str:
    # A static function that only the harness calls would not be compiled, and the numbers would differ.
    names = [USER_MAIN if name == "main" else name for name in program.starts]
    names += [each.name for each in program.functions if each.name in program.preconditions and each.is_static]
    kept = [
        f"__attribute__((used)) static const void *const veer_keep_{index} = (const void *){name};"
        for index, name in enumerate(names)
    ]
    return "\n".join([text, *kept, ""])


def _others(options: BuildOptions, program: Program) -> tuple[Path, ...]:
    included = program.include.resolve() if program.include and not program.declarations else None
    return tuple(source for source in options.sources if source.resolve() != included)


def _flags(options: BuildOptions, program: Program | None, file: Path, of: Path | None) -> tuple[str, ...]:
    """The user's flags, but none for the C text of a suite beside sources in C++, which they are meant for."""
    is_beside = program is not None and program.declarations and file.suffix not in CXX_SUFFIXES and of != file
    return () if is_beside else user_flags(options, of)


def _plain_build(options: BuildOptions, program: Program, toolchain: Toolchain, suite: Path, scratch: Path) -> Path:
    objects = []
    for index, source in enumerate([*_others(options, program), suite]):
        output = scratch / f"plain_{index}.o"
        # Only the suite has a main.
        rename = () if source == suite else (f"-Dmain={USER_MAIN}",)
        of = program.include if source == suite else source
        said = compile_object(toolchain, source, output, (*_PLAIN, *rename, *_flags(options, program, source, of)))
        if said.code:
            what = "the suite" if source == suite else str(source)
            raise ToolchainError(f"the plain build of {what} does not compile:\n{shorten(said.messages)}")
        objects.append(output)
    output = scratch / "plain"
    missing = linked(linker_of(options, toolchain), objects, output, link_flags(options))
    if missing:
        raise ToolchainError(
            f"the plain build of the suite lacks {', '.join(sorted(missing))}: define it or --link its library"
        )
    return output


def _counted_units(
    request: Request, toolchain: Toolchain, suite: Path, version: str, stage: Callable[[str], None]
) -> tuple[MadeUnit, ...]:
    """The other sources and the suite, in the program's order."""
    return _units(request, toolchain, suite, version, stage)


def _conditions_build(
    request: Request, toolchain: Toolchain, suite: Path, version: str, scratch: Path, stage: Callable[[str], None]
) -> tuple[Path, tuple[Decision, ...]] | None:
    """The executable with marks of decisions, and what they stand for; None for a clang that has no MC/DC (before 19).

    The compiler's checks are left out: their branches are no decisions of the source.
    """
    plain = replace(request, options=replace(request.options, checks=()))
    try:
        units = _units(plain, toolchain, suite, version, stage, "conditions", CONDITION_FLAGS)
    except (ToolchainError, UsageError):
        return None
    decisions: list[Decision] = []
    bases: dict[str, int] = {}
    count = 0
    for unit in units:
        bases[unit.name] = count
        decisions += [replace(decision, first=decision.first + count) for decision in unit.decisions]
        count += sum(len(decision.vectors) for decision in unit.decisions)
    if count > COUNTED_LINES:
        return None
    numbers = base_object(dict.fromkeys(bases, 0), scratch, bases)
    output = scratch / "conditions"
    objects = [*(Path(unit.object) for unit in units), numbers, counters_object(toolchain)]
    if linked(linker_of(request.options, toolchain), objects, output, link_flags(request.options)):
        return None
    return output, tuple(decisions)


def _units(
    request: Request,
    toolchain: Toolchain,
    suite: Path,
    version: str,
    stage: Callable[[str], None],
    mode: str = "counters",
    extra: Sequence[str] = (),
) -> tuple[MadeUnit, ...]:
    options = request.options
    program = request.record.program if request.record else None
    others = _others(options, program) if program else ()
    of = program.include if program else None
    flags = (*_flags(options, program, suite, of), *check_flags(options.checks), *extra)
    requests = [
        UnitRequest(str(module.source), module.ir, mode, uninstrumented=frozenset(options.uninstrumented))
        for module in compile_modules(_only(options, others), toolchain, extra)
    ]
    module = compile_module(toolchain, suite, flags, "the suite")
    requests.append(
        UnitRequest(
            "the suite",
            module.ir,
            mode,
            uninstrumented=frozenset(options.uninstrumented),
            last=own_functions(module.ir, suite),
            keeps_main=True,
        )
    )
    own = own_functions(module.ir, suite)
    defined = {name for each in requests for name in defined_functions(each.ir)} - own
    aside = frozenset[str]() if options.link else like_the_library(defined)
    asked = with_levels([replace(each, aside=aside) for each in requests])
    return make_units(asked, version, toolchain.cache, stage)


def _only(options: BuildOptions, sources: Sequence[Path]) -> BuildOptions:
    return BuildOptions(
        sources=tuple(sources),
        entry=options.entry,
        include=options.include,
        define=options.define,
        std=options.std,
        cflags=options.cflags,
        checks=options.checks,
        flags_of=options.flags_of,
    )


def _bases(record: Sequence[UnitBase], units: Sequence[MadeUnit]) -> dict[str, int]:
    """The program's bases for the same sources; the suite's unit stands where the entry's did."""
    by_label = {unit.label: unit.base for unit in record}
    entry = next(unit.base for unit in record if unit.is_entry)
    return {unit.name: entry if unit is units[-1] else by_label[unit.label] for unit in units}


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


def _check_numbers(program: Program, record: Sequence[UnitBase], suite: MadeUnit) -> None:
    """Raises ToolchainError unless the suite's unit numbers the source's decisions as the harness's did."""
    unit = next(unit for unit in record if unit.is_entry)
    harness = [_place(site) for site in program.sites[unit.base : unit.base + unit.count] if site.kind in _DECISIONS]
    counted = [_place(site) for site in suite.sites if site.kind in _DECISIONS]
    if counted[: len(harness)] != harness:
        raise ToolchainError(
            "the counters build numbers its branches otherwise than the instrumented one: coverage is not measured"
        )


def _place(site: Site) -> tuple[str, str, int, int]:
    return (site.kind, site.file, site.line, site.column)
