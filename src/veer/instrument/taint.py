"""Which values of a function may be symbolic at all, the names of their shadows, and who uses them.

Values that can only come from constants (a loop counter, say) have no shadow and cost nothing. The analysis is
optimistic: everything is concrete until an argument, a load or a call's result flows into it.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Callable

from msgspec import Struct

from veer.instrument.callsyntax import Argument
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.opcodes import BINARY, CASTS, WIDE
from veer.instrument.typelayout import Layout

CONCRETE = "0"
Lookup = Callable[[str], str]
"""A shadow's name → what it is called within a slow block."""
_PURE = BINARY | CASTS | {"icmp", "fcmp", "fneg", "freeze", "unary", "fused", "choose", "getelementptr"}


class Step(Struct, frozen=True):
    """An instruction after lowering; `position` is that of the instruction it came from, `block` its block's index."""

    number: int
    position: int
    block: int
    instruction: Instruction


class Taint:
    """Shadows of one function's values."""

    def __init__(
        self, layout: Layout, parameters: tuple[Argument, ...], steps: list[Step], concrete_calls: frozenset[str]
    ) -> None:
        self._layout = layout
        self._concrete_calls = concrete_calls
        self._definitions = {step.instruction.result: step.instruction for step in steps if step.instruction.result}
        self.symbolic: set[str] = set()
        self._known: dict[str, tuple[str, ...]] = {}
        self.users: dict[str, set[int]] = defaultdict(set)
        self._propagate(parameters, steps)
        self._collect_users(steps)

    def concrete(self) -> Taint:
        """The same function as long as all of its values are concrete: none has a shadow."""
        taint = copy.copy(self)
        taint.symbolic, taint.users, taint._known = set(), defaultdict(set), {}
        return taint

    def shadows(self, operand: Operand) -> tuple[str, ...]:
        """The shadow of each leaf of a value, "0" where it can only be concrete; empty if its type can have none."""
        value = operand.value
        found = self._known.get(value)
        if found is None:
            found = self._find(operand)
            if value[0] == "%":
                self._known[value] = found
        return found

    def shadow(self, operand: Operand) -> str:
        """The shadow of a scalar."""
        found = self.shadows(operand)
        return found[0] if len(found) == 1 else CONCRETE

    def result(self, instruction: Instruction) -> tuple[str, ...]:
        """The shadows of what an instruction defines."""
        return self.shadows(Operand(instruction.type, instruction.result)) if instruction.result else ()

    def is_pure(self, instruction: Instruction) -> bool:
        """Whether the operation has a symbolic meaning that depends on its operands alone."""
        opcode = instruction.opcode
        if opcode not in _PURE or instruction.type[0] in "<[{%":
            return False
        width = self._layout.width
        if opcode == "getelementptr":
            return True
        if self.is_wide(instruction):
            types = (instruction.type, *(operand.type for operand in instruction.operands))
            return opcode in WIDE and all(width(type_) or self._layout.wide(type_) for type_ in types)
        return bool(width(instruction.type)) and all(width(operand.type) for operand in instruction.operands)

    def is_wide(self, instruction: Instruction) -> bool:
        """Whether an operand or the result is an integer of 65 to 128 bits."""
        wide = self._layout.wide
        return bool(wide(instruction.type)) or any(wide(operand.type) for operand in instruction.operands)

    def moved(self, instruction: Instruction) -> Operand | None:
        """The operand whose shadow is also the result's (the value changes its type or nothing at all)."""
        opcode = instruction.opcode
        operand = instruction.operands[0] if instruction.operands else None
        if operand is None:
            return None
        if opcode == "freeze" and self._layout.leaves(operand.type):
            return operand
        if opcode in ("bitcast", "inttoptr", "ptrtoint", "ptrtoaddr", "addrspacecast"):
            width = self._layout.width(operand.type)
            return operand if width and width == self._layout.width(instruction.type) else None
        return None

    def is_rearrangement(self, instruction: Instruction) -> bool:
        """Whether the result's leaves are leaves of the operands (insertvalue and the like)."""
        opcode = instruction.opcode
        leaves = self._layout.leaves
        if opcode in ("extractvalue", "insertvalue"):
            return bool(leaves(instruction.operands[0].type))
        if opcode in ("extractelement", "insertelement"):
            return bool(leaves(instruction.operands[0].type)) and instruction.operands[-1].value.isdigit()
        return False

    def _may_be_source(self, instruction: Instruction) -> bool:
        if instruction.opcode == "cross":  # a loop's boundary
            return True
        if instruction.opcode == "load":
            return bool(self._layout.leaves(instruction.type)) and not self._layout.is_packed(instruction.type)
        if instruction.opcode == "call" and instruction.call is not None:
            callee = instruction.call.callee
            if callee.startswith(("@llvm.", "asm ")) or callee in self._concrete_calls:
                return False
            return instruction.type != "void" and bool(self._layout.leaves(instruction.type))
        return False

    def _propagate(self, parameters: tuple[Argument, ...], steps: list[Step]) -> None:
        readers: dict[str, list[str]] = defaultdict(list)
        work: list[str] = [
            parameter.value
            for parameter in parameters
            if self._layout.leaves(parameter.type) and "byval(" not in parameter.attributes
        ]
        for step in steps:
            instruction = step.instruction
            if not instruction.result:
                continue
            if self._may_be_source(instruction):
                work.append(instruction.result)
            elif self._passes_on(instruction):
                operands = instruction.operands[1:] if instruction.opcode == "select" else instruction.operands
                for operand in operands:
                    if operand.value[0] == "%":
                        readers[operand.value].append(instruction.result)
        symbolic = self.symbolic
        while work:
            value = work.pop()
            if value not in symbolic:
                symbolic.add(value)
                work.extend(readers.get(value, ()))

    def _passes_on(self, instruction: Instruction) -> bool:
        opcode = instruction.opcode
        if opcode == "phi":
            return bool(self._layout.leaves(instruction.type))
        if opcode == "select":
            return bool(self._layout.leaves(instruction.type)) and instruction.operands[0].type == "i1"
        return self.is_pure(instruction) or self.is_rearrangement(instruction) or self.moved(instruction) is not None

    def _find(self, operand: Operand) -> tuple[str, ...]:
        value = operand.value
        count = len(self._layout.leaves(operand.type)) if operand.type not in ("metadata", "label", "token") else 0
        if value[0] != "%" or value not in self.symbolic:
            return (CONCRETE,) * count
        instruction = self._definitions.get(value)
        if instruction is not None:
            source = self.moved(instruction)
            if source is not None:
                return self.shadows(source)
            if self.is_rearrangement(instruction):
                return self._rearranged(instruction)
        return tuple(shadow_name(value, index) for index in range(count))

    def _rearranged(self, instruction: Instruction) -> tuple[str, ...]:
        operands = instruction.operands
        indices = instruction.indices
        if instruction.opcode in ("extractelement", "insertelement"):
            indices = (int(operands[-1].value),)
        old = self.shadows(operands[0])
        first, count = self._layout.leaf_range(operands[0].type, indices)
        if instruction.opcode.startswith("extract"):
            return old[first : first + count]
        new = self.shadows(operands[1])
        return old[:first] + new + old[first + count :]

    def _collect_users(self, steps: list[Step]) -> None:
        users = self.users
        symbolic = self.symbolic
        for step in steps:
            instruction = step.instruction
            if instruction.result and (self.moved(instruction) is not None or self.is_rearrangement(instruction)):
                continue
            operands = instruction.operands
            call = instruction.call
            if call is not None and call.callee[0] == "%":
                operands = (*operands, Operand("ptr", call.callee))
            for operand in operands:
                if operand.value and operand.value[0] == "%" and operand.value in symbolic:
                    for shadow in self.shadows(operand):
                        users[shadow].add(step.number)


def shadow_name(value: str, leaf: int) -> str:
    """The name of the shadow of a value's leaf."""
    prefix = "%veer.s." if leaf == 0 else f"%veer.s{leaf}."
    return f'%"{prefix[1:]}{value[2:]}' if value.startswith('%"') else prefix + value[1:]


def is_shadow(name: str) -> bool:
    """Whether shadow_name made the name of a local."""
    return name.lstrip('%"').startswith("veer.s")
