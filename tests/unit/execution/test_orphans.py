"""A veer that is killed takes its children with it, whatever they were doing."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from processes import dies

WAITS = """
#include <unistd.h>
int waits(int a)
{
    if (a == 7)
        for (;;)
            pause();
    return a;
}
"""
REPLAYS = """
import sys
from pathlib import Path
from veer.execution.replay import ReplayLimits, run
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.result import Test
from veer.toolchain import compiler
from veer.toolchain.runtime import launcher
test = Test("spins_1", InputMap((), ()), Outcome.RETURNED, None, None, (), "")
run(Path(sys.argv[1]), test, ReplayLimits(launcher(compiler.find()), seconds=600.0), Path(sys.argv[2]))
"""
PAUSE = "34"  # the number of the system call


def below(process: int) -> Iterator[int]:
    """All processes that descend from this one."""
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if int((folder / "stat").read_text().rpartition(")")[2].split()[1]) == process:
                yield int(folder.name)
                yield from below(int(folder.name))


def survivors(command: list[str], is_stuck: Callable[[int], bool], cwd: Path) -> list[int]:
    """Runs it until a process below it is stuck, kills it, and tells which of the stuck ones outlive it."""
    parent = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=cwd)
    stuck: list[int] = []
    try:
        while not stuck and parent.poll() is None:
            stuck += [each for each in below(parent.pid) if is_stuck(each)]
        assert stuck, "it ended before anything below it was stuck"
    finally:
        parent.kill()
        parent.wait()
    left = [each for each in stuck if not dies(each)]
    for each in left:
        os.kill(each, signal.SIGKILL)
    return left


def test_an_executor_whose_unit_waits_for_ever_dies_with_veer(tmp_path: Path) -> None:
    (tmp_path / "waits.c").write_text(WAITS)

    def is_waiting(process: int) -> bool:
        with contextlib.suppress(OSError):
            return Path(f"/proc/{process}/syscall").read_text().split()[0] == PAUSE
        return False

    for jobs in ("1", "2"):
        veer = [sys.executable, "-m", "veer", "test", "waits.c", "--entry", "waits", "--timeout", "600", "--jobs", jobs]
        assert survivors(veer, is_waiting, tmp_path) == []


def test_a_replay_that_spins_dies_with_veer(tmp_path: Path) -> None:
    suite = tmp_path / "suite"
    suite.write_text("#!/bin/sh\nwhile :; do :; done\n")
    suite.chmod(0o755)

    def is_spinning(process: int) -> bool:
        with contextlib.suppress(OSError):
            return Path(f"/proc/{process}/cmdline").read_bytes().startswith(b"/bin/sh\0" + bytes(suite))
        return False

    replay = [sys.executable, "-c", REPLAYS, str(suite), str(tmp_path)]
    assert survivors(replay, is_spinning, tmp_path) == []
