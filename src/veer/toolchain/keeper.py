"""The process that outlives a veer that is killed, and clears up behind it.

    python -I -S keeper.py PROCESS MARK SCRATCH...

It waits for the end of PROCESS. If that did not say on standard input that all is well ("."), all processes whose
environment has MARK are killed, and the folders SCRATCH are removed; a name that ends with "*" is a beginning of names.
A mark is inherited by whatever a process starts, however it leaves its session. It imports nothing of veer's: it is
started with each command.
"""

from __future__ import annotations

import contextlib
import glob
import os
import select
import shutil
import signal
import sys
import time

VARIABLE = "VEER_SESSION"
_ROUNDS = 40
_BETWEEN = 0.05
_QUIET = 3  # rounds without any such process, until it is sure that there are none


def marked(mark: str) -> list[int]:
    """The processes of this user's, but this one, that were started with this mark in their environment."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):  # noqa: PTH208
        with contextlib.suppress(OSError), open(f"/proc/{name}/environ", "rb") as file:  # noqa: PTH123
            own = [each for each in file.read().split(b"\0") if each.startswith(VARIABLE.encode() + b"=")]
            if any(mark.encode() in each for each in own):
                found.append(int(name))
    return [process for process in found if process != os.getpid()]


def end_marked(mark: str, spared: int = 0) -> None:
    """Kills them, and what they start meanwhile."""
    quiet = 0
    for _ in range(_ROUNDS):
        found = [process for process in marked(mark) if process != spared]
        for process in found:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        quiet = 0 if found else quiet + 1
        if quiet >= _QUIET:
            return
        time.sleep(_BETWEEN)


def remove(places: list[str]) -> None:
    """Removes these folders."""
    for place in places:
        for folder in glob.glob(f"{glob.escape(place[:-1])}*") if place.endswith("*") else [place]:  # noqa: PTH207
            shutil.rmtree(folder, ignore_errors=True)


def main(process: int, mark: str, places: list[str]) -> None:
    """Waits, and clears up."""
    os.setsid()
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    said = b""
    try:
        ends = select.poll()
        ends.register(os.pidfd_open(process), select.POLLIN)
        ends.poll()
        os.set_blocking(0, False)
        with contextlib.suppress(OSError):
            said = os.read(0, 1)
    except ProcessLookupError:  # it was gone before
        pass
    if said != b".":
        end_marked(mark)
    remove(places)


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2], sys.argv[3:])
