"""DIR belongs to one veer at a time: a second one waits a moment for the first one's last breath, then says so.

The kernel's lock on the directory goes with whoever has it open, veer's forks too: nothing is left when all are gone.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from veer.model.errors import UsageError

_PATIENCE = 5.0
_BETWEEN = 0.05


@contextmanager
def held(out: Path) -> Iterator[None]:
    """Holds DIR while it lasts; one that is not there, or on a file system without locks, is not held.

    Raises UsageError where another process has it.
    """
    try:
        handle = os.open(out, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        yield
        return
    try:
        _lock(handle, out)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, out: Path) -> None:
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise UsageError(f"another veer works on {out}: wait for its end, or give another --out") from None
            time.sleep(_BETWEEN)
        except OSError:
            return
        else:
            return
