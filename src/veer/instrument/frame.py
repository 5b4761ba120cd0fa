"""Where the locals that stay in memory lie in their function's frame (veer_frame in veer_runtime.h)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from veer.instrument.callsyntax import Argument
from veer.instrument.firstuses import written_first
from veer.instrument.module import Block
from veer.instrument.taint import Step
from veer.instrument.typelayout import Layout

_REDZONE = 16
_FRAME_ALIGNMENT = 64


class Place(Struct, frozen=True):
    """One local: the value that is its address, its type, offset and size in bytes."""

    value: str
    type: str
    offset: int
    size: int


class FrameLayout(Struct, frozen=True):
    """The frame of one function: `total` bytes, each place between at least 16 bytes that belong to nobody.

    The first `written` places are locals that nobody can read before they are written.
    """

    places: tuple[Place, ...]
    total: int
    values: frozenset[str]
    written: int

    @property
    def is_needed(self) -> bool:
        return bool(self.places)


class _Local(Struct, frozen=True):
    value: str
    type: str
    size: int
    alignment: int


def plan_frame(
    layout: Layout, parameters: tuple[Argument, ...], entry: Sequence[Step], blocks: Sequence[Block]
) -> FrameLayout:
    """Places the copies of byval parameters and the constant-size allocas of the entry block."""
    copies = [
        _Local(each.value, each.byval, layout.size(each.byval), layout.alignment(each.byval))
        for each in parameters
        if each.byval
    ]
    variables = list(_variables(layout, entry))
    settled = written_first(layout, blocks, {each.value: each.size for each in variables})
    written = [*copies, *(each for each in variables if each.value in settled)]
    return _placed([*written, *(each for each in variables if each.value not in settled)], len(written))


def _variables(layout: Layout, entry: Sequence[Step]) -> Iterator[_Local]:
    for step in entry:
        instruction = step.instruction
        if instruction.opcode != "alloca" or instruction.alignment > _FRAME_ALIGNMENT:
            continue
        count = 1
        if instruction.operands:
            if not instruction.operands[0].value.isdigit():
                continue
            count = int(instruction.operands[0].value)
        size = count * layout.size(instruction.detail)
        yield _Local(instruction.result, instruction.detail, size, instruction.alignment)


def _placed(locals_: Sequence[_Local], written: int) -> FrameLayout:
    places: list[Place] = []
    position = 0
    for each in locals_:
        step = max(each.alignment, _REDZONE)
        offset = (position + _REDZONE + step - 1) // step * step
        places.append(Place(each.value, each.type, offset, each.size))
        position = offset + each.size
    total = (position + _REDZONE + 15) // 16 * 16 if places else 0
    return FrameLayout(tuple(places), total, frozenset(one.value for one in places), written)
