"""The process that builds: it has loaded LLVM, and forks a process for each build that it is asked for.

    python -P -m veer.frontends.llvm.buildserver PARENT

Loading takes longer than building a small program, so that it is done once for all builds of a veer process and of its
forks; an abort of LLVM's ends only the fork. Standard input is a socket on which each build's caller sends one end of a
socket pair of its own. On that the caller writes its order as JSON, up to the end of what it writes, and reads lines:

    answered        the reply is written; the fork may go on, with what nobody waits for
    ended STATUS    it has ended, with this exit code, or -N by signal N

The server ends when nobody holds the other end of its standard input, or with the process PARENT. Linux alone has
pidfd_open(2), which it waits with.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import socket
import sys
import traceback
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import msgspec

from veer.toolchain.runtime import front_end_version, runtime_version

Answered = Callable[[], None]
Build = Callable[[Path, Path, Answered], None]
"""(request, reply, what to call once the reply is written): a builder's function `answer`."""


class Order(msgspec.Struct, frozen=True):
    """One build: by the function `answer` of a module, from a request to a reply, with a file for what it complains of.

    The fork has the caller's working directory and environment.
    """

    module: str
    request: str
    reply: str
    errors: str
    directory: str
    environment: dict[str, str]


_ORDERS = msgspec.json.Decoder(Order)
_MOST_READ = 1 << 16


def serve(parent: int) -> None:
    """Takes orders until there can be no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the builds; their callers say whether all ends
    for version in (front_end_version, runtime_version):
        version()  # it is remembered, and every fork asks for it
    callers = socket.socket(fileno=0)
    asked: dict[socket.socket, bytearray] = {}  # orders that are being written
    forks: dict[int, tuple[int, socket.socket]] = {}  # by pidfd: the fork, its caller
    with selectors.DefaultSelector() as waiting:
        waiting.register(callers, selectors.EVENT_READ)
        waiting.register(os.pidfd_open(parent), selectors.EVENT_READ)
        while True:
            for key, _ in waiting.select():
                if key.fileobj is callers:
                    _, ends, _, _ = socket.recv_fds(callers, 1, 1)
                    if not ends:
                        return
                    caller = socket.socket(fileno=ends[0])
                    asked[caller] = bytearray()
                    waiting.register(caller, selectors.EVENT_READ)
                elif isinstance(key.fileobj, socket.socket):
                    caller = key.fileobj
                    read = _read(caller)
                    asked[caller] += read
                    if read:
                        continue
                    waiting.unregister(caller)
                    fork = _forked(bytes(asked.pop(caller)), caller)
                    if fork is None:
                        caller.close()
                        continue
                    pidfd = os.pidfd_open(fork)
                    forks[pidfd] = fork, caller
                    waiting.register(pidfd, selectors.EVENT_READ)
                elif key.fd in forks:
                    waiting.unregister(key.fd)
                    _say_ended(*forks.pop(key.fd))
                    os.close(key.fd)
                else:
                    return


def _read(caller: socket.socket) -> bytes:
    try:
        return caller.recv(_MOST_READ)
    except ConnectionResetError:
        return b""


def _say_ended(fork: int, caller: socket.socket) -> None:
    _, status = os.waitpid(fork, 0)
    with caller:
        _say(caller, f"ended {os.waitstatus_to_exitcode(status)}")


def _say(caller: socket.socket, line: str) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):  # nobody waits any more
        caller.sendall(f"{line}\n".encode())


def _forked(asked: bytes, caller: socket.socket) -> int | None:
    """Starts the build; the module is loaded before, so that the next one finds it there. None: there is no order."""
    try:
        order = _ORDERS.decode(asked)
    except msgspec.DecodeError:
        return None  # the caller died while it wrote
    build: Build | None = None
    problem = ""
    try:
        build = import_module(order.module).answer
    except Exception:  # whatever a module raises: told as the build's own end
        problem = traceback.format_exc()
    gc.freeze()  # what is loaded is never garbage: forks need not look at it, nor copy its pages
    fork = os.fork()
    if fork:
        return fork
    _build(order, build, problem, caller)


def _build(order: Order, build: Build | None, problem: str, caller: socket.socket) -> NoReturn:
    """What the fork does."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(os.open(order.errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 2)
        os.chdir(order.directory)
        os.environ.clear()
        os.environ.update(order.environment)
        if build is None:
            sys.stderr.write(problem)
        else:
            build(Path(order.request), Path(order.reply), lambda: _say(caller, "answered"))
            code = 0
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:  # the fork's end, whatever it was, is the server's to tell
        traceback.print_exc()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    serve(int(sys.argv[1]))
