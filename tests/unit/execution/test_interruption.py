"""Ctrl-C ends one step after the other."""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor

import pytest

from veer.execution.interruption import Stopped, interruptions, may_be_lost, open_one


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


def test_twice_within_a_step_ends_all_steps_and_loses_nothing() -> None:
    told: list[str] = []
    with interruptions() as interruption:
        interruption.begin()
        for _ in range(5):
            interruption.press()
        interruption.begin(lambda: told.append("next"))
        assert interruption.is_pressed() and told == ["next"]


def test_before_anything_is_found_it_ends_the_command() -> None:
    with interruptions() as interruption:
        with pytest.raises(Stopped, match="SIGTERM"):
            interruption.press(signal.SIGTERM)
        interruption.begin()
        with pytest.raises(Stopped), may_be_lost():
            os.kill(os.getpid(), signal.SIGINT)
        interruption.press()
        assert interruption.is_pressed() and interruption.by == "SIGINT"


def test_a_campaign_within_shares_it() -> None:
    with interruptions() as outer, interruptions() as inner:
        assert inner is outer
        inner.begin()
    assert open_one() is None


def test_sigterm_is_taken_from_who_handles_it_alone() -> None:
    with interruptions():
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL
    before = signal.signal(signal.SIGTERM, lambda *_: None)
    try:
        with interruptions() as interruption:
            interruption.begin()
            os.kill(os.getpid(), signal.SIGTERM)
            assert interruption.by == "SIGTERM"
    finally:
        signal.signal(signal.SIGTERM, before)


def test_a_thread_of_its_own_gets_no_signal() -> None:
    def campaign() -> bool:
        with interruptions() as interruption:
            return interruption.was_pressed

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(campaign).result() is False
