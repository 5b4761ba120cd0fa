"""What lies in a folder, by names, sizes and times."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

LAST_RUN = "last.json"
"""In DIR: what a run of all functions remembers (campaign/lastrun.py)."""


def files_within(folder: Path) -> Iterator[str]:
    """Name, size and time of each file within a folder, in order; Python's own left out."""
    waiting = [""]
    while waiting:
        within = waiting.pop()
        try:
            entries = sorted(os.scandir(folder / within), key=lambda each: each.name)
        except OSError:
            continue
        for each in entries:
            name = f"{within}/{each.name}" if within else each.name
            if each.is_dir(follow_symlinks=False):
                if each.name != "__pycache__":
                    waiting.append(name)
            else:
                status = each.stat(follow_symlinks=False)
                yield f"{name} {status.st_size} {status.st_mtime_ns}"


def digest_of_folder(folder: Path) -> str:
    """A digest of all that lies there."""
    return hashlib.sha256("\n".join(files_within(folder)).encode(errors="surrogateescape")).hexdigest()[:32]
