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
    """The address that the code there leads to, with the mark of its instruction set; None where it is no stub.

    A stub in Thumb code may lead to one in ARM code: `bx pc; nop`.
    """
    found, seen = _step(decoder, address, is_thumb=is_thumb), {address}
    while found is not None and imported(decoder, found) is None:
        is_marked = decoder.image.architecture is ARM and bool(found & 1)
        place = found & ~1 if is_marked else found
        if place in decoder.image.functions or place in seen:
            break
        seen.add(place)
        further = _step(decoder, place, is_thumb=is_marked)
        if further is None:
            break
        found = further
    return found


def _step(decoder: Decoder, address: int, *, is_thumb: bool) -> int | None:
    before: list[Instruction] = []
    while len(before) < _LONGEST and decoder.image.stubs:
        instruction = decoder.at(before[-1].next if before else address, is_thumb=is_thumb)
        if instruction is None or any(each.name in _ENDS for each in instruction.operations):
            return None
        if _acts(decoder, instruction):
            return None
        if any(each.name in INDIRECT for each in instruction.operations):
            return static_target(decoder.image, before, instruction)
        before.append(instruction)
    return None


def _acts(decoder: Decoder, instruction: Instruction) -> bool:
    """Whether it does more than a stub: a function whose first instruction calls another one, or a block that hands it
    its arguments (`mov edi, 5; jmp *[0x10004010]`), is none."""
    registers, machine = decoder.registers(), decoder.image.architecture
    names = {*machine.arguments, machine.result, machine.stack, machine.link} - {""}
    kept = [registers[name] for name in names]
    written = [each.output for each in instruction.operations if each.output is not None]
    return any(each.name == "STORE" for each in instruction.operations) or any(
        one.space == other.space and one.offset < other.offset + other.size and other.offset < one.offset + one.size
        for one in written
        for other in kept
    )


def imported(decoder: Decoder, number: int) -> str | None:
    """The name that is not defined and whose address this is, with or without the mark of an instruction set."""
    image = decoder.image
    return image.undefined.get(number & ~1 if image.architecture is ARM else number)
