"""Digests of veer's own files: they are read when one has changed, and known by sizes and times as long as none has.

Each command asks for them, since a build is that of this very veer. To read all of them takes 25 ms, to look 3 ms.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from veer.model.cachedir import cache_root
from veer.model.errors import ToolchainError
from veer.toolchain.cache import Cache, digest

_DIGESTS = dict[str, str]


def digests(root: Path, folders: Iterable[str], suffixes: Sequence[str]) -> dict[str, str]:
    """The files below these folders of `root`, as seen from there, in the order of their names: a digest of each one's
    name and content."""
    seen = sorted(each for folder in folders for each in _within(root / folder, tuple(suffixes)))
    cache = Cache(cache_root())
    key = digest("own files", str(root), *(f"{path} {size} {times}" for path, size, times in seen))
    found = cache.find("manifest", key, ".json")
    if found is not None:
        with suppress(OSError, msgspec.DecodeError):
            return msgspec.json.decode(found.read_bytes(), type=_DIGESTS)
    names = [(os.path.relpath(path, root), Path(path)) for path, _, _ in seen]
    made = {name: digest(name, path.read_bytes()) for name, path in names}
    with suppress(ToolchainError):  # a cache that cannot be written is told by who needs it
        cache.write(msgspec.json.encode(made), "manifest", key, ".json")
    return made


def _within(folder: Path, suffixes: tuple[str, ...]) -> Iterator[tuple[str, int, str]]:
    """Path, size and times of each file: its change time says when anything was written, whatever its owner sets."""
    waiting = [str(folder)]
    while waiting:
        with os.scandir(waiting.pop()) as entries:
            for each in entries:
                if each.is_dir(follow_symlinks=False):
                    waiting.append(each.path)
                elif each.name.endswith(suffixes):
                    status = each.stat()
                    yield each.path, status.st_size, f"{status.st_mtime_ns} {status.st_ctime_ns}"
