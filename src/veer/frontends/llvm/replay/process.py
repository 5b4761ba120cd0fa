"""One test in one of its builds: a process within limits, its files, and how it ended.

LAUNCHER LIMITS... DRIVER DATA RECORD        in a directory of its own, with COUNTERS in the environment

The three files are memory of this process, which the test's inherits: a file system takes longer to make them, and to
fill the pages that nobody writes, than most tests run. A confined process could not open those of another one.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

import numpy as np
from msgspec import Struct

from veer.execution.replay import ReplayLimits, Seen, launched
from veer.execution.supervised import Watched
from veer.frontends.llvm.replay.data import HEAD_SIZE, RECORD_SIZE, Ran, decoded, written_size
from veer.model.errors import ExecutorError
from veer.model.values import replace
from veer.wire.shared import sparse_file

_NO_FILES = 126
HANG_COUNTED = 0.25
"""Of the time of a test: a hang has covered by then what it covers."""
_EARLY = 0.5
"""Of the time of a test: its limits kill nothing before that."""
_SAYS = "veer-replay: "
"""runtime/replay/data.c ends so when a file cannot be mapped."""
# The edges, a page with the hash of the path, the lines: runtime/counters/counters.c.
_EDGES = 1 << 24
_LINES_AT = _EDGES + 4096
_COUNTERS_SIZE = _LINES_AT + (1 << 22)


class Marks(Struct, frozen=True):
    """What the counters, or the conditions, build saw: taken edges and marked lines (or vectors), ascending."""

    edges: tuple[int, ...] = ()
    lines: tuple[int, ...] = ()


class Ended(Struct, frozen=True):
    """How a test's process ended, and what it left behind. The report of `seen` is empty: nothing was compared yet."""

    seen: Seen
    ran: Ran
    marks: Marks = Marks()


class Driver(Struct, frozen=True):
    """A build with a replay runtime. Numbers are those of what it counts; the plain build counts nothing."""

    executable: Path
    limits: ReplayLimits
    edge_count: int = 0
    line_count: int = 0
    environment: tuple[tuple[str, str], ...] = ()

    def filled(self, fill: Mapping[str, str]) -> Driver:
        """The same where malloc fills its blocks (execution/replay.py): nothing is 0 because nobody has written it."""
        return replace(self, environment=tuple(fill.items()))

    def shortly(self) -> Driver:
        """The same for a test that is known to hang: it counts what the test covers, and waits no longer for that."""
        return replace(self, limits=replace(self.limits, share=HANG_COUNTED))

    def run(self, data: bytes, home: Path) -> Ended:
        """Runs the test of this DATA in an empty directory, once more where something else than its limits killed it.

        Raises ExecutorError when it cannot be started.
        """
        began = time.monotonic()
        ended = self._run(data, home)
        is_early = time.monotonic() - began < _EARLY * self.limits.most
        return self._run(data, home) if is_early and ended.seen.signal == signal.SIGKILL else ended

    def _run(self, data: bytes, home: Path) -> Ended:
        with ExitStack() as files:
            given = files.enter_context(_memory(len(data)))
            os.pwrite(given, data, 0)
            record = files.enter_context(_memory(RECORD_SIZE))
            counts = bool(self.line_count or self.edge_count)
            counters = files.enter_context(_memory(_COUNTERS_SIZE)) if counts else None
            watched = self._watched(given, record, counters, home)
            if watched.status == _NO_FILES and watched.errors.startswith(_SAYS):
                said = watched.errors.removeprefix(_SAYS).strip()
                raise ExecutorError(f"{self.executable} cannot be started: {said}")
            left = os.pread(record, written_size(os.pread(record, HEAD_SIZE, 0)), 0)
            return Ended(_seen(watched), decoded(left), self._marks(counters))

    def _watched(self, data: int, record: int, counters: int | None, home: Path) -> Watched:
        files = (_name(data), _name(record))
        if counters is None:
            return launched(self.executable, files, self.limits, home, dict(self.environment), (data, record))
        limits = replace(self.limits, output=max(self.limits.output, _COUNTERS_SIZE))
        environment = {"VEER_COUNTERS": _name(counters)}
        return launched(self.executable, files, limits, home, environment, (data, record, counters))

    def _marks(self, counters: int | None) -> Marks:
        if counters is None:
            return Marks()
        edges = np.frombuffer(os.pread(counters, self.edge_count, 0), np.uint8)
        lines = np.frombuffer(os.pread(counters, self.line_count, _LINES_AT), np.uint8)
        return Marks(tuple(np.flatnonzero(edges).tolist()), tuple(np.flatnonzero(lines).tolist()))


@contextmanager
def _memory(size: int) -> Iterator[int]:
    """A file of so many zeros, which take no room."""
    descriptor = sparse_file(size)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _name(descriptor: int) -> str:
    """What a process that inherits it calls it."""
    return f"/proc/self/fd/{descriptor}"


def _seen(watched: Watched) -> Seen:
    status = watched.status
    output = watched.output.decode("utf-8", "replace")
    printed = watched.output if watched.is_whole else None
    return Seen(-status if status < 0 else 0, max(status, 0), "", watched.timed_out, output, watched.errors, printed)
