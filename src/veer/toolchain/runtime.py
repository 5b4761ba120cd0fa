"""The build of veer's own runtime: objects for executors, the engine as a library for Python, the launcher of tests."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache as remember
from pathlib import Path
from threading import BoundedSemaphore

from veer.model.errors import ToolchainError
from veer.toolchain.cache import digest
from veer.toolchain.compiler import RUNTIME_FLAGS, Toolchain, shorten
from veer.toolchain.compiling import compile_object
from veer.toolchain.linking import first_link, join, link_with
from veer.toolchain.ownfiles import digests

ROOT = Path(__file__).resolve().parent.parent
RUNTIME = ROOT / "runtime"
INCLUDE = RUNTIME / "include"
LIBRARY_FLAGS = (*RUNTIME_FLAGS, "-fPIC", "-DVEER_LIBRARY")
MOST_COMPILERS = 4
_LINKED = ("tracer", "engine")
_NO_DEBUG = ("-g0",)
"""Debug information would be three quarters of an executable. Not at a link: zig would make libraries without it."""
_turns = BoundedSemaphore(min(MOST_COMPILERS, len(os.sched_getaffinity(0))))
"""Compilers of this process at once."""
_FRONT_END = ("toolchain", "frontends", "instrument", "model", "specs", "wire")


@remember
def runtime_version() -> str:
    """A digest of every file of the runtime, as it is when a process first asks."""
    return digest(*_contents().values())


@remember
def front_end_version() -> str:
    """A digest of what decides the instrumented code of a given source, the runtime left out; as runtime_version."""
    return digest(*digests(ROOT, _FRONT_END, (".py",)).values())


@remember
def _contents() -> Mapping[Path, str]:
    """A digest of each file of the runtime, with its name; in the order of their names."""
    return {ROOT / name: each for name, each in digests(ROOT, (RUNTIME.name,), (".c", ".h", ".S")).items()}


@remember
def _headers() -> str:
    return digest(*(content for path, content in _contents().items() if path.suffix == ".h"))


def files_made(toolchain: Toolchain) -> tuple[int, int]:
    """How many object files of tracer and engine are in the cache, and how many there are."""
    sources = _linked_sources()
    if _joined(toolchain) is not None:
        return len(sources), len(sources)
    keys = [_object_key(toolchain.identity, source, RUNTIME_FLAGS) for source in sources]
    return sum(toolchain.cache.find("runtime", key, ".o") is not None for key in keys), len(sources)


def _linked_sources() -> list[Path]:
    return [path for part in _LINKED for path in sorted((RUNTIME / part).glob("*.c"))]


def _joined_key(toolchain: Toolchain) -> str:
    return digest("joined", runtime_version(), toolchain.identity, *RUNTIME_FLAGS)


def _joined(toolchain: Toolchain) -> Path | None:
    """All of them as one object, once they are."""
    return toolchain.cache.find("runtime", _joined_key(toolchain), ".o")


def runtime_objects(toolchain: Toolchain) -> tuple[Path, ...]:
    """Tracer and engine, compiled once for each version and compiler; one object with zig. Raises ToolchainError."""
    cache = toolchain.cache
    if found := _joined(toolchain):
        return (found,)
    objects = _objects(toolchain, _linked_sources())
    if not toolchain.is_zig:
        return objects
    with cache.scratch() as scratch:
        said = join(toolchain, objects, scratch / "runtime.o")
        if said.code:
            raise ToolchainError(f"veer's own runtime cannot be joined:\n{shorten(said.messages)}")
        return (cache.publish(scratch / "runtime.o", "runtime", _joined_key(toolchain), ".o"),)


def counters_object(toolchain: Toolchain) -> Path:
    """The runtime of the counters build. Raises ToolchainError."""
    return _objects(toolchain, [RUNTIME / "counters" / "counters.c"])[0]


def cxx_support_object(toolchain: Toolchain) -> Path:
    """What stands for the library of C++ in programs that need little of it. Raises ToolchainError."""
    return _objects(toolchain, [RUNTIME / "cxx" / "support.c"])[0]


def replay_objects(toolchain: Toolchain) -> tuple[Path, ...]:
    """What a harness is linked with to replay a test, harness interfaces included. Raises ToolchainError."""
    shared = [RUNTIME / "libc" / name for name in ("devices.c", "harness_api.c")]
    sources = [*sorted((RUNTIME / "replay").glob("*.c")), *shared]
    return _objects(toolchain, sources)


def prepare(toolchain: Toolchain) -> None:
    """All that a link of an executable needs but the user's units, in parallel; what fails is told by who needs it."""
    with ThreadPoolExecutor(2) as pool:
        _turns.acquire()  # zig's first link has a core of its own: nothing else can shorten it
        pool.submit(first_link, toolchain).add_done_callback(lambda _: _turns.release())
        pool.submit(runtime_objects, toolchain)


