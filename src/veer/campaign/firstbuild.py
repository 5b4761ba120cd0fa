"""Tells that veer builds its own runtime: once for a machine and a version, which takes a while.

with told(toolchain, progress):
    ...            compile: veer's runtime is built, once for this machine: [##..................] 12 of 120 files
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from veer.model.progress import Progress
from veer.toolchain.compiler import Toolchain
from veer.toolchain.runtime import files_made

_SECONDS_BETWEEN = 0.5
_BAR = 20  # characters of the bar


def sentence(toolchain: Toolchain) -> str:
    """How far the runtime is; "" when it is there."""
    made, all_of_them = files_made(toolchain)
    if made == all_of_them:
        return ""
    full = _BAR * made // all_of_them
    bar = "#" * full + "." * (_BAR - full)
    return f"veer's runtime is built, once for this machine: [{bar}] {made} of {all_of_them} files"


@contextlib.contextmanager
def told(toolchain: Toolchain, progress: Callable[[Progress], None]) -> Iterator[None]:
    """Tells how far the runtime is as long as this context lasts, or until it is there; nothing where it is."""
    if not sentence(toolchain):
        yield
        return
    is_over = threading.Event()
    teller = threading.Thread(target=_tell, args=(toolchain, progress, is_over), daemon=True)
    teller.start()
    try:
        yield
    finally:
        is_over.set()
        teller.join()


def _tell(toolchain: Toolchain, progress: Callable[[Progress], None], is_over: threading.Event) -> None:
    began = time.monotonic()
    while said := sentence(toolchain):
        progress(Progress("compile", time.monotonic() - began, note=said))
        if is_over.wait(_SECONDS_BETWEEN):
            return
