"""Where the locals that stay in memory lie in their function's frame (veer_frame in veer_runtime.h)."""

from __future__ import annotations

from dataclasses import dataclass

from veer.instrument.callsyntax import Argument
from veer.instrument.flow import Step
from veer.instrument.typelayout import Layout

_REDZONE = 16
_FRAME_ALIGNMENT = 64


@dataclass(frozen=True, slots=True)
class Place:
    """One local: the value that is its address, its type, offset and size in bytes."""

    value: str
    type: str
    offset: int
    size: int


@dataclass(frozen=True, slots=True)
class FrameLayout:
    """The frame of one function: `total` bytes, each place between at least 16 bytes that belong to nobody."""

    places: tuple[Place, ...]
    total: int
    values: frozenset[str]

    @property
    def is_needed(self) -> bool:
        return bool(self.places)


def plan_frame(layout: Layout, parameters: tuple[Argument, ...], entry: list[Step]) -> FrameLayout:
    """Places the copies of byval parameters and the constant-size allocas of the entry block."""
    places: list[Place] = []
    position = 0

    def place(value: str, type_: str, size: int, alignment: int) -> None:
        nonlocal position
        step = max(alignment, _REDZONE)
        offset = (position + _REDZONE + step - 1) // step * step
        places.append(Place(value, type_, offset, size))
        position = offset + size

    for parameter in parameters:
        if parameter.byval:
            place(parameter.value, parameter.byval, layout.size(parameter.byval), layout.alignment(parameter.byval))
    for step in entry:
        instruction = step.instruction
        if instruction.opcode != "alloca" or instruction.alignment > _FRAME_ALIGNMENT:
            continue
        count = 1
        if instruction.operands:
            if not instruction.operands[0].value.isdigit():
                continue
            count = int(instruction.operands[0].value)
        place(instruction.result, instruction.detail, count * layout.size(instruction.detail), instruction.alignment)
    total = (position + _REDZONE + 15) // 16 * 16 if places else 0
    return FrameLayout(tuple(places), total, frozenset(one.value for one in places))
