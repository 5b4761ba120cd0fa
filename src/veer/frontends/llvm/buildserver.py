"""The process that builds: it has loaded LLVM, and forks a process for each build that it is asked for.

    python -P -m veer.frontends.llvm.buildserver PARENT

Loading takes longer than building a small program, so that it is done once for all builds of a veer process; an abort
of LLVM's ends only the fork. Requests come as lines of JSON on standard input, answers go as lines to standard output:

    NUMBER answered        the reply is written; the fork may go on, with what nobody waits for
    NUMBER ended STATUS    it has ended, with this exit code, or -N by signal N

The server ends with its standard input, or with the process PARENT. Linux alone has pidfd_open(2), which it waits with.
"""

from __future__ import annotations

import gc
import os
import selectors
import signal
import sys
import traceback
from collections.abc import Callable
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

    number: int
    module: str
    request: str
    reply: str
    errors: str
    directory: str
    environment: dict[str, str]


_ORDERS = msgspec.json.Decoder(Order)
_MOST_READ = 1 << 16


def serve(parent: int) -> None:
    """Answers orders until there can be no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the builds; their callers say whether all ends
    for version in (front_end_version, runtime_version):
        version()  # it is remembered, and every fork asks for it
    with selectors.DefaultSelector() as waiting:
        waiting.register(0, selectors.EVENT_READ)
        waiting.register(os.pidfd_open(parent), selectors.EVENT_READ)
        forks: dict[int, tuple[int, int]] = {}  # by pidfd: the fork, its order's number
        unread = b""
        while True:
            for key, _ in waiting.select():
                if key.fd in forks:
                    waiting.unregister(key.fd)
                    _say_ended(*forks.pop(key.fd))
                    os.close(key.fd)
                    continue
                read = os.read(0, _MOST_READ) if key.fd == 0 else b""
                if not read:
                    return
                *lines, unread = (unread + read).split(b"\n")
                for order in map(_ORDERS.decode, lines):
                    fork = _forked(order)
                    pidfd = os.pidfd_open(fork)
                    forks[pidfd] = (fork, order.number)
                    waiting.register(pidfd, selectors.EVENT_READ)


def _say_ended(fork: int, number: int) -> None:
    _, status = os.waitpid(fork, 0)
    _say(f"{number} ended {os.waitstatus_to_exitcode(status)}")


def _say(line: str) -> None:
    os.write(1, f"{line}\n".encode())  # one write of a short line: forks write to the same pipe


def _forked(order: Order) -> int:
    """Starts the build; the module is loaded before, so that the next one finds it there."""
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
    _build(order, build, problem)


def _build(order: Order, build: Build | None, problem: str) -> NoReturn:
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
            build(Path(order.request), Path(order.reply), lambda: _say(f"{order.number} answered"))
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
