"""Waiting for other processes without a clock of one's own: the kernel tells when one has ended."""

from __future__ import annotations

import contextlib
import os
import select
from pathlib import Path

_pidfd_open = os.pidfd_open  # some tests take it away from the code under test
PATIENCE = 60.0
"""Seconds after which a process counts as one that stays."""


def dies(process: int, patience: float = PATIENCE) -> bool:
    """Whether the process has ended, or does so before the patience is spent. A zombie has ended."""
    try:
        handle = _pidfd_open(process)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], patience)[0])
    finally:
        os.close(handle)


def of(text: str) -> dict[int, bytes]:
    """The processes whose words or environment have this text, each with its words; but not this one."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            words, environment = (folder / "cmdline").read_bytes(), (folder / "environ").read_bytes()
            if text.encode() in words + environment and int(folder.name) != os.getpid():
                found[int(folder.name)] = words
    return found
