"""One parameter within one lifted function: what holds it, what is done with it, and what is called with it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Set
from functools import cached_property

from msgspec import Struct

from veer.frontends.machine.frames import AT_ENTRY, REGISTER, Frames, is_number
from veer.frontends.machine.library import NO_RETURN
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand, bare
from veer.instrument.module import Block

_NOT_LIFTED = ("veer.", "veer_", "llvm.")
"""How functions begin that are not the file's: the library's, the runtime's, LLVM's."""
_NOT_FOLLOWED = ("veer_unknown_target", "veer_refuse")
"""What is called where code goes on that was not lifted: jumps to new targets, functions that nobody defines."""
_ENDS = frozenset(f"veer.import.{name}" for name in NO_RETURN)
"""Behind these nothing goes on."""
_COPIES = frozenset(("phi", "select", "freeze", "zext", "sext", "trunc"))
_SUMS = frozenset(("add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor"))
_MIXES = frozenset(("or", "xor", "mul"))
"""Of a pointer: they may be a part of a comparison with null (`(p | q) == 0`)."""
_ACCESSES = ("load", "store")
_WORDS = ("i32", "i64")
_FEWEST_TARGETS = 2
"""Of a jump table."""
_OF_A_CALL = re.compile(r"\.to[0-9a-f]+$|^out")
"""How blocks are labelled that call a target, or go to another function for good."""
_NULLS = ("0", "1")
"""What a pointer is compared with that is compared with null: it is 0, or below 1."""
_Slot = tuple[str, int]


class Followed(Struct, frozen=True, dict=True):
    """A parameter within one function."""

    blocks: tuple[Block, ...]
    frames: Frames
    register: str
    arguments: frozenset[str]
    is_pointer: bool

    @cached_property
    def body(self) -> tuple[Instruction, ...]:
        """All instructions."""
        return tuple(each for block in self.blocks for each in block.instructions)

    @property
    def given(self) -> frozenset[tuple[str, str]]:
        """The lifted functions that are called, each with a register that may hold it then.

        What the library is given it does not test, as far as C has it.
        """
        return self._walked[0]

    @property
    def ends_unknown(self) -> bool:
        """Whether a run may come to code that was not lifted: what that asks, nobody knows.

        Of a jump table runs have found several targets: further ones are taken to be like them.
        """
        return self._walked[1]

    @property
    def is_read(self) -> bool:
        """Whether anything but keeping it and giving it back is done with it here."""
        return any(not self._is_kept_by(each) for each in self.body for on in each.operands if on.value in self._values)

    def _passes_on(self, each: Instruction) -> bool:
        """Whether the result is the value of an operand: a pointer and what it may become a part of.

        That a sum with a pointer overflows, as flags of x86-64 say, asks nothing of it: `(p + i ^ p) & (p + i ^ i)`.
        """
        if each.opcode in _COPIES or _is_turned(each):
            return True
        if not self.is_pointer:
            return each.opcode in _SUMS
        return each.opcode in _MIXES and not self._is_of_overflow(each)

    def _is_of_overflow(self, each: Instruction) -> bool:
        """Whether it is `(a + b) ^ a`."""
        one, other = (operand.value for operand in each.operands)
        pairs = ((one, other), (other, one))
        sums = ((self._defined.get(total), part) for total, part in pairs)
        return each.opcode == "xor" and any(
            total is not None and total.opcode in ("add", "sub") and part in [given.value for given in total.operands]
            for total, part in sums
        )

    def _is_kept_by(self, each: Instruction) -> bool:
        if each.opcode == "store":
            place = each.operands[1]
            return place.value == f"{REGISTER}{self.register}" or self._slot(place) is not None
        return each.opcode in _COPIES or _is_turned(each)

    @cached_property
    def _tables(self) -> frozenset[str]:
        """The blocks that a jump table leads to where nothing was lifted."""
        ends = (block.instructions[-1] for block in self.blocks)
        return frozenset(
            end.labels[0]
            for end in ends
            if end.opcode == "switch"
            and len(end.labels) > _FEWEST_TARGETS
            and not any(_OF_A_CALL.search(label) for label in end.labels[1:])
        )

    @cached_property
    def _walked(self) -> tuple[frozenset[tuple[str, str]], bool]:
        begins: list[frozenset[str]] = [frozenset() for _ in self.blocks]
        begins[0] = frozenset((self.register,))
        found: set[tuple[str, str]] = set()
        waiting, seen, is_unknown = {0}, {0}, False
        while waiting:
            index = waiting.pop()
            holding = set(begins[index])
            for each in self.blocks[index].instructions:
                name = bare(each.call.callee) if each.call is not None else ""
                if name in _ENDS:
                    break
                is_unknown |= name in _NOT_FOLLOWED and self.blocks[index].label not in self._tables
                if each.opcode == "store" and _is_register(each.operands[1]):
                    change = holding.add if each.operands[0].value in self._values else holding.discard
                    change(_register(each.operands[1]))
                elif name and not name.startswith(_NOT_LIFTED):
                    found |= {(name, register) for register in holding}
            else:
                for label in self.blocks[index].instructions[-1].labels:
                    after = self._places[label]
                    if after not in seen or not begins[after] >= holding:
                        begins[after] |= holding
                        seen.add(after)
                        waiting.add(after)
        return frozenset(found), is_unknown

    @cached_property
    def tests_results(self) -> bool:
        """Whether it compares with 0 what came back in a register, or lay in memory: that may be what was given."""
        return any(
            each.opcode == "icmp"
            and each.operands[1].value in _NULLS
            and each.operands[0].type in _WORDS
            and any(map(self._is_loaded, self._roots(each.operands[0].value)))
            for each in self.body
        )

    @cached_property
    def is_asked(self) -> bool:
        """Whether it is compared, or goes where it cannot be followed."""
        if self._slots and any(map(self._may_read_stack, self.body)):
            return True
        kept = [each for each in self._stores if not _is_register(each.operands[1])]
        if any(self._slot(each.operands[1]) is None or each.operands[0].value in self._mixed for each in kept):
            return True
        return any(map(self._compares, self.body))

    @cached_property
    def _defined(self) -> Mapping[str, Instruction]:
        return {each.result: each for each in self.body if each.result}

    @cached_property
    def _stores(self) -> tuple[Instruction, ...]:
        """The stores of its value."""
        return tuple(each for each in self.body if each.opcode == "store" and each.operands[0].value in self._values)

    @cached_property
    def _slots(self) -> frozenset[_Slot]:
        return self._all[1]

    @cached_property
    def _values(self) -> frozenset[str]:
        return self._all[0]

    @cached_property
    def _all(self) -> tuple[frozenset[str], frozenset[_Slot]]:
        values = set(self._begins())
        while True:
            before = len(values)
            loaded, slots = self._through_slots(values)
            values |= loaded
            for each in self.body:
                if self._passes_on(each):
                    data = each.operands[1:] if each.opcode == "select" else each.operands
                    if any(operand.value in values for operand in data):
                        values.add(each.result)
            if len(values) == before:
                return frozenset(values), slots

    @cached_property
    def _mixed(self) -> frozenset[str]:
        """The values that a pointer is a part of, and copies of these; none of a number."""
        found: set[str] = set()
        before = -1
        while self.is_pointer and len(found) > before:
            before = len(found)
            for each in self.body:
                is_mix = (
                    each.opcode in _MIXES
                    and not self._is_of_overflow(each)
                    and any(operand.value in self._values for operand in each.operands)
                )
                if is_mix or (each.opcode in _COPIES and any(operand.value in found for operand in each.operands)):
                    found.add(each.result)
        return frozenset(found)

    def _through_slots(self, values: Set[str]) -> tuple[set[str], frozenset[_Slot]]:
        """The loads of places of the stack that may hold one of these values then, and all places that ever do.

        Compilers give one place to several values, one after the other.
        """
        begins: dict[int, frozenset[_Slot]] = {0: frozenset()}
        loaded, every, waiting = set[str](), set[_Slot](), {0}
        while waiting:
            index = waiting.pop()
            held = set(begins[index])
            for slot, stored, result in self._at_slots[index]:
                if result and slot in held:
                    loaded.add(result)
                elif not result:
                    (held.add if stored in values else held.discard)(slot)
            every |= held
            for label in self.blocks[index].instructions[-1].labels:
                after = self._places[label]
                if after not in begins or not begins[after] >= held:
                    begins[after] = begins.get(after, frozenset()) | held
                    waiting.add(after)
        return loaded, frozenset(every)

    @cached_property
    def _places(self) -> Mapping[str, int]:
        return {block.label: index for index, block in enumerate(self.blocks)}

    @cached_property
    def _at_slots(self) -> tuple[tuple[tuple[_Slot, str, str], ...], ...]:
        """For each block its accesses of places of the stack: where, what is stored, what is read."""
        found = []
        for block in self.blocks:
            rows = [(self._slot(each.operands[-1]), each) for each in block.instructions if each.opcode in _ACCESSES]
            found.append(tuple((slot, each.operands[0].value, each.result) for slot, each in rows if slot is not None))
        return tuple(found)

    def _begins(self) -> Iterator[str]:
        """The loads of its register before anything is called."""
        wanted = f"{REGISTER}{self.register}"
        for each in self.body:
            if each.opcode == "load" and each.operands[0].value == wanted and each.result.endswith(AT_ENTRY):
                yield each.result

    def _compares(self, each: Instruction) -> bool:
        known = [operand.value in self._values for operand in each.operands]
        if not any(known):
            return False
        if each.opcode == "icmp":
            other = each.operands[1 if known[0] else 0]
            return not self.is_pointer or is_number(other)
        if each.opcode in ("switch", "call"):
            return not _is_turned(each)
        return each.opcode in _SUMS - _MIXES and any(operand.value in self._mixed for operand in each.operands)

    def _may_read_stack(self, each: Instruction) -> bool:
        """Whether it reads memory that may be a place of the stack that holds it, of which nobody knows which: by a
        register that led there, or by one that came back from a call which was told where it is."""
        if each.opcode != "load" or _is_register(each.operands[0]) or self._slot(each.operands[0]) is not None:
            return False
        pointer = self._defined.get(each.operands[0].value)
        roots = self._roots(pointer.operands[0].value) if pointer is not None and pointer.operands else ()
        return any(root == self._own or (self._is_reload(root) and self._may_lead_there(root)) for root in roots)

    def _may_lead_there(self, reload: str) -> bool:
        return self._is_told or self._defined[reload].operands[0].value in self._led

    @cached_property
    def _led(self) -> frozenset[str]:
        """The registers that are given the address of a place of the stack at or below one that holds it."""
        return frozenset(each.operands[1].value for each in self._addresses if _is_register(each.operands[1]))

    @cached_property
    def _is_told(self) -> bool:
        """Whether what is called may know such a place: by an argument, or by memory."""
        told = (each.operands[1] for each in self._addresses)
        return any(not _is_register(each) or _register(each) in self.arguments for each in told)

    @cached_property
    def _addresses(self) -> tuple[Instruction, ...]:
        """The stores of such an address."""
        highest = max(offset for _, offset in self._slots)
        stack = f"{REGISTER}{self.frames.stack}"
        stores = (each for each in self.body if each.opcode == "store" and each.operands[1].value != stack)
        offsets = ((self._lowest(each.operands[0].value), each) for each in stores)
        return tuple(each for offset, each in offsets if offset is not None and offset <= highest)

    def _lowest(self, value: str) -> int | None:
        """The lowest place of the stack that a value may be counted from; None where it does not lead there."""
        offset = self.frames.offset(value)
        if offset is not None:
            return offset
        bases = [self._base(root) for root in self._roots(value)]
        return min((offset for base, offset in bases if base == self._own), default=None)

    def _roots(self, value: str) -> frozenset[str]:
        """What a value may be counted from."""
        found: set[str] = set()
        seen: set[str] = set()
        waiting = [value]
        while waiting:
            base, _ = self._base(waiting.pop())
            if base in seen:
                continue
            seen.add(base)
            each = self._defined.get(base)
            if each is None or each.opcode not in ("phi", "select", "freeze"):
                found.add(base)
            else:
                waiting += [operand.value for operand in each.operands[each.opcode == "select" :]]
        return frozenset(found)

    def _is_loaded(self, value: str) -> bool:
        source = self._defined.get(value)
        return source is not None and source.opcode == "load" and not value.endswith(AT_ENTRY)

    def _is_reload(self, value: str) -> bool:
        return self._is_loaded(value) and _is_register(self._defined[value].operands[0])

    @property
    def _own(self) -> str:
        """Where the stack is when it is called."""
        return f"%in.{self.frames.stack}{AT_ENTRY}"

    def _slot(self, operand: Operand) -> _Slot | None:
        """A place of the stack: what it is counted from, and how far; None elsewhere."""
        pointer = self._defined.get(operand.value)
        if pointer is None or pointer.opcode != "inttoptr":
            return None
        offset = self.frames.offset(pointer.operands[0].value)
        return (self._own, offset) if offset is not None else None

    def _base(self, value: str) -> _Slot:
        """What an address is counted from, and how far."""
        offset = self.frames.offset(value)
        return (self._own, offset) if offset is not None else _counted(self._defined, value)


def _is_turned(each: Instruction) -> bool:
    """Whether it turns the bytes of a value around, as a big-endian machine has them in memory."""
    return each.call is not None and each.call.callee.startswith("@llvm.bswap.")


def _counted(defined: Mapping[str, Instruction], value: str) -> _Slot:
    """The value that a sum with constants is counted from, and how far."""
    offset = 0
    while (each := defined.get(value)) is not None:
        if each.opcode == "add" and is_number(each.operands[1]):
            offset += int(each.operands[1].value)
        elif each.opcode not in ("sext", "zext"):
            break
        value = each.operands[0].value
    return value, offset


def _is_register(operand: Operand) -> bool:
    return operand.value.startswith(REGISTER)


def _register(operand: Operand) -> str:
    return operand.value.removeprefix(REGISTER)
