"""A recorded test as a native process without instrumentation, within limits, and how it ended.

The executable is a compiled suite: `EXECUTABLE --test NAME` or `--bug NAME` runs one test in that process.

    exit 0 and "ok ..."     returned, with the expected value        SIGSEGV, SIGBUS   a bad access
    exit 1 and "not ok ..." returned something else                  SIGABRT           abort, an assertion
    exit N, no such line    the unit called exit(N)                  time-out          a hang
"""

from __future__ import annotations

import math
import os
import re
import signal
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from veer.execution.confinement import Bounds, Role, not_started, words
from veer.execution.supervised import Watched, watch
from veer.model.confinement import OFF, Confinement
from veer.model.errors import ExecutorError
from veer.model.literal import string
from veer.model.outcome import Outcome
from veer.model.replay import AT_LIMIT, SAME, STOPPED, Proof, Replay, Verdict, differs
from veer.model.result import Test
from veer.toolchain.session import scratch_root

SANDBOXED = "made a system call that the sandbox refuses"
"""Of a replay that says nothing of the program."""
BY_CHANCE = "it depends on memory that nobody has written"
"""Of a test that goes as recorded where malloc's blocks are zeros, and otherwise where they are not."""
POSITIVE = MappingProxyType({"GLIBC_TUNABLES": "glibc.malloc.perturb=165:glibc.malloc.tcache_count=0"})
NEGATIVE = MappingProxyType({"GLIBC_TUNABLES": "glibc.malloc.perturb=90:glibc.malloc.tcache_count=0"})
"""Variables with which glibc's malloc fills its blocks with 0x5a, or 0xa5: numbers above 0, or below. Blocks
of its cache for threads are handed on as they are: there is none then."""
_SHORTEST_HANG_BUDGET = 1.0
_PROCESSOR_SECONDS = 8  # for each second on the wall: only what outlives its test meets this limit
_MOST_SHOWN = 160
_SEGFAULTS = frozenset(
    {
        Outcome.SEGFAULT_NULL,
        Outcome.SEGFAULT_WILD,
        Outcome.STACK_OVERFLOW,
        Outcome.BOUNDS_READ,
        Outcome.BOUNDS_WRITE,
        Outcome.USE_AFTER_FREE,
        Outcome.BAD_FREE,
        Outcome.DOUBLE_FREE,
    }
)
_ABORTS = frozenset(
    {
        Outcome.ABORTED,
        Outcome.ASSERTION,
        Outcome.DOUBLE_FREE,
        Outcome.BAD_FREE,
        Outcome.BOUNDS_WRITE,
        Outcome.USE_AFTER_FREE,
    }
)
_TRAPS = frozenset({Outcome.ILLEGAL, Outcome.UNREACHABLE, Outcome.UNDEFINED})
_REPORT = re.compile(rb"(not ok|ok) \d+ - \S+\n")
_VIOLATED = re.compile(r"^Specification [\w-]+ is violated$", re.MULTILINE)
_ASSERTION_TEXT = re.compile(r"assert", re.IGNORECASE)


class ReplayLimits(Struct, frozen=True):
    """What one replayed test may use: wall-clock seconds, bytes of address space, bytes written to any one file.

    `launcher`: the program that sets these limits and becomes the test (toolchain/runtime.py); `share`: how much of the
    seconds it has, of which there is at least one; `confinement`: how it is confined beside that.
    """

    launcher: Path
    seconds: float = 1.0
    memory: int = 4 << 30
    output: int = 16 << 20
    share: float = 1.0
    confinement: Confinement = OFF

    @property
    def most(self) -> float:
        """Seconds after which a test is taken for one that hangs."""
        return self.share * longest(self.seconds)


def longest(seconds: float) -> float:
    """How long a replayed test may run where a run of the search may take so many seconds."""
    return max(seconds, _SHORTEST_HANG_BUDGET)


class Seen(Struct, frozen=True):
    """How a process ended. `line` is the suite's own report: "ok", "not ok" or empty; `printed` what the unit printed,
    None where that was too much to keep."""

    signal: int
    exit_code: int
    line: str
    timed_out: bool
    output: str
    errors: str
    printed: bytes | None = None


