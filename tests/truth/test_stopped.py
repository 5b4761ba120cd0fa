"""A signal ends a search with what it found; however veer ends, no process of its and no scratch folder is left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from processes import dies, of

ENDLESS = """
int f(unsigned a, unsigned b, const unsigned char *s)
{
    unsigned sum = 0;
    if (a == 12345) return 1;
    for (unsigned i = 0; s[i] && i < 64; i++)
        sum += s[i] > b ? s[i] * a : i;
    return sum > 1000 ? 2 : 3;
}
"""


def _hears_hangups() -> None:
    """Tests under nohup ignore SIGHUP, and what they start would, too."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture
def searching(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """A command that searches, in a group and with a folder for scratch of its own; it has run a test already."""
    (tmp_path / "endless.c").write_text(ENDLESS)
    (tmp_path / "scratch").mkdir()
    words = (sys.executable, "-m", "veer", "test", "endless.c", "--entry", "f", "--budget", "10m", "--out", "out",
             "--max-length", "40")  # fmt: skip
    environment = dict(os.environ, TMPDIR=str(tmp_path / "scratch"))
    command = subprocess.Popen(
        words, cwd=tmp_path, env=environment, text=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
        start_new_session=True, preexec_fn=_hears_hangups,
    )  # fmt: skip
    try:
        assert command.stderr is not None
        while "runs" not in (line := command.stderr.readline()):
            assert line, "it ended before it searched"
        yield command
    finally:
        command.kill()
        command.wait()
        command.stderr.close()


@pytest.mark.parametrize(
    ("number", "times", "to_group"),
    [(signal.SIGTERM, 1, False), (signal.SIGHUP, 2, False), (signal.SIGINT, 5, True)],
    ids=["once", "twice", "five times"],
)
def test_a_signal_ends_it_with_what_was_found(
    searching: subprocess.Popen[str], tmp_path: Path, number: signal.Signals, times: int, to_group: bool
) -> None:
    for _ in range(times):
        (os.killpg if to_group else os.kill)(searching.pid, number)
    _, said = searching.communicate()
    assert searching.returncode == 130
    assert said.splitlines()[-1] == f"veer: stopped by {number.name}; what was found until then is in out"
    written = json.loads((tmp_path / "out" / "summary.json").read_text())
    assert written["ending"]["kind"] == "stopped" and written["tests"]
    assert left(tmp_path / "scratch", of(str(tmp_path / "scratch"))) == ({}, [])


def test_nothing_outlives_a_veer_that_is_killed(searching: subprocess.Popen[str], tmp_path: Path) -> None:
    there = of(str(tmp_path / "scratch"))
    assert any(b"keeper.py" in words for words in there.values()) and list((tmp_path / "scratch").iterdir())
    searching.kill()
    searching.wait()
    assert left(tmp_path / "scratch", there) == ({}, [])


def left(scratch: Path, there: dict[int, bytes]) -> tuple[dict[int, bytes], list[Path]]:
    """What is left once these processes have ended: processes, scratch folders."""
    stay = {process: words for process, words in there.items() if not dies(process)}
    return stay | of(str(scratch)), list(scratch.iterdir())


def test_a_child_that_left_its_session_does_not_outlive_it(tmp_path: Path) -> None:
    code = f"""
import os, subprocess, sys
from veer.toolchain.session import scratch_root
print(scratch_root(), flush=True)
orphan = "import os, signal; os.fork() and os._exit(0); os.setsid(); os.fork() and os._exit(0); "
orphan += "print(os.getpid(), flush=True); signal.pause()"
child = subprocess.Popen([sys.executable, "-c", orphan], stdout=subprocess.PIPE, text=True)
print(child.stdout.readline(), flush=True)
os.kill(os.getpid(), {int(signal.SIGKILL)})
"""
    done = subprocess.run(
        (sys.executable, "-c", code), stdout=subprocess.PIPE, text=True, env=dict(os.environ, TMPDIR=str(tmp_path))
    )
    scratch, orphan = done.stdout.split()
    assert done.returncode == -signal.SIGKILL
    assert dies(int(orphan))
    for keeper in of(scratch):
        assert dies(keeper)
    assert not Path(scratch).exists()
