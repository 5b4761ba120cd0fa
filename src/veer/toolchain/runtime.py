"""The build of veer's own runtime: objects for executors, the engine as a library for Python, the launcher of tests."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from veer.model.errors import ToolchainError
from veer.toolchain.cache import digest
from veer.toolchain.compiler import RUNTIME_FLAGS, Toolchain, compile_object, run, shorten, target_flags

ROOT = Path(__file__).resolve().parent.parent
RUNTIME = ROOT / "runtime"
INCLUDE = RUNTIME / "include"
MOST_COMPILERS = 4
_FRONT_END = ("toolchain", "frontends", "model", "wire")


def runtime_version() -> str:
    """A digest of every file of the runtime."""
    return _digest_of(sorted(RUNTIME.rglob("*.[chS]")))


def front_end_version() -> str:
    """A digest of what decides the instrumented code of a given source, the runtime left out."""
    return _digest_of([path for part in _FRONT_END for path in sorted((ROOT / part).rglob("*.py"))])


def _digest_of(paths: Sequence[Path]) -> str:
    return digest(*(part for path in paths for part in (str(path.relative_to(ROOT)), path.read_bytes())))


def runtime_objects(toolchain: Toolchain) -> tuple[Path, ...]:
    """Tracer and engine, compiled once for each version and compiler. Raises ToolchainError."""
    sources = [path for part in ("tracer", "engine") for path in sorted((RUNTIME / part).glob("*.c"))]
    return _objects(toolchain, sources)


def counters_object(toolchain: Toolchain) -> Path:
    """The runtime of the counters build. Raises ToolchainError."""
    return _objects(toolchain, [RUNTIME / "counters" / "counters.c"])[0]


def _objects(toolchain: Toolchain, sources: Sequence[Path]) -> tuple[Path, ...]:
    cache = toolchain.cache
    headers = _digest_of(sorted(INCLUDE.rglob("*.h")))
    keys = [_object_key(toolchain, source, headers) for source in sources]
    if any(cache.find("runtime", key, ".o") is None for key in keys):
        with cache.lock("runtime"), ThreadPoolExecutor(max_workers=MOST_COMPILERS) as pool:
            # Another process may have made them while this one waited for the lock.
            missing = [pair for pair in zip(sources, keys, strict=True) if cache.find("runtime", pair[1], ".o") is None]
            for done in [pool.submit(_compile, toolchain, source, key) for source, key in missing]:
                done.result()
    return tuple(cache.path("runtime", key, ".o") for key in keys)


def _object_key(toolchain: Toolchain, source: Path, headers: str) -> str:
    own = _digest_of([source, *sorted(source.parent.glob("*.h"))])
    return digest(toolchain.identity, headers, own, *RUNTIME_FLAGS)


def _compile(toolchain: Toolchain, source: Path, key: str) -> None:
    with toolchain.cache.scratch() as scratch:
        output = scratch / "runtime.o"
        includes = ("-I", str(INCLUDE), "-I", str(source.parent))
        said = compile_object(toolchain, source, output, (*RUNTIME_FLAGS, *includes))
        if said.code:
            raise ToolchainError(f"veer's own runtime does not compile ({source.name}):\n{shorten(said.messages)}")
        toolchain.cache.publish(output, "runtime", key, ".o")


def engine_library(toolchain: Toolchain) -> Path:
    """The engine as a shared library for Python (-DVEER_LIBRARY). Raises ToolchainError."""
    flags = (*RUNTIME_FLAGS, "-shared", "-fPIC", "-DVEER_LIBRARY", "-I", str(INCLUDE), "-I", str(RUNTIME / "engine"))
    return _linked(toolchain, "engine", ".so", flags)


def launcher(toolchain: Toolchain) -> Path:
    """The program that starts replayed tests. Raises ToolchainError."""
    return _linked(toolchain, "launcher", "", RUNTIME_FLAGS)


def _linked(toolchain: Toolchain, part: str, suffix: str, flags: Sequence[str]) -> Path:
    """All sources of a part of the runtime, linked once for each version and compiler. Raises ToolchainError."""
    cache = toolchain.cache
    version = _digest_of([*sorted((RUNTIME / part).glob("*.[ch]")), *sorted(INCLUDE.rglob("*.h"))])
    key = digest(part, version, toolchain.identity, *flags)
    found = cache.find("runtime", key, suffix)
    if found is not None:
        return found
    with cache.lock(f"{part}-{key}"), cache.scratch() as scratch:
        if (found := cache.find("runtime", key, suffix)) is not None:
            return found
        output = scratch / part
        sources = map(str, sorted((RUNTIME / part).glob("*.c")))
        said = run(toolchain, (*target_flags(toolchain), *flags, *sources, "-lm", "-o", str(output)))
        if said.code:
            raise ToolchainError(f"veer's {part} does not compile:\n{shorten(said.messages)}")
        return cache.publish(output, "runtime", key, suffix)
