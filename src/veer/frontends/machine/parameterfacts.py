"""What lifted code shows of its entry's parameters: which pointers it never compares with null, which numbers with
nothing. A bug that needs such a null, or such a length, is the caller's (docs/severity.md).

    %in.r38.enter = load i64, ptr @veer.register.r38     the parameter, in its register
    %v7 = icmp eq i64 %in.r38.enter, 0                   it is tested
    store i64 %in.r38.enter, ptr @veer.register.r30      and given to what is called then

A value is followed through registers, choices, places of the stack, and calls. Where it goes elsewhere (memory, code
that was not lifted, a stack pointer that came back from a call, a result) the code may test it there: it counts as
tested. So what is told to be never tested is never tested.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property

from msgspec import Struct

from veer.frontends.machine.library import NO_RETURN
from veer.frontends.machine.places import Places
from veer.frontends.machine.prototype import Prototype
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand, bare
from veer.instrument.module import Block, Function, parse_blocks, parse_functions
from veer.model.types import ExtentKind, Type, TypeKind
from veer.model.unitfacts import Place, UnitFacts, behind, field_place, parameter_place, struct_name

_REGISTER = "@veer.register."
_AT_ENTRY = ".enter"
_NOT_LIFTED = ("veer.", "veer_", "llvm.")
"""How functions begin that are not the file's: the library's, the runtime's, LLVM's."""
_NOT_FOLLOWED = ("veer_unknown_target", "veer_refuse")
"""What is called where code goes on that was not lifted: jumps to new targets, functions that nobody defines."""
_ENDS = frozenset(f"veer.import.{name}" for name in NO_RETURN)
"""Behind these nothing goes on."""
_COPIES = frozenset(("phi", "select", "freeze", "zext", "sext", "trunc"))
_SUMS = frozenset(("add", "sub", "mul", "shl", "lshr", "ashr", "and", "or", "xor"))
_ACCESSES = ("load", "store")
_WORDS = ("i32", "i64")
_NULLS = ("0", "1")
"""What a pointer is compared with that is compared with null: it is 0, or below 1."""
_Slot = tuple[str, int]


class _Parameter(Struct, frozen=True):
    """What is asked: of a register that a function is called with, as a pointer or as a number."""

    function: str
    register: str
    is_pointer: bool


class Lifting(Struct, frozen=True, dict=True):
    """A module as it is lifted. `entry`: the entry's function there; `registers`: the module's names of the machine's
    registers that hold parameters; `stack`: of the one that leads to the stack."""

    text: str
    entry: str
    registers: Mapping[str, str]
    stack: str

    @cached_property
    def _functions(self) -> Mapping[str, Function]:
        return {bare(each.name): each for each in parse_functions(self.text)}

    def blocks(self, name: str) -> tuple[Block, ...] | None:
        """Those of a function; None where it has none."""
        function = self._functions.get(name)
        return parse_blocks(function) if function is not None else None


def facts_of(lifting: Lifting, prototype: Prototype, places: Places) -> UnitFacts:
    """Of the parameters. Fields of structs, and what pointers lead to, count as tested and as long enough."""
    tested: set[Place] = set()
    bounded: set[Place] = set()
    declared: set[Place] = set()
    elsewhere, texts = set(_fields(prototype.types)), set[Place]()
    for given, at in zip(prototype.parameters, places.parameters, strict=True):
        place, type_ = parameter_place(prototype.name, given.name), prototype.types[given.type]
        elsewhere.add(behind(place))
        texts.add(place)
        if type_.extent is ExtentKind.FIXED:
            declared.add(place)
        register = lifting.registers.get(at.registers[0]) if len(at.registers) == 1 and not given.variable else None
        is_pointer = type_.kind is TypeKind.POINTER
        if register is None or _asks(lifting, _Parameter(bare(lifting.entry), register, is_pointer)):
            (tested if is_pointer else bounded).add(place)
    return UnitFacts(
        tested=frozenset(tested | elsewhere),
        declared=frozenset(declared | elsewhere),
        bounded=frozenset(bounded),
        texts=frozenset(texts),
    )


def _fields(types: Iterable[Type]) -> Iterator[Place]:
    for each in types:
        if each.kind in (TypeKind.STRUCT, TypeKind.UNION):
            yield from (field_place(struct_name(each.name), field.offset) for field in each.fields)


def _asks(code: Lifting, parameter: _Parameter) -> bool:
    """Whether the code compares it, or may do so where it cannot be followed."""
    seen: set[_Parameter] = set()
    waiting = [parameter]
    while waiting:
        each = waiting.pop()
        if each in seen:
            continue
        seen.add(each)
        blocks = code.blocks(each.function)
        if blocks is None:
            return True
        followed = _Followed(blocks, each.register, code.stack, each.is_pointer)
        if followed.is_asked or followed.ends_unknown or (followed.given and followed.tests_results):
            return True
        waiting += [_Parameter(name, register, each.is_pointer) for name, register in followed.given]
    return False


class _Followed(Struct, frozen=True, dict=True):
    """A parameter within one function."""

    blocks: tuple[Block, ...]
    register: str
    stack: str
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
        """Whether a run may come to code that was not lifted: what that asks, nobody knows."""
        return self._walked[1]

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
                is_unknown |= name in _NOT_FOLLOWED
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
        if any(not _is_register(each.operands[1]) and self._slot(each.operands[1]) is None for each in self._stores):
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
                if each.opcode in _COPIES or (not self.is_pointer and each.opcode in _SUMS):
                    data = each.operands[1:] if each.opcode == "select" else each.operands
                    if any(operand.value in values for operand in data):
                        values.add(each.result)
            if len(values) == before:
                return frozenset(values), slots

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
        wanted = f"{_REGISTER}{self.register}"
        for each in self.body:
            if each.opcode == "load" and each.operands[0].value == wanted and each.result.endswith(_AT_ENTRY):
                yield each.result

    def _compares(self, each: Instruction) -> bool:
        known = [operand.value in self._values for operand in each.operands]
        if not any(known):
            return False
        if each.opcode == "icmp":
            other = each.operands[1 if known[0] else 0]
            return not self.is_pointer or _is_number(other)
        if each.opcode in ("switch", "call"):
            return True
        return self.is_pointer and each.opcode in ("or", "mul", "xor")

    def _may_read_stack(self, each: Instruction) -> bool:
        """Whether it reads memory that may be a place of the stack, of which nobody knows which: by a register that
        came back from a call, or one of several."""
        if each.opcode != "load" or _is_register(each.operands[0]) or self._slot(each.operands[0]) is not None:
            return False
        pointer = self._defined.get(each.operands[0].value)
        roots = self._roots(pointer.operands[0].value) if pointer is not None and pointer.operands else ()
        return any(root == self._own or self._is_reload(root) for root in roots)

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
        return source is not None and source.opcode == "load" and not value.endswith(_AT_ENTRY)

    def _is_reload(self, value: str) -> bool:
        return self._is_loaded(value) and _is_register(self._defined[value].operands[0])

    @property
    def _own(self) -> str:
        """Where the stack is when it is called."""
        return f"%in.{self.stack}{_AT_ENTRY}"

    def _slot(self, operand: Operand) -> _Slot | None:
        """A place of the stack: what it is counted from, and how far; None elsewhere."""
        pointer = self._defined.get(operand.value)
        if pointer is None or pointer.opcode != "inttoptr":
            return None
        base, offset = self._base(pointer.operands[0].value)
        return (base, offset) if base == self._own else None

    def _base(self, value: str) -> _Slot:
        """What an address is counted from, and how far. A register that came back is what it was before, where it was
        set once: callees keep it, if it leads to a frame."""
        base, offset = _counted(self._defined, value)
        if self._is_reload(base) and (kept := self._kept.get(self._defined[base].operands[0].value)) is not None:
            return self._own, kept + offset
        return base, offset

    @cached_property
    def _kept(self) -> Mapping[str, int]:
        """The registers that only one address of the stack is put into, and how far that is; but for the stack's own,
        which moves."""
        found: dict[str, set[_Slot]] = {}
        for each in self.body:
            if each.opcode == "store" and _is_register(each.operands[1]):
                found.setdefault(each.operands[1].value, set()).add(_counted(self._defined, each.operands[0].value))
        only = {register: next(iter(slots)) for register, slots in found.items() if len(slots) == 1}
        return {
            register: offset
            for register, (base, offset) in only.items()
            if base == self._own and register != f"{_REGISTER}{self.stack}"
        }


def _counted(defined: Mapping[str, Instruction], value: str) -> _Slot:
    """The value that a sum with constants is counted from, and how far."""
    offset = 0
    while (each := defined.get(value)) is not None:
        if each.opcode == "add" and _is_number(each.operands[1]):
            offset += int(each.operands[1].value)
        elif each.opcode not in ("sext", "zext"):
            break
        value = each.operands[0].value
    return value, offset


def _is_number(operand: Operand) -> bool:
    return operand.value.lstrip("-").isdigit()


def _is_register(operand: Operand) -> bool:
    return operand.value.startswith(_REGISTER)


def _register(operand: Operand) -> str:
    return operand.value.removeprefix(_REGISTER)
