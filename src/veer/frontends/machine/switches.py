"""Jump tables behind a call: helpers of libgcc for Thumb code of old and small processors, which return elsewhere.

    bl __gnu_thumb1_case_uqi      r0 says which one; the helper adds to lr what stands in the table at lr
    .byte 3, 5, 8                 half of the distance from the table's beginning

Such a call is the computed jump that it stands for (decision 0438).
"""

from __future__ import annotations

import re

from veer.frontends.machine.decoder import CONST, MEMORY, REGISTER, UNIQUE, Instruction, Operation, Varnode
from veer.frontends.machine.image import Image
from veer.model.values import replace

_HELPER = re.compile(r"__gnu_thumb1_case_([su]qi|[su]hi|si)$")
_SIZES = {"q": 1, "h": 2, "s": 4}
_OWN = 0xF0001000
"""Where temporaries of SLEIGH's never lie."""
_INDEX = Varnode(REGISTER, 0x20, 4)
"""r0"""


def with_switch(image: Image, instruction: Instruction) -> Instruction:
    """A call of such a helper as the jump that it makes; another instruction as it is."""
    called = next((each.inputs[0].offset for each in instruction.operations if each.name == "CALL"), None)
    known = image.functions.get(called) if called is not None else None
    matched = _HELPER.match(known.name) if known is not None else None
    if matched is None:
        return instruction
    kind = matched[1]
    is_words = kind == "si"
    size = _SIZES["s" if is_words else kind[1]]
    table = instruction.next + 3 & ~3 if is_words else instruction.next
    return replace(instruction, operations=_jump(table, size, is_signed=kind[0] == "s", is_words=is_words))


def _jump(table: int, size: int, *, is_signed: bool, is_words: bool) -> tuple[Operation, ...]:
    """To the table's beginning and what it holds; numbers that are no words are halves."""
    scaled, place, wide, twice, goal = (Varnode(UNIQUE, _OWN + 8 * k, 4) for k in range(5))
    entry = Varnode(UNIQUE, _OWN + 40, size)
    rows = [
        Operation("INT_MULT", scaled, (_INDEX, _number(size))),
        Operation("INT_ADD", place, (scaled, _number(table))),
        Operation("LOAD", entry, (place,), space=MEMORY),
        Operation("COPY" if is_words else "INT_SEXT" if is_signed else "INT_ZEXT", wide, (entry,)),
        Operation("INT_MULT", twice, (wide, _number(1 if is_words else 2))),
        Operation("INT_ADD", goal, (twice, _number(table))),
        Operation("BRANCHIND", None, (goal,)),
    ]
    return tuple(rows)


def _number(value: int) -> Varnode:
    return Varnode(CONST, value, 4)
