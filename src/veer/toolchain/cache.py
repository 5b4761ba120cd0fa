"""The content-hash cache: files under $VEER_CACHE or ~/.cache/veer, named by what they were made from.

Every file appears whole or not at all (written beside its place, then renamed), so that any number of processes may use
one cache. A lock only spares double work; nothing relies on it. Beside each lies its checksum (`.sum`): what a disk has
damaged is removed when it is found, told on stderr, and made anew.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Literal, get_args

from msgspec import Struct

from veer.model.errors import ToolchainError
from veer.toolchain.keeper import VARIABLE

KEEP_SECONDS = 30 * 24 * 3600
"""Entries that nobody used for so long are removed by `Cache.prune`."""
SCRATCH_SECONDS = 24 * 3600
KEEP_BYTES = 8 << 30
"""Beyond so many bytes those are removed, too, that were used longest ago, unless a search may still need them."""
IN_USE_SECONDS = 24 * 3600
"""For so long after its last use an entry may be needed by a search that runs, however large the cache is."""
LITTLE_FREE_BYTES = 4 << 30
"""With less free space on the disk, the cache keeps KEEP_BYTES_ON_FULL_DISK, and IN_USE_SECONDS_ON_FULL_DISK count."""
KEEP_BYTES_ON_FULL_DISK = 1 << 30
IN_USE_SECONDS_ON_FULL_DISK = 3 * 3600
_SUM = ".sum"
_whole: dict[Path, tuple[int, int]] = {}
"""Entries that this process has found whole: when they were changed (nanoseconds), and their size."""
_WRITABLE = 0o022  # by its group, by others
NOTED_SECONDS = 3600
"""A use is noted, and what to remove is looked for, at most so often."""
Kind = Literal[
    "manifest", "program", "unit", "executable", "harness", "counters", "runtime", "log", "summary", "template"
]
"""What an entry is; all kinds are pruned."""


def digest(*parts: str | bytes) -> str:
    """A hexadecimal name of 32 digits for these parts; their boundaries count."""
    state = hashlib.sha256()
    for part in parts:
        data = part.encode(errors="surrogateescape") if isinstance(part, str) else part
        state.update(len(data).to_bytes(8, "little"))
        state.update(data)
    return state.hexdigest()[:32]


def digest_file(path: Path) -> str:
    """The digest of a file's content, or "" when it cannot be read."""
    try:
        return digest(path.read_bytes())
    except OSError:
        return ""


def storage_error(error: OSError, path: Path) -> ToolchainError:
    """The sentence for a file system that refused to store something at `path`."""
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return ToolchainError(
            f"the disk is full while writing {path}: free some space, or set VEER_CACHE to another disk"
        )
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST):
        return ToolchainError(
            f"the cache {path} cannot be written ({error.strerror}): set VEER_CACHE to a writable directory"
        )
    return ToolchainError(f"{path}: {error.strerror or error}")


def _mark() -> str:
    """How names of scratch folders begin: a keeper removes those of a veer that was killed (toolchain/keeper.py)."""
    mark = os.environ.get(VARIABLE, "").rpartition(":")[2]
    return f"{mark}-" if mark else ""