def _objects(toolchain: Toolchain, sources: Sequence[Path], flags: tuple[str, ...] = RUNTIME_FLAGS) -> tuple[Path, ...]:
    cache = toolchain.cache
    keys = [_object_key(toolchain.identity, source, flags) for source in sources]
    if any(cache.find("runtime", key, ".o") is None for key in keys):
        with cache.lock(f"runtime-{digest(*flags)}"), ThreadPoolExecutor(max_workers=MOST_COMPILERS) as pool:
            # Another process may have made them while this one waited for the lock.
            missing = [pair for pair in zip(sources, keys, strict=True) if cache.find("runtime", pair[1], ".o") is None]
            for done in [pool.submit(_compile, toolchain, source, key, flags) for source, key in missing]:
                done.result()
    return tuple(cache.path("runtime", key, ".o") for key in keys)


@remember
def _object_key(identity: str, source: Path, flags: tuple[str, ...]) -> str:
    return digest(identity, _headers(), _contents()[source], *flags, *_NO_DEBUG)


def _compile(toolchain: Toolchain, source: Path, key: str, flags: tuple[str, ...]) -> None:
    with _turns, toolchain.cache.scratch() as scratch:
        output = scratch / "runtime.o"
        includes = ("-I", str(INCLUDE), "-I", str(RUNTIME))
        said = compile_object(toolchain, source, output, (*flags, *_NO_DEBUG, *includes))
        if said.code:
            raise ToolchainError(f"veer's own runtime does not compile ({source.name}):\n{shorten(said.messages)}")
        toolchain.cache.publish(output, "runtime", key, ".o")


def engine_library(toolchain: Toolchain) -> Path:
    """The engine as a shared library for Python (-DVEER_LIBRARY). Raises ToolchainError."""
    return _linked(toolchain, "engine", ".so", LIBRARY_FLAGS, ("-shared",))


def engine_objects(toolchain: Toolchain) -> Mapping[str, Path]:
    """What that library is linked of: source file → object. Raises ToolchainError."""
    sources = sorted((RUNTIME / "engine").glob("*.c"))
    return dict(zip((each.name for each in sources), _objects(toolchain, sources, LIBRARY_FLAGS), strict=True))


def launcher(toolchain: Toolchain) -> Path:
    """The program that starts replayed tests. Raises ToolchainError."""
    return _linked(toolchain, "launcher", "", RUNTIME_FLAGS, ())


def _part_version(part: str) -> str:
    folders = (RUNTIME / part, INCLUDE)
    return digest(*(content for path, content in _contents().items() if path.parent in folders))


def _linked(toolchain: Toolchain, part: str, suffix: str, flags: tuple[str, ...], link_flags: tuple[str, ...]) -> Path:
    """All sources of a part of the runtime, linked once for each version and compiler. Raises ToolchainError."""
    cache = toolchain.cache
    key = digest(part, _part_version(part), toolchain.identity, *flags, *link_flags)
    found = cache.find("runtime", key, suffix)
    if found is not None:
        return found
    runtime_objects(toolchain)  # these first: the first run waits for them
    objects = _objects(toolchain, sorted((RUNTIME / part).glob("*.c")), flags)
    with cache.lock(f"{part}-{key}"), cache.scratch() as scratch:
        if (found := cache.find("runtime", key, suffix)) is not None:
            return found
        output = scratch / part
        said = link_with(toolchain, objects, output, (*flags, *link_flags))
        if said.code:
            raise ToolchainError(f"veer's {part} does not link:\n{shorten(said.messages)}")
        return cache.publish(output, "runtime", key, suffix)
