"""The campaign's side of a courier: seats by their numbers, letters to them, what became of them."""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import subprocess
import sys
import time
from collections.abc import Mapping
from functools import cache
from multiprocessing.connection import Pipe
from typing import Any

from veer.model.errors import ExecutorError, UsageError
from veer.search.cluster.transport import LOCAL
from veer.toolchain.session import session

_START_SECONDS = 120.0
_LOUD = "VEER_SHOW_OUTPUT"
"""In the environment: what the cluster's library writes to stderr is shown."""
RAY = "veer.search.cluster.ray_transport:RayTransport"
PROCESSES = "veer.search.cluster.transport:Processes"


class Dispatch:
    """A courier and the seats that were asked of it. Its messages are those of courier.py.

    Once it is ready: `processors` of the cluster, and what others join it by, its address.
    """

    def __init__(self, transport: str, address: str, jobs: int, environment: Mapping[str, str]) -> None:
        """Starts the courier, with this beside its environment, and does not wait for it."""
        self._address, self.environment = address, environment
        self._wire, theirs = Pipe()
        session()  # a keeper ends what the courier starts, should veer be killed
        with theirs:
            self._process = subprocess.Popen(
                (
                    *(sys.executable, "-m", "veer.search.cluster.courier"),
                    *(str(theirs.fileno()), transport, address, str(jobs)),
                ),
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=None if _LOUD in os.environ else subprocess.DEVNULL,
                env={**os.environ, **environment},
                start_new_session=True,
            )
        self._number = 0
        self._is_ready = False
        self.processors = 0
        self.joined_by = address
        self.failure = ""

    def require(self) -> None:
        """Waits until the cluster is there. Raises UsageError, one sentence, when it is not."""
        deadline = time.monotonic() + _START_SECONDS
        while not self._is_ready and not self.failure:
            left = deadline - time.monotonic()
            if left <= 0:
                self._lose(f"the cluster did not answer for {_START_SECONDS:.0f} s")
            else:
                self._hear(left)
        if self.failure:
            raise UsageError(self.failure)

    def open(self) -> int:
        """Asks for a seat, which `messages` will tell of; its number."""
        self._number += 1
        self._say("open", self._number)
        return self._number

    def send(self, seat: int, letter: bytes) -> None:
        """Sends a letter to a seat; `messages` will have the answer."""
        self._say("letter", seat, letter)

    def discard(self, seat: int) -> None:
        """Ends a seat and its searcher."""
        self._say("close", seat)

    def messages(self, seconds: float) -> list[tuple[Any, ...]]:
        """What the courier has said, after so many seconds at most. Raises ExecutorError once it is gone."""
        heard: list[tuple[Any, ...]] = []
        while not self.failure and self._wire_has(0.0 if heard else seconds):
            if (message := self._hear(0.0)) is not None:
                heard.append(message)
        if self.failure and not heard:
            raise ExecutorError(self.failure)
        return heard

    def close(self) -> None:
        """Ends the courier, and the cluster if it began it."""
        self._lose("the campaign has left the cluster")
        self._wire.close()
        if not self._is_ready:
            self._process.kill()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _wire_has(self, seconds: float) -> bool:
        try:
            return self._wire.poll(max(0.0, seconds))
        except OSError:
            self._lose("the courier is gone")
            return False

    def _hear(self, seconds: float) -> tuple[Any, ...] | None:
        """The next message that is not for this class; None: there was none."""
        try:
            if not self._wire.poll(seconds):
                return None
            message: tuple[Any, ...] = self._wire.recv()
        except (EOFError, OSError):
            self._lose(f"--cluster {self._address}: the cluster, or its library's process, has ended")
            return None
        match message:
            case ("ready", str(address), int(processors)):
                self._is_ready, self.joined_by, self.processors = True, address, processors
            case ("failed", str(why)):
                self._lose(why)
            case _:
                return message
        return None

    def _say(self, *message: Any) -> None:
        with contextlib.suppress(OSError):
            self._wire.send(message)

    def _lose(self, why: str) -> None:
        self.failure = self.failure or why


def dispatch_of(transport: str, address: str, jobs: int) -> Dispatch:
    """The courier of this process for a cluster: all searches of a campaign have one, since to join takes seconds."""
    return _of_process(os.getpid(), transport, address, jobs)


@cache
def _of_process(process: int, transport: str, address: str, jobs: int) -> Dispatch:
    """`process`: a fork has a courier of its own."""
    made = Dispatch(transport, address, jobs, _ray_environment(address) if transport == RAY else {})
    atexit.register(made.close)
    return made


@cache
def _ray_environment(address: str) -> Mapping[str, str]:
    """Ray tells nobody that it is used. A cluster of veer's own has a token that nobody else knows."""
    silent = {"RAY_USAGE_STATS_ENABLED": "0", "RAY_ADDRESS": ""}
    if address != LOCAL:
        return silent
    # Without "clusters", as Ray calls it, its servers listen on 127.0.0.1 alone.
    alone = {"RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0"}
    return {**silent, **alone, "RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN": secrets.token_hex(32)}
