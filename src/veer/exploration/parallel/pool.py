"""The selector of several workers: hands out parts of the tree, each open node to one worker, until all is searched.

    one search ─► many open nodes ─► a part each ─► workers ─► one is done: merge, take half of the largest part ─┐
                                                       ▲                                                          │
                                                       └──────────────────────────────────────────────────────────┘

A worker that is killed loses nothing: its part lies in shared memory, and another process goes on with it.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from multiprocessing.process import BaseProcess
from typing import Any

import numpy as np

from veer.exploration.census import Census
from veer.exploration.parallel.merge import census_of, merge, new_paths
from veer.exploration.parallel.part import Part, give, here, waiting
from veer.exploration.parallel.worker import GO, PAUSE, Ended, Make, Paused, work
from veer.model.errors import ExecutorError
from veer.wire.layout import NONE
from veer.wire.shared import Shared

_TICK = 0.05
_DEATHS_OF_A_PART = 5
_SHORTEST_WORK = 0.1  # seconds that a part is worked on before it is halved


@dataclass(slots=True)
class Worker:
    """A process and the part that it works on. `state`: what it last told of its search."""

    part: Part
    process: BaseProcess
    pipe: Connection
    since: float
    allowance: int
    deaths: int = 0
    has_ended: bool = False
    state: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Found:
    """How the search ended, its census, how many distinct paths there are, and the states of the workers' searches."""

    kind: str
    census: Census
    paths: int
    states: tuple[dict[str, Any], ...]


