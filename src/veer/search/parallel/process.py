"""A worker as the pool sees it: a process, the part that it searches, and the pipe between."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from multiprocessing.context import ForkContext
from typing import Any

from veer.search.parallel.part import Part
from veer.search.parallel.worker import Make, work


class WorkerProcess:
    """`last`: the number of the part's runs after which it ends (0 = none); `state`: what its search last told."""

    def __init__(self, context: ForkContext, make: Make, part: Part, last: int, *, deaths: int = 0) -> None:
        """Starts it; `deaths`: how many have died at this part."""
        self.part = part
        self.last = last
        self.deaths = deaths
        self.since = time.monotonic()
        self.kind = ""
        self.state: dict[str, Any] = {}
        self.pipe, theirs = context.Pipe()
        arguments = (make, part.shared, last, theirs, os.getpid())
        self._process = context.Process(target=work, args=arguments, daemon=True)
        self._process.start()
        theirs.close()

    @property
    def has_ended(self) -> bool:
        """Whether its search has come to an ending, `kind`."""
        return bool(self.kind)

    def tell(self, message: object) -> None:
        """Sends a message; one that has died is not told."""
        with contextlib.suppress(OSError):
            self.pipe.send(message)

    def next_message(self) -> object:
        """What it says next; None when it has died."""
        try:
            return self.pipe.recv()
        except (EOFError, OSError):
            return None

    def ask(self, message: object) -> object:
        """The answer to a message; None when it has died."""
        self.tell(message)
        return self.next_message()

    def end(self) -> None:
        """Makes sure that neither the process nor its executor is there any more."""
        if not self.has_ended:
            self._process.kill()
        self._process.join()
        self.pipe.close()
        if self.has_ended:
            return
        executor = self.part.shared.command.executor
        while executor and _is_alive(executor):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(executor, signal.SIGKILL)
            time.sleep(0.001)


def _is_alive(process: int) -> bool:
    """Whether it may still write to shared memory: it is there, and no zombie."""
    try:
        with open(f"/proc/{process}/stat", "rb") as handle:  # noqa: PTH123 - read many times a second
            return handle.read().rpartition(b")")[2].split()[0] not in (b"Z", b"X")
    except (OSError, IndexError):
        return False
