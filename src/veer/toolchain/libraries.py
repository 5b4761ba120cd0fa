"""Finds the user's system libraries for a linker that does not: zig, given a target, searches nowhere."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from veer.toolchain.compiler import TARGET, Toolchain

FOLDERS = tuple(
    Path(folder)
    for folder in (
        f"/usr/local/lib/{TARGET}",
        "/usr/local/lib",
        f"/usr/lib/{TARGET}",
        f"/lib/{TARGET}",
        "/usr/lib64",
        "/usr/lib",
    )
)
OF_THE_C_LIBRARY = frozenset(("c", "m", "dl", "pthread", "rt", "util", "resolv"))
"""Libraries that the compiler brings along: the machine's own must not be mixed in."""


def resolved(flags: Sequence[str], toolchain: Toolchain) -> tuple[str, ...]:
    """Linker flags with `-lNAME` replaced by the path of the machine's library where the compiler would not find it."""
    if not toolchain.is_zig:
        return tuple(flags)
    given = [Path(flag[2:]) for flag in flags if flag.startswith("-L") and len(flag) > 2]
    return tuple(_resolved(flag, given) for flag in flags)


def _resolved(flag: str, given: Sequence[Path]) -> str:
    name = flag[2:]
    if not flag.startswith("-l") or name in OF_THE_C_LIBRARY:
        return flag
    for folder in (*given, *FOLDERS):
        for file in (f"lib{name}.so", f"lib{name}.a"):
            if (folder / file).exists():
                return str(folder / file)
        # Without the development package there is only libz.so.1.
        if versions := sorted(folder.glob(f"lib{name}.so.*")):
            return str(versions[0])
    return flag