class Pool:
    """Searches `main`, whose open nodes it hands out; `explore` once."""

    def __init__(
        self,
        main: Shared,
        make: Make,
        *,
        jobs: int,
        edge_count: int,
        max_runs: int = 0,
        plateau: int = 0,
        all_paths: bool = False,
        must_end: Callable[[int], str] = lambda runs: "",
        on_tick: Callable[[int, int], None] = lambda runs, paths: None,
    ) -> None:
        """`must_end(runs)` names an ending that applies to all; `on_tick` is told of runs and paths."""
        self._main = main
        self._make = make
        self._jobs = jobs
        self._edge_count = edge_count
        self._all_paths = all_paths
        self._must_end = must_end
        self._on_tick = on_tick
        self._context = multiprocessing.get_context("fork")
        self._workers: list[Worker] = []
        self._finished: list[dict[str, Any]] = []
        self._kinds: list[str] = []
        self._hashes = new_paths(main)
        self._merged_runs = main.control["runs"]
        self._allowance = max(0, max_runs - main.control["runs"])
        self._is_limited = bool(max_runs)
        self._plateau = plateau
        self._merged_news = self._news = 0
        self._runs_at_news = main.control["runs"]
        self._ending = ""

    def explore(self) -> Found:
        """Until every part is searched or `must_end`. Raises ExecutorError when workers die again and again."""
        census = Census.empty(self._edge_count)
        try:
            for ids in self._shares(waiting(self._main), self._jobs):
                self._start(give(self._main, ids, self._edge_count))
            while self._workers:
                for worker in self._ready():
                    census += self._finish(worker)
                self._tick()
                if not self._ending:
                    self._share_work()
        finally:
            for worker in self._workers:
                self._end(worker)
        census += here(Census.of(self._main, self._edge_count))
        return Found(self._kind(), census, len(self._hashes), tuple(self._finished))

    # -- handing out ------------------------------------------------------------------------------------------

    @staticmethod
    def _shares(ids: np.ndarray, count: int) -> list[np.ndarray]:
        """Nodes dealt out like cards, so that each share has some near the root; none is empty."""
        return [ids[first::count] for first in range(min(count, len(ids)))]

    def _start(self, part: Part, deaths: int = 0, allowance: int | None = None) -> None:
        if allowance is None:
            allowance = self._allowance // max(1, self._jobs - len(self._workers)) if self._is_limited else 0
            self._allowance -= allowance
        last = part.shared.control["runs"] + allowance if self._is_limited else 0
        ours, theirs = self._context.Pipe()
        process = self._context.Process(target=work, args=(self._make, part.shared, last, theirs), daemon=True)
        process.start()
        theirs.close()
        self._workers.append(Worker(part, process, ours, time.monotonic(), allowance, deaths))

    def _share_work(self) -> None:
        """Halves the largest part for a worker that has none."""
        if len(self._workers) >= self._jobs or (self._is_limited and not self._allowance and len(self._workers) > 0):
            return
        now = time.monotonic()
        old = [worker for worker in self._workers if now - worker.since > _SHORTEST_WORK]
        if not old:
            return
        largest = max(old, key=lambda worker: len(waiting(worker.part.shared)))
        if len(waiting(largest.part.shared)) < 2:
            return
        with self._paused(largest) as is_paused:
            ids = waiting(largest.part.shared)
            if is_paused and len(ids) >= 2:
                self._start(give(largest.part.shared, ids[1::2], self._edge_count))
        largest.since = time.monotonic()

    @contextlib.contextmanager
    def _paused(self, worker: Worker) -> Iterator[bool]:
        """While it lasts nobody works on the part; false if the worker has ended or died instead."""
        try:
            worker.pipe.send(PAUSE)
            answer = worker.pipe.recv()
        except (EOFError, OSError):
            yield False
            return
        if isinstance(answer, Ended):
            self._take(worker, answer)
            yield False
            return
        worker.state = answer.state if isinstance(answer, Paused) else worker.state
        try:
            yield True
        finally:
            with contextlib.suppress(OSError):
                worker.pipe.send(GO)

    # -- taking back ------------------------------------------------------------------------------------------

    def _ready(self) -> list[Worker]:
        """Workers that have ended, or died."""
        done = [worker for worker in self._workers if worker.has_ended]
        if done:
            return done
        pipes = {worker.pipe: worker for worker in self._workers}
        return [pipes[pipe] for pipe in wait_for(list(pipes), _TICK) if isinstance(pipe, Connection)]

    def _finish(self, worker: Worker) -> Census:
        """What a worker has found, merged; nothing when it has died and another goes on with its part."""
        if not worker.has_ended:
            try:
                self._take(worker, worker.pipe.recv())
            except (EOFError, OSError):
                self._replace(worker)
                return Census.empty(self._edge_count)
        self._end(worker)
        self._workers.remove(worker)
        part = worker.part
        found = census_of(part, self._edge_count)
        self._hashes = np.union1d(self._hashes, new_paths(part.shared, part.beginning.paths))
        self._merged_runs += part.runs()
        self._merged_news += part.news()
        self._allowance += worker.allowance - part.runs() if self._is_limited else 0
        merge(self._main, part, all_paths=self._all_paths)
        part.shared.close()
        return found

    def _take(self, worker: Worker, message: object) -> None:
        if isinstance(message, Ended):
            if message.failure:
                raise ExecutorError(f"a worker failed: {message.failure}")
            self._kinds.append(message.kind)
            self._finished.append(message.state)
            worker.has_ended = True

    def _replace(self, worker: Worker) -> None:
        """Another process for the part of one that has died, once its executor is gone, too."""
        self._end(worker)
        self._workers.remove(worker)
        if worker.deaths >= _DEATHS_OF_A_PART:
            raise ExecutorError(f"workers died {worker.deaths + 1} times at the same part of the search")
        self._finished.append(worker.state)
        control = worker.part.shared.control
        control["running"], control["current_node"], control["crash_outcome"] = 0, NONE, 0
        self._start(worker.part, worker.deaths + 1, worker.allowance)

    @staticmethod
    def _end(worker: Worker) -> None:
        """Makes sure that neither the process nor its executor is there any more."""
        if not worker.has_ended:
            worker.process.kill()
        worker.process.join()
        worker.pipe.close()
        if worker.has_ended:
            return
        executor = worker.part.shared.control["executor"]
        while executor and _is_alive(executor):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(executor, signal.SIGKILL)
            time.sleep(0.001)

    # -- all together -----------------------------------------------------------------------------------------

    def _tick(self) -> None:
        """Coverage of one is coverage of all; endings that apply to all."""
        main, parts = self._main, [worker.part for worker in self._workers if not worker.has_ended]
        runs = self._merged_runs + sum(worker.part.runs() for worker in self._workers)
        edges = main.published("edge_seen")
        for part in parts:
            edges |= part.shared.published("edge_seen")
        for part in parts:
            theirs = part.shared.published("edge_seen")
            theirs[np.flatnonzero(edges > theirs)] = 1  # byte by byte: the worker writes to the others meanwhile
        paths = len(self._hashes) + sum(part.paths() for part in parts)
        self._on_tick(runs, paths)
        self._note_news(runs)
        self._ending = self._ending or ("stopped" if main.control["stop"] else self._must_end(runs))
        if not self._ending and self._plateau and runs - self._runs_at_news >= self._plateau:
            self._ending = "plateau"
        if self._ending:
            for part in parts:
                part.shared.control["stop"] = 1

    def _note_news(self, runs: int) -> None:
        """Remembers when an edge, an outcome or a bug was last new to a worker."""
        news = int(np.count_nonzero(self._main.published("edge_seen"))) + self._merged_news
        news += sum(worker.part.news() for worker in self._workers)
        if news > self._news:
            self._news, self._runs_at_news = news, runs

    def _kind(self) -> str:
        if self._ending:
            return self._ending
        return next(
            (kind for kind in ("failed", "covered", "budget", "max_runs", "stopped") if kind in self._kinds),
            "exhausted",
        )


def _is_alive(process: int) -> bool:
    """Whether it may still write to shared memory: it is there, and no zombie."""
    try:
        with open(f"/proc/{process}/stat", "rb") as handle:  # noqa: PTH123 - read many times a second
            return handle.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except (OSError, IndexError):
        return False
