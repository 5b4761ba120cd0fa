"""What the functions of a unit use, read off their text: a first guess at the boundaries of compositional builds.

A run learns it, too (tracer/declared.c), but its record is void then, and those of the runs before it. What is read off
the text may be more than any run uses: the runtime takes it for what it is, and never refuses a function for it.

    static int f(int *p) { return *p + g; }     f: the object that argument 0 leads to, @g
    int h(void) { int x; return f(&x); }        h: @g, and it has locals in memory
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from enum import IntEnum

from msgspec import Struct, field

from veer.instrument.callsyntax import Argument
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.module import Block, Function
from veer.instrument.typelayout import Layout
from veer.instrument.writer import UnitText
from veer.wire.layout import NONE

Body = tuple[Function, tuple[Block, ...]]
Root = int | str
"""The index of an argument that leads there, or the name of a global."""

_GLOBAL = re.compile(r'@(?:[-\w.$]+|"[^"]*")')
_BLOCK_OPERATION = re.compile(r"@(?:llvm\.|veer_)(memcpy|memmove|memset)\b")
_POINTER_SIZE = 8


class Fact(IntEnum):
    """What else is a part of the state at an entry; NONE - fact stands for the argument (tracer/declared.h)."""

    MEMORY = 0
    STACK = 1  # where its locals lie
    IN_CYCLE = 2  # it may be called by what it calls
    CALLS_CYCLE = 3  # it calls such a function


class _Access(Struct):
    unit: int  # bytes of a cell
    written: bool

    def widen(self, unit: int, *, written: bool) -> None:
        """Another access of the same object: the first one says how large the cells are, but for pointers."""
        self.written |= written
        if unit == _POINTER_SIZE and self.unit != unit:
            self.unit = unit


class _Uses(Struct):
    """Of one function. `calls`: callee → what the arguments of each call lead to."""

    accesses: dict[Root, _Access] = field(default_factory=dict)
    calls: dict[str, list[list[frozenset[Root]]]] = field(default_factory=dict)
    uses_stack: bool = False

    def add(self, roots: Iterable[Root], unit: int, *, written: bool) -> bool:
        """Whether that is new."""
        changed = False
        for root in roots:
            known = self.accesses.get(root)
            if known is None:
                self.accesses[root] = _Access(unit, written)
                changed = True
            elif written and not known.written:
                known.written = changed = True
        return changed


def described_uses(
    unit: UnitText, layout: Layout, bodies: Sequence[Body], objects: Set[str], sites: Mapping[str, int]
) -> list[str]:
    """The lines of the tables that the runtime reads (struct veer_use). `objects`: the unit's global variables;
    `sites`: function → its site."""
    uses = {function.name: _uses_of(layout, function, blocks, objects) for function, blocks in bodies}
    _spread(uses)
    reaches = {name: _reached(uses, name) for name in uses}
    cycles = {name for name in uses if name in reaches[name]}
    lines = []
    for name, found in uses.items():
        if name.startswith("@veer_"):
            continue
        facts = {
            Fact.STACK: found.uses_stack,
            Fact.IN_CYCLE: name in cycles,
            Fact.CALLS_CYCLE: bool(cycles & reaches[name]),
        }
        for root, access in found.accesses.items():
            base, argument = ("null", root) if isinstance(root, int) else (root, NONE)
            lines.append(_description(unit, sites[name], base, argument, access, Fact.MEMORY))
        for fact in (fact for fact, holds in facts.items() if holds):
            lines.append(_description(unit, sites[name], "null", NONE, _Access(1, written=False), fact))
    return lines


def _description(unit: UnitText, site: int, base: str, argument: int, access: _Access, fact: Fact) -> str:
    name = f"@veer.u.{len(unit.descriptions)}"
    unit.descriptions.append(name)
    number = argument - (1 << 32) if argument >> 31 else argument
    return (
        f"{name} = private constant {{ i64, ptr, i32, i32, i32, i32 }} {{ i64 {unit.site_word(site)}, ptr {base}, "
        f'i32 {number}, i32 {access.unit}, i32 {int(access.written)}, i32 {int(fact)} }}, section "veer_uses", align 8'
    )


def _uses_of(layout: Layout, function: Function, blocks: tuple[Block, ...], objects: Set[str]) -> _Uses:
    """What the function uses itself, and what it calls."""
    instructions = [instruction for block in blocks for instruction in block.instructions]
    roots = _Roots(layout, function.parameters, instructions, objects)
    found = _Uses(uses_stack=any(parameter.byval for parameter in function.parameters))
    for instruction in instructions:
        if instruction.opcode == "alloca":
            found.uses_stack = True
        for pointer, size, written in _accesses(layout, instruction):
            unit = next(unit for unit in (8, 4, 2, 1) if size >= unit)
            for root in roots.of(pointer):
                known = found.accesses.setdefault(root, _Access(unit, written))
                known.widen(unit if instruction.type == "ptr" else known.unit, written=written)
        call = instruction.call
        if call is not None and call.callee.startswith("@") and not _BLOCK_OPERATION.match(call.callee):
            leads = [roots.of(argument.value) for argument in call.arguments for _ in _leaves(layout, argument.type)]
            found.calls.setdefault(call.callee, []).append(leads)
    return found


def _accesses(layout: Layout, instruction: Instruction) -> Iterator[tuple[str, int, bool]]:
    """(address, bytes, whether it is written) of what an instruction touches in memory; nothing of no size."""
    operands = instruction.operands
    if instruction.opcode == "load":
        found = [(operands[0].value, layout.store_size(instruction.type), False)]
    elif instruction.opcode == "store":
        found = [(operands[1].value, layout.store_size(operands[0].type), True)]
    elif instruction.opcode in ("atomicrmw", "cmpxchg"):
        found = [(operands[0].value, layout.store_size(operands[1].type), True)]
    else:
        operation = _BLOCK_OPERATION.match(instruction.call.callee) if instruction.call is not None else None
        if operation is None or not operands[2].value.isdigit():
            return
        size = int(operands[2].value)
        found = [(operands[0].value, size, True)]
        if operation[1] != "memset":
            found.append((operands[1].value, size, False))
    yield from (each for each in found if each[1])


class _Roots:
    """What each pointer of a function may lead to, as far as its text says."""

    def __init__(
        self,
        layout: Layout,
        parameters: tuple[Argument, ...],
        instructions: Sequence[Instruction],
        objects: Set[str],
    ) -> None:
        self._objects = objects
        self._of: dict[str, frozenset[Root]] = {}
        index = 0
        for parameter in parameters:
            if parameter.type == "ptr" and not parameter.byval:
                self._of[parameter.value] = frozenset((index,))
            index += len(_leaves(layout, parameter.type))
        moves = [
            (each.result, [operand.value for operand in _sources(each)])
            for each in instructions
            if each.type == "ptr" and each.opcode in ("getelementptr", "phi", "select", "freeze")
        ]
        changed = True
        while changed:
            changed = False
            for result, sources in moves:
                joined = frozenset[Root]().union(*map(self.of, sources))
                if joined != self._of.get(result, frozenset()):
                    self._of[result] = joined
                    changed = True

    def of(self, value: str) -> frozenset[Root]:
        """Of a pointer, which may be a constant expression."""
        if value.startswith("%"):
            return self._of.get(value, frozenset())
        return frozenset(name for name in _GLOBAL.findall(value) if name in self._objects)


def _sources(instruction: Instruction) -> Sequence[Operand]:
    if instruction.opcode == "getelementptr":
        return instruction.operands[:1]
    return instruction.operands[1:] if instruction.opcode == "select" else instruction.operands


def _leaves(layout: Layout, type_: str) -> Sequence[object]:
    return layout.leaves(type_) if type_ != "metadata" else ()


def _spread(uses: Mapping[str, _Uses]) -> None:
    """What functions use of their callers' is used by these, too."""
    changed = True
    while changed:
        changed = False
        for found in uses.values():
            for callee, calls in found.calls.items():
                below = uses.get(callee)
                if below is None:
                    continue
                if below.uses_stack and not found.uses_stack:
                    found.uses_stack = changed = True
                for root, access in tuple(below.accesses.items()):
                    for leads in calls:
                        mine = {root} if isinstance(root, str) else leads[root] if root < len(leads) else frozenset()
                        changed |= found.add(mine, access.unit, written=access.written)


def _reached(uses: Mapping[str, _Uses], name: str) -> set[str]:
    """The functions that a function calls, directly or not."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        for callee in uses[waiting.pop()].calls:
            if callee in uses and callee not in found:
                found.add(callee)
                waiting.append(callee)
    return found
