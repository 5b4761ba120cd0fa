"""The compiler that there is: zig's clang from the `ziglang` wheel, or the user's own clang.

Flags and traps were measured: the zig binary is called itself (8 ms against 27 through
`python -m ziglang`), with a fresh local cache a call, for a cached call prints no list of headers.
"""

from __future__ import annotations

import importlib.util
import os
import re
import resource
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path

from msgspec import Struct

from veer.model.cachedir import cache_root
from veer.model.errors import EndlessSourceError, ToolchainError, UsageError
from veer.model.values import replace
from veer.toolchain.cache import Cache, digest
from veer.toolchain.kills import unless_killed
from veer.toolchain.session import session

TARGET = "x86_64-linux-gnu"
ZIG_TARGET = f"{TARGET}.2.28"
TIMEOUT_SECONDS = 600
CPU_SECONDS = 180
IDLE_SECONDS = 120
"""So long a compiler may use no processor: it waits for a lock of another one's, or for what never comes."""
_LOOK_SECONDS = 10.0
_KILLED = (-signal.SIGKILL, -signal.SIGABRT)
"""How a compiler ends that somebody kills; zig aborts when it was the clang that it had started."""
MEMORY_BYTES = 8 << 30
LEAST_FREE_BYTES = 4 << 20
LENIENT = (
    "-Wno-unknown-warning-option",
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-Wno-error=return-type",
)
"""Old C compiles as gcc 13 and older compile it; these only turn errors back into warnings."""
IR_FLAGS = (
    "-S",
    "-emit-llvm",
    "-g",
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-fno-stack-protector",
    "-fno-color-diagnostics",
    "-w",
    "-UNDEBUG",
    "-U_FORTIFY_SOURCE",
    "-D__NO_CTYPE",
)
RUNTIME_FLAGS = (
    "-O2",
    "-g",
    "-fPIC",
    "-fno-stack-protector",
    "-std=gnu11",
    "-fno-strict-aliasing",
    "-falign-functions=64",
)
"""One object is for executors and for the library that Python loads; zig's code is position-independent in any case.
Functions are aligned so that it is all one what stands before a hot one (decision 0402)."""
_DRIVES_CXX = "--driver-mode=g++"
CXX_SUFFIXES = (".cc", ".cpp", ".cxx", ".C", ".c++")
"""Sources in C++."""
_HEADER_LINE = re.compile(r"^\.+ (.+)$")


class Toolchain(Struct, frozen=True):
    """A compiler: `command` is how it is called, `identity` changes when it does, `cache` is where results go."""

    command: tuple[str, ...]
    identity: str
    cache: Cache
    requested: str | None = None  # what the user gave as --cc

    @property
    def is_zig(self) -> bool:
        """Whether it is zig's clang, which brings its own headers and libraries."""
        return self.command[1:] in (("cc",), ("c++",))

    @property
    def is_cxx(self) -> bool:
        """Whether it links the library of C++ (`as_cxx`)."""
        return self.command[1:] in (("c++",), (_DRIVES_CXX,))

    @property
    def name(self) -> str:
        """For summary.json and `veer doctor`."""
        return "zig cc" if self.is_zig else self.command[0]


class Compiled(Struct, frozen=True):
    """What a call of the compiler said. `headers`: the files that the preprocessor read (with -H), absolute."""

    code: int
    messages: str
    headers: tuple[Path, ...]


def for_source(toolchain: Toolchain, source: Path) -> Toolchain:
    """The compiler as it is called for that source: zig finds the headers of C++ only as `zig c++`."""
    return as_cxx(toolchain) if source.suffix in CXX_SUFFIXES else toolchain


def as_cxx(toolchain: Toolchain) -> Toolchain:
    """The same compiler, called so that it links the library of C++."""
    if toolchain.is_zig:
        return replace(toolchain, command=(toolchain.command[0], "c++"))
    return replace(toolchain, command=(toolchain.command[0], _DRIVES_CXX))


def as_c(toolchain: Toolchain) -> Toolchain:
    """The same compiler, called so that it links the library of C alone."""
    return replace(toolchain, command=(toolchain.command[0], "cc") if toolchain.is_zig else toolchain.command[:1])


