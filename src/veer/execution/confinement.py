"""What starts processes that run a user's code, and confines them: the words of runtime/launcher/launcher.c.

    Python ──vfork──► launcher: limits, namespaces, Landlock, seccomp ──exec──► executor, test or tool

What of it the kernel grants is asked once (`granted`); what an executor's run is refused ends that run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path

from msgspec import Struct

from veer.model.confinement import Confinement
from veer.model.errors import ExecutorError
from veer.model.values import replace

NOT_STARTED = 127
"""The launcher ends so where a program cannot be started."""
SAYS = "veer-launcher: "
GRANTS: Mapping[str, str] = {
    "files": "Landlock, which keeps files from a process (Linux 5.13, `landlock` in the kernel's lsm=)",
    "calls": "seccomp, which refuses system calls",
    "mounts": "namespaces of mounts for this user, in which nothing can be written to",
    "processes": "namespaces of processes for this user, which end as a whole",
}
"""What the launcher makes use of, and what to call it."""
USUAL = ("files", "calls", "mounts")
"""Of --sandbox on. A filter that lets no process be made needs no namespace that ends them (decision 0460)."""
_SECONDS = 30
_FILE_OF_A_TOOL = 64 << 20
"""Bytes of any one file that a JVM or an emulator writes; a folder that goes with it is all that it may write to."""
_SYSTEM = (
    *("/usr", "/lib", "/lib64", "/lib32", "/libx32", "/bin", "/sbin", "/nix/store", "/gnu/store"),
    *("/etc/ld.so.cache", "/etc/ld.so.preload", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime"),
    *("/etc/timezone", "/etc/locale.alias", "/etc/locale.conf", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group"),
    *("/etc/hosts", "/etc/host.conf", "/etc/services", "/etc/protocols", "/etc/alternatives"),
    *("/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"),
    *("/proc/cpuinfo", "/proc/meminfo", "/proc/stat", "/proc/sys/vm/overcommit_memory", "/proc/filesystems"),
    *("/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/kernel/mm/transparent_hugepage"),
)
"""Folders and files of every machine that libraries read; nothing of a user's."""


class Role(StrEnum):
    """Who is confined: it decides what becomes of a system call that is refused (runtime/launcher/words.h)."""

    EXECUTOR = "executor"
    REPLAY = "replay"
    TOOL = "tool"


class Bounds(Struct, frozen=True):
    """Hard limits of a process: seconds of processor time, bytes of address space, bytes of any one file, and whether
    it may make others; None: no limit."""

    processor: int | None = None
    memory: int | None = None
    file: int | None = None
    processes: int | None = None


def words(
    launcher: Path, confinement: Confinement, role: Role, bounds: Bounds, command: Sequence[str | Path]
) -> list[str]:
    """The words that start `command` by the launcher. Without grants it only sets the limits."""
    limits = {"cpu": bounds.processor, "memory": bounds.memory, "file": bounds.file, "processes": bounds.processes}
    given = [f"{name}={most}" for name, most in limits.items() if most is not None]
    if confinement.launcher is not None:
        given += [f"sandbox={role}", *confinement.grants]
        readable = (*_SYSTEM, *_library_folders(), *map(str, confinement.readable), str(command[0]))
        given += [f"read={path}" for path in dict.fromkeys(readable)]
        given += [f"write={path}" for path in confinement.writable]
        given += ["sockets"] * confinement.sockets
    return [str(launcher), f"parent={os.getpid()}", *given, "--", *map(str, command)]


def tool(confinement: Confinement, command: Sequence[str | Path], readable: Iterable[Path], scratch: Path) -> list[str]:
    """The words that start a program that runs a user's code in a machine of its own; it may write to `scratch`."""
    if confinement.launcher is None:
        return [*map(str, command)]
    wider = replace(confinement, readable=(*confinement.readable, *readable), writable=(scratch,))
    return words(confinement.launcher, wider, Role.TOOL, Bounds(file=_FILE_OF_A_TOOL), command)


def not_started(status: int, errors: str) -> str:
    """Why the launcher did not start a program that ended so; empty where it did."""
    if status != NOT_STARTED or not errors.startswith(SAYS):
        return ""
    return errors.removeprefix(SAYS).strip()


def python_folders() -> tuple[Path, ...]:
    """What a Python of this installation reads, veer's own source included."""
    places = (sys.prefix, sys.base_prefix, sys.exec_prefix, str(Path(sys.executable).resolve().parent), *sys.path)
    return tuple(Path(place) for place in dict.fromkeys(places) if place and place != "/")


@cache
def granted(launcher: Path) -> Mapping[str, int]:
    """What the kernel grants a process of this user, by the words of GRANTS: 0 is nothing, else a version.

    Raises ExecutorError when the launcher cannot be started.
    """
    try:
        done = subprocess.run((str(launcher), "probe"), capture_output=True, text=True, timeout=_SECONDS, check=False)
        pairs = (word.partition("=") for word in done.stdout.split())
        found = {name: int(version) for name, _, version in pairs}
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise ExecutorError(f"{launcher} cannot be started: {error}") from error
    return {name: found.get(name, 0) for name in GRANTS}


def _library_folders() -> list[str]:
    """Where the environment says that libraries are."""
    return [folder for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":") if folder]
