"""The selector of several workers: hands out parts of the tree, each open node to one worker, until all is searched.

    one search ─► many open nodes ─► a part each ─► workers ─► one is done: merge, take half of the largest part ─┐
                                                       ▲                                                          │
                                                       └──────────────────────────────────────────────────────────┘

A worker that is killed loses nothing: its part lies in shared memory, and another process goes on with it. A part that
is not searched to its end stays whole until all is over, so that it can be saved and gone on with.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from typing import Any

import numpy as np

from veer.model.errors import ExecutorError
from veer.search.census import Census
from veer.search.distinct import distinct
from veer.search.parallel.keeping import Interim, Keeper
from veer.search.parallel.merge import Hashes, census_of, merge, new_paths
from veer.search.parallel.part import Part, give, here, waiting
from veer.search.parallel.process import WorkerProcess
from veer.search.parallel.worker import GO, PAUSE, Ended, Make, Paused, Save, Saved
from veer.wire.shared import Shared

_TICK = 0.05
_DEATHS_OF_A_PART = 5
_SHORTEST_WORK = 0.1  # seconds that a part is worked on before it is halved


@dataclass(frozen=True, slots=True)
class Limits:
    """What a search by several workers may do. `max_runs`, `plateau`: 0 = no limit.

    `must_end(runs)` names an ending that applies to all; `all_paths`: the run of each new path is kept.
    """

    jobs: int
    max_runs: int = 0
    plateau: int = 0
    all_paths: bool = False
    must_end: Callable[[int], str] = lambda runs: ""


@dataclass(frozen=True, slots=True)
class Found:
    """How the search ended, its census, how many distinct paths there are, and the states of the workers' searches."""

    kind: str
    census: Census
    paths: int
    states: tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A part that nobody works on, and why its last worker stopped: nothing, when it has had none."""

    part: Part
    kind: str = ""


class Pool:
    """Searches `main`, whose open nodes it hands out; `explore` once."""

    def __init__(
        self,
        main: Shared,
        make: Make,
        edge_count: int,
        limits: Limits,
        *,
        keeper: Keeper | None = None,
        interim: Interim | None = None,
        on_tick: Callable[[int, int], None] = lambda runs, paths: None,
    ) -> None:
        """`interim`: what an earlier pool had when it was saved. `on_tick` is told of runs and paths."""
        self._main = main
        self._make = make
        self._limits = limits
        self._edge_count = edge_count
        self._keeper = keeper
        self._on_tick = on_tick
        self._context = multiprocessing.get_context("fork")
        self._workers: list[WorkerProcess] = []
        self._unfinished = [Unfinished(part) for part in interim.parts] if interim is not None else []
        self._finished = [*interim.states] if interim is not None else []
        self._census = interim.census if interim is not None else Census.empty(edge_count)
        self._hashes: list[Hashes] = [new_paths(main), *([] if interim is None else [interim.hashes])]
        self._searched: list[Part] = []  # to their ends, and not merged yet
        self._allowance = max(0, limits.max_runs - self._runs())
        self._merged_news = self._news = 0
        self._runs_at_news = self._runs()
        self._ending = ""

    def explore(self) -> Found:
        """Until every part is searched or an ending. Raises ExecutorError when workers die again and again."""
        try:
            for ids in _shares(waiting(self._main), self._limits.jobs):
                self._unfinished.append(Unfinished(give(self._main, ids, self._edge_count)))
            self._hand_out()
            while self._workers:
                for worker in self._ready():
                    self._finish(worker)
                self._tick()
                if not self._ending:
                    self._hand_out()
                self._merge_searched()  # while others search: nobody waits for it
                if self._keeper is not None and self._keeper.is_due():
                    self._save(self._keeper)
            kind = self._kind()
            if self._unfinished and self._keeper is not None:
                self._save(self._keeper)
            for each in self._unfinished:
                self._merge(each.part)
        finally:
            for worker in self._workers:
                worker.end()
        self._census += here(Census.of(self._main, self._edge_count))
        return Found(kind, self._census, len(self._paths()), tuple(self._finished))

    # -- handing out ------------------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        """Work for each worker that has none: parts that wait, else half of the largest one."""
        for each in [each for each in self._unfinished if each.kind in ("", "max_runs")]:
            if len(self._workers) >= self._limits.jobs or (self._limits.max_runs and not self._allowance):
                return
            self._unfinished.remove(each)
            self._start(each.part)
        self._share_work()

    def _start(self, part: Part) -> None:
        part.settle()
        part.shared.options.start_nanoseconds = self._main.options.start_nanoseconds
        last = 0
        if self._limits.max_runs:
            allowance = max(1, self._allowance // max(1, self._limits.jobs - len(self._workers)))
            self._allowance -= allowance
            last = part.shared.counts.runs + allowance
        self._workers.append(WorkerProcess(self._context, self._make, part, last))

    def _share_work(self) -> None:
        """Halves the largest part for a worker that has none."""
        if len(self._workers) >= self._limits.jobs or (self._limits.max_runs and not self._allowance):
            return
        now = time.monotonic()
        old = [worker for worker in self._workers if not worker.has_ended and now - worker.since > _SHORTEST_WORK]
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
    def _paused(self, worker: WorkerProcess) -> Iterator[bool]:
        """While it lasts nobody works on the part; false if the worker has ended or died instead."""
        answer = worker.ask(PAUSE)
        if not isinstance(answer, Paused):
            self._take(worker, answer)
            yield False
            return
        worker.state = answer.state
        try:
            yield True
        finally:
            worker.tell(GO)

    # -- taking back ------------------------------------------------------------------------------------------

    def _ready(self) -> list[WorkerProcess]:
        """Workers that have ended, or died."""
        done = [worker for worker in self._workers if worker.has_ended]
        if done:
            return done
        pipes = {worker.pipe: worker for worker in self._workers}
        return [pipes[pipe] for pipe in wait_for(list(pipes), _TICK) if isinstance(pipe, Connection)]

    def _finish(self, worker: WorkerProcess) -> None:
        """Takes what a worker has found; when it has died, another goes on with its part."""
        if not worker.has_ended:
            self._take(worker, worker.next_message())
        worker.end()
        self._workers.remove(worker)
        if not worker.has_ended:
            self._replace(worker)
            return
        self._finished.append(worker.state)
        self._allowance += max(0, worker.last - worker.part.shared.counts.runs)
        if worker.kind == "exhausted":
            self._searched.append(worker.part)
        else:
            self._unfinished.append(Unfinished(worker.part, worker.kind))

    def _merge_searched(self) -> None:
        for part in self._searched:
            self._merge(part)
        self._searched.clear()

    def _merge(self, part: Part) -> None:
        self._census += census_of(part, self._edge_count)
        self._hashes.append(new_paths(part.shared))
        self._merged_news += part.news()
        merge(self._main, part, all_paths=self._limits.all_paths)
        part.shared.close()

    @staticmethod
    def _take(worker: WorkerProcess, message: object) -> None:
        if isinstance(message, Ended):
            if message.failure:
                raise ExecutorError(f"a worker failed: {message.failure}")
            worker.state, worker.kind = message.state, message.kind

    def _replace(self, worker: WorkerProcess) -> None:
        """Another process for the part of one that has died, as its executor has."""
        if worker.deaths >= _DEATHS_OF_A_PART:
            raise ExecutorError(f"workers died {worker.deaths + 1} times at the same part of the search")
        self._finished.append(worker.state)
        worker.part.settle()
        self._workers.append(
            WorkerProcess(self._context, self._make, worker.part, worker.last, deaths=worker.deaths + 1)
        )

    # -- all together -----------------------------------------------------------------------------------------

    def _parts(self) -> list[Part]:
        """Those that are not merged."""
        return [*(worker.part for worker in self._workers), *(each.part for each in self._unfinished), *self._searched]

    def _paths(self) -> Hashes:
        """The identities of all paths that are merged."""
        self._hashes = [distinct(np.concatenate(self._hashes))]
        return self._hashes[0]

    def _runs(self) -> int:
        return self._main.counts.runs + sum(part.runs() for part in self._parts())

    def _save(self, keeper: Keeper) -> None:
        """One generation: every worker writes its part between two rounds, nothing is handed out meanwhile."""
        keeper.begin()
        numbers = {id(part): number for number, part in enumerate(self._parts(), 1)}
        files: dict[int, Any] = {}
        asked = [worker for worker in self._workers if not worker.has_ended]
        for worker in asked:
            worker.tell(Save(keeper.writer(numbers[id(worker.part)])))
        for worker in asked:
            answer = worker.next_message()
            if isinstance(answer, Saved):
                worker.state, files[id(worker.part)] = answer.state, answer.file
            else:
                self._take(worker, answer)
        if any(not worker.has_ended and id(worker.part) not in files for worker in asked):
            return  # one has died: the next generation is with the one that takes its place
        searching = [worker.state for worker in self._workers]
        states = [*searching, *({} for _ in self._unfinished)]
        for part in self._parts():
            if id(part) not in files:
                files[id(part)] = keeper.writer(numbers[id(part)])(part.shared)
        interim = Interim(tuple(self._parts()), tuple(self._finished), self._census, self._paths())
        keeper.commit(self._main, interim, [files[id(part)] for part in self._parts()], states)

    def _tick(self) -> None:
        """Coverage of one is coverage of all; endings that apply to all."""
        main, parts = self._main, self._parts()
        runs = self._runs()
        edges = main.published("edge_seen")
        for part in parts:
            edges |= part.shared.published("edge_seen")
        for part in parts:
            theirs = part.shared.published("edge_seen")
            theirs[np.flatnonzero(edges > theirs)] = 1  # byte by byte: the worker writes to the others meanwhile
        paths = sum(map(len, self._hashes)) + sum(part.paths() for part in parts)
        self._on_tick(runs, paths)
        self._note_news(runs, parts)
        self._ending = self._ending or ("stopped" if main.command.stop else self._limits.must_end(runs))
        if not self._ending and self._limits.plateau and runs - self._runs_at_news >= self._limits.plateau:
            self._ending = "plateau"
        if self._ending:
            for worker in self._workers:
                worker.part.shared.command.stop = 1

    def _note_news(self, runs: int, parts: list[Part]) -> None:
        """Remembers when an edge, an outcome or a bug was last new to a worker."""
        news = int(np.count_nonzero(self._main.published("edge_seen"))) + self._merged_news
        news += sum(part.news() for part in parts)
        if news > self._news:
            self._news, self._runs_at_news = news, runs

    def _kind(self) -> str:
        if not self._unfinished and self._ending != "covered":
            return "exhausted"  # also when a limit struck just then
        kinds = {each.kind for each in self._unfinished}
        order = ("covered", "budget", "max_runs", "stopped")
        return self._ending or next((kind for kind in order if kind in kinds), "max_runs")


def _shares(ids: np.ndarray, count: int) -> list[np.ndarray]:
    """Nodes dealt out like cards, so that each share has some near the root; none is empty."""
    return [ids[first::count] for first in range(min(count, len(ids)))]
