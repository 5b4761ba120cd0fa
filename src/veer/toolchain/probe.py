"""What veer needs of this machine, and whether it is there: the facts of `veer doctor`."""

from __future__ import annotations

import importlib.metadata
import mmap
import os
import platform
import shutil
import sys
import tempfile
from pathlib import Path

from veer.model.cachedir import cache_root
from veer.model.errors import VeerError
from veer.toolchain.compiler import find, run
from veer.toolchain.fact import Fact

PACKAGES = ("ziglang", "llvmlite", "bitwuzla", "numpy", "msgspec")
OPTIONAL_TOOLS = ("gcc", "clang", "gdb")
SHADOW_BYTES = 8 << 30
"""Address space that each executor reserves (decision 0001)."""
FREE_BYTES = 500 << 20
_MAP_NORESERVE = 0x4000


def probe() -> list[Fact]:
    """All facts, in the order in which a user should mend them. Runs the compiler once."""
    return [
        _python(),
        _platform(),
        *map(_package, PACKAGES),
        _compiler(),
        *_cache(),
        _memfd(),
        _shadow(),
        *map(_tool, OPTIONAL_TOOLS),
    ]


def _python() -> Fact:
    return Fact("Python", sys.version_info >= (3, 11), f"{platform.python_version()} (3.11 or newer is needed)")


def _platform() -> Fact:
    here = f"{platform.system()} {platform.machine()}"
    return Fact("platform", here == "Linux x86_64", f"{here} (only Linux x86-64 works for now)")


def _package(name: str) -> Fact:
    try:
        return Fact(name, ok=True, detail=importlib.metadata.version(name))
    except importlib.metadata.PackageNotFoundError:
        return Fact(name, ok=False, detail=f"missing: run `pip install {name}`")


def _compiler() -> Fact:
    try:
        toolchain = find()
        said = run(toolchain, ("--version",))
    except VeerError as error:
        return Fact("compiler", ok=False, detail=str(error))
    first = (said.messages.splitlines() or ["says nothing"])[0]
    return Fact("compiler", said.code == 0, f"{first} ({toolchain.command[0]})")


def _cache() -> list[Fact]:
    root = cache_root()
    try:
        root.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=root, delete=False) as file:
            probe_file = Path(file.name)
        probe_file.chmod(0o755)
        executable = os.access(probe_file, os.X_OK)
        probe_file.unlink()
        free = shutil.disk_usage(root).free
    except OSError as error:
        return [Fact("cache", ok=False, detail=f"{root}: {error.strerror}; set VEER_CACHE to a writable directory")]
    return [
        Fact("cache", executable, f"{root}{'' if executable else ' is mounted noexec; set VEER_CACHE to another'}"),
        Fact("disk space", free > FREE_BYTES, f"{free >> 20} MiB free (about 500 are needed)"),
    ]


def _memfd() -> Fact:
    try:
        os.close(os.memfd_create("veer"))
    except OSError as error:
        return Fact("shared memory", None, f"memfd_create: {error.strerror}; a temporary file is used")
    return Fact("shared memory", ok=True, detail="memfd_create works")


def _shadow() -> Fact:
    try:
        mmap.mmap(-1, SHADOW_BYTES, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_NORESERVE, mmap.PROT_READ).close()
    except (OSError, ValueError) as error:
        advice = "set vm.overcommit_memory to 0 or 1, or raise `ulimit -v`"
        return Fact("address space", ok=False, detail=f"8 GiB cannot be reserved ({error}): {advice}")
    return Fact("address space", ok=True, detail="8 GiB can be reserved")


def _tool(name: str) -> Fact:
    found = shutil.which(name)
    return Fact(name, True if found else None, found or "not found (optional: cross-checks and debugging)")
