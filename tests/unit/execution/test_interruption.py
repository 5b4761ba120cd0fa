"""Ctrl-C ends one step after the other."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from veer.execution.interruption import interruptions


def test_each_step_is_ended_by_its_own_ctrl_c() -> None:
    before = signal.getsignal(signal.SIGINT)
    told: list[str] = []
    with interruptions() as interruption:
        interruption.begin(lambda: told.append("search"))
        os.kill(os.getpid(), signal.SIGINT)
        assert told == ["search"] and interruption.is_pressed()
        interruption.begin()
        assert not interruption.is_pressed() and interruption.was_pressed
        os.kill(os.getpid(), signal.SIGINT)
        assert told == ["search"] and interruption.is_pressed()
    assert signal.getsignal(signal.SIGINT) is before


def test_twice_within_a_step_ends_all() -> None:
    with interruptions() as interruption:
        interruption.begin()
        interruption.press()
        with pytest.raises(KeyboardInterrupt):
            interruption.press()


def test_a_thread_of_its_own_gets_no_signal() -> None:
    def campaign() -> bool:
        with interruptions() as interruption:
            return interruption.was_pressed

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(campaign).result() is False
