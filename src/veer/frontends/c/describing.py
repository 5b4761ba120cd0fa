"""What is known of a program that was built: its `Program`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from veer.frontends.c.blueprint import Blueprint
from veer.frontends.c.checks import checks_of
from veer.frontends.c.dialects.translation import carried
from veer.frontends.c.environment import (
    input_bounds,
    input_notes,
    may_fail,
    suite_names,
)
from veer.frontends.c.exchange import (
    Request,
)
from veer.frontends.c.flags import link_flags, suite_flags
from veer.frontends.c.library_facts import known
from veer.frontends.c.linking import Linked
from veer.frontends.c.namedresults import named_results
from veer.frontends.c.state import statics
from veer.frontends.c.stubs import mocks_of
from veer.frontends.llvm.assembly import undefined_names
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.unit import MadeUnit
from veer.model.buildoptions import BuildOptions
from veer.model.program import Carried, Function, Parameter, Program
from veer.model.specification import Watching
from veer.model.values import replace
from veer.toolchain.runtime import INCLUDE


def program_of(
    request: Request,
    plan: Blueprint,
    made: Linked,
    files: Iterable[str],
    asked: tuple[str, ...],
    watching: Watching | None = None,
) -> Program:
    """The program. `files`: all that the build read; `asked`: functions whose answers are inputs; `watching`: the
    specifications that it is watched by."""
    options, stubs_made = request.options, made.stubs.facts
    functions = _functions(plan, made, options.entry)
    blocks = [f"max-length {options.max_length} of blocks"] if stubs_made.makes_blocks else []
    blocks += input_bounds(asked, options)
    failing = tuple(name for name in asked if name in may_fail(options))
    return Program(
        entry=options.entry,
        state=plan.plan.before.state if plan.plan.before else None,
        null="NULL",
        harness=plan.plan.kind,
        sources=options.sources,
        executable=made.executable,
        functions=functions,
        types=tuple(plan.table.types),
        sites=made.numbered.sites,
        stubs=stubs_made.functions,
        passed=stubs_made.passed,
        ending=stubs_made.ending,
        mocks=mocks_of(options, plan.plan.kind),
        uninstrumented=options.uninstrumented,
        include=plan.entry.source,
        carried=_carried(plan.modules),
        declarations=plan.plan.declarations,
        outputs=tuple(Parameter(name, identity) for name, identity in plan.plan.outputs),
        compile_flags=(*_flags(options, plan, files), *suite_names(failing)),
        link_flags=link_flags(options),
        statics=statics(plan.modules, plan.entry),
        bounds=tuple(dict.fromkeys([*plan.bounds, *blocks, *stubs_made.bounds])),
        notes=(*plan.notes, *stubs_made.notes, *input_notes(asked, options), *(watching.notes if watching else ())),
        watching=watching,
        zeros=stubs_made.zeros,
        contracts=plan.contracts,
        facts=plan.facts,
        checks=checks_of(options, plan.entry.source),
        preconditions=tuple(each.function.name for each in plan.plan.preconditions),
        asked_by=tuple(each.said for each in plan.plan.preconditions),
        files=plan.plan.files,
        input_files=plan.plan.input_files,
        device=plan.plan.device,
        interrupt=plan.plan.interrupt,
        asked=tuple(name for name in asked if name not in may_fail(options)),
        failing=failing,
        has_unasked_failures=options.unasked_failures and bool(failing),
        external=known(_called(functions, made), _open_names(made)),
        result_names=named_results(plan.entry.source, files, functions, options.entry),
        sequence=plan.plan.sequence.calls if plan.plan.sequence else None,
        addresses=tuple(sorted({name for unit in made.units for name in unit.addresses})),
        contents=tuple(content for unit in made.units for content in unit.contents),
        loops=tuple(loop.moved(made.numbered.bases[unit.name]) for unit in made.units for loop in unit.loops),
    )


def _functions(plan: Blueprint, made: Linked, entry: str) -> tuple[Function, ...]:
    """The functions with what each calls and names."""
    graphs = _graphs(made.units)
    found: Iterable[Function] = (replace(each, **graphs.get((each.name, each.file), {})) for each in plan.functions)
    if plan.plan.interrupt is None:
        return tuple(found)
    called = plan.plan.interrupt.function  # from anywhere in the entry: it is called by it
    return tuple(replace(each, calls=(*each.calls, called)) if each.name == entry else each for each in found)


def _flags(options: BuildOptions, plan: Blueprint, files: Iterable[str]) -> tuple[str, ...]:
    """Those of a suite; veer's own headers are only needed by who includes them, for its command is for humans."""
    flags = suite_flags(options, plan.entry.source)
    return flags if any(name.startswith(f"{INCLUDE}/") for name in files) else flags[:-2]


def _carried(modules: Sequence[Module]) -> tuple[Carried, ...]:
    """The files that the compiler reads in other words."""
    files = {path: host for module in modules for path, host in module.hosts.items()}
    return tuple(Carried(path, name, text) for path, name, text in carried(files))


def _called(functions: Sequence[Function], made: Linked) -> Iterator[str]:
    """The functions that are called anywhere, or have their address taken: by the user's functions, by veer's library,
    by the harness."""
    for function in functions:
        yield from (*function.calls, *function.takes, *function.heeds)
    for unit in made.units:
        yield from unit.addresses
        for content in unit.contents:
            yield from content.calls
    for site in made.numbered.sites:
        yield from (site.text, site.function)


def _open_names(made: Linked) -> set[str]:
    """The functions that the user's units call and that neither they, nor veer, nor stubs define."""
    undefined, _ = undefined_names(made.units)
    return {name for unit in made.users for name in unit.declared if name in undefined}


def _graphs(units: Sequence[MadeUnit]) -> dict[tuple[str, str], dict[str, Any]]:
    """What is known of each function's code, by function and file: two sources may each have a static of one name."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for unit in units:
        files = {site.function: site.file for site in unit.sites}
        for name, graph in unit.successors.items():
            found[name, files.get(name, "")] = {
                "successors": graph,
                "calls": unit.calls.get(name, ()),
                "takes": unit.takes.get(name, ()),
                "heeds": unit.heeds.get(name, ()),
            }
    return found
