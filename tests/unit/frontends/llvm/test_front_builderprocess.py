"""Builds in forks of one server: replies, what the caller hands on, and ends that no build of a user's brings about."""

from __future__ import annotations

import multiprocessing
import os
import selectors
import signal
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

import msgspec
import pytest

from veer.frontends.llvm import builderprocess
from veer.frontends.llvm.buildserver import MOST_IDLE, Order
from veer.model.errors import ToolchainError
from veer.toolchain.cache import Cache

BUILDER = """
import os
import signal
import sys
from pathlib import Path

import msgspec


def answer(request, reply, answered):
    asked = msgspec.json.decode(request.read_bytes())
    request.with_suffix(".stage").write_text("unit.c")
    what, argument = asked["what"], asked["argument"]
    if what == "abort":
        sys.stderr.write("LLVM ERROR: no such instruction\\n")
        sys.stderr.flush()
        os.abort()
    if what == "kill":
        left = Path(argument)
        times = int(left.read_text())
        left.write_text(str(times - 1))
        if times:
            os.kill(os.getpid(), signal.SIGKILL)
    if what == "interrupt":
        os.kill(os.getpid(), signal.SIGINT)
    if what == "raise":
        raise ValueError(argument)
    word = os.environ.get("VEER_TEST_WORD", "")
    said = {"server": os.getppid(), "fork": os.getpid(), "where": str(Path.cwd()), "word": word}
    reply.write_bytes(msgspec.json.encode(said))
    answered()
    if what == "go on":
        Path(argument).write_text("went on")
"""


class Asked(msgspec.Struct):
    """What the builder above is asked for."""

    what: str
    argument: str = ""


class Said(msgspec.Struct):
    """What it says of its process."""

    server: int
    fork: int
    where: str
    word: str


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Cache]:
    """A cache, and a server of this test's own, which finds the builder."""
    (tmp_path / "builder_of_a_test.py").write_text(BUILDER)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    builderprocess._server.cache_clear()
    yield Cache(tmp_path / "cache")
    builderprocess._server().close()
    builderprocess._server.cache_clear()


def ask(cache: Cache, what: str, argument: str = "") -> Said:
    """One build."""
    return builderprocess.answer("builder_of_a_test", Asked(what, argument), Said, cache, "key")


def test_builds_of_a_process_are_forks_of_one_server(cache: Cache) -> None:
    first, second = ask(cache, "build"), ask(cache, "build")
    assert first.server == second.server != os.getpid()


def done(cache: Cache, reply: Path) -> int:
    """The fork of a build that is made to its end."""
    request, module = reply.with_suffix(".request"), "builder_of_a_test"
    request.write_bytes(msgspec.json.encode(Asked("build")))
    errors = str(reply.with_suffix(".errors"))
    order = Order(module, str(request), str(reply), errors, str(Path.cwd()), dict(os.environ))
    own, others = socket.socketpair()
    with own:
        socket.send_fds(builderprocess._server().callers, [module.encode()], [others.fileno()])
        others.close()
        own.sendall(msgspec.json.encode(order))
        own.shutdown(socket.SHUT_WR)
        with own.makefile() as said:
            assert said.read().split() == ["answered", "ended", "0"]
    return msgspec.json.decode(reply.read_bytes(), type=Said).fork


def test_a_fork_builds_again(cache: Cache, tmp_path: Path) -> None:
    first = done(cache, tmp_path / "first")
    assert done(cache, tmp_path / "second") == first
    with pytest.raises(ToolchainError):
        ask(cache, "raise", "what ends a fork")
    assert done(cache, tmp_path / "third") != first


def test_a_fork_that_goes_on_does_not_keep_the_next_build_waiting(cache: Cache, tmp_path: Path) -> None:
    fifo = tmp_path / "later"
    os.mkfifo(fifo)
    busy = ask(cache, "go on", str(fifo))
    assert ask(cache, "build").fork != busy.fork
    assert fifo.read_text() == "went on"


def test_no_more_forks_wait_than_wanted(cache: Cache, tmp_path: Path) -> None:
    names = [tmp_path / str(number) for number in range(MOST_IDLE + 2)]
    for name in names:
        os.mkfifo(name)
    forks = {ask(cache, "go on", str(name)).fork for name in names}
    assert len(forks) == len(names)
    ends = [os.pidfd_open(fork) for fork in forks]
    for name in names:
        name.read_text()
    with selectors.DefaultSelector() as waiting:
        for end in ends:
            waiting.register(end, selectors.EVENT_READ)
        ended = 0
        while ended < 2:
            for key, _ in waiting.select():
                waiting.unregister(key.fd)
                ended += 1
    for end in ends:
        os.close(end)
    assert ask(cache, "build").fork in forks


def test_what_a_build_complained_of_is_not_the_next_ones(cache: Cache) -> None:
    assert ask(cache, "build").word == ""
    with pytest.raises(ToolchainError, match="no such instruction"):
        ask(cache, "abort")
    with pytest.raises(ToolchainError, match="of its own") as second:
        ask(cache, "raise", "of its own")
    assert "no such instruction" not in str(second.value)


