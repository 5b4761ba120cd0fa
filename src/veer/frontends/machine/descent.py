"""Which instructions a function has: found by following its jumps from its first one (recursive descent).

Indirect jumps are not followed here. A jump to the beginning of another function is a tail call.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field

from veer.frontends.machine.decoder import CONST, MEMORY, Decoder, Instruction, Operation
from veer.frontends.machine.image import Code

_ENDS = frozenset(("BRANCH", "BRANCHIND", "RETURN"))


class Routine(Struct):
    """A function's instructions by address; `calls`: the functions that it calls or jumps to, by address.

    `no_code`: addresses that it comes to where no instruction can be read.
    """

    code: Code
    instructions: dict[int, Instruction] = field(default_factory=dict)
    calls: dict[int, Code] = field(default_factory=dict)
    no_code: set[int] = field(default_factory=set)

    def is_tail(self, target: int) -> bool:
        """Whether a jump there leaves the function."""
        return target in self.calls and target not in self.instructions and target not in self.no_code

    @property
    def addresses(self) -> list[int]:
        """In order."""
        return sorted(self.instructions)


def routines(decoder: Decoder, entry: Code) -> tuple[Routine, ...]:
    """The function and all that it calls, directly or not, in the order of their addresses."""
    found: dict[int, Routine] = {}
    waiting = [entry]
    while waiting:
        code = waiting.pop()
        if code.address in found:
            continue
        found[code.address] = routine = descend(decoder, code)
        waiting += [each for each in routine.calls.values() if decoder.image.is_code(each.address)]
    return tuple(found[address] for address in sorted(found))


def descend(decoder: Decoder, code: Code) -> Routine:
    """The instructions of one function."""
    routine = Routine(code)
    waiting = [code.address]
    while waiting:
        address = waiting.pop()
        if address in routine.instructions or address in routine.no_code:
            continue
        instruction = decoder.at(address, is_thumb=code.is_thumb)
        if instruction is None:
            routine.no_code.add(address)
            continue
        routine.instructions[address] = instruction
        for called in call_targets(instruction):
            routine.calls[called] = _callee(decoder, instruction, called, code)
        for target in targets(instruction):
            known = decoder.image.functions.get(target)
            if known is not None and target != code.address:
                routine.calls[target] = known
            else:
                waiting.append(target)
    return routine


def _callee(decoder: Decoder, instruction: Instruction, target: int, caller: Code) -> Code:
    """A function that has no symbol is of the same instruction set, but behind an instruction that changes it."""
    known = decoder.image.functions.get(target)
    if known is not None:
        return known
    name = decoder.image.undefined.get(target, f"function_{target:x}")
    return Code(name, target, 0, is_thumb=caller.is_thumb != (instruction.mnemonic == "blx"))


def call_targets(instruction: Instruction) -> Iterator[int]:
    """Where it calls."""
    for each in instruction.operations:
        if each.name == "CALL":
            yield each.inputs[0].offset


def targets(instruction: Instruction) -> Iterator[int]:
    """Where it goes on within the function, as far as its text says."""
    for each in instruction.operations:
        if each.name in ("BRANCH", "CBRANCH") and each.inputs[0].space == MEMORY:
            yield each.inputs[0].offset
    if falls_through(instruction):
        yield instruction.next


def falls_through(instruction: Instruction) -> bool:
    """Whether it may go on with the next one."""
    operations = instruction.operations
    if not operations or operations[-1].name not in _ENDS:
        return True
    return any(inner_target(place, each) == len(operations) for place, each in enumerate(operations))


def inner_target(place: int, operation: Operation) -> int | None:
    """The place of the operation that it jumps to within its instruction; None where it does not."""
    if operation.name not in ("BRANCH", "CBRANCH") or operation.inputs[0].space != CONST:
        return None
    size = 8 * operation.inputs[0].size
    distance = operation.inputs[0].offset
    return place + (distance - (1 << size) if distance >> (size - 1) else distance)