def find(cc: str | None = None, cache: Cache | None = None) -> Toolchain:
    """The compiler to use; runs nothing. Raises ToolchainError (no ziglang) or UsageError (`cc` is not there)."""
    cache = cache or Cache(cache_root())
    cache.require_own()
    if cc is None:
        binary = _zig_binary()
        return Toolchain((str(binary), "cc"), _identity(binary), cache)
    found = shutil.which(cc)
    if found is None:
        raise UsageError(
            f"the compiler {cc} was not found: give --cc the path of a clang, or leave it out to use veer's own"
        )
    binary = Path(found)
    if binary.name.startswith("zig"):
        return Toolchain((found, "cc"), _identity(binary), cache, cc)
    if "clang" not in binary.resolve().name and "clang" not in binary.name:
        raise UsageError(f"{cc} is not a clang, and veer needs LLVM IR: give --cc the path of a clang, or leave it out")
    return Toolchain((found,), _identity(binary), cache, cc)


def _zig_binary() -> Path:
    # find_spec does not import the package: a cache hit must not pay for it.
    spec = importlib.util.find_spec("ziglang")
    places = list(spec.submodule_search_locations or ()) if spec else []
    for place in places:
        binary = Path(place) / "zig"
        if binary.exists():
            return binary
    raise ToolchainError("the Python package ziglang is missing: run `pip install ziglang==0.17.0`, or give --cc clang")


def _identity(binary: Path) -> str:
    real = binary.resolve()
    status = real.stat()
    return f"{real}:{status.st_size}:{status.st_mtime_ns}"


def target_flags(toolchain: Toolchain) -> tuple[str, ...]:
    """Machine and sanitizer defaults. With an explicit target zig does not see the system's headers: they come last."""
    if not toolchain.is_zig:
        return (f"--target={TARGET}", "-march=x86-64", "-fno-sanitize=all")
    system = (Path("/usr/include"), Path(f"/usr/include/{TARGET}"))
    after = tuple(flag for path in system if path.is_dir() for flag in ("-idirafter", str(path)))
    return ("-target", ZIG_TARGET, "-mcpu=baseline", "-fno-sanitize=all", *after)


def run(toolchain: Toolchain, arguments: Sequence[str], directory: Path | None = None) -> Compiled:
    """Calls the compiler. Raises ToolchainError when it cannot be started, dies, or the disk is full."""
    session()  # its mark is in the environment
    keeps_nothing = toolchain.command[1:2] in (("-cc1",), ("ld.lld",))
    with nullcontext(toolchain.cache.root) if keeps_nothing else toolchain.cache.scratch() as scratch:
        environment = dict(os.environ, ZIG_LOCAL_CACHE_DIR=str(scratch), LC_ALL="C")
        environment.setdefault("ZIG_GLOBAL_CACHE_DIR", str(zig_cache(toolchain)))
        try:
            command = [*toolchain.command, *arguments]
            done = unless_killed(
                lambda: _within_limits(command, directory, environment), lambda ended: ended.returncode in _KILLED
            )
        except PermissionError as error:
            raise ToolchainError(
                f"{toolchain.command[0]} cannot be executed ({error.strerror}): is its file system mounted noexec?"
            ) from error
        except OSError as error:
            raise ToolchainError(f"{toolchain.command[0]} cannot be started: {error.strerror}") from error
        except subprocess.TimeoutExpired as error:
            raise EndlessSourceError(f"the compiler did not end within {TIMEOUT_SECONDS} s") from error
        if done.returncode:
            _check_space(done.stderr, toolchain.cache.root)
            _check_memory(done.stderr)
    return _said(done.returncode, (done.stderr + done.stdout).decode(errors="replace"), directory)


