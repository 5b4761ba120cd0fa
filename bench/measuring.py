"""One campaign, measured: where the time of a path goes, what answered its queries, and the memory of all processes.

The phases of a search, in microseconds a path:

    run      the instrumented program, in the executor
    ladder   the native solver, in the executor
    merge    the rest of the executor's commands: rebuilding prefixes, adding suffixes to the tree
    smt      the solvers behind the ladder, in Python
    python   the rest: picking open nodes, reading what is new, pipes
"""

from __future__ import annotations

import os
import resource
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

from common import ledger_text, searched

from veer.campaign import run as campaign
from veer.campaign import session
from veer.execution.process import ExecutorProcess
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.search.growing import Step
from veer.search.scene import Scene
from veer.smt.chain import CountingSolver
from veer.wire.layout import RUNGS

PHASES = ("run", "ladder", "merge", "smt", "python")
_SAMPLE_SECONDS = 0.1


def family() -> list[int]:
    """This process and all below it."""
    children: dict[int, list[int]] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        children.setdefault(parent, []).append(int(folder.name))
    found, todo = [], [os.getpid()]
    while todo:
        found.append(todo.pop())
        todo += children.get(found[-1], [])
    return found


class Footprint:
    """The most MiB that this process and all below it had at once; what they share counts once (Pss)."""

    def __init__(self) -> None:
        self.mebibytes = 0

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Samples while the context lasts."""
        over = threading.Event()
        thread = threading.Thread(target=self._watch, args=(over,))
        thread.start()
        try:
            yield
        finally:
            over.set()
            thread.join()
            self._sample()

    def _watch(self, over: threading.Event) -> None:
        while not over.wait(_SAMPLE_SECONDS):
            self._sample()

    def _sample(self) -> None:
        self.mebibytes = max(self.mebibytes, sum(map(_kibibytes, family())) >> 10)


def _kibibytes(process: int) -> int:
    try:
        text = Path(f"/proc/{process}/smaps_rollup").read_text()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")), 0)


@dataclass(frozen=True)
class Measured:
    """`microseconds`: a path's, by phase; `answered_by`: queries by rung or solver link.

    Seconds on the wall, but `cpu`, the search's of all processors; `replay`: all after the search.
    """

    paths: int
    runs: int
    wall: float
    build: float
    search: float
    cpu: float
    replay: float
    microseconds: dict[str, float]
    answered_by: dict[str, int]
    mebibytes: int
    ending: str
    ledger: str

    @property
    def speed(self) -> float:
        """Paths a second of the search."""
        return self.paths / self.search

    @property
    def free_speed(self) -> float:
        """Paths a second of a core: what `speed` is where nobody else wants it, for one job works on one at a time."""
        return self.paths / self.cpu

    def share(self, phase: str) -> float:
        """Of the search's time."""
        return self.microseconds[phase] * self.paths / 1e6 / self.search

    @property
    def ladder_share(self) -> float:
        """Of all queries."""
        return sum(count for name, count in self.answered_by.items() if name in RUNGS) / max(self.queries, 1)

    @property
    def queries(self) -> int:
        """All that were answered."""
        return sum(self.answered_by.values())

    @property
    def smt(self) -> int:
        """Queries that the ladder left."""
        return sum(count for name, count in self.answered_by.items() if name not in RUNGS)


class Spent:
    """Seconds of a search in the executor's commands and in the solvers behind the ladder; `cpu`: of all processors."""

    native = 0.0
    smt = 0.0
    cpu = 0.0


def measure(build: BuildOptions, options: SearchOptions) -> tuple[Result, Measured]:
    """One campaign. Raises VeerError."""
    spent, footprint, start = Spent(), Footprint(), time.monotonic()
    with _watched(spent, footprint):
        result = campaign.run(build, options)
    return result, _measured(result, spent, time.monotonic() - start, footprint)


def _measured(result: Result, spent: Spent, wall: float, footprint: Footprint) -> Measured:
    seconds, search, native, smt = result.seconds, searched(result), spent.native, spent.smt
    ladder = seconds.solve - smt
    phases = (seconds.execute, ladder, native - seconds.execute - ladder, smt, search - native - smt)
    return Measured(
        paths=result.paths,
        runs=result.runs,
        wall=wall,
        build=seconds.compile,
        search=search,
        cpu=max(spent.cpu, 1e-6),
        replay=wall - seconds.compile - search,
        microseconds={n: 1e6 * each / max(result.paths, 1) for n, each in zip(PHASES, phases, strict=True)},
        answered_by=dict(result.queries.answered_by),
        mebibytes=footprint.mebibytes,
        ending=result.ending.kind,
        ledger=ledger_text(result),
    )


def _cpu() -> float:
    """Seconds of this thread and of the processes that have ended below it: the sampling of memory is not in it."""
    below = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.thread_time() + below.ru_utime + below.ru_stime


@contextmanager
def _timed(owner: type, method: str) -> Iterator[list[float]]:
    """The seconds that all calls of a method take while the context lasts, in a list of one."""
    plain: Callable[..., Any] = getattr(owner, method)
    seconds = [0.0]

    def timed(*given: Any, **named: Any) -> Any:
        start = time.perf_counter()
        try:
            return plain(*given, **named)
        finally:
            seconds[0] += time.perf_counter() - start

    with patch.object(owner, method, timed):
        yield seconds


@contextmanager
def _watched(spent: Spent, footprint: Footprint) -> Iterator[None]:
    """Measures while the search runs: neither what compilers need before it nor the re-runs behind it."""
    plain = session.first_step

    def first_step(scene: Scene, again: Callable[[], Scene]) -> Step:
        native, smt = _timed(ExecutorProcess, "command"), _timed(CountingSolver, "solve")
        before = _cpu()
        with native as in_commands, smt as in_solvers, footprint.watched():
            found = plain(scene, again)
        spent.native, spent.smt, spent.cpu = in_commands[0], in_solvers[0], _cpu() - before
        return found

    with patch.object(session, "first_step", first_step):
        yield
