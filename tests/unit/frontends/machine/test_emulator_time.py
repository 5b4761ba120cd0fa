"""The emulator's time is that of the processor: on a busy machine a run that unicorn's clock ends goes on."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE

from veer.frontends.machine.architectures import ARM
from veer.frontends.machine.emulator import Case, Machine
from veer.frontends.machine.image import Code, Image, Segment

pytestmark = NEEDS_MACHINE
LOOP = bytes.fromhex("0021013807d4c3074bbf0331053181f001010731f5e708467047")
"""Thumb: for each number below r0 one of `add r1, #3; eor r1, #1` and `add r1, #5; add r1, #7`, by `itete`."""
ROUNDS = 20000


@pytest.mark.parametrize("profile", ["", "M"])
def test_a_run_goes_on_where_the_clock_ended_it(profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from veer.frontends.machine.emulated import Emulator  # noqa: PLC0415 - needs the extra

    segment = Segment("code", 0x10000000, len(LOOP), LOOP, is_writable=False, is_code=True)
    code = Code("f", 0x10000000, len(LOOP), is_thumb=True)
    image = Image(Path("loop"), ARM, (segment,), {code.address: code}, profile=profile)
    request = Machine(image, code, (4,))._request([Case((ROUNDS,), {})], 0.002)
    monkeypatch.setattr(time, "process_time", lambda: 0.0)
    answer = Emulator(request).run(request["tests"][0])  # type: ignore[index]
    expected = 0
    for number in reversed(range(ROUNDS)):
        expected = (expected + 3) ^ 1 if number & 1 else expected + 12
    assert (answer["ended"], answer["result"]) == ("returned", expected)
