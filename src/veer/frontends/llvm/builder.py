"""The build of an executor, in a process of its own (builderprocess.py): `answer` reads a request, writes a reply."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veer.frontends.llvm.assembly import (
    Numbered,
    base_object,
    library_sites,
    linked,
    number,
    undefined_names,
)
from veer.frontends.llvm.builderprocess import Stage, stage_file
from veer.frontends.llvm.buildserver import Answered
from veer.frontends.llvm.exchange import decode, encode
from veer.frontends.llvm.executor import Graph, Made, Reply, Request
from veer.frontends.llvm.irtext import declared_functions, defined_functions
from veer.frontends.llvm.levels import with_levels
from veer.frontends.llvm.library import library, redirections
from veer.frontends.llvm.makeunits import make_units
from veer.frontends.llvm.replay.builds import Bench, build_replay
from veer.frontends.llvm.replay.made import ReplayBuilds, UnitBase
from veer.frontends.llvm.unit import MadeUnit, UnitRequest, find_unit
from veer.model.errors import ToolchainError, VeerError
from veer.model.values import replace
from veer.toolchain.cache import Cache, digest, storage_error
from veer.toolchain.compiler import Toolchain, find
from veer.toolchain.runtime import front_end_version, runtime_objects


def build(request: Request, toolchain: Toolchain, stage: Stage) -> Made:
    """Instruments the units, adds what they need of veer's own C library, and links.

    Raises UsageError, ToolchainError.
    """
    version = digest(front_end_version(), toolchain.identity)
    users, own = _units(request.units, toolchain, version, stage)
    stage("the executable")
    units = (*users[:-1], *own, users[-1])
    numbered = number(units)
    with toolchain.cache.scratch() as scratch:
        base = base_object(numbered.bases, scratch, None, library_sites(numbered, own))
        objects = [*(Path(unit.object) for unit in units), base, *runtime_objects(toolchain)]
        missing = linked(toolchain, objects, scratch / "program", request.link)
        if missing:
            functions, data = undefined_names(units)
            named = ", ".join(sorted(missing & {*functions, *data} or missing))
            raise ToolchainError(f"the instrumented program lacks {named}: nothing defines it")
        executable = toolchain.cache.publish(scratch / "program", "executable", request.key)
    toolchain.cache.prune()
    return Made(
        executable,
        numbered.sites,
        tuple(_graph(unit, name) for unit in units for name in unit.successors),
        tuple(sorted({name for unit in units for name in unit.addresses})),
        tuple(loop.moved(numbered.bases[unit.name]) for unit in units for loop in unit.loops),
        tuple(content for unit in units for content in unit.contents),
        _bases(units, numbered, own),
    )


def replay(request: Request, toolchain: Toolchain, stage: Stage) -> ReplayBuilds:
    """What tests of an executor are replayed in. Raises ToolchainError."""
    assert request.made is not None and request.parts is not None
    made = request.made
    bench = Bench(made.executable, made.sites, made.bases, toolchain, toolchain, request.link, stage)
    return build_replay(request.parts, bench)


def _bases(units: Sequence[MadeUnit], numbered: Numbered, own: Sequence[MadeUnit]) -> tuple[UnitBase, ...]:
    library = {unit.name for unit in own}
    return tuple(
        UnitBase(
            unit.name,
            unit.label,
            numbered.bases[unit.name],
            len(unit.sites),
            unit.name in library,
            unit is units[-1],
        )
        for unit in units
    )


def _graph(unit: MadeUnit, name: str) -> Graph:
    takes, heeds = unit.takes.get(name, ()), unit.heeds.get(name, ())
    return Graph(name, unit.successors[name], unit.calls.get(name, ()), takes, heeds)


def _units(
    requests: Sequence[UnitRequest], toolchain: Toolchain, version: str, stage: Stage
) -> tuple[tuple[MadeUnit, ...], tuple[MadeUnit, ...]]:
    """The units that were asked for, and those of veer's own C library that they need."""
    defined = {name for request in requests for name in defined_functions(request.ir)}
    declared = {name for request in requests for name in declared_functions(request.ir)}

    known: dict[str, MadeUnit] = {}

    def is_kept(request: UnitRequest) -> bool:
        key = replace(request, level=1).key(version)
        found = find_unit(toolchain.cache, key)
        if found is not None:
            known[key] = found
        return found is not None

    if all(name in defined or name.startswith("veer_") for name in declared):
        return make_units(with_levels(requests, is_kept), version, toolchain.cache, stage, known), ()
    keeps_flows = any(request.keeps_flows for request in requests)
    own = library(toolchain, version, stage, keeps_flows=keeps_flows)
    concrete = {name for request in requests for name in request.uninstrumented}
    redirect = redirections(own, defined | concrete)
    asked = with_levels([replace(request, redirect=redirect) for request in requests], is_kept)
    users = make_units(asked, version, toolchain.cache, stage, known)
    return users, own.needed(users)


def answer(request_path: Path, reply_path: Path, answered: Answered) -> None:
    """Answers one request; an error is an answer, too."""
    request = decode(request_path.read_bytes(), Request)

    def stage(what: str) -> None:
        stage_file(request_path).write_text(what)

    try:
        toolchain = find(request.cc, Cache(request.cache))
        if request.made is None:
            reply = Reply(made=build(request, toolchain, stage))
        else:
            reply = Reply(replay=replay(request, toolchain, stage))
    except VeerError as error:
        reply = Reply(error=type(error).__name__, sentence=str(error))
    except OSError as error:
        reply = Reply(error="ToolchainError", sentence=str(storage_error(error, Path(error.filename or request.cache))))
    reply_path.write_bytes(encode(reply))
    answered()
