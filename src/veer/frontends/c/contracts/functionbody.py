"""The body of a function in LLVM IR, as clang writes it at -O0: every local variable has a slot on the stack.

define i32 @sum(ptr noundef %0, i32 noundef %1) {
  %3 = alloca ptr                       a slot; #dbg_declare says that it is the parameter `buf`
  store ptr %0, ptr %3
  %8 = load ptr, ptr %3                 the value of `buf`
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from veer.frontends.c.contracts.macros import failing_blocks
from veer.frontends.llvm.debuginfo import DebugInfo
from veer.instrument.checks import to_be_read
from veer.instrument.debuglocation import DebugLocations
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import bare
from veer.instrument.module import Block, Function, parse_blocks, parse_functions
from veer.model.values import replace

_DECLARED = re.compile(r"#dbg_declare\(ptr (%[\w.$-]+), !(\d+)")
_LOCAL = re.compile(r'%(?:"[^"]*"|[-\w.$]+)')
_INTEGER_CASTS = ("sext", "zext", "trunc")
_SUMS = ("add", "sub", "mul", "shl", "sdiv", "udiv", "lshr", "ashr")
_NEAR = ("add", "sub", "sdiv", "udiv", "lshr", "ashr")
_OTHER_EFFECTS = ("atomicrmw", "cmpxchg", "fence", "invoke")
_DOES_NOTHING = (
    "llvm.dbg",
    "llvm.lifetime",
    "__assert_fail",
    "strlen",
    "strnlen",
    "strcmp",
    "strncmp",
    "memcmp",
    "abs",
)
_LITERAL = re.compile(r'(?m)^(@[\w.$]+) = .*constant \[\d+ x i8\] c"((?:[^"\\]|\\.)*)"')
_MOST_STEPS = 8


class Comparison(Struct, frozen=True):
    """`icmp slt i32 %12, %13`."""

    predicate: str
    type: str
    left: str
    right: str


class Access(Struct, frozen=True):
    """`getelementptr i32, ptr %14, i64 %17`: the result, the base, the first index."""

    result: str
    base: str
    index: str


class Called(Struct, frozen=True):
    """A call: the function's name, and the values of its arguments."""

    function: str
    arguments: tuple[str, ...]


