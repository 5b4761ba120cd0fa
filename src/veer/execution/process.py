"""One executor process: start, send a command, wait for its reply, notice that it died or hangs.

What to do about a death is decided a layer up (`executor.py`): here a command has one of six endings.

    Python                              executor (argv: shared memory, commands, replies, Python's process, confined)
      command byte ───────── pipe ─────►  works, publishes counts in the shared memory
      poll, watch `runs` move
      ◄───────────────────── pipe ──────  reply byte
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import time
from enum import Enum
from pathlib import Path

from veer.execution.confinement import Bounds, Role, words
from veer.execution.limits import ExecutorLimits, restrict, scrubbed_environment
from veer.model.errors import ExecutorError
from veer.wire.layout import Command, Reply
from veer.wire.shared import Shared

_POLL_SECONDS = 0.2
_GRACE = 0.5
"""Seconds that a run may take beyond a deadline."""


class Ended(Enum):
    """How a command ended; the value is the sentence for messages."""

    DONE = "done"
    RESTART = "the process wants to be renewed"
    FULL = "a table is full"
    DIED = "the process died"
    HUNG = "the process did not answer in time"
    LATE = "its run went on far beyond the deadline"
    """Nothing is known of that run: it is no fault of it."""

    @property
    def is_gone(self) -> bool:
        """Whether there is no process any more."""
        return self in (Ended.DIED, Ended.HUNG, Ended.LATE)


class KilledError(ExecutorError):
    """The process was killed while it started: by nothing of its own."""


_REPLIES = {Reply.DONE: Ended.DONE, Reply.RESTART: Ended.RESTART, Reply.FULL: Ended.FULL}


class ExecutorProcess:
    """A running executor. `status` is its wait status (as subprocess gives it) once it is gone, else None."""

    def __init__(self, executable: Path, shared: Shared, limits: ExecutorLimits, scratch: Path) -> None:
        """Starts it and waits for its answer to HELLO.

        Raises:
            ExecutorError: it cannot be started or does not answer.
        """
        self._shared = shared
        self._limits = limits
        self._scratch = scratch
        self._process, self._commands, self._replies = _start(executable, shared, limits, scratch)
        shared.command.executor = self._process.pid
        self._poll = select.poll()
        self._poll.register(self._replies, select.POLLIN)
        if limits.confinement.launcher is None:
            with contextlib.suppress(OSError, ValueError):  # it may be gone already: the greeting tells
                restrict(self._process.pid, limits)
        ended = self._send(Command.HELLO) and self._wait(None, starting=True)
        if ended is not Ended.DONE:
            self.kill()
            failure = self._start_failure(executable)
            raise KilledError(failure) if self.status == -signal.SIGKILL else ExecutorError(failure)

    @property
    def status(self) -> int | None:
        """None while it lives; else the exit code, or minus the signal that killed it."""
        return self._process.poll()

    def command(self, command: Command, *, deadline: float | None = None) -> Ended:
        """Sends a command and waits. Past `deadline` (time.monotonic) the executor is asked to stop after its run.

        After DIED, HUNG and LATE the process is gone.
        """
        if not self._send(command):
            self.kill()
            return Ended.DIED
        ended = self._wait(deadline, starting=False)
        if ended.is_gone:
            self.kill()
        return ended

    def last_words(self) -> str:
        """The last line that it wrote to its standard error, or an empty string."""
        said = (self._scratch / "stderr").read_text(errors="replace").strip().splitlines()
        return said[-1] if said else ""

    def quit(self) -> None:
        """Ends it in a friendly way; kills what does not go."""
        if self._process.poll() is None and self._send(Command.QUIT):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(1.0)
        self.kill()

    def kill(self) -> None:
        """Ends it and all that it started, and closes the pipes."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for descriptor in (self._commands, self._replies):
            if descriptor >= 0:
                os.close(descriptor)
        self._commands = self._replies = -1

    def _send(self, command: Command) -> bool:
        if self._commands < 0:
            return False
        try:
            return os.write(self._commands, bytes([command])) == 1
        except BrokenPipeError:
            return False

    def _wait(self, deadline: float | None, *, starting: bool) -> Ended:
        """Polls for the reply; a process whose counters do not move for too long is called hung."""
        moved_at = time.monotonic()
        marker = self._marker()
        while True:
            now = time.monotonic()
            if deadline is not None and now >= deadline:
                self._shared.command.stop = 1
            if self._poll.poll(_poll_milliseconds(now, deadline)):
                return self._read()
            now, seen = time.monotonic(), self._marker()
            if seen != marker:
                marker, moved_at = seen, now
            elif now - moved_at > self._patience(starting=starting):
                return Ended.HUNG
            elif deadline is not None and now - deadline > _GRACE and self._shared.run.running:
                return Ended.LATE

    def _read(self) -> Ended:
        byte = os.read(self._replies, 1)
        if not byte:
            return Ended.DIED
        try:
            return _REPLIES[Reply(byte[0])]
        except ValueError:
            return Ended.DIED  # the unit wrote into veer's pipe: nothing of this process can be trusted

    def _marker(self) -> tuple[int, ...]:
        run = self._shared.run
        return self._shared.counts.runs, run.current_node, run.running, self._shared.command.ids_done

    def _patience(self, *, starting: bool) -> float:
        if starting:
            return self._limits.startup
        if self._shared.run.running:
            return self._limits.timeout + self._limits.slack
        return self._limits.engine

    def _start_failure(self, executable: Path) -> str:
        status = self._process.returncode
        how = f"was killed by signal {-status}" if status is not None and status < 0 else f"ended with status {status}"
        said = self.last_words()
        return (
            f"the executor {executable} {how} before it was ready"
            + (f": {said}" if said else "")
            + "; `veer doctor` checks what it needs of this machine"
        )


def _start(
    executable: Path, shared: Shared, limits: ExecutorLimits, scratch: Path
) -> tuple[subprocess.Popen[bytes], int, int]:
    command_read, command_write = os.pipe2(os.O_CLOEXEC)
    reply_read, reply_write = os.pipe2(os.O_CLOEXEC)
    try:
        with (scratch / "stderr").open("wb") as errors:
            process = subprocess.Popen(
                _words([executable, *map(str, (shared.descriptor, command_read, reply_write, os.getpid()))], limits),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=errors,
                cwd=scratch,
                env=scrubbed_environment(os.environ),
                pass_fds=(shared.descriptor, command_read, reply_write),
                start_new_session=True,
            )
    except OSError as error:
        os.close(command_write)
        os.close(reply_read)
        raise ExecutorError(f"cannot start the executor {executable}: {error.strerror or error}") from error
    finally:
        os.close(command_read)
        os.close(reply_write)
    return process, command_write, reply_read


def _words(command: list[str | Path], limits: ExecutorLimits) -> list[str]:
    """The words that start an executor, the last of which tells it whether it is confined."""
    confinement = limits.confinement
    if confinement.launcher is None:
        return [*map(str, command), "0"]
    bounds = Bounds(file=limits.file_size, processes=limits.processes)
    confined = str(int("calls" in confinement.grants))
    return words(confinement.launcher, confinement, Role.EXECUTOR, bounds, [*command, confined])


def _poll_milliseconds(now: float, deadline: float | None) -> float:
    """How long to sleep in one poll: until the deadline, but never so long that a hang is seen late."""
    seconds = _POLL_SECONDS
    if deadline is not None and deadline > now:
        seconds = min(seconds, deadline - now)
    return max(1.0, seconds * 1000)
