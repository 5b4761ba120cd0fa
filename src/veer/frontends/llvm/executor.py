"""From LLVM IR to an executor: what a front end gives, what it gets.

    units of IR, the entry's last  ─►  instrumented objects  ─►  one executable, one numbering of sites
    the same, without instrumentation                        ─►  what its tests are replayed in

The build is a process of its own (`builder.py`); a build of the same text is found in the cache. C has a build of its
own beside this one, for it asks the linker what its stubs are to be.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec
from msgspec import Struct

from veer.frontends.llvm.builderprocess import answer
from veer.frontends.llvm.exchange import decode, encode, error_of
from veer.frontends.llvm.replay.builds import Parts
from veer.frontends.llvm.replay.found import find_replay, keep_replay, replay_key
from veer.frontends.llvm.replay.made import ReplayBuilds, UnitBase
from veer.frontends.llvm.unit import UnitRequest
from veer.model.buildoptions import BuildOptions
from veer.model.errors import ToolchainError
from veer.model.loops import Loop
from veer.model.program import Content, Function, Site
from veer.model.values import replace
from veer.toolchain.cache import Cache, digest
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import front_end_version, runtime_version


class Graph(Struct, frozen=True):
    """A function's code: successors of each basic block, the functions that it calls, whose address it takes, and those
    of other units whose results it uses."""

    name: str
    successors: tuple[tuple[int, ...], ...] = ()
    calls: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()
    heeds: tuple[str, ...] = ()


class Made(Struct, frozen=True):
    """An executor, and what its program's record needs of it."""

    executable: Path
    sites: tuple[Site, ...]
    graphs: tuple[Graph, ...]
    addresses: tuple[str, ...] = ()
    loops: tuple[Loop, ...] = ()
    contents: tuple[Content, ...] = ()
    bases: tuple[UnitBase, ...] = ()
    cached: bool = False

    def with_graph(self, function: Function) -> Function:
        """The function with its code; as it was where the executor has no code of that name."""
        found = next((graph for graph in self.graphs if graph.name == function.name), None)
        if found is None:
            return function
        return replace(function, successors=found.successors, calls=found.calls, takes=found.takes, heeds=found.heeds)

    def named(self, names: Mapping[str, str]) -> Made:
        """The same, with functions called as `names` has them: what they are in IR → what the user calls them."""
        if not names:
            return self

        def shown(found: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(names.get(each, each) for each in found)

        graphs = tuple(
            Graph(names.get(each.name, each.name), each.successors, *map(shown, (each.calls, each.takes, each.heeds)))
            for each in self.graphs
        )
        sites = tuple(
            replace(each, function=names[each.function]) if each.function in names else each for each in self.sites
        )
        return replace(self, sites=sites, graphs=graphs, addresses=shown(self.addresses))


class Request(Struct, frozen=True):
    """Asks for an executor, or for what tests of the executor `made` are replayed in, from `parts`.

    `link`: flags for the linker.
    """

    units: tuple[UnitRequest, ...]
    link: tuple[str, ...]
    cc: str | None
    cache: Path
    key: str
    made: Made | None = None
    parts: Parts | None = None


class Reply(Struct, frozen=True):
    """An error by class and sentence, or what was made."""

    error: str = ""
    sentence: str = ""
    made: Made | None = None
    replay: ReplayBuilds | None = None


def unit(label: str, ir: str, options: BuildOptions) -> UnitRequest:
    """A unit of IR with debug info, instrumented as the options ask. `label`: its source, for messages."""
    return UnitRequest(
        label,
        ir,
        uninstrumented=frozenset(options.uninstrumented),
        keeps_flows=options.partitioned,
        has_fast_path=options.has_fast_path,
        boundaries=options.compositional,
        loops=options.loops,
        find=options.find,
        avoid=options.avoid,
        summarise=frozenset((*options.summarise, options.entry)) if options.summarise else frozenset(),
    )


def executor(units: tuple[UnitRequest, ...], toolchain: Toolchain, link: tuple[str, ...] = ()) -> Made:
    """The executor of these units, of which one defines `veer_main` (harness.py), and the last one the entry.

    Raises:
        UsageError: a symbol is defined twice, or a library is not there; ToolchainError: it cannot be made, or a symbol
        is defined nowhere.
    """
    version = digest(front_end_version(), runtime_version(), toolchain.identity)
    key = digest("executor", version, *(each.key(version) for each in units), *link)
    found = _found(toolchain.cache, key)
    if found is not None:
        return replace(found, cached=True)
    # The executable's name is that of the attempt: two builds of the same thing at once do not share one.
    attempt = digest(key, str(time.time_ns()), str(os.getpid()))
    request = Request(units, link, toolchain.requested, toolchain.cache.root, attempt)
    reply = answer("veer.frontends.llvm.builder", request, Reply, toolchain.cache, key)
    if reply.error:
        raise error_of(reply.error, reply.sentence)
    if reply.made is None:
        raise ToolchainError("the builder gave no executor: this is a bug of veer's")
    toolchain.cache.write(encode(reply.made), "program", key, "-made.json")
    return reply.made


def replay_builds(made: Made, parts: Parts, toolchain: Toolchain, link: tuple[str, ...] = ()) -> ReplayBuilds:
    """What tests of this executor are replayed in: its units, the user's and those that the front end wrote.

    Raises ToolchainError.
    """
    cache, key = toolchain.cache, replay_key(made.executable)
    with cache.lock(key):
        found = find_replay(cache, key)
        if found is not None:
            return found
        request = Request((), link, toolchain.requested, cache.root, key, made, parts)
        reply = answer("veer.frontends.llvm.builder", request, Reply, cache, key)
        if reply.error:
            raise error_of(reply.error, reply.sentence)
        if reply.replay is None:
            raise ToolchainError("the builder gave nothing to replay tests in: this is a bug of veer's")
        keep_replay(cache, key, reply.replay)
        return reply.replay


def _found(cache: Cache, key: str) -> Made | None:
    path = cache.find("program", key, "-made.json")
    if path is None:
        return None
    try:
        made = decode(path.read_bytes(), Made)
    except (OSError, msgspec.DecodeError):
        return None
    return made if cache.find("executable", made.executable.name) is not None else None