def test_forks_that_wait_end_before_their_server(cache: Cache, tmp_path: Path) -> None:
    idle = done(cache, tmp_path / "reply")
    builderprocess._server().close()
    with pytest.raises(ProcessLookupError):
        os.kill(idle, 0)
    builderprocess._server.cache_clear()


def test_a_fork_that_goes_on_outlives_its_server(cache: Cache, tmp_path: Path) -> None:
    fifo = tmp_path / "later"
    os.mkfifo(fifo)
    end = os.pidfd_open(ask(cache, "go on", str(fifo)).fork)
    builderprocess._server().close()
    assert fifo.read_text() == "went on"
    with selectors.DefaultSelector() as waiting:
        waiting.register(end, selectors.EVENT_READ)
        assert waiting.select()
    os.close(end)
    builderprocess._server.cache_clear()


def test_forks_of_a_process_share_its_server(cache: Cache) -> None:
    builderprocess.start()
    first = ask(cache, "build").server
    with ProcessPoolExecutor(2, multiprocessing.get_context("fork")) as pool:
        assert {each.result().server for each in [pool.submit(ask, cache, "build") for _ in range(4)]} == {first}
    assert ask(cache, "build").server == first, "the end of a fork is not the server's"


def test_an_order_that_is_cut_short_is_no_build(cache: Cache) -> None:
    server = ask(cache, "build").server
    own, others = socket.socketpair()
    with own, others:
        socket.send_fds(builderprocess._server().callers, [b"builder_of_a_test"], [others.fileno()])
        others.close()
        own.sendall(b'{"module": ')
        own.shutdown(socket.SHUT_WR)
        assert not own.recv(1)
    assert ask(cache, "build").server == server


def test_a_build_sees_the_directory_and_the_environment_of_its_caller(
    cache: Cache, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(cache, "build")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VEER_TEST_WORD", "later")
    said = ask(cache, "build")
    assert (said.where, said.word) == (str(tmp_path), "later")


def test_builds_of_several_threads_get_their_own_replies(cache: Cache, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        said = list(pool.map(lambda _: ask(cache, "build"), range(8)))
    assert len(said) == 8


def test_an_abort_is_a_sentence_and_the_next_build_works(cache: Cache) -> None:
    server = ask(cache, "build").server
    with pytest.raises(ToolchainError, match=r"instruments unit\.c was killed by signal 6 \(LLVM ERROR: no such inst"):
        ask(cache, "abort")
    assert ask(cache, "build").server == server


def test_a_build_that_somebody_kills_is_begun_again(cache: Cache, tmp_path: Path) -> None:
    left = tmp_path / "left"
    left.write_text("2")
    assert ask(cache, "kill", str(left)).fork
    left.write_text("9")
    with pytest.raises(ToolchainError, match=r"was killed by signal 9"):
        ask(cache, "kill", str(left))


def test_what_a_builder_raises_is_a_sentence(cache: Cache) -> None:
    with pytest.raises(ToolchainError, match=r"ended with code 1 \(ValueError: of its own\)"):
        ask(cache, "raise", "of its own")


def test_a_module_that_is_not_there_is_a_sentence(cache: Cache) -> None:
    with pytest.raises(ToolchainError, match=r"ModuleNotFoundError: No module named 'no_such_builder'"):
        builderprocess.answer("no_such_builder", Asked("build"), Said, cache, "key")


def test_ctrl_c_in_a_build_is_ctrl_c_here(cache: Cache) -> None:
    with pytest.raises(KeyboardInterrupt):
        ask(cache, "interrupt")


def test_a_build_goes_on_once_it_has_answered(cache: Cache, tmp_path: Path) -> None:
    fifo = tmp_path / "later"
    os.mkfifo(fifo)
    heard: list[str] = []
    listener = threading.Thread(target=lambda: heard.append(fifo.read_text()))
    listener.start()
    ask(cache, "go on", str(fifo))
    listener.join()
    assert heard == ["went on"]


def test_after_the_servers_death_there_is_a_new_one(cache: Cache) -> None:
    first = ask(cache, "build").server
    process = builderprocess._server().process
    os.kill(first, signal.SIGKILL)
    process.wait()
    assert ask(cache, "build").server != first


def test_a_module_is_loaded_before_a_build_of_it(cache: Cache, tmp_path: Path) -> None:
    fifo = tmp_path / "loaded"
    os.mkfifo(fifo)
    text = BUILDER + f"\nPath({str(fifo)!r}).write_text('loaded')\n"
    (tmp_path / "builder_of_a_test.py").write_text(text)
    builderprocess.start("builder_of_a_test")
    assert fifo.read_text() == "loaded"
    assert ask(cache, "build").server != os.getpid()


def test_a_server_that_nobody_asks_does_not_keep_its_process_waiting(cache: Cache, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "never")
    (tmp_path / "builder_of_a_test.py").write_text(f"open({str(tmp_path / 'never')!r}).read()\n")
    builderprocess.start("builder_of_a_test")
    server = builderprocess._server()
    server.close()
    assert server.process.returncode == -signal.SIGKILL
