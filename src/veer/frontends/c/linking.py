"""Links the units of a program: with veer's C library, stubs for what is defined nowhere, and the runtime."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from msgspec import Struct

from veer.frontends.c.blueprint import Blueprint
from veer.frontends.c.exchange import Request, WrittenText
from veer.frontends.c.flags import link_flags, linker_of
from veer.frontends.c.library_facts import FACTS
from veer.frontends.c.namesakes import namesakes
from veer.frontends.c.results import declared
from veer.frontends.c.stubs import Stubs, mocks_of, stubs
from veer.frontends.c.symbols import in_system_library
from veer.frontends.llvm.assembly import Numbered, base_object, library_sites, linked, number, undefined_names
from veer.frontends.llvm.compiled import compile_module
from veer.frontends.llvm.irtext import never_returning
from veer.frontends.llvm.makeunits import make_units
from veer.frontends.llvm.unit import MadeUnit, UnitRequest
from veer.model.buildoptions import BuildOptions
from veer.model.errors import ToolchainError
from veer.model.stubcalls import Mocks
from veer.toolchain.cache import digest
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import runtime_objects

Stage = Callable[[str], None]
"""Is told what is worked on."""
_ATTEMPTS = 3
_Wanted = tuple[dict[str, tuple[str, str]], dict[str, str]]


class Linked(Struct, frozen=True):
    """The executable and what it was linked from."""

    executable: Path
    units: tuple[MadeUnit, ...]
    users: tuple[MadeUnit, ...]
    numbered: Numbered
    stubs: MadeStubs


class MadeStubs(Struct, frozen=True):
    """Stubs, their file and unit; there is none without stubs."""

    facts: Stubs
    text: WrittenText | None = None
    request: UnitRequest | None = None


def link_program(
    request: Request,
    plan: Blueprint,
    users: Sequence[MadeUnit],
    library: Sequence[MadeUnit],
    toolchain: Toolchain,
    version: str,
    stage: Stage,
) -> Linked:
    """Links units, stubs for what is defined nowhere, and the runtime. Raises UsageError and ToolchainError."""
    stage("the executable")
    runtime = runtime_objects(toolchain)
    every = (*library, *users)
    linker = linker_of(request.options, toolchain)
    # What the user links, or the library of C++, may define anything: then the linker says what is missing.
    wanted: _Wanted = ({}, {}) if request.options.link or linker is not toolchain else _to_stub(every, plan, toolchain)
    missing: frozenset[str] = frozenset()
    for _ in range(_ATTEMPTS):
        made, units = _with_stubs(plan, request.options, wanted, users, library, toolchain, version, stage)
        numbered = number(units)
        with toolchain.cache.scratch() as scratch:
            base = base_object(numbered.bases, scratch, None, library_sites(numbered, library))
            objects = [*(Path(unit.object) for unit in units), base, *runtime]
            missing = linked(linker, objects, scratch / "program", link_flags(request.options))
            if not missing:
                executable = toolchain.cache.publish(scratch / "program", "executable", request.key)
                return Linked(_executable(executable), units, tuple(users), numbered, made)
        # Or known to this machine's C library, but not to the one that is linked.
        wanted = _with_missing(wanted, missing, every)
    raise ToolchainError(
        f"the instrumented program lacks {', '.join(sorted(missing))}: define it or --link its library"
    )


def _executable(path: Path) -> Path:
    if not os.access(path, os.X_OK):
        raise ToolchainError(
            f"{path} cannot be executed: is the cache on a noexec file system? Set VEER_CACHE to another"
        )
    return path


def _to_stub(units: Sequence[MadeUnit], plan: Blueprint, toolchain: Toolchain) -> _Wanted:
    functions, data = undefined_names(units)
    of_library = {name for name in functions if in_system_library(name)}
    of_library -= namesakes(of_library - FACTS.keys(), plan.modules, toolchain)
    return (
        {name: how for name, how in functions.items() if name not in of_library},
        {name: shape for name, shape in data.items() if not in_system_library(name)},
    )


def _with_missing(wanted: _Wanted, missing: Iterable[str], units: Sequence[MadeUnit]) -> _Wanted:
    """The stubs that are wanted, and those for what the linker did not find."""
    functions, data = dict(wanted[0]), dict(wanted[1])
    for name in missing:
        shape = next((unit.data[name] for unit in units if name in unit.data), None)
        if shape is not None:
            data[name] = shape
        else:
            functions[name] = next((unit.declared[name] for unit in units if name in unit.declared), ("void", ""))
    return functions, data


def _with_stubs(
    plan: Blueprint,
    options: BuildOptions,
    wanted: _Wanted,
    users: Sequence[MadeUnit],
    library: Sequence[MadeUnit],
    toolchain: Toolchain,
    version: str,
    stage: Stage,
) -> tuple[MadeStubs, tuple[MadeUnit, ...]]:
    """All units in link order: other sources, veer's C library, stubs, the entry's unit."""
    if not any(wanted):
        return MadeStubs(Stubs("", (), ())), (*users[:-1], *library, users[-1])
    ending = frozenset[str]().union(*(never_returning(module.ir) for module in plan.modules))
    tells = mocks_of(options, plan.plan.kind) is not Mocks.NONE
    asked = {name for name, (result, given) in wanted[0].items() if tells or result == "ptr" or "ptr" in given}
    said = declared(asked, plan.modules, options, toolchain, plan.table)
    inputs = {name for name, _ in plan.plan.globals}
    made = stubs(*wanted, plan.table, said, tells=tells, ending=ending, inputs=inputs, unused=plan.plan.beside)
    path = toolchain.cache.write(made.text.encode(), "harness", digest(made.text), ".c")
    text = WrittenText("the stubs", path, ("-std=gnu11",))
    request = of_veers(text, toolchain, keeps_flows=options.partitioned)
    unit = make_units([request], version, toolchain.cache, stage)
    return MadeStubs(made, text, request), (*users[:-1], *library, *unit, users[-1])


def of_veers(text: WrittenText, toolchain: Toolchain, *, keeps_flows: bool) -> UnitRequest:
    """A file that veer wrote as a unit of its library."""
    module = compile_module(toolchain, text.path, text.flags, text.label)
    return UnitRequest(text.label, module.ir, is_library=True, keeps_flows=keeps_flows)
