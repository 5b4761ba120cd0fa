"""A process of its own for what loads LLVM: an abort of LLVM's kills nobody else, and a cache hit pays nothing for it.

`python -m MODULE REQUEST REPLY`: both are JSON files; REQUEST.stage holds what is worked on, for the message after an
abort. A process that has more to do than to reply says so on standard output, and goes on.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec

from veer.frontends.llvm.exchange import decode, encode
from veer.model.errors import ToolchainError
from veer.toolchain.cache import Cache, digest, storage_error
from veer.toolchain.runtime import ROOT

Reply = TypeVar("Reply")
Stage = Callable[[str], None]
_ANSWERED = "answered\n"


def answer(module: str, request: object, kind: type[Reply], cache: Cache, key: str) -> Reply:
    """The reply of this module's process. Raises ToolchainError when it died; its log is kept under `key`."""
    with cache.scratch() as scratch:
        asked, answered = scratch / "request.json", scratch / "reply.json"
        try:
            asked.write_bytes(encode(request))
        except OSError as error:
            raise storage_error(error, asked) from error
        done = _run([sys.executable, "-P", "-m", module, str(asked), str(answered)])
        if done.returncode == -signal.SIGINT:
            # The terminal sends Ctrl-C to both; whoever handles it here must not see an error of the toolchain's.
            raise KeyboardInterrupt
        if not answered.exists():
            log = cache.write(done.stderr.encode(), "log", digest(key), ".txt")
            raise ToolchainError(f"{_died(done, stage_file(asked))} with {log}")
        try:
            return decode(answered.read_bytes(), kind)
        except msgspec.DecodeError as error:
            raise ToolchainError("the reply of the cold build is cut short: is the disk full?") from error


def stage_file(request: Path) -> Path:
    """Where a process says what it works on."""
    return request.with_suffix(".stage")


def say_answered() -> None:
    """Called by the process when its reply is written: nobody waits for it any more, and it may go on working."""
    sys.stdout.write(_ANSWERED)
    sys.stdout.flush()


def _run(command: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Starts the process and waits until it has answered, or ended."""
    # -P and the path: a file of the user's named like one of Python's modules must not be loaded instead of it.
    path = os.pathsep.join(part for part in (str(ROOT.parent), os.environ.get("PYTHONPATH", "")) if part)
    with tempfile.TemporaryFile("w+", errors="replace") as errors:
        process = subprocess.Popen(
            command,
            env=dict(os.environ, PYTHONPATH=path),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
        assert process.stdout is not None
        with process.stdout:
            if process.stdout.readline() == _ANSWERED:
                threading.Thread(target=process.wait, daemon=True).start()
                return subprocess.CompletedProcess(command, 0, "", "")
        process.wait()
        errors.seek(0)
        return subprocess.CompletedProcess(command, process.returncode, "", errors.read())


def _died(done: subprocess.CompletedProcess[str], stage: Path) -> str:
    try:
        working_on = stage.read_text() or "the sources"
    except OSError:
        working_on = "the sources"
    last = (done.stderr.strip().splitlines() or ["no message"])[-1]
    how = f"was killed by signal {-done.returncode}" if done.returncode < 0 else f"ended with code {done.returncode}"
    return (
        f"the process that instruments {working_on} {how} ({last}): this is a bug of veer's or LLVM's, please report it"
    )
