"""What confines a process that runs a user's code: what it can still do, seen from outside."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from veer.campaign import confining
from veer.campaign.confining import confinement
from veer.execution.confinement import GRANTS, USUAL, Bounds, Role, granted, python_folders, tool, words
from veer.execution.replay import ReplayLimits, launched
from veer.model.confinement import OFF, Confinement
from veer.model.errors import UsageError
from veer.toolchain import compiler
from veer.toolchain.runtime import launcher

PYTHON = str(Path(sys.executable).resolve())


@pytest.fixture(params=["on", "strict"])
def confined(request: pytest.FixtureRequest) -> Confinement:
    """Confined as --sandbox says; skipped where the kernel does not grant it."""
    found = granted(launcher(compiler.find()))
    wanted = tuple(GRANTS) if request.param == "strict" else USUAL
    if not all(found[name] for name in wanted):
        pytest.skip(f"the kernel grants only {found}")
    return confinement(compiler.find(), request.param)[0]


def said(confined: Confinement, code: str, scratch: Path, given: tuple[Path, ...] = ()) -> str:
    """What Python prints that runs this code as a tool."""
    scratch.mkdir(exist_ok=True)
    command = tool(confined, (PYTHON, "-c", code), (*python_folders(), *given), scratch)
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return done.stdout + done.stderr


def test_files_outside_of_scratch_are_neither_read_nor_written(confined: Confinement, tmp_path: Path) -> None:
    secret, scratch = tmp_path / "secret", tmp_path / "scratch"
    secret.write_text("secret")
    code = f"""
import os
def tried(what, *arguments):
    try:
        what(*arguments)
        print("done")
    except OSError as error:
        print(type(error).__name__)
tried(open, {str(secret)!r})
tried(open, {str(secret)!r}, "w")
tried(os.unlink, {str(secret)!r})
tried(os.chmod, {str(secret)!r}, 0)
tried(os.truncate, {str(secret)!r}, 0)
tried(os.mkdir, {str(tmp_path / "folder")!r})
tried(open, {str(scratch / "new")!r}, "w")
tried(open, {str(scratch / "new")!r})
"""
    assert said(confined, code, scratch).split()[-2:] == ["done", "done"]
    assert "done" not in said(confined, code, scratch).split()[:-2]
    assert secret.read_text() == "secret" and sorted(tmp_path.iterdir()) == [scratch, secret]
    assert said(confined, f"print(open({str(secret)!r}).read())", scratch, (secret,)) == "secret\n"


def test_it_reaches_no_socket_and_no_process(confined: Confinement, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        code = f"""
import os, signal, socket
def tried(what, *arguments):
    try:
        what(*arguments)
        print("done")
    except OSError as error:
        print(type(error).__name__)
