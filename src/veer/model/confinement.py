"""How processes that run a user's code are confined: what starts them, and what they may read."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct


class Confinement(Struct, frozen=True):
    """`launcher`: the program that confines them (runtime/launcher); None: they are not confined.

    `grants`: what it uses of what the kernel grants, in its own words: "files", "calls", "mounts", "processes";
    `readable`: folders and files that they may read beside those of the system; `writable`: folders that tools may
    write to; `sockets`: whether they may use the network.
    """

    launcher: Path | None = None
    grants: tuple[str, ...] = ()
    readable: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    sockets: bool = False


OFF = Confinement()
"""They are not confined."""
