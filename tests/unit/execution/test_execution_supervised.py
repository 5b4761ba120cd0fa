"""A watched process: its end is seen at once, its output is kept, its time is limited; with and without pidfd_open."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
from pathlib import Path

import pytest
from processes import dies

from veer.execution.replay import ReplayLimits, run
from veer.execution.supervised import Watched, watch
from veer.model.errors import ExecutorError
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.result import Test as Recorded
from veer.toolchain import compiler
from veer.toolchain.runtime import launcher

TEST = Recorded("t", InputMap((), ()), Outcome.RETURNED, None, None, (), "")


@pytest.fixture(params=["pidfd", "no pidfd"], autouse=True)
def _kernel(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(process: int) -> int:
        raise OSError(errno.ENOSYS, f"no pidfd for {process}")

    if request.param == "no pidfd":
        monkeypatch.setattr(os, "pidfd_open", refuse)


def watched(script: str, seconds: float = 60.0) -> Watched:
    process = subprocess.Popen(
        ["/bin/sh", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )
    return watch(process, seconds)


def test_status_and_both_streams() -> None:
    assert watched("echo out; echo err >&2; exit 3") == Watched(3, b"out\n", "err\n", timed_out=False)


def test_a_stream_that_closes_early() -> None:
    assert watched("echo out; exec >&-; sleep 0.05; kill -SEGV $$") == Watched(
        -signal.SIGSEGV, b"out\n", "", timed_out=False
    )


def test_the_end_of_much_output_is_kept() -> None:
    found = watched("head -c 300000 /dev/zero; echo last")
    assert found.output.endswith(b"\0last\n")
    assert len(found.output) == 1 << 16 and not found.is_whole


def test_out_of_time() -> None:
    found = watched("echo begun; sleep 600", 0.2)
    assert found == Watched(-signal.SIGKILL, b"begun\n", "", timed_out=True)


def test_children_do_not_outlive_it() -> None:
    child = int(watched("sleep 600 & echo $!").output)
    assert dies(child), "it has its signal, and needs only a processor to die of it"


def test_the_launcher_sets_hard_limits(tmp_path: Path) -> None:
    script = tmp_path / "limited"
    script.write_text(
        "#!/bin/sh\nulimit -Ht; ulimit -Hv; ulimit -Hf; ulimit -Hc; echo $1 $2; cat /proc/$$/stat | cut -d' ' -f6\n"
    )
    script.chmod(0o755)
    limits = ReplayLimits(launcher(compiler.find()), seconds=2.5, memory=1 << 30, output=64 << 20)
    said = run(script, TEST, limits, tmp_path)
    *lines, session = said.output.splitlines()
    # seconds of the processor, KiB, blocks of 512 bytes (dash), and none for core files
    assert lines == ["24", str(1 << 20), str((64 << 20) // 512), "0", "--test t"]
    assert int(session) != os.getsid(0)


def test_what_is_no_program_is_told(tmp_path: Path) -> None:
    script = tmp_path / "text"
    script.write_text("no program")
    with pytest.raises(ExecutorError, match=r"text cannot be started: Permission denied"):
        run(script, TEST, ReplayLimits(launcher(compiler.find())), tmp_path)
