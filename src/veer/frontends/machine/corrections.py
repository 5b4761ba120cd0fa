"""What SLEIGH has wrong and what is mended here, as p-code. What is wrong and not mended is refused (validated.py).

8051 ADDC, SUBB    SLEIGH adds the carry to the operand in 8 bits and compares then: 0xff and a carry give no carry on
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.machine.architectures import I8051, Architecture
from veer.frontends.machine.decoder import UNIQUE, Operation, Varnode

_OWN = 0xF0000000
"""Where temporaries of SLEIGH's never lie."""
_STEPS = {"ADDC": ("INT_CARRY", "INT_ADD"), "SUBB": ("INT_LESS", "INT_SUB")}


def corrected(machine: Architecture, text: str, operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations of an instruction, as the processor does them."""
    mnemonic = text.split(" ", 1)[0]
    if machine is not I8051 or mnemonic not in _STEPS:
        return operations
    flag, total = _STEPS[mnemonic]
    carry = next(each.output for each in operations if each.name == "INT_RIGHT")
    added = next(each for each in operations if each.name == "INT_ADD" and carry in each.inputs)
    operand = next(each for each in added.inputs if each != carry)
    assert carry is not None
    return tuple(
        new
        for each in operations
        for new in (_carried(each, operand, carry, flag, total) if each.name == flag else (each,))
    )


def _carried(old: Operation, operand: Varnode, carry: Varnode, flag: str, total: str) -> Iterator[Operation]:
    """A carry of two steps: of the operand, then of the carry that came in."""
    first, second, between = (Varnode(UNIQUE, _OWN + place, 1) for place in range(3))
    accumulator = old.inputs[0]
    yield Operation(flag, first, (accumulator, operand))
    yield Operation(total, between, (accumulator, operand))
    yield Operation(flag, second, (between, carry))
    yield Operation("BOOL_OR", old.output, (first, second))