def run(
    executable: Path,
    test: Test,
    limits: ReplayLimits,
    directory: Path,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Seen:
    """Runs one test of a compiled suite in a process of its own, with limits on time, memory and output."""
    group = "--bug" if test.outcome.is_bug else "--test"
    return _seen(launched(executable, (group, test.name), limits, directory, environment))


def launched(
    executable: Path,
    arguments: Sequence[str],
    limits: ReplayLimits,
    directory: Path,
    environment: Mapping[str, str] = MappingProxyType({}),
    descriptors: Sequence[int] = (),
) -> Watched:
    """Runs a program in a process of its own, in that directory, with these variables beside those of every test.

    It inherits the descriptors under their numbers.

    Raises ExecutorError when it cannot be started.
    """
    standard_input = os.open(os.devnull, os.O_RDONLY)  # as files are that a shell gives: nothing can be written there
    given = {"PATH": "/usr/bin:/bin", "HOME": str(directory), "TMPDIR": str(directory), "LC_ALL": "C"}
    processor = _PROCESSOR_SECONDS * math.ceil(limits.most)  # of what it forks, too
    bounds = Bounds(processor, limits.memory, limits.output)
    command: list[str | Path] = [executable.absolute(), *arguments]
    try:
        process = subprocess.Popen(  # without preexec_fn, which would have it fork all of Python: vfork
            words(limits.launcher, limits.confinement, Role.REPLAY, bounds, command),
            stdin=standard_input,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=directory,
            env=given | {"LIBC_FATAL_STDERR_": "1"} | dict(environment),
            pass_fds=descriptors,
            start_new_session=True,
        )
    except OSError as error:
        raise ExecutorError(f"{limits.launcher} cannot be started: {error.strerror}") from error
    finally:
        os.close(standard_input)
    watched = watch(process, limits.most)
    if why := not_started(watched.status, watched.errors):
        raise ExecutorError(f"{executable} cannot be started: {why}")
    return watched


def _seen(watched: Watched) -> Seen:
    status = watched.status
    found = list(_REPORT.finditer(watched.output))
    line, printed = "", watched.output
    if found:  # it may stand before what the unit printed, which is written at the end
        line, printed = found[-1][1].decode(), printed[: found[-1].start()] + printed[found[-1].end() :]
    ended = (-status if status < 0 else 0, max(status, 0))
    output = watched.output.decode("utf-8", "replace")
    return Seen(*ended, line, watched.timed_out, output, watched.errors, printed if watched.is_whole else None)


def one_by_one(
    tests: Sequence[Test], is_stopped: Callable[[], bool], replay: Callable[[Test, Path], Replay]
) -> tuple[Replay, ...]:
    """Replays tests of a written suite in turn, in one scratch directory; none that veer cut, and none once stopped."""

    def one(test: Test, directory: Path) -> Replay:
        if is_stopped():
            return Replay(test.name, STOPPED)
        return Replay(test.name, AT_LIMIT) if test.outcome.is_limit else replay(test, directory)

    with tempfile.TemporaryDirectory(prefix="veer-replay-", dir=scratch_root()) as scratch:
        return tuple(one(test, Path(scratch)) for test in tests)


def compare(test: Test, seen: Seen) -> tuple[Verdict, Proof]:
    """The recorded outcome against what was seen, and what that says of a bug."""
    if test.outcome.is_bug:
        return _compare_bug(test, seen)
    if test.outcome is Outcome.RETURNED and seen.line == "ok":
        return _compare_printed(test, seen), Proof.NONE
    if test.outcome is Outcome.EXITED and not seen.line and not seen.signal and not seen.timed_out:
        expected = (test.exit_code or 0) & 0xFF
        if seen.exit_code == expected:
            return _compare_printed(test, seen), Proof.NONE
        return differs(f"exit({seen.exit_code}), recorded exit({expected})"), Proof.NONE
    return differs(f"{describe(seen)}, recorded: {test.outcome.sentence}"), Proof.NONE


def _compare_printed(test: Test, seen: Seen) -> Verdict:
    if test.printed is None or test.printed == seen.printed:
        return SAME
    got = "too much" if seen.printed is None else string(seen.printed)[:_MOST_SHOWN]
    return differs(f"it printed {got}, recorded {string(test.printed)[:_MOST_SHOWN]}")


def _compare_bug(test: Test, seen: Seen) -> tuple[Verdict, Proof]:
    outcome = test.outcome
    if _shows(outcome, seen):
        return SAME, Proof.CONFIRMED
    is_known = not seen.timed_out and seen.signal != signal.SIGSYS
    proof = Proof.REFUTED if outcome.needs_replay and is_known else Proof.NONE
    if outcome.needs_check:
        return SAME, proof  # the plain build runs on after what only a check can see, wherever that leads, if anywhere
    return differs(f"{describe(seen)}, recorded: {outcome.sentence}"), proof


def _shows(outcome: Outcome, seen: Seen) -> bool:
    """Whether this end of a process is what the outcome looks like without instrumentation."""
    if seen.timed_out:
        return outcome is Outcome.HANG
    if seen.signal in (signal.SIGSEGV, signal.SIGBUS):
        return outcome in _SEGFAULTS
    if seen.signal == signal.SIGABRT and _VIOLATED.search(seen.errors):
        return outcome is Outcome.VIOLATED
    if seen.signal == signal.SIGABRT:
        if outcome in (Outcome.ABORTED, Outcome.ASSERTION):
            return (outcome is Outcome.ASSERTION) == bool(_ASSERTION_TEXT.search(seen.errors))
        return outcome in _ABORTS
    if seen.signal == signal.SIGFPE:
        return outcome in (Outcome.DIVISION, Outcome.QUOTIENT)
    if seen.signal in (signal.SIGILL, signal.SIGTRAP):
        return outcome in _TRAPS
    return outcome is Outcome.KILLED and seen.signal not in (0, signal.SIGSYS)  # SIGSYS: a system call was refused


def describe(seen: Seen) -> str:
    """How a process ended, in words."""
    if seen.timed_out:
        return "did not end in time"
    if seen.signal == signal.SIGSYS:
        return SANDBOXED
    if seen.signal:
        return f"ended by {_signal_name(seen.signal)}"
    if seen.line == "ok":
        return "returned as expected"
    if seen.line == "not ok":
        notes = re.findall(r"^# [^:\n]+: (.*)$", seen.output, re.MULTILINE)
        return notes[-1][:_MOST_SHOWN] if notes else "returned something else"
    return f"called exit({seen.exit_code})"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal
        return f"signal {number}"
