"""Where a function asks how objects lie in memory: C leaves that open, so that a claim has to name it.

    icmp ult ptr %p, %q            a comparison, if %p and %q may lead to different objects
    sub i64 %a, %b                 likewise, of two addresses
    and i64 %a, 15                 the bits of an address

That two pointers lead to one object is known where both are computed from one pointer. Elsewhere the runtime looks
at each comparison (`veer_compare_places`). What asks for bits is told once it runs (`veer_ask_place`). Equality asks
for nothing, nor do null and comparisons with the first and the last addresses of memory. Addresses that go through
memory as integers are not followed.

Integers from which an address is made (`inttoptr`) may be addresses, too, or indices: machine code knows no other
addresses. Of these the runtime looks whether they lie in objects (`veer_compare_numbers`, `veer_ask_bits`).

    icmp ult i64 %a, %b            a comparison, or a difference, of two such numbers
    and i64 %a, 7                  their lowest bits
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from veer.instrument import convention
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.opcodes import BINARY
from veer.instrument.taint import Step
from veer.instrument.writer import FunctionWriter

_GLOBAL = re.compile(r'@(?:[-\w.$]+|"[^"]*")')
_ROUNDS = 16
_FIRST_PAGE, _LAST_PAGE = 1 << 16, -(1 << 16)
_MOVES = frozenset(("add", "sub", "freeze", "phi", "select", "choose"))
"""Results are addresses when an operand is one."""
_MADE_OF = frozenset((*_MOVES, "zext", "sext", "or"))
"""An integer that becomes an address may be made of these operands."""
_KEEP_LOW_BITS = frozenset(("or", "xor", "add", "sub", "trunc", "zext", "sext", "freeze"))
"""The lowest bits of their results are those of their operands, put together."""
_LOW_BITS = 0xFFF
"""A mask of at most so much asks for the bits of an address."""
_SINKS = frozenset(("trunc", "uitofp", "sitofp", "call", "ret", "switch"))
"""What takes an address as an integer may ask for its bits."""


class Asks(Enum):
    """What an instruction wants to know of the places of objects."""

    ORDER = "which of two addresses is greater, or how far they lie apart"
    BITS = "the bits of an address"
    ORDER_IF_ADDRESSES = "which of two numbers is greater, which may be addresses"
    BITS_IF_ADDRESS = "the lowest bits of a number that may be an address"
    BITS_OF_DIFFERENCE = "the lowest bits of a difference of two numbers, which may be addresses in one object"


def asks(steps: Sequence[Step]) -> dict[int, Asks]:
    """By the numbers of its steps: those of a function that may ask; what -fsanitize put in is left out."""
    own = [step for step in steps if not step.instruction.is_sanitizer]
    defined = {step.instruction.result: step.instruction for step in own if step.instruction.result}
    addresses = _addresses(defined.values())
    maybe = _maybe_addresses(own, defined) - addresses
    masked = _masked(own, defined) if maybe else set[str]()
    found = {
        step.number: _asked(step.instruction, addresses, defined)
        or _asked_maybe(step.instruction, maybe, masked, defined)
        for step in own
    }
    return {number: kind for number, kind in found.items() if kind is not None}


def _maybe_addresses(steps: Iterable[Step], defined: Mapping[str, Instruction]) -> set[str]:
    """The integers from which addresses are made: a base, or an index."""
    waiting = [step.instruction.operands[0] for step in steps if step.instruction.opcode == "inttoptr"]
    found: set[str] = set()
    while waiting:
        operand = waiting.pop()
        if operand.type not in ("i32", "i64") or not operand.value.startswith("%") or operand.value in found:
            continue
        found.add(operand.value)
        each = defined.get(operand.value)
        if each is not None and each.opcode in _MADE_OF:
            waiting += _data(each)[:1] if each.opcode == "sub" else _data(each)
    return found


def _masked(steps: Iterable[Step], defined: Mapping[str, Instruction]) -> set[str]:
    """The numbers whose lowest bits somebody takes, whatever they are put together from: `(p | q) & 3`."""
    waiting = [step.instruction.operands[0].value for step in steps if _takes_low_bits(step.instruction)]
    found: set[str] = set()
    while waiting:
        value = waiting.pop()
        each = defined.get(value)
        if value not in found and each is not None and each.opcode in _KEEP_LOW_BITS:
            waiting += [operand.value for operand in each.operands]
        found.add(value)
    return found


def _takes_low_bits(each: Instruction) -> bool:
    """Whether it keeps the lowest bits of a number alone."""
    if each.opcode not in ("and", "shl") or not each.operands[1].value.isdigit():
        return False
    number = int(each.operands[1].value)
    return number <= _LOW_BITS if each.opcode == "and" else number >= int(each.type[1:]) - _LOW_BITS.bit_length()


def _asked_maybe(
    each: Instruction, maybe: set[str], masked: set[str], defined: Mapping[str, Instruction]
) -> Asks | None:
    """What it asks of integers that may be addresses. `masked`: those whose lowest bits somebody takes."""
    known = [operand.value in maybe for operand in each.operands]
    if not any(known):
        return None
    is_difference = each.opcode == "sub" and known[1]
    if is_difference and not _may_differ(each.operands[0], each.operands[1], defined):
        return None
    if is_difference and each.result in masked and each.result not in maybe:
        return Asks.BITS_OF_DIFFERENCE
    if _takes_low_bits(each) or (each.result in masked and each.opcode in _KEEP_LOW_BITS and each.result not in maybe):
        return Asks.BITS_IF_ADDRESS
    if each.opcode == "sub" or (each.opcode == "icmp" and each.detail not in ("eq", "ne")):
        is_asked = all(known) and _may_differ(each.operands[0], each.operands[1], defined)
        return Asks.ORDER_IF_ADDRESSES if is_asked else None
    return None


def _addresses(instructions: Iterable[Instruction]) -> set[str]:
    """The integers that are addresses."""
    listed = [each for each in instructions if each.type == "i64" and each.opcode in (*_MOVES, "ptrtoint")]
    found: set[str] = set()
    for _ in range(_ROUNDS):
        before = len(found)
        for each in listed:
            count = sum(_is_address(operand, found) for operand in _data(each))
            is_difference = each.opcode == "sub" and (
                count == len(each.operands) or _is_address(each.operands[1], found)
            )
            if each.opcode == "ptrtoint" or (count and not is_difference):
                found.add(each.result)
        if len(found) == before:
            break
    return found


def _data(instruction: Instruction) -> Sequence[Operand]:
    """The operands without the condition of a choice."""
    is_choice = instruction.opcode in ("select", "choose")
    return instruction.operands[1:] if is_choice else instruction.operands


def _is_address(operand: Operand, addresses: set[str]) -> bool:
    return operand.value in addresses or (operand.type == "i64" and operand.value.startswith("ptrtoint"))


def _asked(each: Instruction, addresses: set[str], defined: Mapping[str, Instruction]) -> Asks | None:
    if each.opcode == "icmp" and each.operands[0].type in ("ptr", "i64"):
        return _compared(each, addresses, defined)
    known = [_is_address(operand, addresses) for operand in each.operands]
    if not any(known):
        return None
    if each.opcode == "sub" and all(known):
        return Asks.ORDER if _may_differ(each.operands[0], each.operands[1], defined) else None
    is_sink = each.opcode in _SINKS or (each.opcode in BINARY and each.opcode not in ("add", "sub"))
    return Asks.BITS if is_sink else None


def _compared(each: Instruction, addresses: set[str], defined: Mapping[str, Instruction]) -> Asks | None:
    left, right = each.operands
    is_known = left.type == "ptr" or _is_address(left, addresses) or _is_address(right, addresses)
    if each.detail in ("eq", "ne") or not is_known or _is_end(left) or _is_end(right):
        return None
    return Asks.ORDER if _may_differ(left, right, defined) else None


def _is_end(operand: Operand) -> bool:
    """Null, or an address at which no object lies."""
    value = operand.value
    number = 0 if value == "null" else int(value) if value.lstrip("-").isdigit() else None
    return number is not None and _LAST_PAGE <= number < _FIRST_PAGE


def _may_differ(left: Operand, right: Operand, defined: Mapping[str, Instruction]) -> bool:
    """Whether the two may be addresses in different objects."""
    origins = _origins(left, defined), _origins(right, defined)
    return len(origins[0]) != 1 or origins[0] != origins[1]


def _origins(operand: Operand, defined: Mapping[str, Instruction]) -> frozenset[str]:
    """The pointers that it may be computed from."""
    found: set[str] = set()
    seen: set[str] = set()
    waiting = [operand.value]
    while waiting:
        value = waiting.pop()
        if value in seen:
            continue
        seen.add(value)
        each = defined.get(value)
        if each is None:
            names = _GLOBAL.findall(value)
            found.add(names[0] if len(names) == 1 else value)
        elif each.opcode in ("getelementptr", "ptrtoint", "inttoptr"):
            waiting.append(each.operands[0].value)
        elif each.opcode in ("phi", "freeze", "select", "choose"):
            waiting += [one.value for one in _data(each)]
        elif each.opcode in ("add", "sub") and each.operands[1].value.lstrip("-").isdigit():
            waiting.append(each.operands[0].value)
        else:
            found.add(value)
    return frozenset(found)


_OF_BITS = frozenset((Asks.BITS, Asks.BITS_IF_ADDRESS, Asks.BITS_OF_DIFFERENCE))
_NUMBERS = {
    **dict.fromkeys((Asks.ORDER, Asks.ORDER_IF_ADDRESSES, Asks.BITS_IF_ADDRESS, Asks.BITS_OF_DIFFERENCE), 2),
    Asks.BITS: 0,
}
_TELLS = {
    Asks.ORDER: "veer_compare_places",
    Asks.BITS: "veer_ask_place",
    Asks.ORDER_IF_ADDRESSES: "veer_compare_numbers",
    Asks.BITS_IF_ADDRESS: "veer_ask_bits",
    Asks.BITS_OF_DIFFERENCE: "veer_ask_bits_of_difference",
}


def write_question(writer: FunctionWriter, instruction: Instruction, kind: Asks) -> None:
    """Code before the instruction. The hot block knows one object, within which all may be compared; once something
    was told, that is all of memory."""
    hot = writer.hot
    base = writer.value(hot, f"load i64, ptr {convention.hot('placed_base')}, align 8")
    size = writer.value(hot, f"load i64, ptr {convention.hot('placed_size')}, align 8")
    numbers = [writer.bits(hot, *operand) for operand in instruction.operands[: _NUMBERS[kind]]]
    if kind in _OF_BITS:
        is_asked = writer.value(hot, f"icmp ne i64 {size}, -1")
    else:
        away = [writer.value(hot, f"sub i64 {each}, {base}") for each in numbers]
        outside = [writer.value(hot, f"icmp ugt i64 {each}, {size}") for each in away]
        is_asked = writer.value(hot, f"or i1 {outside[0]}, {outside[1]}")
    if kind is Asks.ORDER_IF_ADDRESSES:
        for each in numbers:
            is_high = writer.value(hot, f"icmp uge i64 {each}, {_FIRST_PAGE}")
            is_asked = writer.value(hot, f"and i1 {is_asked}, {is_high}")
    slow, onward = writer.when(is_asked)
    writer.cold.start(slow)
    given = ", ".join(f"i64 {each}" for each in numbers)
    for one in [f"i64 {each}" for each in numbers] if kind is Asks.BITS_IF_ADDRESS else [given]:
        writer.cold.add(f"call void {writer.unit.runtime(_TELLS[kind])}({one})")
    writer.cold.add(f"br label %{onward}")
    writer.hot.start(onward)
