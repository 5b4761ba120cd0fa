"""Calls by which code asks where it lies: PowerPC has no other way to tell.

    bl behind            LR becomes the address of the word; nothing returns to it
    .long 0x1234         a distance, as data
behind: mflr r3          the code takes it, and reads the word there

Such a call is a jump.
"""

from __future__ import annotations

from veer.frontends.machine.architectures import POWERPC
from veer.frontends.machine.decoder import Decoder, Instruction
from veer.model.values import replace

_MOST = 16
"""Bytes of data that such a call jumps over."""


def without_asking(decoder: Decoder, instruction: Instruction) -> Instruction:
    """Such a call as a jump; another instruction as it is."""
    if decoder.image.architecture is not POWERPC:
        return instruction
    called = next((each.inputs[0].offset for each in instruction.operations if each.name == "CALL"), None)
    if called is None or not instruction.next < called <= instruction.next + _MOST or called in decoder.image.functions:
        return instruction
    behind, link = decoder.at(called), decoder.registers()[POWERPC.link]
    if behind is None or not any(link in each.inputs for each in behind.operations):
        return instruction
    jump = tuple(replace(each, name="BRANCH") if each.name == "CALL" else each for each in instruction.operations)
    return replace(instruction, operations=jump)
