"""The build of veer's own runtime: objects for executors, the engine as a library for Python, the launcher of tests."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache as remember
from pathlib import Path
from threading import BoundedSemaphore

from veer.model.errors import ToolchainError
from veer.toolchain.cache import digest
from veer.toolchain.chunks import Chunk, chunks, source_of
from veer.toolchain.compiler import RUNTIME_FLAGS, Compiled, Toolchain, shorten
from veer.toolchain.compiling import compile_object
from veer.toolchain.linking import first_link, join, link, link_shared
from veer.toolchain.ownfiles import digests

ROOT = Path(__file__).resolve().parent.parent
RUNTIME = ROOT / "runtime"
INCLUDE = RUNTIME / "include"
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
    """How many files of tracer and engine are compiled, and how many there are; equal once all are."""
    if _joined(toolchain) is not None:
        return 1, 1
    parts = [chunk for part in _LINKED for chunk in _chunks(part)]
    keys = [_object_key(toolchain.identity, chunk) for chunk in parts]
    found = [toolchain.cache.find("runtime", key, ".o") is not None for key in keys]
    return sum(len(chunk) for chunk, is_made in zip(parts, found, strict=True) if is_made), sum(map(len, parts))


@remember
def _chunks(part: str) -> tuple[Chunk, ...]:
    """What is compiled of a folder."""
    return chunks(sorted((RUNTIME / part).glob("*.c")))


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
    objects = _objects(toolchain, [chunk for part in _LINKED for chunk in _chunks(part)])
    if not toolchain.is_zig:
        return objects
    with cache.scratch() as scratch:
        said = join(toolchain, objects, scratch / "runtime.o")
        if said.code:
            raise ToolchainError(f"veer's own runtime cannot be joined:\n{shorten(said.messages)}")
        return (cache.publish(scratch / "runtime.o", "runtime", _joined_key(toolchain), ".o"),)


def counters_object(toolchain: Toolchain) -> Path:
    """The runtime of the counters build. Raises ToolchainError."""
    return _objects(toolchain, _chunks("counters"))[0]


def cxx_support_object(toolchain: Toolchain) -> Path:
    """What stands for the library of C++ in programs that need little of it. Raises ToolchainError."""
    return _objects(toolchain, _chunks("cxx"))[0]


def replay_objects(toolchain: Toolchain) -> tuple[Path, ...]:
    """What a harness is linked with to replay a test, harness interfaces included. Raises ToolchainError."""
    shared = [(RUNTIME / "libc" / name,) for name in ("devices.c", "harness_api.c")]
    return _objects(toolchain, [*_chunks("replay"), *shared])


def prepare(toolchain: Toolchain) -> None:
    """All that links of a program need but the user's units, in parallel; what fails is told by who needs it."""
    with ThreadPoolExecutor(2) as pool:
        pool.submit(first_link, toolchain)
        pool.submit(runtime_objects, toolchain)
        pool.submit(replay_objects, toolchain)


def _objects(toolchain: Toolchain, parts: Sequence[Chunk]) -> tuple[Path, ...]:
    cache = toolchain.cache
    keys = [_object_key(toolchain.identity, chunk) for chunk in parts]
    if any(cache.find("runtime", key, ".o") is None for key in keys):
        with cache.lock("runtime"), ThreadPoolExecutor(max_workers=MOST_COMPILERS) as pool:
            # Another process may have made them while this one waited for the lock.
            missing = [pair for pair in zip(parts, keys, strict=True) if cache.find("runtime", pair[1], ".o") is None]
            for done in [pool.submit(_compile, toolchain, chunk, key) for chunk, key in missing]:
                done.result()
    return tuple(cache.path("runtime", key, ".o") for key in keys)


@remember
def _object_key(identity: str, chunk: Chunk) -> str:
    return digest(identity, _headers(), *(_contents()[source] for source in chunk), *RUNTIME_FLAGS, *_NO_DEBUG)


def _compile(toolchain: Toolchain, chunk: Chunk, key: str) -> None:
    with _turns, toolchain.cache.scratch() as scratch:
        output, source = scratch / "runtime.o", scratch / "chunk.c"
        source.write_text(source_of(chunk))
        includes = ("-I", str(INCLUDE), "-I", str(RUNTIME))
        said = compile_object(toolchain, source, output, (*RUNTIME_FLAGS, *_NO_DEBUG, *includes))
        if said.code:
            named = ", ".join(each.name for each in chunk)
            raise ToolchainError(f"veer's own runtime does not compile ({named}):\n{shorten(said.messages)}")
        toolchain.cache.publish(output, "runtime", key, ".o")


def engine_library(toolchain: Toolchain) -> Path:
    """The engine as a shared library for Python: its objects are those of executors. Raises ToolchainError."""
    return _linked(toolchain, "library", ".so", lambda: tuple(engine_objects(toolchain).values()), link_shared)


def engine_objects(toolchain: Toolchain) -> Mapping[Chunk, Path]:
    """What that library is linked of: sources → object. Raises ToolchainError."""
    parts = [*_chunks("engine"), *_chunks("library")]
    return dict(zip(parts, _objects(toolchain, parts), strict=True))


def launcher(toolchain: Toolchain) -> Path:
    """The program that starts replayed tests. Raises ToolchainError."""
    return _linked(toolchain, "launcher", "", lambda: _objects(toolchain, _chunks("launcher")), link)


_Link = Callable[[Toolchain, Sequence[Path], Path], Compiled]


def _linked(toolchain: Toolchain, part: str, suffix: str, objects: Callable[[], Sequence[Path]], linker: _Link) -> Path:
    """These objects, linked once for each version and compiler. Raises ToolchainError."""
    cache = toolchain.cache
    key = digest(part, runtime_version(), toolchain.identity, *RUNTIME_FLAGS)
    found = cache.find("runtime", key, suffix)
    if found is not None:
        return found
    runtime_objects(toolchain)  # these first: the first run waits for them
    made = objects()
    with cache.lock(f"{part}-{key}"), cache.scratch() as scratch:
        if (found := cache.find("runtime", key, suffix)) is not None:
            return found
        output = scratch / part
        said = linker(toolchain, made, output)
        if said.code:
            raise ToolchainError(f"veer's {part} does not link:\n{shorten(said.messages)}")
        return cache.publish(output, "runtime", key, suffix)