class FunctionBody(Struct, frozen=True):
    """One function: its blocks, how each value is made, the slots of its parameters."""

    blocks: Sequence[Block]
    parameters: Mapping[str, str]  # slot → the parameter's name
    made: Mapping[str, Instruction] = field(default_factory=dict)  # value → the instruction whose result it is
    stores: Mapping[str, Sequence[str]] = field(default_factory=dict)  # slot → what is stored there
    failing: frozenset[str] = frozenset()  # blocks at which an assertion of the user's own fails (macros.py)
    asking: frozenset[str] = frozenset()  # functions of the module that only look at what they are given
    literals: Mapping[str, str] = field(default_factory=dict)  # of the module, by their names
    locals: Mapping[str, int] = field(default_factory=dict)  # slot → the type of the variable, as debug info has it

    def instructions(self) -> Iterator[Instruction]:
        """All of them, in the order of the text."""
        for block in self.blocks:
            yield from block.instructions

    def unread(self) -> frozenset[str]:
        """The parameters that are stored in their slots, and never looked at there: `(void)p;` is no look."""
        used: Counter[str] = Counter()
        for instruction in self.instructions():
            used.update(_LOCAL.findall(instruction.text))
        looks = Counter[str]()
        for instruction in self.instructions():
            is_idle = instruction.opcode == "load" and used[instruction.result] == 1
            into = instruction.operands[1].value if instruction.opcode == "store" else ""
            own = (instruction.result, into)
            looks.update(each for each in _LOCAL.findall(instruction.text) if each not in own and not is_idle)
        return frozenset(name for slot, name in self.parameters.items() if not looks[slot])

    def set_anew(self) -> frozenset[str]:
        """The parameters that get another value at once, before anybody looks at the one they have: `n = a[0];`,
        `scanf("%d", &n)`. What that value is says nothing of what callers give."""
        first: dict[str, Instruction] = {}
        for instruction in self.blocks[0].instructions if self.blocks else ():
            stored = instruction.operands[0].value if instruction.opcode == "store" else ""
            is_given = bool(stored) and stored.startswith("%") and stored not in self.made
            if instruction.opcode == "alloca" or is_given:
                continue
            for slot in self.parameters.keys() & {*_LOCAL.findall(instruction.text)}:
                first.setdefault(slot, instruction)
        return frozenset(self.parameters[slot] for slot, use in first.items() if self._sets(use, slot))

    def _sets(self, use: Instruction, slot: str) -> bool:
        called = call(use) if use.call is not None else None
        if called is not None:
            return called.function.endswith("scanf") and slot in called.arguments
        return use.opcode == "store" and use.operands[1].value == slot

    def is_made_by(self, value: str, *opcodes: str) -> bool:
        """Whether one of these operations makes the value."""
        made = self.made.get(value)
        return made is not None and made.opcode in opcodes

    def converted(self, value: str) -> str:
        """What an integer is a conversion of; "" for other values."""
        return self._operand(value, _INTEGER_CASTS)

    def around(self, value: str) -> str:
        """What a conversion or an operation on two integers is made of, of two the left; "" for other values."""
        return self._operand(value, _INTEGER_CASTS + _SUMS)

    def slot(self, value: str) -> str:
        """The slot that a value was loaded from, through conversions; "" for none."""
        for _ in range(_MOST_STEPS):
            if address := self._operand(value, ("load",)):
                return address
            value = self.converted(value)
        return ""

    def near_slot(self, value: str) -> str:
        """The same, and through sums with and quotients by constants: `n - 1`, `n / 2`."""
        for _ in range(_MOST_STEPS):
            if slot := self.slot(value):
                return slot
            made = self.made.get(value)
            if made is None or (made.opcode in _NEAR and not is_constant(made.operands[1].value)):
                return ""
            value = self._operand(value, _INTEGER_CASTS + _NEAR)
        return ""

    def scaled(self, value: str) -> tuple[str, int]:
        """The slot that a value is a constant multiple of, and the constant; ("", 0) for none."""
        for _ in range(_MOST_STEPS):
            if slot := self.slot(value):
                return slot, 1
            if inner := self.converted(value):
                value = inner
                continue
            made = self.made.get(value)
            if made is None or made.opcode not in ("mul", "shl"):
                break
            left, right = (each.value for each in made.operands)
            for one, other in ((left, right), (right, left)):
                if is_constant(other) and (slot := self.slot(one)):
                    return slot, 1 << int(other) if made.opcode == "shl" else int(other)
            break
        return "", 0

    def divisor(self, value: str) -> str:
        """By what a value is the remainder of a division, through conversions; "" for other values."""
        while inner := self.converted(value):
            value = inner
        return self.made[value].operands[1].value if self.is_made_by(value, "srem", "urem") else ""

    def accesses(self) -> Iterator[Access]:
        """Addresses of elements."""
        for result, made in self.made.items():
            if made.opcode == "getelementptr":
                yield Access(result, made.operands[0].value, made.operands[1].value)

    def step(self, slot: str, value: str) -> int:
        """How far a value that is stored in a slot is from what the slot held; 0: it is no such thing."""
        while inner := self.converted(value):
            value = inner
        made = self.made.get(value)
        if made is None or made.opcode not in ("getelementptr", "add", "sub") or len(made.operands) != 2:
            return 0
        before, change = (each.value for each in made.operands)
        if self.slot(before) != slot:
            return 0
        distance = int(change) if is_constant(change) else 1
        return -distance if made.opcode == "sub" else distance

    def comparison(self, value: str) -> Comparison | None:
        """What a truth value compares."""
        made = self.made.get(value)
        if made is None or made.opcode != "icmp":
            return None
        left, right = made.operands
        return Comparison(made.detail, left.type, left.value, right.value)

    def comparisons(self) -> Iterator[Comparison]:
        """All comparisons of integers and pointers."""
        for value in self.made:
            if (found := self.comparison(value)) is not None:
                yield found

    def calls(self) -> Iterator[Called]:
        """Direct calls."""
        for instruction in self.instructions():
            if (found := call(instruction)) is not None:
                yield found

    def _operand(self, value: str, opcodes: Sequence[str]) -> str:
        """The first operand of the operation that makes a value, if it is one of these; else ""."""
        made = self.made.get(value)
        return made.operands[0].value if made is not None and made.opcode in opcodes else ""


