"""The boundaries of functions and loops in compositional builds (veer_enter in veer_runtime.h; tracer/levels.c).

%veer.r.0 = phi ...                         the shadow that the caller handed over
%veer.level = call i32 @veer_enter(site)
%veer.s.x = call i32 @veer_enter_argument(%veer.level, 0, %veer.r.0, 32, x)
call void @veer_enter_memory(%veer.level)
"""

from __future__ import annotations

from veer.instrument.facts import FunctionFacts
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.taint import CONCRETE, Taint
from veer.instrument.writer import FunctionWriter
from veer.wire.layout import MAX_ARGUMENTS

_POINTER_WIDTH = 0x100
_WIDEST = 64
_LEVEL = "%veer.level"


class Boundary:
    """Writes what crosses the boundary of one function."""

    def __init__(self, writer: FunctionWriter, facts: FunctionFacts, *, is_unit: bool) -> None:
        """`is_unit`: it is to have one, if it can."""
        layout, function, steps = facts.layout, facts.function, facts.steps
        self._writer = writer
        self._layout = layout
        self._function = function
        self._site = facts.sites.function
        values = [Operand(parameter.type, parameter.value) for parameter in function.parameters]
        returned = [step.instruction.operands[0] for step in steps if _returns_value(step.instruction)]
        self.is_drawn = (
            is_unit
            and not function.name.startswith("@veer_")  # the harness
            and not function.variadic
            and not any(parameter.byval for parameter in function.parameters)
            and all(map(self._can_cross, (*values, *returned)))
            and sum(len(layout.leaves(value.type)) for value in values) <= MAX_ARGUMENTS
        )
        """Whether it has any: a function whose values have no shadows is a part of its callers."""

    def _can_cross(self, value: Operand) -> bool:
        leaves = self._layout.leaves(value.type)
        return bool(leaves) and not self._layout.wide(value.type) and all(leaf.width <= _WIDEST for leaf in leaves)

    def received(self, index: int) -> str:
        """The name of the shadow that the caller handed over."""
        return f"%veer.r.{index}"

    def enter(self, taint: Taint) -> None:
        """Behind the definitions of all `received`: defines the shadows of the parameters."""
        hot, unit = self._writer.hot, self._writer.unit
        hot.add(f"{_LEVEL} = call i32 {unit.runtime('veer_enter')}(i32 {unit.site(self._site)})")
        index = 0
        for parameter in self._function.parameters:
            value = Operand(parameter.type, parameter.value)
            for leaf, shadow in enumerate(taint.shadows(value)):
                call = self._cross("veer_enter_argument", value, leaf, self.received(index), index)
                is_read = shadow != CONCRETE and taint.users[shadow]
                if is_read:
                    hot.add(f"{shadow} = {call}")
                else:
                    self._writer.value(hot, call)
                index += 1
        hot.add(f"call void {unit.runtime('veer_enter_memory')}(i32 {_LEVEL})")

    def leave(self, value: Operand | None, shadows: tuple[str, ...]) -> tuple[str, ...]:
        """Before a return of `value`: its shadows on the caller's side."""
        hot = self._writer.hot
        crossed = tuple(
            self._writer.value(hot, self._cross("veer_leave_result", value, leaf, shadow, leaf))
            for leaf, shadow in enumerate(shadows)
            if value is not None
        )
        hot.add(f"call void {self._writer.unit.runtime('veer_leave')}(i32 {_LEVEL})")
        return crossed

    def _cross(self, runtime: str, value: Operand, leaf: int, shadow: str, index: int) -> str:
        type_ = self._layout.leaves(value.type)[leaf]
        width = type_.width + (_POINTER_WIDTH if type_.type == "ptr" else 0)
        path = self._layout.leaf_paths(value.type)[leaf]
        bits = self._writer.leaf_bits(self._writer.hot, value.type, value.value, path)
        place = f"i32 {_LEVEL}, i32 {index}, i32 {shadow}, i32 {width}, i64 {bits}"
        return f"call i32 {self._writer.unit.runtime(runtime)}({place})"


def _returns_value(instruction: Instruction) -> bool:
    return instruction.opcode == "ret" and bool(instruction.operands)


class LoopBoundaries:
    """Writes what crosses the boundaries of a function's loops: the steps that loopunits.py put in."""

    OPCODES = frozenset(("enter", "cross", "entered", "leave"))

    def __init__(self, writer: FunctionWriter, taint: Taint) -> None:
        self._writer = writer
        self._taint = taint

    def write(self, instruction: Instruction) -> None:
        """A step; no run of operations is pending."""
        hot, unit = self._writer.hot, self._writer.unit
        level = instruction.detail
        if instruction.opcode == "enter":
            self._writer.flush(hot)
            place = unit.site(instruction.indices[0])
            hot.add(f"{instruction.result} = call i32 {unit.runtime('veer_enter')}(i32 {place})")
        elif instruction.opcode == "entered":
            hot.add(f"call void {unit.runtime('veer_enter_memory')}(i32 {level})")
        elif instruction.opcode == "cross":
            self._cross(instruction, level)
        else:
            exit = instruction.operands[0].value
            self._writer.value(hot, _taken(unit.runtime("veer_leave_result"), level, exit))
            hot.add(f"call void {unit.runtime('veer_leave')}(i32 {level})")

    def _cross(self, instruction: Instruction, level: str) -> None:
        """`indices[0]` counts the values; the second operand of what leaves is the number that its exit's begin at."""
        writer, hot = self._writer, self._writer.hot
        value, *exit = instruction.operands
        runtime, index = "veer_enter_argument", str(instruction.indices[0])
        if exit:
            runtime, index = "veer_leave_result", writer.value(hot, f"add i32 {exit[0].value}, {index}")
        width = writer.layout.width(value.type) + (_POINTER_WIDTH if value.type == "ptr" else 0)
        bits = writer.bits(hot, value.type, value.value)
        hot.add(f"{instruction.result} = bitcast {value.type} {value.value} to {value.type}")
        place = f"i32 {level}, i32 {index}, i32 {self._taint.shadow(value)}, i32 {width}, i64 {bits}"
        (shadow,) = self._taint.result(instruction)
        hot.add(f"{shadow} = call i32 {writer.unit.runtime(runtime)}({place})")


def _taken(runtime: str, level: str, exit: str) -> str:
    """Which exit was taken, as a result that has no value."""
    return f"call i32 {runtime}(i32 {level}, i32 {exit}, i32 {CONCRETE}, i32 8, i64 0)"
