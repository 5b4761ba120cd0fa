"""The text of a function in LLVM IR, as clang writes it at -O0: every local variable has a slot on the stack.

define i32 @sum(ptr noundef %0, i32 noundef %1) {
  %3 = alloca ptr                       a slot; #dbg_declare says that it is the parameter `buf`
  store ptr %0, ptr %3
  %8 = load ptr, ptr %3                 the value of `buf`
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from veer.frontends.llvm.debuginfo import DebugInfo
from veer.instrument.checks import to_be_read
from veer.instrument.lexer import unquoted

_DEFINE = re.compile(r'^define [^@\n]*?@("[^"]+"|[\w.$-]+)\(', re.MULTILINE)
_LABEL = re.compile(r'^("[^"]+"|[\w.$-]+):')
_SET = re.compile(r'^(%"[^"]+"|%[\w.$-]+) = ')
_DECLARED = re.compile(r"(?:#dbg_declare\(|@llvm\.dbg\.declare\(metadata )ptr (%[\w.$-]+), (?:metadata )?!(\d+)")
_CALL = re.compile(r'\bcall\b[^@%]*?@("[^"]+"|[\w.$-]+)\(')
_ATTRIBUTES = re.compile(r"^\w+(?:\([^)]*\))?$")
_OPERATION = re.compile(
    r"(?:(?P<cast>sext|zext|trunc)(?: nneg| nuw| nsw)* \S+ (?P<inner>\S+) to "
    r"|(?P<sum>add|sub|mul|shl|sdiv|udiv|lshr|ashr)(?: nuw| nsw| exact)* \S+ (?P<left>[^,\s]+), (?P<right>[^,\s]+)"
    r"|load (?P<type>[^,]+), ptr (?P<from>[^,\s]+)"
    r"|getelementptr(?: inbounds| nuw| nusw)* (?P<element>[^,]+), ptr (?P<base>[^,\s]+), \w+ (?P<index>[^,\s]+)"
    r"(?P<more>, \w+ )?)"
)
_COMPARE = re.compile(r"icmp (?:samesign )?(\w+) (\S+) (\S+), ([^,\s]+)")


@dataclass(frozen=True, slots=True)
class Comparison:
    """`icmp slt i32 %12, %13`."""

    predicate: str
    type: str
    left: str
    right: str


@dataclass(frozen=True, slots=True)
class Access:
    """`getelementptr i32, ptr %14, i64 %17`: the result, the base, the first index."""

    result: str
    base: str
    index: str


@dataclass(frozen=True, slots=True)
class Called:
    """A call: the function's name, and the values of its arguments."""

    function: str
    arguments: tuple[str, ...]


