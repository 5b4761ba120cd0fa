"""A process that searches one part with an executor of its own, and can be asked to pause.

coordinator's side                  process
  PAUSE ─────────────────────────►  ends its round
  ◄──────────────────── Paused ───  waits: the other side may read and change the part's shared memory
  GO ────────────────────────────►  goes on
  Save ──────────────────────────►  ends its round, writes its part to a file
  ◄────────────────────── Saved ──  goes on at once
  ◄───────────── Done or Failed ──  its search is over
"""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from multiprocessing.connection import Connection

from veer.execution.limits import die_with
from veer.search.memory import BoundedSearch
from veer.search.parallel.messages import PAUSE, Done, Failed, Paused, Save, Saved
from veer.search.parallel.protocol import Errand
from veer.search.tools import local_scene
from veer.wire.shared import Shared


@contextlib.contextmanager
def search_of(errand: Errand, shared: Shared) -> Iterator[BoundedSearch]:
    """The search of a part, ready to start, while the context lasts."""
    with contextlib.ExitStack() as resources:
        scene = local_scene(shared, errand.program, errand.options, lambda: errand.engine, resources)
        with contextlib.closing(BoundedSearch(scene)) as search:
            yield search


def work(errand: Errand, shared: Shared, coordinator: Connection, parent: int) -> None:
    """The process, from beginning to end. Ctrl-C is the coordinator's business; it dies with the process `parent`."""
    die_with(parent)
    os.setpgid(0, 0)  # a signal to veer's group is for veer
    signal.signal(signal.SIGINT, signal.SIG_IGN)

    def between_rounds(_: int) -> bool:
        while coordinator.poll():
            answer(coordinator.recv())
        return False

    def answer(message: object) -> None:
        if isinstance(message, Save):
            coordinator.send(Saved(message.write(shared), search.state()))
        elif message == PAUSE:
            coordinator.send(Paused(search.state()))
            coordinator.recv()

    try:
        with search_of(errand, shared) as search:
            kind = search.search(between_rounds)
            assert kind is not None  # `between_rounds` pauses nothing
            coordinator.send(Done(kind, search.state()))
    except Exception as error:  # whatever it is, the coordinator must know
        coordinator.send(Failed(f"{type(error).__name__}: {error}"))
