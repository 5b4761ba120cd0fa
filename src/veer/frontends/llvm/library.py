"""veer's own C library as instrumented units, and which calls go to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import msgspec
from msgspec import Struct

from veer.frontends.llvm.compiled import compile_module
from veer.frontends.llvm.irtext import declared_functions, defined_names
from veer.frontends.llvm.makeunits import make_units
from veer.frontends.llvm.unit import MadeUnit, UnitRequest, find_unit
from veer.toolchain.cache import digest
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import INCLUDE, MOST_COMPILERS, RUNTIME, runtime_version

PREFIX = "veer_libc_"
RUNTIME_FUNCTIONS = {
    name: f"veer_{name}"
    for name in ("memcpy", "memmove", "memset", "malloc", "calloc", "realloc", "free", "aligned_alloc")
}
"""Functions of the C library that the runtime itself is."""
_DELETES = ("_ZdlPv", "_ZdaPv", "_ZdlPvm", "_ZdaPvm", "_ZdlPvSt11align_val_t", "_ZdaPvSt11align_val_t")
"""C++'s operator delete for objects and arrays, plain, sized and aligned."""
ALIASES = {
    **dict.fromkeys(("_Znwm", "_Znam"), "new"),
    **dict.fromkeys(("_ZnwmRKSt9nothrow_t", "_ZnamRKSt9nothrow_t"), "malloc"),
    **dict.fromkeys(("_ZnwmSt11align_val_t", "_ZnamSt11align_val_t"), "new_aligned"),
    **dict.fromkeys(_DELETES, "free"),
    "__strdup": "strdup",
    "__strndup": "strndup",
    "_IO_getc": "getc",
    **{
        f"{name}64": name
        for name in (
            "fopen",
            "freopen",
            "tmpfile",
            "mkstemp",
            "open",
            "openat",
            "creat",
            "lseek",
            "pread",
            "pwrite",
            "mmap",
        )
    },
    **{f"{name}64": name for name in ("stat", "lstat", "fstat", "truncate", "ftruncate", "fseeko", "ftello", "fcntl")},
    "__getdelim": "getdelim",
    "strtoq": "strtoll",
    "strtouq": "strtoull",
    **{f"__isoc99_{name}": name for name in ("sscanf", "vsscanf", "fscanf", "vfscanf", "scanf", "vscanf")},
    **{f"__isoc23_{name}": name for name in ("sscanf", "vsscanf", "fscanf", "vfscanf", "scanf", "vscanf")},
    **{f"__isoc23_{name}": name for name in ("strtol", "strtoul", "strtoll", "strtoull", "strtoimax", "strtoumax")},
}
"""Other names under which headers call the same functions."""
# Without errno, a call of __builtin_sqrt is the operation itself.
_LANGUAGE = ("-std=gnu11", "-fno-builtin", "-ffreestanding", "-fno-math-errno")
_FLAGS = (*_LANGUAGE, "-I", str(INCLUDE), "-I", str(RUNTIME / "libc"))


class LibraryFile(Struct, frozen=True):
    """A file of the library, by which it is known what needs it: its functions, what it calls, its unit's key."""

    name: str
    key: str
    defined: tuple[str, ...]
    declared: tuple[str, ...]


class Library(Struct, frozen=True):
    """The C library for one way to instrument it; a unit is made when the first program needs it."""

    toolchain: Toolchain
    version: str
    stage: Callable[[str], None]
    keeps_flows: bool
    files: tuple[LibraryFile, ...]

    def needed(self, users: Iterable[MadeUnit]) -> tuple[MadeUnit, ...]:
        """The units that the user's units call, those that these call, and so on; in the library's order.

        Raises ToolchainError.
        """
        providers = {name: file for file in self.files for name in file.defined if name.startswith("veer_")}
        made: dict[str, MadeUnit] = {}
        waiting = {name for unit in users for name in unit.declared}
        while wanted := _closure(waiting, providers) - set(made):
            files = [file for file in self.files if file.name in wanted]
            new = self._units(files)
            made.update({file.name: unit for file, unit in zip(files, new, strict=True)})
            waiting = {name for unit in new for name in unit.declared}  # the instrumenter may have added calls
        return tuple(made[file.name] for file in self.files if file.name in made)

    def defined_in(self, name: str) -> frozenset[str]:
        """The functions that the file of this name defines."""
        return frozenset(function for file in self.files if file.name == name for function in file.defined)

    def _units(self, files: Sequence[LibraryFile]) -> list[MadeUnit]:
        found = [find_unit(self.toolchain.cache, file.key) for file in files]
        missing = [file.name for file, unit in zip(files, found, strict=True) if unit is None]
        requests = _requests(self.toolchain, missing, self.stage, keeps_flows=self.keeps_flows)
        made = iter(make_units(requests, self.version, self.toolchain.cache, self.stage))
        return [next(made) if unit is None else unit for unit in found]


def library(toolchain: Toolchain, version: str, stage: Callable[[str], None], *, keeps_flows: bool = False) -> Library:
    """What there is in the C library, read once for each version and compiler. Raises ToolchainError."""
    cache = toolchain.cache
    key = digest("libc with flows" if keeps_flows else "libc", version, runtime_version(), toolchain.identity, *_FLAGS)
    found = cache.find("runtime", key, ".library")
    if found is not None:
        with suppress(OSError, msgspec.DecodeError):
            files = msgspec.json.decode(found.read_bytes(), type=tuple[LibraryFile, ...])
            return Library(toolchain, version, stage, keeps_flows, files)
    names = sorted(path.name for path in (RUNTIME / "libc").glob("*.c"))
    requests = _requests(toolchain, names, stage, keeps_flows=keeps_flows)
    files = tuple(
        LibraryFile(name, request.key(version), tuple(sorted(defined_names(request.ir))), _called(request.ir))
        for name, request in zip(names, requests, strict=True)
    )
    cache.write(msgspec.json.encode(files), "runtime", key, ".library")
    return Library(toolchain, version, stage, keeps_flows, files)


def _called(ir: str) -> tuple[str, ...]:
    return tuple(name for name in declared_functions(ir) if name.startswith("veer_"))


def _requests(
    toolchain: Toolchain, names: Sequence[str], stage: Callable[[str], None], *, keeps_flows: bool
) -> list[UnitRequest]:
    if not names:
        return []
    stage(f"veer's own C library ({', '.join(names)})")

    def compiled(name: str) -> UnitRequest:
        module = compile_module(toolchain, RUNTIME / "libc" / name, _FLAGS, f"veer's own C library ({name})")
        redirect = tuple(RUNTIME_FUNCTIONS.items())
        return UnitRequest(f"libc/{name}", module.ir, is_library=True, keeps_flows=keeps_flows, redirect=redirect)

    with ThreadPoolExecutor(MOST_COMPILERS) as pool:
        return list(pool.map(compiled, names))


def _closure(names: Iterable[str], providers: Mapping[str, LibraryFile]) -> set[str]:
    """The files that provide these names, those that provide what these call, and so on."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        file = providers.get(waiting.pop())
        if file is not None and file.name not in found:
            found.add(file.name)
            waiting += file.declared
    return found


def redirections(library: Library, not_ours: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Which functions go to veer's own: all that it has, but those that the user defines or wants as they are."""
    own = {
        name.removeprefix(PREFIX): name for file in library.files for name in file.defined if name.startswith(PREFIX)
    } | RUNTIME_FUNCTIONS
    own |= {alias: own[name] for alias, name in ALIASES.items() if name in own}
    kept = set(not_ours)
    return tuple(sorted((name, target) for name, target in own.items() if name not in kept))
