"""The process that builds: it has loaded LLVM, and its forks make the builds that it is asked for.

    python -P -m veer.frontends.llvm.buildserver PARENT

Loading takes longer than building a small program, so that it is done once for all builds of a veer process and of its
forks; an abort of LLVM's ends only the fork. A fork that is done makes the next build: what it has touched of a loaded
LLVM is its own by then. Standard input is a socket on which each build's caller sends the name of a module and one end
of a socket pair of its own:

    caller ── module, socket ──► server ── module, socket ──► fork
       │                            ◄─────── done ──────────── │
       └─────────── order ──────────────────────────────────► │
       ◄─────────── answered, ended STATUS ─────────────────── │

The order is JSON, up to the end of what the caller writes. The caller reads lines:

    answered        the reply is written; the fork may go on, with what nobody waits for
    ended STATUS    the build has ended, with this exit code, or -N by signal N

The server ends when nobody holds the other end of its standard input, or with the process PARENT; its forks end with
it, once they are done. Linux alone has pidfd_open(2), which the server waits with.
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
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import NoReturn

import msgspec
from msgspec import Struct, field

from veer.toolchain.runtime import front_end_version, runtime_version
from veer.toolchain.session import session

Answered = Callable[[], None]
Build = Callable[[Path, Path, Answered], None]
"""(request, reply, what to call once the reply is written): a builder's function `answer`."""
MOST_IDLE = 2
"""Forks that wait for a build at once; others end."""
MOST_BUILDS = 100
"""Of one fork; what builds leave behind in memory goes with it."""


class Order(msgspec.Struct, frozen=True):
    """One build: by the function `answer` of a module, from a request to a reply, with a file for what it complains of.

    The build has the caller's working directory and environment.
    """

    module: str
    request: str
    reply: str
    errors: str
    directory: str
    environment: dict[str, str]


_ORDERS = msgspec.json.Decoder(Order)
_LONGEST_NAME = 1 << 10


class Fork(Struct, eq=False):
    """A process that builds. `caller`: whose build it makes; None: it waits for one."""

    process: int
    orders: socket.socket
    end: int  # its pidfd
    caller: socket.socket | None = None
    builds: int = 0

    def takes(self, module: bytes, caller: socket.socket) -> bool:
        """Whether it makes this build; not if it is busy, or dead."""
        if self.caller is not None:
            return False
        try:
            socket.send_fds(self.orders, [module], [caller.fileno()])
        except (BrokenPipeError, ConnectionResetError):
            return False
        self.caller = caller
        self.builds += 1
        return True

    def release(self) -> None:
        """Its build has ended."""
        if self.caller is not None:
            self.caller.close()
            self.caller = None

    def close(self) -> None:
        """What holds on to it; then it ends once it is done."""
        self.release()
        self.orders.close()
        os.close(self.end)


