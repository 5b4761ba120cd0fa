"""The text of a flow map as it grows: lines of IR behind the steps of a function (informationflow.py)."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.taint import Step
from veer.instrument.writer import UnitText
from veer.wire.layout import FlowKind

NOTHING = "0"
"""The flow of what nothing flows into."""


class FlowText:
    """The steps of a function with those of its flow map; `here`: the one that is written for."""

    def __init__(self, unit: UnitText, site_of: Callable[[int], int], here: Step) -> None:
        self.steps: list[Step] = []
        self.here = here
        self._unit = unit
        self._site_of = site_of
        self._count = 0

    def keep(self, step: Step) -> None:
        """A step of the function itself."""
        self.steps.append(step)

    def raw(self, text: str, operand: Operand | None = None) -> None:
        """A line of text; `operand`: the one whose shadow it speaks of."""
        operands = (operand,) if operand is not None else ()
        here = self.here
        self.steps.append(Step(0, here.position, here.block, Instruction("", "flow", "", operands, text, 0)))

    def value(self, expression: str) -> str:
        """The new name of a value."""
        self._count += 1
        name = f"%veer.flow.v{self._count}"
        self.raw(f"{name} = {expression}")
        return name

    def called(self, type_: str, name: str, arguments: str) -> str:
        """A call of the runtime as an expression."""
        return f"call {type_} {self._unit.runtime(name)}({arguments})"

    def call(self, type_: str, name: str, arguments: str) -> str:
        """A call of the runtime; the name of what it returns, empty for "void"."""
        text = self.called(type_, name, arguments)
        if type_ != "void":
            return self.value(text)
        self.raw(text)
        return ""

    def site(self) -> str:
        """The number of the site that is written for."""
        return self._unit.site(self._site_of(self.here.position))

    def join(self, names: Sequence[str], kind: FlowKind) -> str:
        """The union of some flows."""
        wanted = [name for name in dict.fromkeys(names) if name != NOTHING]
        joined = wanted[0] if wanted else NOTHING
        for other in wanted[1:]:
            joined = self.call(
                "i32", "veer_flow_union", f"i32 {joined}, i32 {other}, i32 {int(kind)}, i32 {self.site()}"
            )
        return joined

    def define(self, name: str, names: Sequence[str], kind: FlowKind) -> None:
        """A flow of this name: the union of some."""
        self.raw(f"{name} = add i32 {self.join(names, kind)}, 0")

    def phi(self, name: str, values: Sequence[str], labels: Sequence[str], type_: str = "i32") -> None:
        """A value that hangs on the block that the function came from."""
        operands = tuple(Operand(type_, value) for value in values)
        phi = Instruction(name, "phi", type_, operands, "", 0, labels=tuple(labels))
        self.steps.append(Step(0, self.here.position, self.here.block, phi))
