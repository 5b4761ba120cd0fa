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
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from itertools import count
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from veer.frontends.llvm.buildserver import Order
from veer.frontends.llvm.exchange import decode, encode
from veer.model.errors import ToolchainError
from veer.toolchain.cache import Cache, digest, storage_error
from veer.toolchain.runtime import ROOT

Reply = TypeVar("Reply")
Stage = Callable[[str], None]


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
    """The build server of one process, for all of its threads: whoever waits reads, for the others, too."""

    process: subprocess.Popen[bytes]
    owner: int  # the process that started it; a fork of that has none yet
    _heard: dict[int, str] = field(default_factory=dict)  # what was said to orders that are waited for
    _awaited: set[int] = field(default_factory=set)
    _numbers: Iterator[int] = field(default_factory=count)
    _writing: threading.Lock = field(default_factory=threading.Lock)
    _reading: threading.Lock = field(default_factory=threading.Lock)

    def build(self, module: str, request: Path, reply: Path) -> Ended:
        """One build."""
        number, errors = next(self._numbers), request.with_suffix(".errors")
        paths = str(request), str(reply), str(errors)
        order = Order(number, module, *paths, str(Path.cwd()), dict(os.environ))
        self._awaited.add(number)
        try:
            with self._writing, contextlib.suppress(BrokenPipeError):  # then there is nothing to hear, either
                self._to.write(msgspec.json.encode(order) + b"\n")
                self._to.flush()
            word, _, status = self._answer(number).partition(" ")
        finally:
            self._awaited.discard(number)
        if word == "answered":
            return Ended(0)
        return Ended(int(status), errors.read_text(errors="replace") if errors.exists() else "")

    @property
    def _to(self) -> IO[bytes]:
        assert self.process.stdin is not None
        return self.process.stdin

    def _answer(self, number: int) -> str:
        """What the server says to an order."""
        assert self.process.stdout is not None
        with self._reading:
            while number not in self._heard:
                line = self.process.stdout.readline().decode()
                if not line:
                    return f"ended {self.process.wait()}"
                heard, _, said = line.strip().partition(" ")
                if int(heard) in self._awaited:  # nobody waits for the end of what has answered
                    self._heard[int(heard)] = said
            return self._heard.pop(number)

    def close(self) -> None:
        """Ends the server; builds that are under way go on."""
        if self.owner == os.getpid():
            with contextlib.suppress(BrokenPipeError):
                self._to.close()
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
