"""A solver in a process of its own, for one whose limits cannot be relied on, or whose licence wants it.

    veer                                          python -m veer.smt.apart FD MODULE:MAKE
    Apart ── SmtOptions ─────────────────────────►  make(options)
          ◄─ ready ───────────────────────────────
          ── the terms that it lacks, a problem ──►  session.check(problem)
          ◄─ what it says ────────────────────────

A check that does not end in its time, and a little, ends with the process; the next check begins a new one, which gets
the terms again. The process ends with veer.
"""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import subprocess
import sys
import weakref
from collections.abc import Callable, Sequence
from importlib import import_module
from multiprocessing.connection import Connection, Pipe
from operator import attrgetter
from time import monotonic
from typing import Any

from msgspec import Struct, field

from veer.model.values import replace
from veer.smt.protocol import SmtOptions, never
from veer.smt.term_solver import Checked, Make, Problem, Session, Undecided
from veer.smt.terms import Number, Term, TermSource, cone

_GRACE = 0.25
"""Seconds beyond the limit of a check after which the process is killed."""
_LOOK = 0.1
"""Seconds between looks whether the search is stopped."""
_START = 60.0
"""Seconds that the process has to begin: it imports a solver."""
_MEBIBYTE = 1 << 20
_PR_SET_PDEATHSIG = 1  # linux/prctl.h


class _Request(Struct, frozen=True):
    """A problem, with the terms that were not sent before. `is_new`: of another query than the last one."""

    terms: dict[Number, Term]
    problem: Problem
    is_new: bool
    begins_table: bool  # all terms that were sent before are void


class Apart:
    """A solver behind a pipe. `make` is "module:callable", of which the first solver is taken."""

    def __init__(self, name: str, make: str, limits: SmtOptions) -> None:
        self.name = name
        self._make = make
        self._limits = limits
        self._helper: _Helper | None = None

    def session(self, terms: TermSource) -> _Session:
        """For the next query, in the same process as the last one if that still lives."""
        return _Session(self, terms)

    def helper(self) -> _Helper:
        """The process, or a new one: what the process that this one was forked from began is not ours."""
        helper = self._helper
        if helper is None or not helper.is_ours:
            self.end()
            helper = self._helper = _Helper(self._make, self._limits)
        return helper

    def end(self) -> None:
        """Ends the process."""
        if self._helper is not None:
            self._helper.end()
            self._helper = None


class _Session:
    """One query."""

    def __init__(self, solver: Apart, terms: TermSource) -> None:
        self.taken_in: set[int] = set()
        self.pins = False
        self._solver = solver
        self._terms = terms
        self._is_new = True

    def check(self, problem: Problem) -> Checked:
        """What the process says; Undecided when it does not say anything in time, or dies."""
        solver = self._solver
        try:
            answer, self.pins = solver.helper().ask(self._terms, problem, is_new=self._is_new)
        except TimeoutError:
            solver.end()
            return Undecided.out_of_time(problem.milliseconds)
        except (EOFError, OSError):
            solver.end()
            return Undecided("the solver's process ended by itself, perhaps for want of memory", by_limit=True)
        except BaseException:
            solver.end()
            raise
        self._is_new = False
        return answer


class _Helper:
    """A process with a solver, and what it was sent."""

    def __init__(self, make: str, limits: SmtOptions) -> None:
        ours, theirs = Pipe()
        command = [sys.executable, "-m", "veer.smt.apart", str(theirs.fileno()), make]
        self._process = subprocess.Popen(
            command, pass_fds=(theirs.fileno(),), stdin=subprocess.DEVNULL, start_new_session=True
        )
        theirs.close()
        self._connection: Connection[Any, Any] = ours
        self._terms: TermSource | None = None
        self._sent: set[Number] = set()
        self._owner = os.getpid()
        self._finalizer = weakref.finalize(self, _end, self._process, ours)
        ours.send(limits)
        self._receive(_START)

    @property
    def is_ours(self) -> bool:
        """Whether this process began it."""
        return self._owner == os.getpid()

    def ask(self, terms: TermSource, problem: Problem, *, is_new: bool) -> tuple[Checked, bool]:
        """What the solver says, and whether it wants pins. Raises TimeoutError, EOFError or OSError."""
        begins_table = self._terms is not terms
        if begins_table:
            self._terms = terms
            self._sent.clear()
        numbers = cone(terms, (*problem.facts, *problem.assumed, *problem.variables), self._sent)
        lacking = {each: terms[each] for each in numbers}
        sent = replace(problem, is_stopped=never)
        self._connection.send(_Request(lacking, sent, is_new or begins_table, begins_table))
        self._sent.update(numbers)
        seconds = problem.milliseconds / 1000 + _GRACE
        answer: tuple[Checked, bool] = self._receive(seconds, problem.is_stopped)
        return answer

    def _receive(self, seconds: float, is_stopped: Callable[[], bool] = never) -> Any:
        end = monotonic() + seconds
        while not self._connection.poll(min(max(0.0, end - monotonic()), _LOOK)):
            if is_stopped() or monotonic() >= end:
                raise TimeoutError
        return self._connection.recv()

    def end(self) -> None:
        """Kills the process, if it is ours."""
        if self.is_ours:
            self._finalizer()
        else:
            self._finalizer.detach()
            self._connection.close()


def _end(process: subprocess.Popen[bytes], connection: Connection[Any, Any]) -> None:
    connection.close()
    process.kill()
    process.wait()


class _Received(Struct):
    """The terms that came so far."""

    terms: dict[Number, Term] = field(default_factory=dict)

    def __getitem__(self, number: Number) -> Term:
        return self.terms[number]


def serve(connection: Connection[Any, Any], make: Make) -> None:
    """Answers requests until the other side is gone."""
    limits: SmtOptions = connection.recv()
    solver = make(limits)[0]
    _limit_memory(limits.memory_limit)
    received = _Received()
    session: Session | None = None
    connection.send("ready")
    while True:
        request: _Request = connection.recv()
        received = _Received() if request.begins_table else received
        received.terms.update(request.terms)
        if session is None or request.is_new:
            session = solver.session(received)
        connection.send((session.check(request.problem), session.pins))


def _limit_memory(mebibytes: int) -> None:
    """What the process may use beyond what it has: an allocation beyond that ends it."""
    with open("/proc/self/statm") as file:  # noqa: PTH123 - not a path of the user's
        used = int(file.read().split()[0]) * resource.getpagesize()
    most = used + mebibytes * _MEBIBYTE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main(arguments: Sequence[str]) -> None:
    """The process: a file descriptor of a pipe, and MODULE:MAKE."""
    descriptor, value = arguments
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the campaign's
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    module, _, attribute = value.partition(":")
    try:
        serve(Connection(int(descriptor)), attrgetter(attribute)(import_module(module)))
    except (EOFError, BrokenPipeError):
        return


if __name__ == "__main__":
    main(sys.argv[1:])