class Server(Struct):
    """Hands builds to forks. `parent`: a pidfd."""

    callers: socket.socket
    parent: int
    waiting: selectors.BaseSelector = field(default_factory=selectors.DefaultSelector)
    forks: list[Fork] = field(default_factory=list)

    def serve(self) -> None:
        """Takes builds until there can be no more."""
        self.waiting.register(self.callers, selectors.EVENT_READ)
        self.waiting.register(self.parent, selectors.EVENT_READ)
        while True:
            ready = [key for key, _ in self.waiting.select()]
            for key in ready:
                if key.data is not None:
                    key.data()  # first, so that a fork that is done can take what has come meanwhile
            for key in ready:
                if key.fileobj is self.callers:
                    module, ends, _, _ = socket.recv_fds(self.callers, _LONGEST_NAME, 1)
                    if not ends:
                        return
                    self._begin(module, socket.socket(fileno=ends[0]))
                elif key.fd == self.parent:
                    return

    def end(self) -> None:
        """Waits for the forks that wait; those that build go on, and end by themselves."""
        for fork in self.forks:
            fork.orders.close()
            if fork.caller is None:
                os.waitpid(fork.process, 0)

    def _begin(self, module: bytes, caller: socket.socket) -> None:
        if not any(fork.takes(module, caller) for fork in self.forks) and not self._fork(module, caller).takes(
            module, caller
        ):
            caller.close()

    def _fork(self, module: bytes, caller: socket.socket) -> Fork:
        """A new fork. The module is loaded before, so that the next one finds it there."""
        with suppress(Exception):  # whatever a module raises: the fork meets it, and tells
            import_module(module.decode())
        gc.freeze()  # what is loaded is never garbage: forks need not look at it, nor copy its pages
        own, others = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        process = os.fork()
        if not process:
            self._close(own, caller)
            _work(others)
        others.close()
        fork = Fork(process, own, os.pidfd_open(process))
        self.forks.append(fork)
        self.waiting.register(fork.end, selectors.EVENT_READ, partial(self._ended, fork))
        self.waiting.register(fork.orders, selectors.EVENT_READ, partial(self._done, fork))
        return fork

    def _close(self, *others: socket.socket) -> None:
        """All that is the server's, in a fork: by the end of a socket others see that its process is dead."""
        self.waiting.close()
        for fork in self.forks:
            fork.close()
        for one in (self.callers, *others):
            one.close()
        os.close(self.parent)

    def _done(self, fork: Fork) -> None:
        """A fork has made its build; of one that is dead its pidfd tells."""
        if fork not in self.forks:
            return
        said = b""
        with suppress(ConnectionResetError):
            said = fork.orders.recv(1)
        if said:
            fork.release()
        is_wanted = fork.builds < MOST_BUILDS and sum(each.caller is None for each in self.forks) <= MOST_IDLE
        if not said or not is_wanted:
            self.waiting.unregister(fork.orders)
            fork.orders.close()

    def _ended(self, fork: Fork) -> None:
        _, status = os.waitpid(fork.process, 0)
        if fork.caller is not None:
            _say(fork.caller, f"ended {os.waitstatus_to_exitcode(status)}")
        self.forks.remove(fork)
        self.waiting.unregister(fork.end)
        if fork.orders.fileno() >= 0:
            self.waiting.unregister(fork.orders)
        fork.close()


def _say(caller: socket.socket, line: str) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):  # nobody waits any more
        caller.sendall(f"{line}\n".encode())


def _work(orders: socket.socket) -> NoReturn:
    """What a fork does: builds, until there are no more, or one fails."""
    code = 0
    os.dup2(os.open(os.devnull, os.O_RDWR), 0)
    while not code:
        _, ends, _, _ = socket.recv_fds(orders, _LONGEST_NAME, 1)
        if not ends:
            break
        with socket.socket(fileno=ends[0]) as caller:
            order = _order(caller)
            code = _build(order, caller) if order is not None else 0
            if code:
                break  # the server tells
            with suppress(BrokenPipeError):  # the server is dead, which the next read tells, too
                orders.send(b".")
            if order is not None:
                _say(caller, "ended 0")
    os._exit(code)


def _order(caller: socket.socket) -> Order | None:
    """What is asked for; None: the caller died while it wrote."""
    try:
        with caller.makefile("rb") as asked:
            return _ORDERS.decode(asked.read())
    except (msgspec.DecodeError, ConnectionResetError):
        return None


def _build(order: Order, caller: socket.socket) -> int:
    """One build; its exit code."""
    code = 1
    errors = os.open(order.errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(errors, 2)
    os.close(errors)
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.chdir(order.directory)
        os.environ.clear()
        os.environ.update(order.environment)
        build: Build = import_module(order.module).answer
        build(Path(order.request), Path(order.reply), lambda: _say(caller, "answered"))
        code = 0
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:  # the fork's end, whatever it was, is the server's to tell
        traceback.print_exc()
    sys.stderr.flush()
    os.dup2(0, 2)
    return code


def _main(parent: int) -> None:
    session()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the builds; their callers say whether all ends
    for version in (front_end_version, runtime_version):
        version()  # it is remembered, and every fork asks for it
    server = Server(socket.socket(fileno=0), os.pidfd_open(parent))
    server.serve()
    server.end()


if __name__ == "__main__":
    _main(int(sys.argv[1]))
