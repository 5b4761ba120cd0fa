"""ARM and Thumb in one image: what one instruction says of the other set leaves the code behind its target as it is."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from veer.frontends.machine.architectures import ARM
from veer.frontends.machine.decoder import Decoder, Instruction
from veer.frontends.machine.image import Image, Segment

pytestmark = pytest.mark.skipif(importlib.util.find_spec("pypcode") is None, reason="needs the extra `machine`")
AT = 0x10000000
RETURN, CALL_BACK, SET, THUMB_RETURN = "1eff2fe1", "fff7f8ef", "0120", "7047"  # bx lr; blx AT; movs r0, #1; bx lr


def decoder(code: str) -> Decoder:
    data = bytes.fromhex(code)
    return Decoder(Image(Path("x"), ARM, (Segment("code", AT, len(data), data, False, is_code=True),), {}))


def called(instruction: Instruction | None) -> list[int]:
    assert instruction is not None
    return [each.inputs[0].offset for each in instruction.operations if each.name == "CALL"]


def test_thumb_code_behind_the_target_of_its_own_blx_stays_thumb_code() -> None:
    code = decoder(RETURN + 4 * THUMB_RETURN + CALL_BACK + SET + THUMB_RETURN + bytes(16).hex())
    exchange = code.at(AT + 12, is_thumb=True)
    assert called(exchange) == [AT]
    shown = [code.at(AT + place, is_thumb=True) for place in (16, 18)]
    assert [each.mnemonic if each else None for each in shown] == ["movs", "bx"]


@pytest.mark.parametrize(
    ("word", "target"), [("fdfffffa", AT + 4), ("fdfffffb", AT + 6), ("020000fa", AT + 0x18), ("020000fb", AT + 0x1A)]
)
def test_arm_code_behind_the_target_of_its_own_blx_stays_arm_code(word: str, target: int) -> None:
    code = decoder(2 * RETURN + word + 8 * RETURN)
    exchange = code.at(AT + 8)
    assert exchange is not None
    assert (exchange.mnemonic, exchange.length, called(exchange)) == ("blx", 4, [target])
    behind = code.at(AT + 32)
    assert behind is not None
    assert behind.mnemonic == "bx"


def test_a_call_that_stays_in_its_set_is_no_exchange() -> None:
    call = decoder(8 * "00bf" + "fff7f8ff" + bytes(16).hex()).at(AT + 16, is_thumb=True)
    assert call is not None
    assert (call.mnemonic, called(call)) == ("bl", [AT + 4])
