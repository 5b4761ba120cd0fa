"""Ctrl-C, SIGTERM and SIGHUP, step by step: one ends the step that is under way, never the campaign, so that what was
found is written.

    building   │ search │ re-run │ replay │ writing        a signal
    ends all   │ ends the step            │ waits for its end

The second signal within a step ends all steps that follow, too, as soon as each can. Nothing that was found is lost by
any number of them. SIGTERM and SIGHUP are taken where somebody took them before: the command line.
"""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
"""What asks a command to end."""


class Stopped(KeyboardInterrupt):
    """A signal ends a command that has found nothing yet. Its argument is the signal's name."""


def _nothing() -> None:
    """A step that looks at `is_pressed` by itself."""


class Interruption:
    """Takes the signals while it is open (`interruptions()`); `was_pressed` tells of all steps."""

    def __init__(self) -> None:
        self.was_pressed = False
        self.by = ""
        self._pressed = False
        self._ends_all = False
        self._has_begun = False
        self._stop: Callable[[], None] = _nothing

    def begin(self, stop: Callable[[], None] = _nothing) -> None:
        """A new step begins; `stop` is called when it is to end."""
        self._stop, self._has_begun = stop, True
        self._pressed = self._ends_all
        if self._pressed:
            stop()

    def is_pressed(self) -> bool:
        """Whether this step is to end."""
        return self._pressed

    def press(self, number: int = signal.SIGINT, _frame: FrameType | None = None) -> None:
        """What a signal does. Raises Stopped where nothing was begun that could be told of."""
        self.was_pressed, self.by = True, signal.Signals(number).name
        if not self._has_begun:
            raise Stopped(self.by)
        self._ends_all |= self._pressed
        self._pressed = True
        self._stop()

    @contextlib.contextmanager
    def may_be_lost(self) -> Iterator[None]:
        """While it lasts a signal raises Stopped: what is done here is told of nowhere."""
        before, self._has_begun = (self._has_begun, self._stop), False
        try:
            yield
        finally:
            self._has_begun, self._stop = before


@contextlib.contextmanager
def interruptions() -> Iterator[Interruption]:
    """An interruption that gets this process's signals: the one that is open, or a new one.

    In a thread that is not the main one it gets none.
    """
    if threading.current_thread() is not threading.main_thread():
        yield Interruption()
        return
    opened = open_one()
    if opened is not None:
        yield opened
        return
    interruption = Interruption()
    taken = {each: signal.getsignal(each) for each in SIGNALS if _is_taken(each)}
    for each in taken:
        signal.signal(each, interruption.press)
    try:
        yield interruption
    finally:
        for each, before in taken.items():
            signal.signal(each, before)


def open_one() -> Interruption | None:
    """The interruption that is open in this process."""
    handler = getattr(signal.getsignal(signal.SIGINT), "__self__", None)
    return handler if isinstance(handler, Interruption) else None


def may_be_lost() -> contextlib.AbstractContextManager[None]:
    """`Interruption.may_be_lost` of the open one, if there is one."""
    opened = open_one()
    return opened.may_be_lost() if opened is not None else contextlib.nullcontext()


def _is_taken(number: signal.Signals) -> bool:
    """Whether the signal is ours to take: SIGINT in any case, another one if it ends the process by an exception."""
    return number is signal.SIGINT or callable(signal.getsignal(number))
