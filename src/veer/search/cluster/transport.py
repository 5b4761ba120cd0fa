"""What carries letters to searchers: a transport opens seats, each of which is one searcher on some node.

Ray is one (ray_transport.py), processes of this machine are another (`Processes`); the courier knows no more of either.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from multiprocessing.connection import Pipe
from typing import Protocol

from veer.model.errors import VeerError

LOCAL = "local"
"""The address of a cluster that begins and ends with veer."""
ANSWER_SECONDS = 1.0
"""How long a node waits for its searcher before it says that nothing is there yet."""


class LostError(VeerError):
    """A seat, or all of the cluster, is not there any more."""


class Seat(Protocol):
    """One searcher."""

    @property
    def node(self) -> str:
        """Which machine it is on."""
        ...

    def exchange(self, letter: bytes) -> bytes:
        """Hands the letter over (empty: none), and returns the answer, or nothing if there is none within a second.

        Raises LostError when there is no searcher any more, or nobody answers for long.
        """
        ...

    def close(self) -> None:
        """Ends the searcher, whatever it does; `exchange`, in another thread, raises then."""
        ...


class Transport(Protocol):
    """A cluster, as far as it carries letters."""

    @property
    def address(self) -> str:
        """What others may join it by; empty: nobody can."""
        ...

    @property
    def processors(self) -> int:
        """How many searchers can be at work at a time."""
        ...

    def open(self) -> Seat:
        """The next seat, once there is room for it. Raises LostError when there is no cluster any more."""
        ...

    def close(self) -> None:
        """Leaves the cluster; ends it, if this began it."""
        ...


class SearcherProcess:
    """The searcher of one seat, on the machine that it runs on: the process, and the socket to it."""

    def __init__(self) -> None:
        """Starts it; it ends with this process."""
        self.wire, theirs = Pipe()
        with theirs:
            self._process = subprocess.Popen(
                (sys.executable, "-m", "veer.search.cluster.searcher", str(theirs.fileno())),
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                start_new_session=True,
            )

    @property
    def node(self) -> str:
        """The machine's name."""
        return os.uname().nodename

    @property
    def process(self) -> int:
        """The searcher's process."""
        return self._process.pid

    def exchange(self, letter: bytes) -> bytes:
        """See Seat."""
        try:
            if letter:
                self.wire.send_bytes(letter)
            return self.wire.recv_bytes() if self.wire.poll(ANSWER_SECONDS) else b""
        except (EOFError, OSError) as error:
            raise LostError(f"the searcher on {self.node} has ended") from error

    def close(self) -> None:
        """See Seat."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


class Processes:
    """A cluster that is this machine alone, without anybody's software: each seat is a process."""

    def __init__(self, address: str, jobs: int) -> None:
        """`jobs`: how many at a time, 0: as many as there are processors."""
        self.address = address
        self.processors = jobs or len(os.sched_getaffinity(0))

    def open(self) -> Seat:
        """See Transport."""
        return SearcherProcess()

    def close(self) -> None:
        """See Transport."""