def _within_limits(
    command: Sequence[str], directory: Path | None, environment: Mapping[str, str]
) -> subprocess.CompletedProcess[bytes]:
    """Runs a compiler within its limits of time and memory. Raises OSError and TimeoutExpired."""
    with subprocess.Popen(
        command,
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,  # a signal to veer's group is for veer
    ) as process:
        try:
            for kind, most in ((resource.RLIMIT_DATA, MEMORY_BYTES), (resource.RLIMIT_CPU, CPU_SECONDS)):
                with suppress(OSError):  # it has ended, or has less already
                    resource.prlimit(process.pid, kind, (most, resource.prlimit(process.pid, kind)[1]))
            output, errors = _communicated(process)
        except BaseException:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            raise
    return subprocess.CompletedProcess(command, process.returncode, output, errors)


def _communicated(process: subprocess.Popen[bytes]) -> tuple[bytes, bytes]:
    """What the compiler writes until it ends. Raises TimeoutExpired, and ToolchainError where it only waits."""
    used, moved, since = -1, 0.0, 0.0
    while True:
        try:
            return process.communicate(timeout=_LOOK_SECONDS)
        except subprocess.TimeoutExpired:
            since += _LOOK_SECONDS
        now = processor_time(process.pid)
        if now != used:
            used, moved = now, since
        if since - moved >= IDLE_SECONDS:
            raise EndlessSourceError("the compiler only waits: does the source include a pipe or a device?")
        if since >= TIMEOUT_SECONDS:
            raise subprocess.TimeoutExpired(process.args, TIMEOUT_SECONDS)


def processor_time(session: int) -> int:
    """Ticks that the processes of a session have used."""
    total = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(fields[3]) == session:
                total += int(fields[11]) + int(fields[12])
    return total


def _check_memory(messages: bytes) -> None:
    """Raises ToolchainError if the compiler wanted more memory than it may have."""
    if re.search(rb"OutOfMemory|out of memory|bad_alloc|Cannot allocate memory", messages):
        most = MEMORY_BYTES >> 30
        raise EndlessSourceError(
            f"the compiler wants more than {most} GiB of memory: is what the source includes endless?"
        )


def zig_cache(toolchain: Toolchain) -> Path:
    """The directory of zig's own cache, one for each installation.

    Two installations that share one take each other's entries for outdated (other inodes), and while they make them
    anew at once, each may wait for a lock of the other for ever.
    """
    given = os.environ.get("ZIG_GLOBAL_CACHE_DIR")
    return Path(given) if given else toolchain.cache.root / "zig" / digest(toolchain.identity)[:16]


def _check_space(messages: bytes, root: Path) -> None:
    """Raises ToolchainError if a full disk may be why the compiler failed: it does not always say so before it dies."""
    is_named = re.search(rb"No space left on device|NoSpaceLeft|DiskQuota", messages)
    if is_named or shutil.disk_usage(root).free < LEAST_FREE_BYTES:
        raise ToolchainError(f"the disk is full ({root}): free some space, or set VEER_CACHE to another disk")


def _said(code: int, text: str, directory: Path | None) -> Compiled:
    headers: dict[Path, None] = {}
    messages: list[str] = []
    base = directory or Path.cwd()
    for line in text.splitlines():
        if matched := _HEADER_LINE.match(line):
            headers[Path(os.path.normpath(base / matched[1]))] = None
        else:
            messages.append(line)
    said = "\n".join(messages)
    if code == -signal.SIGXCPU:
        raise EndlessSourceError(
            f"the compiler did not end within {CPU_SECONDS} s of processor time: is what the source includes endless?"
        )
    if code < 0:
        raise ToolchainError(f"the compiler was killed by signal {-code}: is there enough memory?")
    return Compiled(code, said, tuple(headers))


def shorten(messages: str, limit: int = 12) -> str:
    """The errors of a compiler's output with their source lines, at most `limit` lines; warnings and notes go."""
    kept: list[str] = []
    keep = False
    for line in messages.splitlines():
        if re.match(r"^\S.*?: (fatal )?error: |^(ld\.lld|lld|error): ", line):
            keep = True
        elif re.match(r"^\S.*?: (warning|note): |^In file included from |^\d+ (errors?|warnings?) ", line):
            keep = False
        if keep:
            kept.append(line)
    if not kept:
        kept = messages.strip().splitlines()
    if len(kept) > limit:
        kept = [*kept[:limit], f"... and {len(kept) - limit} more lines"]
    return "\n".join(kept)
