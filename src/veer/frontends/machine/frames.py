"""Which values of a lifted function lead into its own frame of the stack, and how far from where the stack was when it
was called.

    %in.sp.enter = load i64, ptr @veer.register.sp        0
    %v3 = add i64 %in.sp.enter, -24                       -24
    store i64 %v3, ptr @veer.register.sp
    call void @g()
    %in.sp.c2 = load i64, ptr @veer.register.sp           -24: callees leave the stack as it was (x86-64: -16, for their
                                                          return takes the address that was pushed)
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from msgspec import Struct

from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand, bare
from veer.instrument.module import Block

REGISTER = "@veer.register."
AT_ENTRY = ".enter"
"""How the first load of a register is named."""
_OWN = ("veer_", "llvm.")
"""How functions begin that are no calls of the machine."""
_SAME = ("freeze", "sext", "zext")
_Known = dict[str, int | None]


class Frames(Struct, frozen=True, dict=True):
    """Of one function. `stack`: the register of the stack; `popped`: bytes that a return takes from it."""

    blocks: tuple[Block, ...]
    stack: str
    popped: int

    def offset(self, value: str) -> int | None:
        """How far; None for what does not lead there, or to several places."""
        return self._found[0].get(value)

    @property
    def registers(self) -> Mapping[str, int | None]:
        """The registers that are stored, and where in the frame each leads; None where it leads elsewhere, too."""
        return self._found[1]

    @cached_property
    def _found(self) -> tuple[_Known, _Known]:
        """Values are not known at first, then one number, then None: where paths meet, both must agree."""
        values: _Known = {self._own: 0}
        registers: _Known = {}
        begins: _Known = {self.blocks[0].label: 0}
        changed = True
        while changed:
            before = (dict(values), dict(registers), dict(begins))
            for block in self.blocks:
                if block.label not in begins:
                    continue
                stack = begins[block.label]
                for each in block.instructions:
                    stack = self._step(each, stack, values, registers)
                for label in block.instructions[-1].labels:
                    _join(begins, label, stack)
            changed = before != (values, registers, begins)
        return values, registers

    def _step(self, each: Instruction, stack: int | None, values: _Known, registers: _Known) -> int | None:
        """Where the stack is behind an instruction."""
        if each.opcode == "store" and each.operands[1].value.startswith(REGISTER):
            register, value = each.operands[1].value.removeprefix(REGISTER), each.operands[0]
            if value.value in values or not value.value.startswith("%"):
                _join(registers, register, values.get(value.value))
            return values.get(value.value) if register == self.stack else stack
        if each.call is not None and not bare(each.call.callee).startswith(_OWN):
            return None if stack is None else stack + self.popped
        if each.result and each.result != self._own:
            self._value(each, stack, values, registers)
        return stack

    @property
    def _own(self) -> str:
        return f"%in.{self.stack}{AT_ENTRY}"

    @cached_property
    def _stored(self) -> frozenset[str]:
        stores = (each for block in self.blocks for each in block.instructions if each.opcode == "store")
        return frozenset(each.operands[1].value.removeprefix(REGISTER) for each in stores)

    def _value(self, each: Instruction, stack: int | None, values: _Known, registers: _Known) -> None:
        operands = [operand for operand in each.operands if operand.value in values]
        if each.opcode == "load" and each.operands[0].value.startswith(REGISTER):
            register = each.operands[0].value.removeprefix(REGISTER)
            if register == self.stack:
                _join(values, each.result, stack)
            elif register in registers or register not in self._stored or each.result.endswith(AT_ENTRY):
                is_kept = register in registers and not each.result.endswith(AT_ENTRY)
                _join(values, each.result, registers[register] if is_kept else None)
        elif each.opcode == "add" and is_number(each.operands[1]):
            if operands:
                base = values[operands[0].value]
                _join(values, each.result, None if base is None else base + int(each.operands[1].value))
        elif each.opcode in _SAME:
            if operands:
                _join(values, each.result, values[operands[0].value])
        elif each.opcode == "phi":
            for operand in each.operands:
                if operand.value in values or not operand.value.startswith("%"):
                    _join(values, each.result, values.get(operand.value))
        else:
            _join(values, each.result, None)


def _join(known: _Known, name: str, offset: int | None) -> None:
    known[name] = offset if known.get(name, offset) == offset else None


def is_number(operand: Operand) -> bool:
    """Whether it is a constant."""
    return operand.value.lstrip("-").isdigit()
