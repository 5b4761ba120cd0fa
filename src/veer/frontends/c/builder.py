"""The builder, in a process of its own (llvm/builderprocess.py): `answer` reads a request and writes a reply.

It alone loads llvmlite, so that a cache hit pays nothing for it and an abort of LLVM's kills nobody else. Both are JSON
files (`exchange.py`); REQUEST.stage always holds what is worked on, for the message after such an abort.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from veer.frontends.c.analysis import absolute
from veer.frontends.c.apart import apart, with_handles
from veer.frontends.c.blueprint import Blueprint
from veer.frontends.c.checks import check_flags, checks_of
from veer.frontends.c.describing import program_of
from veer.frontends.c.devices import seen_by
from veer.frontends.c.environment import PREFIX as INPUT_PREFIX
from veer.frontends.c.environment import (
    called_inputs,
    environment_text,
    input_redirections,
)
from veer.frontends.c.exchange import (
    BuildRecord,
    Reply,
    Request,
    UnitBase,
    Wish,
    WrittenText,
    decode,
    encode,
)
from veer.frontends.c.flags import user_flags
from veer.frontends.c.harness import harness_text
from veer.frontends.c.linking import Linked, Stage, link_program, of_veers
from veer.frontends.c.ownchecks import with_own_checks
from veer.frontends.c.planning import blueprint
from veer.frontends.c.replay.builds import (
    HARNESS,
    Workshop,
    build_conditions,
    build_replay,
    compiled_parts,
)
from veer.frontends.c.sequence_harness import sequence_text
from veer.frontends.c.specifications.monitor import END
from veer.frontends.c.specifications.watching import monitors_unit, monitors_written, watching, with_watches
from veer.frontends.c.streams import machine_output
from veer.frontends.c.symbols import like_the_library
from veer.frontends.c.versions import OF_VERSIONS
from veer.frontends.llvm.builderprocess import stage_file
from veer.frontends.llvm.buildserver import Answered
from veer.frontends.llvm.compiled import Module, compile_module
from veer.frontends.llvm.irtext import defined_functions, defined_names
from veer.frontends.llvm.levels import with_levels
from veer.frontends.llvm.library import Library, library, redirections
from veer.frontends.llvm.makeunits import make_units
from veer.frontends.llvm.replay.builds import Parts
from veer.frontends.llvm.replay.found import keep_replay, replay_key
from veer.frontends.llvm.unit import MadeUnit, UnitRequest, own_functions
from veer.instrument.checks import without_checks
from veer.instrument.instrument import loop_names
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError, VeerError
from veer.model.specification import Watching
from veer.model.values import replace
from veer.toolchain.cache import Cache, digest, digest_file, storage_error
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain, find
from veer.toolchain.runtime import front_end_version


def build_program(request: Request, toolchain: Toolchain, stage: Stage) -> tuple[BuildRecord, Parts]:
    """Builds the instrumented program; with it what its tests are replayed in is to be made of.

    Raises UsageError, UnsupportedInputError, ToolchainError.
    """
    options, cache = request.options, toolchain.cache
    version = digest(front_end_version(), toolchain.identity)
    stage("the sources")
    plan = blueprint(options, toolchain)
    watched = watching(plan.modules, plan.entry, options, toolchain)
    if watched is not None and watched.has_end:
        plan = replace(plan, plan=replace(plan.plan, end=END))
    path, harness, headers = _harness_module(plan, options, toolchain)
    own = library(toolchain, version, stage, keeps_flows=options.partitioned)
    requests = _user_requests(plan, harness, options, own, watched)
    users = make_units(requests, version, cache, stage)
    _check_named(options, users)
    texts = [WrittenText(HARNESS, path)]
    written: list[UnitRequest] = []
    monitors: tuple[MadeUnit, ...] = ()
    if watched is not None:
        texts.append(monitors_written(watched, plan.entry, options, toolchain))
        shared = defined_names(requests[-1].ir)
        unit = monitors_unit(texts[-1], plan.entry.source, shared, toolchain)
        written.append(replace(unit, aside=requests[-1].aside))
        monitors = make_units([replace(written[0], redirect=redirections(own, ()))], version, cache, stage)
    environment: tuple[MadeUnit, ...] = ()
    asked = called_inputs(users)
    if asked:
        texts.append(environment_text(plan.table, options, toolchain))
        written.append(of_veers(texts[-1], toolchain, keeps_flows=options.partitioned))
        # what a call does that succeeds
        failing = replace(written[-1], redirect=redirections(own, ()))
        environment = make_units([failing], version, cache, stage)
    units = (*own.needed((*users, *environment, *monitors)), *environment, *monitors)
    made = link_program(request, plan, users, units, toolchain, version, stage)
    if made.stubs.text is not None and made.stubs.request is not None:
        texts.append(made.stubs.text)
        written.append(made.stubs.request)
    files = _files(plan, headers) | {
        str(absolute(Path(each))): digest_file(Path(each)) for each in options.specifications
    }
    program = program_of(request, plan, made, files, asked, watched)
    cache.prune()
    redirect = _for_replays(requests[-1].redirect, own)
    if options.against:
        known = {name for name, _ in redirect}
        redirect += tuple(each for each in OF_VERSIONS if each[0] not in known)
    aside = tuple(sorted(requests[-1].aside))
    record = BuildRecord(program, _bases(made, users, units), files, tuple(texts), redirect, aside)
    return record, Parts(tuple(replace(each, redirect=redirect) for each in requests), tuple(written))


def _for_replays(redirect: Sequence[tuple[str, str]], own: Library) -> tuple[tuple[str, str], ...]:
    """Of the redirections those that hold for a replay: harness interfaces, and answers that are inputs."""
    interfaces = own.defined_in("harness_api.c")
    return tuple(each for each in redirect if each[1] in interfaces or each[1].startswith(INPUT_PREFIX))


def _check_named(options: BuildOptions, users: Sequence[MadeUnit]) -> None:
    """Raises UsageError for a unit of summary that there is not."""
    known = {name for unit in users for name in unit.successors}
    for unit in users:
        known.update(name for loop in unit.loops for name in loop_names(unit.sites[loop.site]))
    for name in options.summarise:
        if name not in known:
            raise UsageError(
                f"--summarise {name}: the sources have no such function, and no simple loop at such a place"
            )


def _harness_module(
    plan: Blueprint, options: BuildOptions, toolchain: Toolchain
) -> tuple[Path, UnitRequest, tuple[Path, ...]]:
    """The harness's file, the unit with it and the entry's source, and the headers that it read."""
    sequence = plan.plan.sequence
    text = harness_text(plan.plan) if sequence is None else sequence_text(plan.plan, sequence)
    # Its path is in the debug info: one text, one path, so that the unit is found in the cache again.
    path = toolchain.cache.write(text.encode(errors="surrogateescape"), "harness", digest(text), ".c")
    flags = (*user_flags(options, plan.entry.source), *check_flags(options, plan.entry.source), "-Wno-pedantic")
    if plan.plan.declarations:
        flags = ()  # the user's are for C++, and the harness is C
    module = compile_module(toolchain, path, flags, f"the harness of {options.entry} ({path})")
    request = UnitRequest(str(plan.entry.source), module.ir, last=own_functions(module.ir, path))
    return path, request, module.headers


def _user_requests(
    plan: Blueprint, harness: UnitRequest, options: BuildOptions, own: Library, watched: Watching | None
) -> tuple[UnitRequest, ...]:
    """The user's units, the entry's last."""
    modules = [module for module in plan.modules if module.source != plan.entry.source]
    others = [UnitRequest(str(module.source), module.ir) for module in plan.others]
    entry_units = _entry_units(plan, harness, has_monitors=watched is not None)
    requests = [*map(_of_source, modules), *others, *entry_units]
    defined = {name for request in requests for name in defined_functions(request.ir)}
    concrete = frozenset(options.uninstrumented)
    inputs = input_redirections(options, defined)
    machines = defined | concrete | {name for name, _ in inputs} | machine_output(requests)
    redirect = (*redirections(own, machines), *inputs)
    # What is linked beside them may call the user's functions by their names.
    aside = frozenset[str]() if options.link else like_the_library(defined)
    is_bounded = "array-bounds" in checks_of(options, plan.entry.source)

    def seen(ir: str) -> str:
        checked = with_own_checks(without_checks(ir, concrete), defined, concrete, is_bounded=is_bounded)
        return seen_by(plan.plan.device, plan.plan.interrupt, checked)

    asked = [
        replace(
            request,
            ir=with_watches(seen(request.ir), watched, defined),
            redirect=redirect,
            uninstrumented=concrete,
            aside=aside,
            keeps_flows=options.partitioned,
            has_fast_path=options.has_fast_path,
            boundaries=options.compositional,
            loops=options.loops,
            find=options.find,
            avoid=options.avoid,
            summarise=frozenset((*options.summarise, options.entry)) if options.summarise else frozenset(),
        )
        for request in requests
    ]
    return with_levels(asked)


def _entry_units(plan: Blueprint, harness: UnitRequest, *, has_monitors: bool) -> tuple[UnitRequest, ...]:
    """The harness and its source as two units where that can be, so that another entry finds the source made."""
    if plan.plan.declarations:
        return _of_source(plan.entry), replace(harness, label=HARNESS)
    # A static entry that nobody calls is in an IR that other entries do not share.
    shared = defined_names(plan.entry.ir) if any(each.ir == plan.entry.ir for each in plan.modules) else ()
    alone = apart(harness.ir, harness.last, plan.entry.source, shared)
    if alone is None:
        return (replace(harness, ir=with_handles(harness.ir, plan.entry.source)),) if has_monitors else (harness,)
    return UnitRequest(HARNESS, alone, last=harness.last), _of_source(plan.entry)


def _of_source(module: Module) -> UnitRequest:
    """The unit of a source: the same for all entries, wherever they are."""
    is_c = module.source.suffix not in CXX_SUFFIXES
    return UnitRequest(str(module.source), with_handles(module.ir, module.source) if is_c else module.ir)


def _bases(made: Linked, users: Sequence[MadeUnit], library: Sequence[MadeUnit]) -> tuple[UnitBase, ...]:
    own = {unit.name for unit in library}
    bases = made.numbered.bases
    return tuple(
        UnitBase(unit.name, unit.label, bases[unit.name], len(unit.sites), unit.name in own, unit is users[-1])
        for unit in made.units
    )


def _files(plan: Blueprint, headers: Sequence[Path]) -> dict[str, str]:
    """Every file that the build read, with its digest."""
    read = {path for module in (*plan.modules, *plan.others) for path in (module.source, *module.headers)}
    read.update(headers)
    return {str(path): digest_file(path) for path in sorted(read)}


def answer(request_path: Path, reply_path: Path, answered: Answered) -> None:
    """Answers one request; an error is an answer, too. Then it may make what tests will be replayed in."""
    request = decode(request_path.read_bytes(), Request)
    stage_path = stage_file(request_path)

    def stage(what: str) -> None:
        stage_path.write_text(what)

    toolchain = find(request.cc, Cache(request.cache))
    with ExitStack() as locks:
        parts: Parts | None = None
        try:
            reply, parts = _answer(request, toolchain, stage)
        except VeerError as error:
            reply = Reply(error=type(error).__name__, sentence=str(error))
        except OSError as error:
            sentence = str(storage_error(error, Path(error.filename or request.cache)))
            reply = Reply(error="ToolchainError", sentence=sentence)
        prepares = reply.record is not None and request.prepares_replay
        if reply.record is not None and prepares:
            locks.enter_context(toolchain.cache.lock(replay_key(reply.record.program.executable)))
        reply_path.write_bytes(encode(reply))
        answered()
        if reply.record is not None and parts is not None and prepares:
            _prepare_replay(Workshop(reply.record, request.options, toolchain, lambda _: None), parts)


def _answer(request: Request, toolchain: Toolchain, stage: Stage) -> tuple[Reply, Parts | None]:
    """What was asked for; with a program what its replay builds are made of."""
    if request.record is None:
        record, parts = build_program(request, toolchain, stage)
        return Reply(record=record), parts
    workshop = Workshop(request.record, request.options, toolchain, stage)
    if request.wish is Wish.CONDITIONS:
        return Reply(marked=build_conditions(workshop)), None
    return Reply(replay=build_replay(compiled_parts(workshop), workshop)), None


def _prepare_replay(workshop: Workshop, parts: Parts) -> None:
    """Makes the replay builds while the search runs; who needs them waits for the lock.

    What fails is left to him: he asks for them again, and hears why.
    """
    with suppress(VeerError, OSError):
        keep_replay(workshop.toolchain.cache, workshop.key, build_replay(parts, workshop))
