"""A worker: a process that searches one part with an executor of its own, and can be asked to pause.

pool                                worker
  PAUSE ─────────────────────────►  ends its round
  ◄──────────────────── Paused ───  waits: the pool may read and change the part's shared memory
  GO ────────────────────────────►  goes on
  Save ──────────────────────────►  ends its round, writes its part to a file
  ◄────────────────────── Saved ──  goes on at once
  ◄──────────────────── Ended ────  its search is over
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any, Protocol

from veer.execution.limits import die_with
from veer.wire.shared import Shared

PAUSE, GO = "pause", "go"


class Search(Protocol):
    """What a worker needs of an Explorer."""

    def search(self, pause: Callable[[int], bool]) -> str:
        """Searches until an ending, whose kind it returns; calls `pause` between rounds."""
        ...

    def state(self) -> dict[str, Any]:
        """What the search knows outside of the shared memory."""
        ...


Make = Callable[[Shared, int], AbstractContextManager[Search]]
"""The search of a part, ready to start, while the context lasts; the number of runs after which it ends (0 = none)."""


@dataclass(frozen=True, slots=True)
class Save:
    """The pool wants the part written; `write` does it, and tells what the pool has to know of the file."""

    write: Callable[[Shared], Any]


@dataclass(frozen=True, slots=True)
class Paused:
    """The worker waits for GO."""

    state: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Saved:
    """The part is written; `file`: what `Save.write` told of it, or None."""

    file: Any
    state: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Ended:
    """The worker's search is over; `failure` tells what broke it, if something did."""

    kind: str
    state: dict[str, Any]
    failure: str = ""


def work(make: Make, shared: Shared, max_runs: int, pool: Connection, parent: int) -> None:
    """The worker's process, from beginning to end. Ctrl-C is the pool's business; it dies with the process `parent`."""
    die_with(parent)
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def between_rounds(_: int) -> bool:
        while pool.poll():
            answer(pool.recv())
        return False

    def answer(message: object) -> None:
        if isinstance(message, Save):
            pool.send(Saved(message.write(shared), search.state()))
        elif message == PAUSE:
            pool.send(Paused(search.state()))
            pool.recv()

    try:
        with make(shared, max_runs) as search:
            kind = search.search(between_rounds)
            pool.send(Ended(kind, search.state()))
    except Exception as error:  # whatever it is, the pool must know
        pool.send(Ended("failed", {}, f"{type(error).__name__}: {error}"))
