"""Workers that are processes of this machine: a part is shared memory, which its process inherits.

A process that is killed loses nothing: the part is as it left it, and another process goes on with it.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import signal
import time
from collections.abc import Iterator, Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.connection import wait as wait_for
from multiprocessing.context import ForkContext
from typing import Any

import numpy as np
import numpy.typing as npt

from veer.model.errors import ExecutorError
from veer.model.searchoptions import ALL_PATHS, SearchOptions
from veer.search.parallel.findings import Findings, findings_of
from veer.search.parallel.messages import GO, PAUSE, Done, Failed, Paused, Save, Saved
from veer.search.parallel.part import Part, Status, give, waiting
from veer.search.parallel.protocol import NOTHING, Delivery, Ended, Errand, Worker, Write
from veer.search.parallel.worker import work


class WorkerProcess:
    """See Worker. The process is forked, for a new interpreter takes as long to start as many searches take."""

    def __init__(self, context: ForkContext, part: Part, errand: Errand) -> None:
        """Starts it."""
        self._part = part
        self._errand = errand
        self._edge_count = 2 * len(errand.program.sites)
        self._ended: Ended | None = None
        self._state: Mapping[str, Any] = {}
        self.pipe, theirs = context.Pipe()
        self._process = context.Process(target=work, args=(errand, part.shared, theirs, os.getpid()), daemon=True)
        self._process.start()
        theirs.close()

    @property
    def part(self) -> Part:
        """See Worker."""
        return self._part

    @property
    def state(self) -> Mapping[str, Any]:
        """See Worker."""
        return self._state

    @property
    def ended(self) -> Ended | None:
        """See Worker."""
        return self._ended

    def status(self) -> Status:
        """See Worker."""
        return self._part.status()

    def open_branches(self) -> int:
        """See Worker."""
        return self._part.open_branches()

    def tell(self, edges: npt.NDArray[np.uint8]) -> None:
        """See Worker."""
        self._part.tell(edges)

    def stop(self) -> None:
        """See Worker."""
        self._part.shared.command.stop = 1

    @property
    def runs(self) -> int:
        """See Worker."""
        return self._part.shared.counts.runs

    @property
    def is_splitting(self) -> bool:
        """See Worker."""
        return False

    def deliver(self) -> Delivery:
        """See Worker."""
        return NOTHING

    def split(self) -> Part | None:
        """See Worker. While the process pauses, its memory is copied here."""
        self._send(PAUSE)
        answer = self.hear()
        if not isinstance(answer, Paused):
            return None
        try:
            ids = waiting(self._part.shared)
            return give(self._part.shared, ids[1::2], self._edge_count) if len(ids) >= 2 else None
        finally:
            self._send(GO)

    def save(self, write: Write) -> None:
        """See Worker."""
        self._send(Save(write))

    def saved(self) -> Any | None:
        """See Worker."""
        answer = self.hear()
        return answer.file if isinstance(answer, Saved) else None

    def hear(self) -> object:
        """What it says next; None when it has died. Raises ExecutorError when its search broke."""
        try:
            message = self.pipe.recv()
        except (EOFError, OSError):
            return None
        match message:
            case Failed(why):
                raise ExecutorError(f"a worker failed: {why}")
            case Done(kind, state):
                self._ended, self._state = Ended(kind, state), state
            case Paused(state) | Saved(_, state):
                self._state = state
        return message

    def findings(self) -> Iterator[Findings]:
        """See Worker."""
        all_paths = self._errand.options.criterion in ALL_PATHS
        yield from findings_of(self._part, self._edge_count, all_paths=all_paths)

    def close(self) -> None:
        """See Worker. Neither the process nor its executor is there afterwards."""
        if self._ended is None:
            self._process.kill()
        self._process.join()
        self.pipe.close()
        if self._ended is not None:
            return
        executor = self._part.shared.command.executor
        while executor and _is_alive(executor):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(executor, signal.SIGKILL)
            time.sleep(0.001)

    def _send(self, message: object) -> None:
        """Sends a message; one that has died is not told."""
        with contextlib.suppress(OSError):
            self.pipe.send(message)


class LocalWorkers:
    """See Workers."""

    most_deaths = 5

    def __init__(self, options: SearchOptions) -> None:
        """No process is started before the first `submit`; nothing else may run in this process then."""
        self.most = options.jobs or len(os.sched_getaffinity(0))
        self._context = multiprocessing.get_context("fork")
        self._processes: dict[Connection, WorkerProcess] = {}

    def room(self) -> int:
        """See Workers: it is the coordinator that keeps to `most`."""
        return self.most

    def notes(self) -> tuple[str, ...]:
        """See Workers."""
        return ()

    def close(self) -> None:
        """See Workers."""

    def submit(self, part: Part, errand: Errand) -> WorkerProcess:
        """See Workers."""
        process = WorkerProcess(self._context, part, errand)
        self._processes[process.pipe] = process
        return process

    def wait(self, workers: Sequence[Worker], seconds: float) -> Sequence[Worker]:
        """See Workers."""
        self._processes = {pipe: each for pipe, each in self._processes.items() if not pipe.closed}
        if known := [worker for worker in workers if worker.ended is not None]:
            return known
        ready = []
        for pipe in wait_for(list(self._processes), seconds):
            assert isinstance(pipe, Connection)
            self._processes[pipe].hear()
            ready.append(self._processes[pipe])
        return ready


def _is_alive(process: int) -> bool:
    """Whether it may still write to shared memory: it is there, and no zombie."""
    try:
        with open(f"/proc/{process}/stat", "rb") as handle:  # noqa: PTH123 - read many times a second
            return handle.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except (OSError, IndexError):
        return False
