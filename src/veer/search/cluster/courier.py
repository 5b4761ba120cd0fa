"""The process between a campaign and a cluster: `python -m veer.search.cluster.courier WIRE TRANSPORT ADDRESS JOBS`.

The library of a cluster starts threads, takes signals, and ends its process when the cluster is gone. So it has a
process of its own, with a thread for each seat: a campaign that loses it still has all that was found.

    campaign                     courier                          node
      ("open", 3) ─────────────►  thread 3: transport.open() ───►  a searcher is started
      ◄──── ("opened", 3, node)
      ("letter", 3, bytes) ────►  thread 3: seat.exchange() ────►  the searcher answers
      ◄── ("answer", 3, bytes)
      ◄───── ("lost", 3, why)     the seat, and its searcher, are gone
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
import sys
import threading
from collections.abc import Callable
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import Any

from veer.execution.limits import die_with
from veer.search.cluster.transport import LostError, Seat, Transport

Message = tuple[Any, ...]


class Desk:
    """One seat in the courier: letters go to it one at a time, in a thread of its own."""

    def __init__(self, number: int, transport: Transport, say: Callable[[Message], None]) -> None:
        self._number, self._transport, self._say = number, transport, say
        self._letters: SimpleQueue[bytes | None] = SimpleQueue()
        self._seat: Seat | None = None
        self._is_closed = False
        threading.Thread(target=self._work, daemon=True).start()

    def put(self, letter: bytes) -> None:
        """Hands the letter to the thread."""
        self._letters.put(letter)

    def close(self) -> None:
        """Ends the searcher, also in the middle of an exchange."""
        self._is_closed = True
        self._letters.put(None)
        if self._seat is not None:
            self._seat.close()

    def _work(self) -> None:
        try:
            self._seat = self._transport.open()
            if self._is_closed:
                self._seat.close()
                return
            self._say(("opened", self._number, self._seat.node))
            while (letter := self._letters.get()) is not None:
                self._say(("answer", self._number, self._seat.exchange(letter)))
        except Exception as error:  # whatever a cluster's library raises, the campaign must know
            if not self._is_closed:
                why = str(error) if isinstance(error, LostError) else f"{type(error).__name__}: {error}"
                self._say(("lost", self._number, why.strip().splitlines()[0] if why.strip() else "lost"))
            if self._seat is not None:
                with contextlib.suppress(Exception):
                    self._seat.close()


class Courier:
    """Does what a campaign asks for, until it is gone."""

    def __init__(self, wire: Connection, transport: Transport) -> None:
        self._wire, self._transport = wire, transport
        self._lock = threading.Lock()
        self._desks: dict[int, Desk] = {}

    def serve(self) -> None:
        """Until the campaign closes the wire."""
        self._say(("ready", self._transport.address, self._transport.processors))
        with contextlib.suppress(EOFError, OSError):
            while True:
                match self._wire.recv():
                    case ("open", int(number)):
                        self._desks[number] = Desk(number, self._transport, self._say)
                    case ("letter", int(number), bytes(letter)):
                        self._desks[number].put(letter)
                    case ("close", int(number)):
                        self._desks.pop(number).close()
        for desk in self._desks.values():
            with contextlib.suppress(Exception):
                desk.close()

    def _say(self, message: Message) -> None:
        with self._lock, contextlib.suppress(OSError):
            self._wire.send(message)


def main() -> None:
    """See above. WIRE is a descriptor; TRANSPORT is MODULE:CLASS, made with the address and the number of jobs."""
    descriptor, named, address, jobs = sys.argv[1:]
    die_with(os.getppid())
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    wire = Connection(int(descriptor))
    os.set_inheritable(int(descriptor), False)  # noqa: FBT003  else the cluster's own processes keep it open
    module, _, name = named.partition(":")
    try:
        transport: Transport = getattr(importlib.import_module(module), name)(address, int(jobs))
    except Exception as error:  # one sentence for the user, whatever the library raises
        why = str(error).strip().splitlines() or [type(error).__name__]
        wire.send(("failed", why[0]))
        return
    try:
        Courier(wire, transport).serve()
    finally:
        transport.close()


if __name__ == "__main__":
    main()
