"""The front end's face: a program from options, from the cache when nothing that it was made from has changed.

A hit reads one manifest and one record and hashes the files that the preprocessor read; it runs no compiler and loads
neither llvmlite nor ziglang. A miss is built by a process of its own (`builder.py`).

    manifest/<what was asked for>.json   the builds of it: digests of the files read → key of the build
    program/<key>.json                   a build: the program, its units, its files
    executable/<key>
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import msgspec

from veer.frontends.c.exchange import (
    BuildRecord,
    ConditionsBuild,
    KeysReply,
    KeysRequest,
    ReplayBuilds,
    Reply,
    Request,
    Wish,
    decode,
    encode,
)
from veer.frontends.llvm.builderprocess import answer
from veer.frontends.llvm.replay.found import find_replay, keep_replay, replay_key
from veer.model.buildoptions import BuildOptions
from veer.model.codekeys import CodeKeys
from veer.model.errors import ToolchainError, UsageError
from veer.model.program import Program
from veer.model.values import replace
from veer.toolchain.cache import Cache, digest, digest_file
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain
from veer.toolchain.runtime import front_end_version, prepare, runtime_version

KEPT_BUILDS = 16
"""Builds that a manifest remembers for one set of options (branches that one switches between)."""
C_SUFFIXES = (".c", ".i")
_ENVIRONMENT = ("CPATH", "C_INCLUDE_PATH", "SOURCE_DATE_EPOCH")


def build(options: BuildOptions, toolchain: Toolchain, *, prepares_replay: bool = False) -> Program:
    """The instrumented program. Raises UsageError, UnsupportedInputError, ToolchainError.

    `prepares_replay`: where it is new, what its tests are replayed in is made then, beside whatever the caller does.
    """
    start = time.monotonic()
    _check(options)
    asked = _asked(options, toolchain)
    found = _find(toolchain.cache, asked)
    if found is not None:
        return replace(found.program, cached=True, seconds=time.monotonic() - start)
    # The key is that of the attempt: two builds of the same thing at once do not share an executable.
    key = digest(asked, str(time.time_ns()), str(os.getpid()))
    beside = ThreadPoolExecutor(1)
    beside.submit(prepare, toolchain)
    try:
        asked_for = Request(options, toolchain.requested, toolchain.cache.root, key, prepares_replay=prepares_replay)
        reply = _made(asked_for)
    finally:
        beside.shutdown(wait=False)  # who mistyped the entry's name need not wait for it to hear so
    if reply.record is None:
        raise ToolchainError("the builder gave no program: this is a bug of veer's")
    _keep(toolchain.cache, asked, key, reply.record)
    return replace(reply.record.program, seconds=time.monotonic() - start)


def files_read(program: Program, toolchain: Toolchain) -> dict[str, str]:
    """The sources and headers that the program was made of, each with the digest of its content then."""
    record = _record(toolchain.cache, program.executable.name)
    return dict(record.files) if record is not None else {}


def replay_builds(program: Program, options: BuildOptions, toolchain: Toolchain) -> ReplayBuilds:
    """What tests of the program are replayed in; it waits for a build that is under way. Raises ToolchainError."""
    cache, key = toolchain.cache, replay_key(program.executable)
    with cache.lock(key):
        found = find_replay(cache, key)
        if found is not None:
            return found
        reply = _made(_of_record(program, options, toolchain, key, Wish.REPLAY))
        if reply.replay is None:
            raise ToolchainError("the builder gave nothing to replay tests in: this is a bug of veer's")
        keep_replay(cache, key, reply.replay)
        return reply.replay


def marked_build(program: Program, options: BuildOptions, toolchain: Toolchain) -> ConditionsBuild | None:
    """What decisions are measured in; None when the compiler cannot mark them. Raises ToolchainError."""
    cache, key = toolchain.cache, replay_key(program.executable)
    facts = cache.find("counters", key, "-conditions.json")
    if facts is not None and cache.find("counters", key, "-conditions") is not None:
        with suppress(OSError, msgspec.DecodeError):
            return decode(facts.read_bytes(), ConditionsBuild)
    marked = _made(_of_record(program, options, toolchain, key, Wish.CONDITIONS)).marked
    if marked is not None:
        cache.write(encode(marked), "counters", key, "-conditions.json")
    return marked


def keys(builds: Sequence[BuildOptions], toolchain: Toolchain) -> CodeKeys | None:
    """What results of these builds hang on; None for sources of which that is not told: in C++, or in the words of
    another compiler. Raises ToolchainError."""
    files = [source for options in builds for source in options.sources]
    if any(options.preludes or options.against for options in builds) or any(
        each.suffix in CXX_SUFFIXES for each in files
    ):
        return None
    request = KeysRequest(tuple(builds), toolchain.requested, toolchain.cache.root)
    key = digest("keys", str(time.time_ns()), str(os.getpid()))
    return answer("veer.frontends.c.keybuilder", request, KeysReply, toolchain.cache, key).keys


def _of_record(program: Program, options: BuildOptions, toolchain: Toolchain, key: str, wish: Wish) -> Request:
    """A request for a build of a program that there is."""
    record = _record(toolchain.cache, program.executable.name)
    if record is None:
        raise ToolchainError(f"the record of {program.executable} is gone from the cache: run the test again")
    return Request(options, toolchain.requested, toolchain.cache.root, key, record=record, wish=wish)


def _check(options: BuildOptions) -> None:
    if not options.sources:
        raise UsageError("no source was given: name at least one C file")
    for source in options.sources:
        if source.is_dir():
            raise UsageError(f"{source} is a directory: name the C files in it")
        if source.suffix not in (*C_SUFFIXES, *CXX_SUFFIXES):
            raise UsageError(f"{source} is no C source ({' or '.join(C_SUFFIXES)}): {_instead(source)}")
        if source.exists() and not os.access(source, os.R_OK):
            raise UsageError(f"{source} cannot be read: check its permissions")


def _instead(source: Path) -> str:
    if source.suffix in (".h", ".inc"):
        return "name the C file that includes it"
    return "give objects and libraries with --link"


def _asked(options: BuildOptions, toolchain: Toolchain) -> str:
    """A digest of everything but the content of the files read: options, place, compiler, veer itself.

    A header that is new in a searched directory may hide another one, so the names of headers there count, too.
    """
    environment = [f"{name}={os.environ.get(name, '')}" for name in _ENVIRONMENT]
    folders = dict.fromkeys([*(source.resolve().parent for source in options.sources), *map(Path, options.include)])
    names = [name for folder in folders for name in _headers(folder)]
    libraries = [digest_file(Path(part)) for part in options.link if Path(part).is_file()]
    return digest(
        encode(options),
        str(Path.cwd()),
        toolchain.identity,
        runtime_version(),
        front_end_version(),
        *environment,
        *names,
        *libraries,
    )


def _headers(folder: Path) -> list[str]:
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(".h"))  # noqa: PTH208 - half the time
    except OSError:
        return []


def _find(cache: Cache, asked: str) -> BuildRecord | None:
    for files, key in _manifest(cache, asked):
        if all(digest_file(Path(path)) == content for path, content in files.items()):
            record = _record(cache, key)
            if record is not None and cache.find("executable", key) is not None:
                return record
    return None


def _manifest(cache: Cache, asked: str) -> list[tuple[dict[str, str], str]]:
    path = cache.find("manifest", asked, ".json")
    if path is None:
        return []
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[tuple[dict[str, str], str]])
    except (OSError, msgspec.DecodeError):
        return []


def _record(cache: Cache, key: str) -> BuildRecord | None:
    path = cache.find("program", key, ".json")
    if path is None:
        return None
    try:
        return decode(path.read_bytes(), BuildRecord)
    except (OSError, msgspec.DecodeError):
        return None


def _keep(cache: Cache, asked: str, key: str, record: BuildRecord) -> None:
    cache.write(encode(record), "program", key, ".json")
    kept = [(record.files, key), *_manifest(cache, asked)][:KEPT_BUILDS]
    cache.write(msgspec.json.encode(kept), "manifest", asked, ".json")


def _made(request: Request) -> Reply:
    """Runs the builder. Raises what it met; ToolchainError when it died (LLVM aborts on some errors)."""
    reply = answer("veer.frontends.c.builder", request, Reply, Cache(request.cache), request.key)
    reply.raise_error()
    return reply
