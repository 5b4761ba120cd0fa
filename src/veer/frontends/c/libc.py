"""veer's own C library as instrumented units, and which calls go to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from veer.frontends.c.analysis import compile_module
from veer.frontends.c.pool import make_units
from veer.frontends.c.unit import MadeUnit, UnitRequest, find_unit
from veer.toolchain.cache import digest
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import INCLUDE, RUNTIME, runtime_version

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
    "fopen64": "fopen",
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


def library_units(
    toolchain: Toolchain, version: str, stage: Callable[[str], None], *, keeps_flows: bool = False
) -> tuple[MadeUnit, ...]:
    """The instrumented C library, made once for each version and compiler. Raises ToolchainError."""
    cache = toolchain.cache
    key = digest("libc with flows" if keeps_flows else "libc", version, runtime_version(), toolchain.identity, *_FLAGS)
    found = cache.find("runtime", key, ".units")
    if found is not None:
        units = [find_unit(cache, unit) for unit in found.read_text().split()]
        if all(unit is not None for unit in units):
            return tuple(unit for unit in units if unit is not None)
    redirect = tuple(RUNTIME_FUNCTIONS.items())
    requests = []
    for source in sorted((RUNTIME / "libc").glob("*.c")):
        stage(f"veer's own C library ({source.name})")
        module = compile_module(toolchain, source, _FLAGS, f"veer's own C library ({source.name})")
        requests.append(
            UnitRequest(f"libc/{source.name}", module.ir, is_library=True, keeps_flows=keeps_flows, redirect=redirect)
        )
    units_made = make_units(requests, version, cache, stage)
    keys = "\n".join(request.key(version) for request in requests)
    cache.write(keys.encode(), "runtime", key, ".units")
    return units_made


def needed(library: Sequence[MadeUnit], users: Iterable[MadeUnit]) -> tuple[MadeUnit, ...]:
    """The units of the library that the user's units call, those that these call, and so on; in the library's order."""
    providers = {name: unit for unit in library for name in unit.defined if name.startswith("veer_")}
    found: set[str] = set()
    waiting = list(users)
    while waiting:
        for name in waiting.pop().declared:
            unit = providers.get(name)
            if unit is not None and unit.name not in found:
                found.add(unit.name)
                waiting.append(unit)
    return tuple(unit for unit in library if unit.name in found)


def redirections(library: Sequence[MadeUnit], not_ours: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """Which functions go to veer's own: all that it has, but those that the user defines or wants as they are."""
    own = {
        name.removeprefix(PREFIX): name for unit in library for name in unit.defined if name.startswith(PREFIX)
    } | RUNTIME_FUNCTIONS
    own |= {alias: own[name] for alias, name in ALIASES.items() if name in own}
    kept = set(not_ours)
    return tuple(sorted((name, target) for name, target in own.items() if name not in kept))
