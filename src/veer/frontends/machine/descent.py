"""Which instructions a function has: found by following its jumps from its first one (recursive descent).

Of an indirect jump or call the targets are known that the code before it computes (constants.py), and those that runs
met. A jump to the beginning of another function is a tail call, and so is one that leaves the function's bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct, field

from veer.frontends.machine.architectures import ARM
from veer.frontends.machine.constants import INDIRECT, mode_of, static_target
from veer.frontends.machine.corrections import returning
from veer.frontends.machine.decoder import CONST, MEMORY, REGISTER, Decoder, Instruction, Operation, Varnode
from veer.frontends.machine.image import Code, Image
from veer.frontends.machine.library import NO_RETURN, canonical
from veer.frontends.machine.stubs import imported, led_to
from veer.frontends.machine.switches import with_switch
from veer.frontends.machine.whereabouts import without_asking
from veer.model.values import replace

_ENDS = frozenset(("BRANCH", "BRANCHIND", "RETURN"))
_CALLS = frozenset(("CALL", "CALLIND"))
_CALL_SIZES = range(2, 8)
"""Bytes of an instruction that calls."""
_WORD = 4
"""Bytes of a register of ARM."""
_MOST_BEFORE = 12
"""Instructions before an indirect jump that are looked at."""
JumpTargets = tuple[tuple[int, int], ...]
"""What runs met: the address of an instruction, and where it went, with the mark of the instruction set."""


class Target(Struct, frozen=True, order=True):
    """Where an indirect jump or call goes. `number`: as the machine has it, with the mark of the instruction set."""

    number: int
    code: Code
    is_met: bool = False


class Routine(Struct):
    """A function's instructions by address; `calls`: the functions that it calls or jumps to, by address.

    `no_code`: addresses that it comes to where no instruction can be read; `indirect`: what is known of indirect jumps
    and calls, by their addresses; `imports`: the names of functions of other files that its calls and jumps lead to, by
    the addresses that these name; `through`: functions of this file that its calls lead to through a stub, likewise.
    """

    code: Code
    instructions: dict[int, Instruction] = field(default_factory=dict)
    calls: dict[int, Code] = field(default_factory=dict)
    no_code: set[int] = field(default_factory=set)
    indirect: dict[int, tuple[Target, ...]] = field(default_factory=dict)
    imports: dict[int, str] = field(default_factory=dict)
    through: dict[int, Code] = field(default_factory=dict)

    def ends(self, instruction: Instruction) -> bool:
        """Whether it calls a function that does not return."""
        return any(canonical(self.imports.get(each, "")) in NO_RETURN for each in call_targets(instruction))

    def is_tail(self, target: int) -> bool:
        """Whether a jump there leaves the function."""
        return target in self.calls and target not in self.instructions and target not in self.no_code

    @property
    def addresses(self) -> list[int]:
        """In order."""
        return sorted(self.instructions)


def routines(decoder: Decoder, entry: Code, met: JumpTargets = ()) -> tuple[Routine, ...]:
    """The function and all that it calls, directly or not, in the order of their addresses."""
    found: dict[int, Routine] = {}
    waiting = [entry]
    while waiting:
        code = waiting.pop()
        if code.address in found:
            continue
        found[code.address] = routine = descend(decoder, code, met)
        waiting += [
            each
            for each in routine.calls.values()
            if decoder.image.is_code(each.address) and each.address not in routine.imports
        ]
    return tuple(found[address] for address in sorted(found))


def descend(decoder: Decoder, code: Code, met: JumpTargets = ()) -> Routine:
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
        instruction = without_asking(decoder, with_switch(decoder.image, instruction))
        if _is_popped(routine, instruction):
            instruction = replace(instruction, operations=returning(instruction.operations))
        routine.instructions[address] = instruction
        for called in call_targets(instruction):
            routine.calls[called] = _callee(decoder, instruction, called, code)
            if (
                _note_stub(decoder, routine, called, is_thumb=routine.calls[called].is_thumb)
                and called in routine.through
            ):
                routine.calls[called] = routine.through[called]
        for target in targets(instruction):
            if target == instruction.next and routine.ends(instruction):
                continue
            known = decoder.image.functions.get(target)
            if target != instruction.next and _note_stub(decoder, routine, target, is_thumb=code.is_thumb):
                own = Code(routine.imports.get(target, ""), target, 0, code.is_thumb)
                routine.calls[target] = routine.through.get(target, own)
            elif known is not None and target != code.address:
                routine.calls[target] = known
            else:
                waiting.append(target)
        waiting += _indirect(decoder, routine, instruction, met)
    return routine


def _is_popped(routine: Routine, instruction: Instruction) -> bool:
    """Whether it goes where the caller is: `pop {r3}; add sp,#0x10; bx r3` of Thumb code."""
    if instruction.mnemonic != "bx" or not any(each.name == "BRANCHIND" for each in instruction.operations):
        return False
    goal = next(each for operation in instruction.operations for each in operation.inputs if _is_general(each))
    for each in reversed(_before(routine, instruction)):
        if any(operation.output == goal for operation in each.operations):
            return each.mnemonic.startswith("pop") or (each.mnemonic.startswith("ldm") and " sp!" in each.text)
    return False


def _is_general(place: Varnode) -> bool:
    return place.space == REGISTER and place.size == _WORD


def _note_stub(decoder: Decoder, routine: Routine, target: int, *, is_thumb: bool) -> bool:
    """Whether the code there is a stub, or none: it leads to a function of another file, or to one of this file."""
    image = decoder.image
    if target in image.undefined:
        routine.imports[target] = image.undefined[target]
        return True
    number = led_to(decoder, target, is_thumb=is_thumb) if target not in image.functions else None
    if number is None:
        return False
    name, known = imported(decoder, number), image.functions.get(_address(image, number))
    if name is not None:
        routine.imports[target] = name
    elif known is not None:
        routine.through[target] = known
    return name is not None or known is not None


def _indirect(decoder: Decoder, routine: Routine, instruction: Instruction, met: JumpTargets) -> Iterable[int]:
    """Notes the targets of an indirect jump or call; gives those that lie within the function."""
    kind = next((each.name for each in instruction.operations if each.name in INDIRECT), "")
    if not kind:
        return []
    numbers = {target for at, target in met if at == instruction.address}
    fixed = static_target(decoder.image, _before(routine, instruction), instruction, guesses=True)
    is_own = fixed is not None and decoder.image.is_code(_address(decoder.image, fixed))
    name = imported(decoder, fixed) if fixed is not None else None
    if fixed is not None and name is not None:
        routine.imports[_address(decoder.image, fixed)] = name
    all_ = numbers | ({fixed} if fixed is not None and (is_own or name is not None) else set())
    goals = (_target(decoder.image, instruction, routine, each, each in numbers) for each in all_)
    found = tuple(sorted(each for each in goals if kind == "CALLIND" or not _is_return(decoder, routine, each)))
    routine.indirect[instruction.address] = found
    others = {each.code.address for each in found if each.code.address in decoder.image.undefined}
    routine.imports.update({each: decoder.image.undefined[each] for each in others})
    own = [
        each.code.address
        for each in found
        if kind == "BRANCHIND" and each.code.address not in others and _is_within(routine.code, each.code)
    ]
    routine.calls.update({each.code.address: each.code for each in found if each.code.address not in own})
    return own


def _is_return(decoder: Decoder, routine: Routine, target: Target) -> bool:
    """Whether a jump there goes behind a call of another function: a return that nobody knows, at which a run ends."""
    code = target.code
    if code.address in decoder.image.functions or _is_within(routine.code, code):
        return False
    before = (decoder.guessed(code.address - size, is_thumb=code.is_thumb) for size in _CALL_SIZES)
    return any(
        each is not None and each.next == code.address and any(part.name in _CALLS for part in each.operations)
        for each in before
    )


def _before(routine: Routine, instruction: Instruction) -> list[Instruction]:
    """The straight code that leads to it."""
    behind = {each.next: each for each in routine.instructions.values()}
    found: list[Instruction] = []
    at = instruction.address
    while len(found) < _MOST_BEFORE and at in behind and falls_through(behind[at]):
        found.insert(0, behind[at])
        at = behind[at].address
    return found


def _address(image: Image, number: int) -> int:
    return number & ~1 if image.architecture is ARM else number


def _target(image: Image, instruction: Instruction, routine: Routine, number: int, is_met: bool) -> Target:  # noqa: FBT001
    address = _address(image, number)
    is_thumb = image.architecture is ARM and bool(number & 1)
    if mode_of(instruction) is None:
        is_thumb = routine.code.is_thumb
    known = image.functions.get(address)
    if known is not None and known.is_thumb == is_thumb:
        return Target(number, known, is_met)
    return Target(number, Code(image.undefined.get(address, f"function_{address:x}"), address, 0, is_thumb), is_met)


def _is_within(code: Code, target: Code) -> bool:
    """Whether a jump there stays in the function."""
    if target.address == code.address:
        return True
    is_other = target.size > 0 or target.is_thumb != code.is_thumb
    return not is_other and (not code.size or code.address <= target.address < code.address + code.size)


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
