"""Builds in processes of their own: what loads LLVM is no part of veer's process, and its aborts kill nobody else.

A build is the function `answer` of a module: a request in, a reply out, both JSON files; REQUEST.stage holds what is
worked on, for the message after an abort. One server (buildserver.py) is started by the first build of a process,
and forks that are made later share it.
"""

from __future__ import annotations

import atexit
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec
from msgspec import Struct

from veer.frontends.llvm.buildserver import Order
from veer.frontends.llvm.exchange import decode, encode
from veer.model.errors import ToolchainError
from veer.toolchain.cache import Cache, digest, storage_error
from veer.toolchain.kills import unless_killed
from veer.toolchain.runtime import ROOT
from veer.toolchain.session import JOINS, session

Reply = TypeVar("Reply")
Stage = Callable[[str], None]
_WORDS = 200
"""Characters of what a process that died worked on, in the words for it."""


class Ended(Struct, frozen=True):
    """How a build ended: 0 also when it has answered and goes on; a signal's number is negative."""

    status: int
    errors: str = ""


def answer(module: str, request: object, kind: type[Reply], cache: Cache, key: str) -> Reply:
    """The reply of this module's build. Raises ToolchainError when it died; its log is kept under `key`."""
    session()  # the scratch folder has its mark
    with cache.scratch() as scratch:
        asked, answered = scratch / "request.json", scratch / "reply.json"
        try:
            asked.write_bytes(encode(request))
        except OSError as error:
            raise storage_error(error, asked) from error
        ended = unless_killed(
            lambda: _run(module, asked, answered),
            lambda ended: ended.status == -signal.SIGKILL and not answered.exists(),
        )
        if ended.status == -signal.SIGINT:
            # The terminal sends Ctrl-C to both; whoever handles it here must not see an error of the toolchain's.
            raise KeyboardInterrupt
        if not answered.exists():
            log = cache.write(ended.errors.encode(), "log", digest(key), ".txt")
            raise ToolchainError(f"{_died(ended, stage_file(asked))} with {log}")
        try:
            return decode(answered.read_bytes(), kind)
        except msgspec.DecodeError as error:
            raise ToolchainError("the reply of the builder is cut short: is the disk full?") from error


def stage_file(request: Path) -> Path:
    """Where a build says what it works on."""
    return request.with_suffix(".stage")


def start(module: str = "") -> None:
    """Starts the server of this process if there is none; forks that are made from now on build with it, too.

    `module`: whose builds will be asked for first; a fork loads it meanwhile.
    """
    server = _server()
    server.is_needed = server.is_needed or not module
    if module:
        server.load(module)


def _run(module: str, request: Path, reply: Path) -> Ended:
    """Has it built, and waits until it has answered, or ended."""
    errors = request.with_suffix(".errors")
    order = Order(module, str(request), str(reply), str(errors), str(Path.cwd()), dict(os.environ))
    said = f"ended {-signal.SIGKILL}"
    for _ in range(2):
        try:
            said = _server().build(order)
            break
        except (BrokenPipeError, ConnectionResetError):  # it was killed since the last build, or during this one
            _server.cache_clear()
    word, _, status = said.partition(" ")
    if word == "answered":
        return Ended(0)
    return Ended(int(status), errors.read_text(errors="replace") if errors.exists() else "")


class _Server(Struct):
    """The build server of a process, of all of its threads and of its forks."""

    process: subprocess.Popen[bytes]
    owner: int  # the process that started it
    callers: socket.socket  # takes one end of a caller's socket pair
    is_loading: bool = False  # what this process may need
    is_needed: bool = False  # it builds for this process, or for forks of it

    def build(self, order: Order) -> str:
        """What the server says first to an order. Raises BrokenPipeError or ConnectionResetError where it is dead."""
        self.is_needed = True
        own, others = socket.socketpair()
        with own:
            with others:
                socket.send_fds(self.callers, [order.module.encode()], [others.fileno()])
            own.sendall(msgspec.json.encode(order))
            own.shutdown(socket.SHUT_WR)
            with own.makefile() as said:
                return said.readline().strip() or f"ended {-signal.SIGKILL}"  # the server died meanwhile

    def load(self, module: str) -> None:
        """Has a fork load a module: it is handed an order that nobody writes."""
        own, others = socket.socketpair()
        with own, others, suppress(OSError):  # a dead server is told by the first build
            socket.send_fds(self.callers, [module.encode()], [others.fileno()])
        self.is_loading = True

    def close(self) -> None:
        """Ends the server; builds that are under way go on. One that only loads something is not waited for."""
        if self.owner == os.getpid():
            if self.is_loading and not self.is_needed:
                self.process.kill()
            with suppress(OSError):  # the server is dead
                self.callers.shutdown(socket.SHUT_RDWR)  # for forks that hold it, too
            self.callers.close()
            self.process.wait()


@cache
def _server() -> _Server:
    """The server of this process, or of the one that it was forked from."""
    session()
    own, others = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    # -P and the path: a file of the user's named like one of Python's modules must not be loaded instead of it.
    path = os.pathsep.join(part for part in (str(ROOT.parent), os.environ.get("PYTHONPATH", "")) if part)
    with others:
        process = subprocess.Popen(
            [sys.executable, "-P", "-m", "veer.frontends.llvm.buildserver", str(os.getpid())],
            env=dict(os.environ, PYTHONPATH=path, OPENBLAS_NUM_THREADS="1", **{JOINS: "1"}),
            stdin=others.fileno(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # a signal to veer's group is for veer
        )
    server = _Server(process, os.getpid(), own)
    atexit.register(server.close)
    return server


def _died(ended: Ended, stage: Path) -> str:
    try:
        working_on = stage.read_text() or "the sources"
    except OSError:
        working_on = "the sources"
    if len(working_on) > _WORDS:
        working_on = f"{working_on[:_WORDS].rpartition(', ')[0]} and more"
    last = (ended.errors.strip().splitlines() or ["no message"])[-1]
    how = f"was killed by signal {-ended.status}" if ended.status < 0 else f"ended with code {ended.status}"
    return (
        f"the process that instruments {working_on} {how} ({last}): this is a bug of veer's or LLVM's, please report it"
    )
