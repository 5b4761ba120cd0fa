"""Numbers that a function writes to what a pointer beside them leads to: they are values, and count nothing there.

int digit(char *c, int n) { if (n > 9) return -1; *c = '0' + n; return 0; }        n is written
void put(unsigned char *out, int n) { out[0] = n >> 8; out[1] = n; }               so it is here
void frame(unsigned char *out, int n) { out[0] = n; while (n--) *++out = 0; }      n counts, too

Such a number is written, compared with constants, and no more: what is an index, is compared with something that
varies, is kept, or goes to a function may be the number of elements.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.c.contracts.functionbody import FunctionBody, is_constant
from veer.instrument.instructions import Instruction

_ARITHMETIC = ("add", "sub", "mul", "sdiv", "udiv", "srem", "urem", "shl", "lshr", "ashr", "and", "or", "xor")
_THROUGH = frozenset((*_ARITHMETIC, "sext", "zext", "trunc", "sitofp", "uitofp", "phi", "select"))
"""Operations whose result is data of their operands."""


def stored_numbers(body: FunctionBody) -> frozenset[tuple[str, str]]:
    """Pairs of parameters, a pointer and a number that is written there and not used as a count."""
    written, counts = set[tuple[str, str]](), set[str]()
    for instruction in body.instructions():
        written.update(_written(body, instruction))
        counts.update(_counts(body, instruction))
    return frozenset((pointer, number) for pointer, number in written if number not in counts)


def _written(body: FunctionBody, instruction: Instruction) -> Iterator[tuple[str, str]]:
    """What a store writes, and the pointer that it writes through."""
    if instruction.opcode == "store":
        value, address = (each.value for each in instruction.operands)
        if pointer := _pointer(body, address):
            yield from ((pointer, number) for number in _numbers(body, value))


def _counts(body: FunctionBody, instruction: Instruction) -> Iterator[str]:
    """The numbers that one instruction uses as counts may be used."""
    values = [each.value for each in instruction.operands]
    if instruction.call is not None:
        values = [each.value for each in instruction.call.arguments]
    elif instruction.opcode == "icmp":
        values = [] if any(map(is_constant, values)) else values
    elif instruction.opcode == "store":
        values = [] if _pointer(body, values[1]) else values[:1]
    elif instruction.opcode != "getelementptr":
        return
    for each in values:
        yield from _numbers(body, each)


def _pointer(body: FunctionBody, address: str) -> str:
    """The parameter that an address begins at, also by way of one local variable that is set once; "" for none."""
    while (made := body.made.get(address)) is not None and made.opcode == "getelementptr":
        address = made.operands[0].value
    if made is None or made.opcode != "load":
        return ""
    slot = made.operands[0].value
    stored = body.stores.get(slot, ())
    if slot not in body.parameters and len(stored) == 1:
        slot = body.slot(stored[0])
    return body.parameters.get(slot, "")


def _numbers(body: FunctionBody, value: str) -> frozenset[str]:
    """The parameters that a number is made of."""
    made = body.made.get(value)
    if made is None:
        return frozenset()
    if made.opcode == "load":
        return frozenset({body.parameters[slot]} if (slot := made.operands[0].value) in body.parameters else ())
    if made.opcode not in _THROUGH:
        return frozenset()
    return frozenset().union(*(_numbers(body, each.value) for each in made.operands))