def is_constant(value: str) -> bool:
    """Whether an operand is a number."""
    return value.lstrip("-").isdigit()


def call(instruction: Instruction) -> Called | None:
    """The direct call that an instruction is."""
    found = instruction.call
    if found is None or not found.callee.startswith("@"):
        return None
    return Called(bare(found.callee), tuple(argument.value for argument in found.arguments))


class FunctionBodies:
    """The functions of a module without the compiler's checks; the body of each is read when it is asked for.

    Without `locations` no assertion of the user's own is known.
    """

    def __init__(self, ir: str, debug: DebugInfo, locations: DebugLocations | None = None) -> None:
        self._debug = debug
        self._locations = locations
        self._functions = {bare(each.name): each for each in parse_functions(to_be_read(ir))}
        self._literals = dict(_LITERAL.findall(ir))
        self._read: dict[str, FunctionBody] = {}
        self._asking: frozenset[str] | None = None

    @property
    def names(self) -> Sequence[str]:
        """The functions that the module defines."""
        return tuple(self._functions)

    def function(self, name: str) -> FunctionBody | None:
        """The body of a function that the module defines."""
        if name not in self._functions:
            return None
        if name not in self._read:
            made = _body(self._functions[name], self._debug, self._locations)
            self._read[name] = replace(made, asking=self._asking_functions(), literals=self._literals)
        return self._read[name]

    def _asking_functions(self) -> frozenset[str]:
        """The functions that store to nothing but their own variables, and call none but such: `is_valid(text)`."""
        if self._asking is None:
            bodies = {name: _body(each, self._debug, None) for name, each in self._functions.items()}
            found = {name for name, body in bodies.items() if _stores_to_its_own(body)}
            while gone := {name for name in found if not _called(bodies[name]) <= found}:
                found -= gone
            self._asking = frozenset(found)
        return self._asking


def _stores_to_its_own(body: FunctionBody) -> bool:
    """Whether a function stores to its own variables alone, and calls nothing by an address."""
    own = {value for value, made in body.made.items() if made.opcode == "alloca"}
    for instruction in body.instructions():
        if instruction.opcode == "store" and instruction.operands[1].value not in own:
            return False
        if instruction.opcode in _OTHER_EFFECTS or (instruction.call is not None and call(instruction) is None):
            return False
    return True


def _called(body: FunctionBody) -> set[str]:
    """The functions that are called, but for what does nothing."""
    return {each.function for each in body.calls() if not each.function.startswith(_DOES_NOTHING)}


def _body(function: Function, debug: DebugInfo, locations: DebugLocations | None) -> FunctionBody:
    parameters: dict[str, str] = {}
    types: dict[str, int] = {}
    for declared in filter(None, map(_DECLARED.search, function.lines)):
        variable = debug.node(int(declared[2]))
        types[declared[1]] = variable.reference("type")
        if variable.number("arg"):
            parameters[declared[1]] = variable.text("name")
    blocks = parse_blocks(function)
    made: dict[str, Instruction] = {}
    stores: dict[str, list[str]] = {}
    for block in blocks:
        for instruction in block.instructions:
            if instruction.result:
                made[instruction.result] = instruction
            elif instruction.opcode == "store":
                value, address = instruction.operands
                stores.setdefault(address.value, []).append(value.value)
    failing = failing_blocks(blocks, locations) if locations is not None else frozenset[str]()
    return FunctionBody(blocks, parameters, made, stores, failing, locals=types)
