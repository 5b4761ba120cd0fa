"""Builds in processes of their own: what loads LLVM is no part of veer's process, and its aborts kill nobody else.

A build is the function `answer` of a module: a request in, a reply out, both JSON files; REQUEST.stage holds what is
worked on, for the message after an abort. One server (buildserver.py) is started by the first build of a process.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from queue import SimpleQueue
from typing import IO, TypeVar

import msgspec

from veer.frontends.llvm.buildserver import Order
from veer.frontends.llvm.exchange import decode, encode
from veer.model.errors import ToolchainError
from veer.toolchain.cache import Cache, digest, storage_error
from veer.toolchain.runtime import ROOT

Reply = TypeVar("Reply")
Stage = Callable[[str], None]
_DIED = -int(signal.SIGKILL)  # of a build whose server is gone


@dataclass(frozen=True, slots=True)
class Ended:
    """How a build ended: 0 also when it has answered and goes on; a signal's number is negative."""

    status: int
    errors: str = ""


def answer(module: str, request: object, kind: type[Reply], cache: Cache, key: str) -> Reply:
    """The reply of this module's build. Raises ToolchainError when it died; its log is kept under `key`."""
    with cache.scratch() as scratch:
        asked, answered = scratch / "request.json", scratch / "reply.json"
        try:
            asked.write_bytes(encode(request))
        except OSError as error:
            raise storage_error(error, asked) from error
        ended = _run(module, asked, answered)
        if ended.status == -signal.SIGINT:
            # The terminal sends Ctrl-C to both; whoever handles it here must not see an error of the toolchain's.
            raise KeyboardInterrupt
        if not answered.exists():
            log = cache.write(ended.errors.encode(), "log", digest(key), ".txt")
            raise ToolchainError(f"{_died(ended, stage_file(asked))} with {log}")
        try:
            return decode(answered.read_bytes(), kind)
        except msgspec.DecodeError as error:
            raise ToolchainError("the reply of the cold build is cut short: is the disk full?") from error


def stage_file(request: Path) -> Path:
    """Where a build says what it works on."""
    return request.with_suffix(".stage")


def _run(module: str, request: Path, reply: Path) -> Ended:
    """Has it built, and waits until it has answered, or ended."""
    return _server().build(module, request, reply)


@dataclass(slots=True)
class _Server:
    """The build server of one process, for all of its threads."""

    process: subprocess.Popen[bytes]
    owner: int  # the process that started it; a fork of that has none yet
    _waiting: dict[int, SimpleQueue[str]] = field(default_factory=dict)
    _count: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def build(self, module: str, request: Path, reply: Path) -> Ended:
        """One build. Raises ToolchainError where the server cannot be asked."""
        errors = request.with_suffix(".errors")
        said: SimpleQueue[str] = SimpleQueue()
        with self._lock:
            self._count += 1
            number = self._count
            self._waiting[number] = said
            paths = str(request), str(reply), str(errors)
            order = Order(number, module, *paths, str(Path.cwd()), dict(os.environ))
            assert self.process.stdin is not None
            with contextlib.suppress(BrokenPipeError):  # then the reader says how it ended
                self.process.stdin.write(msgspec.json.encode(order) + b"\n")
                self.process.stdin.flush()
            if self.process.poll() is not None:
                said.put(f"ended {_DIED}")
        word, _, status = said.get().partition(" ")
        if word == "answered":
            return Ended(0)
        return Ended(int(status), errors.read_text(errors="replace") if errors.exists() else "")

    def listen(self, lines: IO[bytes]) -> None:
        """Hands out what the server says, until it ends."""
        for line in lines:
            number, _, said = line.decode().strip().partition(" ")
            with self._lock:
                heard = self._waiting.pop(int(number), None)
            if heard is not None:  # nobody waits for the end of what has answered
                heard.put(said)
        lines.close()
        self.process.wait()
        with self._lock:
            left = list(self._waiting.values())
            self._waiting.clear()
        for heard in left:
            heard.put(f"ended {_DIED}")

    def close(self) -> None:
        """Ends the server; builds that are under way go on."""
        if self.owner == os.getpid() and self.process.stdin is not None:
            with contextlib.suppress(BrokenPipeError):
                self.process.stdin.close()
            self.process.wait()


def _server() -> _Server:
    """The server of this process, a new one where there is none, or none any more."""
    server = _started(os.getpid())
    if server.process.poll() is not None:
        _started.cache_clear()
        server = _started(os.getpid())
    return server


@cache
def _started(owner: int) -> _Server:
    # -P and the path: a file of the user's named like one of Python's modules must not be loaded instead of it.
    path = os.pathsep.join(part for part in (str(ROOT.parent), os.environ.get("PYTHONPATH", "")) if part)
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", "veer.frontends.llvm.buildserver", str(owner)],
        env=dict(os.environ, PYTHONPATH=path, OPENBLAS_NUM_THREADS="1"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    server = _Server(process, owner)
    assert process.stdout is not None
    threading.Thread(target=server.listen, args=(process.stdout,), daemon=True).start()
    atexit.register(server.close)
    return server


def _died(ended: Ended, stage: Path) -> str:
    try:
        working_on = stage.read_text() or "the sources"
    except OSError:
        working_on = "the sources"
    last = (ended.errors.strip().splitlines() or ["no message"])[-1]
    how = f"was killed by signal {-ended.status}" if ended.status < 0 else f"ended with code {ended.status}"
    return (
        f"the process that instruments {working_on} {how} ({last}): this is a bug of veer's or LLVM's, please report it"
    )