tried(socket.create_connection, ("127.0.0.1", {server.getsockname()[1]}))
tried(os.kill, {os.getpid()}, 0)
tried(os.kill, -1, 0)
tried(os.fork)
tried(os.setsid)
tried(os.execv, "/bin/true", ["true"])
tried(os.kill, os.getpid(), 0)
"""
        assert said(confined, code, tmp_path / "scratch").split() == [*["PermissionError"] * 6, "done"]


def test_threads_may_be_made(confined: Confinement, tmp_path: Path) -> None:
    code = "import threading; t = threading.Thread(target=print, args=('in a thread',)); t.start(); t.join()"
    assert said(confined, code, tmp_path / "scratch") == "in a thread\n"


@pytest.mark.parametrize("number", [signal.SIGABRT, signal.SIGSEGV, signal.SIGKILL, signal.SIGTERM])
def test_a_signal_ends_it_as_it_would_without(confined: Confinement, tmp_path: Path, number: signal.Signals) -> None:
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    command = tool(
        confined, (PYTHON, "-c", f"import os; os.kill(os.getpid(), {int(number)})"), python_folders(), scratch
    )
    assert subprocess.run(command, check=False, timeout=60).returncode == -number


def test_a_replayed_test_ends_where_it_is_refused(confined: Confinement, tmp_path: Path) -> None:
    limits = ReplayLimits(launcher(compiler.find()), confinement=confined, seconds=30.0)
    seen = launched(Path("/bin/sh"), ("-c", "echo begun; /bin/true; echo went on"), limits, tmp_path)
    assert (seen.status, seen.output) == (-signal.SIGSYS, b"begun\n")


def test_its_descriptors_and_user_are_those_that_it_would_have_without(confined: Confinement, tmp_path: Path) -> None:
    user = "os.getuid(), os.geteuid(), os.getgid(), os.getegid(), os.getpid() == 1"
    code = f"import os; print({user}, os.listdir('/proc/self/fd'))"
    assert said(confined, code, tmp_path / "scratch") == said(OFF, code, tmp_path / "scratch")


def test_without_a_sandbox_nothing_stands_before_the_command(tmp_path: Path) -> None:
    assert tool(OFF, ("java", Path("x")), (), tmp_path) == ["java", "x"]
    assert confinement(compiler.find(), "off") == (OFF, ())
    given = words(Path("/launcher"), OFF, Role.REPLAY, Bounds(processor=8, file=1 << 20), ("/test", "--test", "t"))
    assert given == ["/launcher", f"parent={os.getpid()}", "cpu=8", "file=1048576", "--", "/test", "--test", "t"]


def test_what_the_kernel_does_not_grant_is_said_or_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confining, "granted", lambda _: {"files": 0, "calls": 1, "mounts": 1, "processes": 0})
    found, notes = confinement(compiler.find(), "on")
    assert found.grants == ("calls", "mounts") and len(notes) == 1 and "Landlock" in notes[0]
    with pytest.raises(UsageError, match=r"--sandbox strict: the kernel does not grant Landlock.*, nor namespaces of"):
        confinement(compiler.find(), "strict")
    shown = {fact.what: fact.ok for fact in confining.facts()}
    assert shown["sandbox: files"] is None and shown["sandbox: calls"] is True


def test_a_folder_to_read_must_be_there(tmp_path: Path) -> None:
    assert confinement(compiler.find(), "on", [str(tmp_path)])[0].readable == (tmp_path,)
    with pytest.raises(UsageError, match=r"--read .*nowhere: there is no such file or folder"):
        confinement(compiler.find(), "on", [str(tmp_path / "nowhere")])


def test_sockets_are_there_on_request(tmp_path: Path) -> None:
    found = granted(launcher(compiler.find()))
    if not all(found[name] for name in USUAL):
        pytest.skip(f"the kernel grants only {found}")
    code = """
import socket
for family in (socket.AF_INET, socket.AF_INET6, socket.AF_UNIX, socket.AF_PACKET):
    try:
        socket.socket(family, socket.SOCK_STREAM if family != socket.AF_PACKET else socket.SOCK_RAW).close()
        print("made")
    except PermissionError:
        print("refused")
    except OSError:
        print("no such family")
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
accepted = server.accept()[0]
client.sendall(b"heard")
print(accepted.recv(5).decode())
"""
    confined, _ = confinement(compiler.find(), "on", sockets=True)
    lines = said(confined, code, tmp_path / "with").splitlines()
    assert lines[0] == "made" and lines[1] != "refused"
    assert lines[2:] == ["refused", "refused", "heard"]
    with pytest.raises(UsageError, match="--sockets with --sandbox strict"):
        confinement(compiler.find(), "strict", sockets=True)


def test_a_tool_writes_no_large_file(confined: Confinement, tmp_path: Path) -> None:
    code = """
import os, signal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
try:
    os.ftruncate(os.open("scratch", os.O_CREAT | os.O_RDWR), 655 << 20)
except OSError as error:
    print(os.strerror(error.errno))
"""
    scratch = tmp_path / "scratch"
    assert said(confined, f"import os; os.chdir({str(scratch)!r})" + code, scratch).strip() == "File too large"
