"""Code that only leads to a function of another file: the stubs of a procedure linkage table.

jmp *[0x10004010]      the word there is one that only a dynamic linker writes: it is the address of `strlen`
"""

from __future__ import annotations

from veer.frontends.machine.architectures import ARM
from veer.frontends.machine.constants import INDIRECT, static_target
from veer.frontends.machine.decoder import Decoder, Instruction

_LONGEST = 6  # instructions of a stub
_ENDS = frozenset(("BRANCH", "CBRANCH", "CALL", "RETURN"))


def led_to(decoder: Decoder, address: int, *, is_thumb: bool) -> int | None:
    """The address that the code there leads to, with the mark of its instruction set; None where it is no stub."""
    before: list[Instruction] = []
    while len(before) < _LONGEST and decoder.image.stubs:
        instruction = decoder.at(before[-1].next if before else address, is_thumb=is_thumb)
        if instruction is None or any(each.name in _ENDS for each in instruction.operations):
            return None
        if any(each.name in INDIRECT for each in instruction.operations):
            return static_target(decoder.image, before, instruction)
        before.append(instruction)
    return None


def imported(decoder: Decoder, number: int) -> str | None:
    """The name that is not defined and whose address this is, with or without the mark of an instruction set."""
    image = decoder.image
    return image.undefined.get(number & ~1 if image.architecture is ARM else number)