@dataclass(slots=True)
class FunctionText:
    """One function: its blocks, what each value is, the slots of its parameters."""

    blocks: dict[str, list[str]]
    values: dict[str, str]  # value → what it is set to
    parameters: dict[str, str]  # slot → the parameter's name
    entry: str = ""
    stores: dict[str, list[str]] = field(default_factory=dict)  # slot → what is stored there
    operations: dict[str, re.Match[str] | None] = field(default_factory=dict)  # of the values that were asked for

    def lines(self) -> Iterator[str]:
        """All instructions."""
        for block in self.blocks.values():
            yield from block

    def operation(self, value: str) -> re.Match[str] | None:
        """What a value is made by, if that is a cast, a sum, a load or an address."""
        if value not in self.operations:
            self.operations[value] = _OPERATION.match(self.values.get(value, ""))
        return self.operations[value]

    def slot(self, value: str) -> str:
        """The slot that a value was loaded from, through casts; "" for none."""
        for _ in range(8):
            operation = self.operation(value)
            if operation is None:
                return ""
            if operation["from"]:
                return operation["from"]
            if not operation["cast"]:
                return ""
            value = operation["inner"]
        return ""

    def near_slot(self, value: str) -> str:
        """The same, and through sums with and quotients by constants: `n - 1`, `n / 2`."""
        for _ in range(8):
            if slot := self.slot(value):
                return slot
            operation = self.operation(value)
            if operation is None:
                return ""
            if operation["cast"]:
                value = operation["inner"]
            elif operation["sum"] in ("add", "sub", "sdiv", "udiv", "lshr", "ashr") and is_constant(operation["right"]):
                value = operation["left"]
            else:
                return ""
        return ""

    def scaled(self, value: str) -> tuple[str, int]:
        """The slot that a value is a constant multiple of, and the constant; ("", 0) for none."""
        for _ in range(8):
            if slot := self.slot(value):
                return slot, 1
            operation = self.operation(value)
            if operation is None:
                return "", 0
            if operation["cast"]:
                value = operation["inner"]
                continue
            if operation["sum"] in ("mul", "shl"):
                for one, other in ((operation["left"], operation["right"]), (operation["right"], operation["left"])):
                    if is_constant(other) and (slot := self.slot(one)):
                        factor = int(other)
                        return slot, 1 << factor if operation["sum"] == "shl" else factor
            return "", 0
        return "", 0

    def accesses(self) -> Iterator[Access]:
        """Addresses of elements."""
        for result in self.values:
            operation = self.operation(result)
            if operation is not None and operation["element"]:
                yield Access(result, operation["base"], operation["index"])

    def step(self, slot: str, value: str) -> int:
        """How far a value that is stored in a slot is from what the slot held; 0: it is no such thing."""
        operation = self.operation(value)
        while operation is not None and operation["cast"]:
            operation = self.operation(operation["inner"])
        if operation is None:
            return 0
        if operation["element"] and self.slot(operation["base"]) == slot and not operation["more"]:
            return int(operation["index"]) if is_constant(operation["index"]) else 1
        if operation["sum"] in ("add", "sub") and self.slot(operation["left"]) == slot:
            sign = 1 if operation["sum"] == "add" else -1
            return sign * int(operation["right"]) if is_constant(operation["right"]) else sign
        return 0

    def comparison(self, value: str) -> Comparison | None:
        """What a truth value compares."""
        matched = _COMPARE.match(self.values.get(value, ""))
        return Comparison(*matched.groups()) if matched else None

    def comparisons(self) -> Iterator[Comparison]:
        """All comparisons of integers and pointers."""
        for value in self.values:
            if (found := self.comparison(value)) is not None:
                yield found

    def calls(self) -> Iterator[Called]:
        """Direct calls."""
        for line in self.lines():
            if (found := call(line)) is not None:
                yield found


def is_constant(value: str) -> bool:
    """Whether an operand is a number."""
    return value.lstrip("-").isdigit()


def call(line: str) -> Called | None:
    """The direct call that an instruction is."""
    matched = _CALL.search(line)
    if matched is None:
        return None
    inside = line[matched.end() : line.rfind(")")]
    arguments = tuple(part.split()[-1] if part.split() else "" for part in inside.split(", "))
    return Called(unquoted(matched[1]), arguments)


@dataclass(slots=True)
class ModuleText:
    """The functions of a module without the compiler's checks, read when they are asked for."""

    ir: str
    debug: DebugInfo
    starts: dict[str, int] = field(default_factory=dict)
    read: dict[str, FunctionText] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ir = to_be_read(self.ir)
        self.starts = {unquoted(match[1]): match.start() for match in _DEFINE.finditer(self.ir)}

    def function(self, name: str) -> FunctionText | None:
        """The text of a function that the module defines."""
        if name not in self.starts:
            return None
        if name not in self.read:
            start = self.starts[name]
            self.read[name] = _function(self.ir[start : self.ir.find("\n}", start)], self.debug)
        return self.read[name]


def _function(text: str, debug: DebugInfo) -> FunctionText:
    lines = text.split("\n")[1:]
    entry = "entry"
    blocks: dict[str, list[str]] = {entry: []}
    values: dict[str, str] = {}
    parameters: dict[str, str] = {}
    stores: dict[str, list[str]] = {}
    current = blocks[entry]
    for line in lines:
        if labelled := _LABEL.match(line):
            current = blocks.setdefault("%" + labelled[1], [])
            continue
        instruction = line.strip()
        if declared := _DECLARED.search(instruction):
            variable = debug.node(int(declared[2]))
            if variable.number("arg"):
                parameters[declared[1]] = variable.text("name")
            continue
        if not instruction or instruction.startswith(("#dbg", ";")):
            continue
        current.append(instruction)
        if matched := _SET.match(instruction):
            values[matched[1]] = instruction[matched.end() :]
        elif stored := re.match(r"store (?:volatile )?\S+ (\S+), ptr (\S+?)(?:,|$)", instruction):
            stores.setdefault(stored[2], []).append(stored[1])
    return FunctionText(blocks, values, parameters, entry, stores)
