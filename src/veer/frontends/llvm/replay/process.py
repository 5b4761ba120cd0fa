"""One test in one of its builds: a process within limits, its files, and how it ended.

LAUNCHER LIMITS... DRIVER DATA RECORD        in a directory of its own, with COUNTERS in the environment
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from veer.execution.replay import ReplayLimits, Seen, launched
from veer.execution.supervised import Watched
from veer.frontends.llvm.replay.data import RECORD_SIZE, Ran, decoded
from veer.model.errors import ExecutorError

_NO_FILES = 126
_SAYS = "veer-replay: "
"""runtime/replay/data.c ends so when a file cannot be mapped."""
# The edges, a page with the hash of the path, the lines: runtime/counters/counters.c.
_EDGES = 1 << 24
_LINES_AT = _EDGES + 4096
_COUNTERS_SIZE = _LINES_AT + (1 << 22)
_DATA, _RECORD, _COUNTERS, _HOME = "data", "record", "counters", "home"


@dataclass(frozen=True, slots=True)
class Marks:
    """What the counters, or the conditions, build saw: taken edges and marked lines (or vectors), ascending."""

    edges: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Ended:
    """How a test's process ended, and what it left behind. The report of `seen` is empty: nothing was compared yet."""

    seen: Seen
    ran: Ran
    marks: Marks = Marks()


@dataclass(frozen=True, slots=True)
class Driver:
    """A build with a replay runtime. Numbers are those of what it counts; the plain build counts nothing."""

    executable: Path
    limits: ReplayLimits
    edge_count: int = 0
    line_count: int = 0

    def run(self, data: bytes, directory: Path) -> Ended:
        """Runs the test of this DATA in an empty directory. Raises ExecutorError when it cannot be started."""
        home = directory / _HOME
        home.mkdir()
        (directory / _DATA).write_bytes(data)
        record = _empty(directory / _RECORD, RECORD_SIZE)
        counters = _empty(directory / _COUNTERS, _COUNTERS_SIZE) if self.line_count or self.edge_count else None
        watched = self._watched(directory, home, counters)
        if watched.status == _NO_FILES and watched.errors.startswith(_SAYS):
            raise ExecutorError(f"{self.executable} cannot be started: {watched.errors.removeprefix(_SAYS).strip()}")
        return Ended(_seen(watched), decoded(record.read_bytes()), self._marks(counters))

    def _watched(self, directory: Path, home: Path, counters: Path | None) -> Watched:
        files = (str(directory / _DATA), str(directory / _RECORD))
        if counters is None:
            return launched(self.executable, files, self.limits, home)
        limits = replace(self.limits, output=max(self.limits.output, _COUNTERS_SIZE))
        return launched(self.executable, files, limits, home, {"VEER_COUNTERS": str(counters)})

    def _marks(self, counters: Path | None) -> Marks:
        if counters is None:
            return Marks()
        with counters.open("rb") as handle:
            edges = np.frombuffer(handle.read(self.edge_count), np.uint8)
            handle.seek(_LINES_AT)
            lines = np.frombuffer(handle.read(self.line_count), np.uint8)
        return Marks(tuple(np.flatnonzero(edges).tolist()), tuple(np.flatnonzero(lines).tolist()))


def _empty(file: Path, size: int) -> Path:
    """The file with so many zeros, which take no room."""
    with file.open("wb") as handle:
        handle.truncate(size)
    return file


def _seen(watched: Watched) -> Seen:
    status = watched.status
    output = watched.output.decode("utf-8", "replace")
    printed = watched.output if watched.is_whole else None
    return Seen(-status if status < 0 else 0, max(status, 0), "", watched.timed_out, output, watched.errors, printed)