class Cache(Struct, frozen=True):
    """A directory of files by kind and key: root/kind/ab/abcdef... ; `tmp` holds what is being made."""

    root: Path

    def path(self, kind: Kind, key: str, suffix: str = "") -> Path:
        """Where the entry lies or would lie."""
        return self.root / kind / key[:2] / f"{key}{suffix}"

    def require_own(self) -> None:
        """Nobody else may write what will be run: a cache of this user's is closed to others' writing.

        Raises ToolchainError for one that another user owns (but root), or that others can write to.
        """
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            status = self.root.stat()
            if status.st_uid == os.geteuid() and status.st_mode & _WRITABLE:
                self.root.chmod(0o700)  # what lies below may be writable, too
                status = self.root.stat()
        except OSError:
            return  # who writes there hears of it
        if status.st_uid not in (os.geteuid(), 0) or status.st_mode & _WRITABLE:
            raise ToolchainError(
                f"the cache {self.root} can be written by another user, and veer runs what is in it: set VEER_CACHE to"
                " a directory of your own"
            )

    def find(self, kind: Kind, key: str, suffix: str = "") -> Path | None:
        """The entry if it is there and whole; it counts as used now."""
        path = self.path(kind, key, suffix)
        try:
            status = path.stat()
            if _is_damaged(path, status):
                _remove(path)
                sys.stderr.write(f"veer: {path} was damaged on the disk; it is made anew\n")
                return None
            if time.time() - status.st_mtime > NOTED_SECONDS:
                os.utime(path)
        except FileNotFoundError:
            return None
        except OSError:
            # A cache of somebody else's, read-only: usable all the same.
            return path if path.exists() else None
        return path

    def publish(self, made: Path, kind: Kind, key: str, suffix: str = "") -> Path:
        """Moves a finished file (in `scratch`, so on the same file system) to its place. Raises ToolchainError.

        An entry that stands with the same content stays the file that it is: what runs confined holds it by its inode,
        and could not open another one in its place.
        """
        target = self.path(kind, key, suffix)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            checksum = _checksum(made)
            sum_ = made.with_name(made.name + _SUM)
            sum_.write_text(checksum)
            sum_.replace(target.with_name(target.name + _SUM))
            if _is_placed(made, target):
                return target
            if target.is_file() and _checksum(target) == checksum:
                os.utime(target)
            else:
                made.replace(target)
        except OSError as error:
            raise storage_error(error, target) from error
        return target

    def write(self, content: bytes, kind: Kind, key: str, suffix: str = "") -> Path:
        """Stores `content` as the entry, atomically. Raises ToolchainError."""
        made = self._scratch_root() / f"content-{os.getpid()}-{os.urandom(8).hex()}"
        try:
            made.write_bytes(content)
            return self.publish(made, kind, key, suffix)
        except OSError as error:
            raise storage_error(error, made) from error
        finally:
            with suppress(OSError):
                made.unlink(missing_ok=True)

    @contextmanager
    def scratch(self) -> Iterator[Path]:
        """A directory of this process's own that vanishes afterwards. Raises ToolchainError."""
        try:
            directory = Path(tempfile.mkdtemp(prefix=_mark(), dir=self._scratch_root()))
        except OSError as error:
            raise storage_error(error, self.root) from error
        try:
            yield directory
        finally:
            shutil.rmtree(directory, ignore_errors=True)

    def _scratch_root(self) -> Path:
        """Where things are made, on the file system of the entries. Raises ToolchainError."""
        parent = self.root / "tmp"
        try:
            parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise storage_error(error, self.root) from error
        return parent

    @contextmanager
    def lock(self, name: str) -> Iterator[None]:
        """Holds a lock of that name among processes; where locks do not work it holds nothing."""
        directory = self.root / "locks"
        try:
            directory.mkdir(parents=True, exist_ok=True)
            handle = os.open(directory / name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        except OSError as error:
            raise storage_error(error, directory) from error
        try:
            with suppress(OSError):
                fcntl.flock(handle, fcntl.LOCK_EX)
            yield
        finally:
            os.close(handle)

    def prune(self) -> int:
        """Removes entries unused for KEEP_SECONDS or beyond KEEP_BYTES, and scratch left by killed processes; how many.

        Looks at most once in NOTED_SECONDS. A disk that is nearly full is left less to keep.
        """
        removed = 0
        now = time.time()
        stamp = self.root / "pruned"
        with suppress(OSError):
            if stamp.exists() and now - stamp.stat().st_mtime < NOTED_SECONDS:
                return 0
            stamp.touch()
        keep, in_use = KEEP_BYTES, IN_USE_SECONDS
        with suppress(OSError):
            if shutil.disk_usage(self.root).free < LITTLE_FREE_BYTES:
                keep, in_use = min(keep, KEEP_BYTES_ON_FULL_DISK), IN_USE_SECONDS_ON_FULL_DISK
        size = 0
        for used, bytes_, path in sorted(self._entries(), reverse=True):
            size += bytes_
            if now - used > (KEEP_SECONDS if size <= keep else in_use):
                with suppress(OSError):
                    _remove(path)
                    removed += 1
        for path in (self.root / "tmp").glob("*"):
            with suppress(OSError):
                if now - path.stat().st_mtime > SCRATCH_SECONDS:
                    if path.is_dir():
                        shutil.rmtree(path, ignore_errors=True)
                    else:
                        path.unlink()
                    removed += 1
        return removed

    def _entries(self) -> Iterator[tuple[float, int, Path]]:
        """When each was used last (to NOTED_SECONDS), its size, its place."""
        for kind in get_args(Kind):
            for path in (self.root / kind).glob("*/*"):
                if path.suffix == _SUM:
                    continue
                with suppress(OSError):
                    status = path.stat()
                    yield status.st_mtime, status.st_size, path


def _is_placed(made: Path, target: Path) -> bool:
    """Gives the file this name, too, unless something stands there, or the file system has no such links."""
    try:
        os.link(made, target)
    except OSError:
        return False
    return True


def _checksum(path: Path) -> str:
    """CRC-32 of the content, and its size: enough against disks; nobody else can write here (`Cache.require_own`)."""
    content = path.read_bytes()
    return f"{zlib.crc32(content):08x} {len(content)}\n"


def _is_damaged(path: Path, status: os.stat_result) -> bool:
    """Whether the content is not what was published. An entry is looked at once in a process; one without a checksum
    counts as whole."""
    seen = (status.st_ctime_ns, status.st_size)
    if _whole.get(path) == seen:
        return False
    try:
        published = path.with_name(path.name + _SUM).read_text()
    except (FileNotFoundError, UnicodeDecodeError):
        published = ""
    if published and published != _checksum(path):
        return True
    _whole[path] = seen
    return False


def _remove(path: Path) -> None:
    """The entry goes first, so that none is taken for damaged."""
    path.unlink()
    path.with_name(path.name + _SUM).unlink(missing_ok=True)
