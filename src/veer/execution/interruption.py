"""Ctrl-C, step by step: it ends the step that is under way, never the campaign, so that what was found is written.

Within one step the second Ctrl-C raises KeyboardInterrupt: something does not end.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType


def _nothing() -> None:
    """A step that looks at `is_pressed` by itself."""


class Interruption:
    """Takes SIGINT while it is open (`interruptions()`); `was_pressed` tells of all steps."""

    def __init__(self) -> None:
        self.was_pressed = False
        self._pressed = False
        self._stop: Callable[[], None] = _nothing

    def begin(self, stop: Callable[[], None] = _nothing) -> None:
        """A new step begins; `stop` is called when it is to end."""
        self._pressed = False
        self._stop = stop

    def is_pressed(self) -> bool:
        """Whether Ctrl-C was pressed in this step."""
        return self._pressed

    def press(self, _signal: int = signal.SIGINT, _frame: FrameType | None = None) -> None:
        """What SIGINT does."""
        if self._pressed:
            raise KeyboardInterrupt
        self._pressed = self.was_pressed = True
        self._stop()


@contextlib.contextmanager
def interruptions() -> Iterator[Interruption]:
    """An interruption that gets this process's SIGINT; in a thread that is not the main one, it gets none."""
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return
    before = signal.signal(signal.SIGINT, interruption.press)
    try:
        yield interruption
    finally:
        signal.signal(signal.SIGINT, before)
