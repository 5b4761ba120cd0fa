"""What belongs to one process of veer's and its forks: its scratch folder, and a mark on the processes that it starts.

A keeper (`keeper.py`) clears both up when veer is killed. It is started with the first of them.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

from msgspec import Struct

from veer.model.cachedir import cache_root
from veer.toolchain import keeper

JOINS = "VEER_JOINS"


class Session(Struct, frozen=True):
    """`mark`: in the environment of what it starts; `owner`: the process that began it; `wire`: to its keeper."""

    mark: str
    owner: int
    scratch: Path
    wire: int

    def end(self) -> None:
        """All is well: the keeper has nothing to kill."""
        if self.owner != os.getpid():
            return
        shutil.rmtree(self.scratch, ignore_errors=True)
        with contextlib.suppress(OSError):
            os.write(self.wire, b".")
            os.close(self.wire)


@cache
def session() -> Session:
    """The one of this process, of the one that it was forked from, or of the one that started it as a part of its own
    (JOINS is in the environment)."""
    if os.environ.pop(JOINS, ""):
        mark = os.environ[keeper.VARIABLE].rpartition(":")[2]
        return Session(mark, 0, Path(tempfile.gettempdir()) / f"veer-{mark}", -1)
    mark = secrets.token_hex(8)
    scratch = Path(tempfile.gettempdir()) / f"veer-{mark}"
    outer = os.environ.get(keeper.VARIABLE, "")
    os.environ[keeper.VARIABLE] = f"{outer}:{mark}" if outer else mark
    theirs, ours = os.pipe2(os.O_CLOEXEC)
    places = (str(scratch), str(cache_root() / "tmp" / f"{mark}-*"))
    with contextlib.suppress(OSError):  # then nobody clears up behind a veer that is killed
        subprocess.Popen(
            (sys.executable, "-I", "-S", str(Path(keeper.__file__)), str(os.getpid()), mark, *places),
            stdin=theirs,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            cwd="/",
            env={name: value for name, value in os.environ.items() if name == "LD_LIBRARY_PATH"},
        ).returncode = 0  # nobody waits for it
    os.close(theirs)
    made = Session(mark, os.getpid(), scratch, ours)
    atexit.register(made.end)
    return made


def scratch_root() -> str:
    """Where folders are made that are nobody's result: a folder that goes with this process."""
    place = session().scratch
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    return str(place)


def end_children() -> None:
    """Kills what this process, or a fork of it, has started and left."""
    if session.cache_info().currsize:
        keeper.end_marked(session().mark, spared=os.getpid())
