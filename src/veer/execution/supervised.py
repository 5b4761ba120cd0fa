"""One process watched from its start to its end: its output drained, its time limited, what it started killed.

A poll of both streams and of the process itself (pidfd_open(2)): no thread for a stream, and no sleep that the end of
the process has to wait for.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from collections.abc import Iterator

from msgspec import Struct

_KEPT_OUTPUT = 1 << 16
_DRAIN_SECONDS = 1.0  # for what left the session and still holds a stream
_TICK_SECONDS = 0.01  # between looks at a process that cannot be polled


class Watched(Struct, frozen=True):
    """How a process ended (`status` as subprocess gives it), and the ends of what it wrote.

    `is_whole`: nothing of the output is missing.
    """

    status: int
    output: bytes
    errors: str
    timed_out: bool
    is_whole: bool = True


def watch(process: subprocess.Popen[bytes], seconds: float) -> Watched:
    """Waits for the end of a process that leads a session, at most so long; then kills the whole session.

    Of its streams, which are pipes, the ends are kept: a unit that prints for ever fills no disk and meets no limit.
    """
    assert process.stdout is not None
    assert process.stderr is not None
    with process.stdout, process.stderr, _end_of(process.pid) as end:
        output, errors = process.stdout.fileno(), process.stderr.fileno()
        streams = _Streams(output, errors)
        try:
            in_time = streams.drain_until(process.pid, end, time.monotonic() + seconds)
        finally:
            # Not reaped yet, so the number is still its own.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        streams.drain(time.monotonic() + _DRAIN_SECONDS)
        written, said = streams.kept(output), streams.kept(errors).decode("utf-8", "replace")
        return Watched(process.returncode, written, said, not in_time, len(written) < _KEPT_OUTPUT)


class _Streams:
    """Pipes by descriptor, and the ends of what came out of them."""

    def __init__(self, *streams: int) -> None:
        self._kept = dict.fromkeys(streams, b"")
        self._open = set(streams)
        self._poll = select.poll()
        for stream in streams:
            self._poll.register(stream, select.POLLIN)

    def kept(self, stream: int) -> bytes:
        return self._kept[stream]

    def drain_until(self, process: int, end: int | None, deadline: float) -> bool:
        """Reads until this process, with `end` as its descriptor, has ended; False: the deadline came first."""
        if end is not None:
            self._poll.register(end, select.POLLIN)
        try:
            while (left := deadline - time.monotonic()) > 0:
                if end in self._read(left if end is not None else min(left, _TICK_SECONDS)):
                    return True
                if end is None and _is_over(process):
                    return True
            return False
        finally:
            if end is not None:
                self._poll.unregister(end)

    def drain(self, deadline: float) -> None:
        """Reads what is left, until all ends of the pipes are closed or the deadline comes."""
        while self._open and (left := deadline - time.monotonic()) > 0:
            self._read(left)

    def _read(self, seconds: float) -> set[int]:
        """Reads a piece of each stream that has one within so long; the descriptors that were ready."""
        ready = {descriptor for descriptor, _ in self._poll.poll(1000 * seconds)}
        for stream in self._open & ready:
            piece = os.read(stream, _KEPT_OUTPUT)
            self._kept[stream] = (self._kept[stream] + piece)[-_KEPT_OUTPUT:]
            if not piece:
                self._open.discard(stream)
                self._poll.unregister(stream)
        return ready


@contextlib.contextmanager
def _end_of(process: int) -> Iterator[int | None]:
    """A descriptor that can be read once the process has ended; None on a kernel that has none (before Linux 5.3)."""
    try:
        descriptor = os.pidfd_open(process)
    except OSError:
        yield None
        return
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _is_over(process: int) -> bool:
    """Whether it has ended; it is not reaped."""
    return os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
