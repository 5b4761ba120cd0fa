"""Gives loops that are units of summary (loops.py) boundaries of their own, as functions have (boundary.py).

    before:                           before:                            also from every other way in
      br label %header                  %in = crossing in of each value from outside
                                        br label %header
    header:                   ->      header:                            computes with %in alone
      %i = phi ...                      %i' = phi ...
      br ..., %header, %behind          br ..., %header, %out
                                      out:                               every way out leads here
                                        %e = phi number of the exit
                                        %i = crossing out of %i'         behind the loop everything is as it was
                                        switch %e ...
    behind:                           behind:

A pointer crosses as its distance from where it began, so that it stays a pointer into that object.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from veer.instrument.foundloop import LeavingValue, LoopUnit
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand
from veer.instrument.module import Block
from veer.instrument.taint import Step
from veer.instrument.writer import zero
from veer.model.loops import OUTPUTS_PER_EXIT
from veer.model.values import replace

_NOWHERE = -1  # a position that has no site
_EXIT_TYPE = "i32"


def draw_loops(
    blocks: tuple[Block, ...], steps: Sequence[Step], units: Sequence[LoopUnit]
) -> tuple[tuple[Block, ...], list[Step]]:
    """The function with the boundaries drawn."""
    if not units:
        return blocks, list(steps)
    drawing = _Drawing([block.label for block in blocks], {block.label: [] for block in blocks})
    for step in steps:
        drawing.steps[blocks[step.block].label].append(step)
    for number, unit in enumerate(units):
        _Unit(drawing, [block.label for block in blocks], unit, number).draw()
    return drawing.result()


class _Drawing(Struct):
    """The blocks by label, and their order in the text."""

    order: list[str]
    steps: dict[str, list[Step]]

    def result(self) -> tuple[tuple[Block, ...], list[Step]]:
        """As instrument_function takes it."""
        blocks = tuple(Block(label, tuple(step.instruction for step in self.steps[label])) for label in self.order)
        flat = [(index, step) for index, label in enumerate(self.order) for step in self.steps[label]]
        return blocks, [replace(step, number=number, block=index) for number, (index, step) in enumerate(flat)]

    def lead(self, block: str, side: int, target: str) -> str:
        """Leads an edge elsewhere; gives where it led."""
        *_, last = steps = self.steps[block]
        labels = list(last.instruction.labels)
        before, labels[side] = labels[side], target
        steps[-1] = replace(last, instruction=replace(last.instruction, labels=tuple(labels)))
        return before

    def comes_from(self, block: str, old: str, new: str) -> None:
        """An edge to the block comes from another one now."""
        for k, step in enumerate(self.steps[block]):
            phi = step.instruction
            if phi.opcode == "phi":
                labels = tuple(new if label == old else label for label in phi.labels)
                self.steps[block][k] = replace(step, instruction=replace(phi, labels=labels))


class _Unit:
    """Draws one loop's boundary."""

    def __init__(self, drawing: _Drawing, labels: Sequence[str], unit: LoopUnit, number: int) -> None:
        self._drawing = drawing
        self._unit = unit
        self._number = number
        self._header = labels[unit.header]
        self._body = [labels[block] for block in unit.body]
        self._sources = [labels[exit.source] for exit in unit.exits]
        self._level = self._name("level")
        self._way_in = f"veer.loop.{number}.in"
        self._way_out = f"veer.loop.{number}.out"
        self._outside = [
            Operand(operand.type, self._name(f"first.{k}")) if k in unit.merged else operand
            for k, operand in enumerate(unit.inputs)
        ]

    def draw(self) -> None:
        """Rewrites the loop's own blocks and the ways in and out."""
        unit, drawing = self._unit, self._drawing
        inside = {operand.value: self._name(f"in.{k}") for k, operand in enumerate(unit.inputs) if k not in unit.merged}
        own = {value.operand.value: self._name(f"own.{k}") for k, value in enumerate(unit.leaving)}
        entry = self._entry()
        self._lead_in()
        for label in self._body:
            drawing.steps[label] = [_renamed(step, {**inside, **own}) for step in drawing.steps[label]]
        self._begin_phis(own)
        self._put(self._way_in, entry, drawing.order.index(self._header))
        last = max(drawing.order.index(label) for label in self._body)
        self._put(self._way_out, self._landing(own), last + 1)
        for number, exit in enumerate(unit.exits):
            source, side = self._sources[number], self._side(number)
            target = drawing.lead(source, exit.side, self._way_out)
            drawing.comes_from(target, source, side)
            self._put(side, [_step("br", labels=(target,))], last + 2 + number)

    def _put(self, label: str, steps: list[Step], place: int) -> None:
        self._drawing.steps[label] = steps
        self._drawing.order.insert(place, label)

    def _name(self, what: str) -> str:
        return f"%veer.loop.{self._number}.{what}"

    def _side(self, exit: int) -> str:
        return f"veer.loop.{self._number}.exit.{exit}"

    def _lead_in(self) -> None:
        """Leads all edges to the header from outside to the way in."""
        for label in set(self._drawing.order) - set(self._body):
            for side, target in enumerate(self._drawing.steps[label][-1].instruction.labels):
                if target == self._header:
                    self._drawing.lead(label, side, self._way_in)

    def _phis(self) -> list[Instruction]:
        """Those of the header."""
        instructions = [step.instruction for step in self._drawing.steps[self._header]]
        return [instruction for instruction in instructions if instruction.opcode == "phi"]

    def _begin_phis(self, own: Mapping[str, str]) -> None:
        """The header's phis have one value from outside."""
        first = {own.get(name, name): value for name, value in self._unit.phis.items()}
        steps = self._drawing.steps[self._header]
        for k, phi in enumerate(self._phis()):
            kept = [k for k, label in enumerate(phi.labels) if label in self._body]
            value = first[phi.result]
            given = Operand(phi.type, self._name(f"in.{value}") if isinstance(value, int) else value)
            operands = (*(phi.operands[k] for k in kept), given)
            labels = (*(phi.labels[k] for k in kept), self._way_in)
            steps[k] = replace(steps[k], instruction=replace(phi, operands=operands, labels=labels))

    def _entry(self) -> list[Step]:
        steps = []
        for phi in self._phis():
            first = self._unit.phis[phi.result]
            if first in self._unit.merged:
                kept = [k for k, label in enumerate(phi.labels) if label not in self._body]
                values, labels = tuple(phi.operands[k] for k in kept), tuple(phi.labels[k] for k in kept)
                steps.append(_step("phi", phi.type, values, self._name(f"first.{first}"), labels=labels))
        steps.append(_step("enter", result=self._level, indices=(self._unit.loop.site,)))
        for k, operand in enumerate(self._outside):
            steps.append(_step("cross", operand.type, (operand,), self._name(f"in.{k}"), self._level, indices=(k,)))
        steps.append(_step("entered", detail=self._level))
        steps.append(_step("br", labels=(self._header,)))
        return steps

    def _landing(self, own: Mapping[str, str]) -> list[Step]:
        unit, labels = self._unit, tuple(self._sources)
        numbers = tuple(Operand(_EXIT_TYPE, str(k * OUTPUTS_PER_EXIT)) for k in range(len(unit.exits)))
        exit = self._name("exit")
        steps = [_step("phi", _EXIT_TYPE, numbers, exit, labels=labels)]
        for k, value in enumerate(unit.leaving):
            type_ = value.operand.type
            nothing = self._name(f"in.{value.base}") if value.base >= 0 else zero(type_)
            values = tuple(
                Operand(type_, own[value.operand.value] if value.operand.value in names else nothing)
                for names in unit.available
            )
            steps.append(_step("phi", type_, values, self._name(f"out.{k}"), labels=labels))
        behind = []
        for k, value in enumerate(unit.leaving):
            if value.base >= 0:
                made, after = self._pointer(k, value, exit)
                steps += made
                behind.append(after)
            else:
                steps.append(self._crossed(value.operand.type, self._name(f"out.{k}"), value.operand.value, exit, k))
        steps.append(_step("leave", operands=(Operand(_EXIT_TYPE, exit),), detail=self._level))
        steps += behind
        if len(unit.exits) == 1:
            steps.append(_step("br", labels=(self._side(0),)))
        else:
            cases = (Operand(_EXIT_TYPE, exit), *numbers[1:])
            steps.append(_step("switch", operands=cases, labels=tuple(map(self._side, range(len(unit.exits))))))
        return steps

    def _crossed(self, type_: str, value: str, result: str, exit: str, position: int) -> Step:
        operands = (Operand(type_, value), Operand(_EXIT_TYPE, exit))
        return _step("cross", type_, operands, result, self._level, indices=(position + 1,))

    def _pointer(self, position: int, value: LeavingValue, exit: str) -> tuple[list[Step], Step]:
        """How far it is from its base, within the boundary, and the pointer again behind it."""
        name = self._name
        here, there, far, crossed = (name(f"{what}.{position}") for what in ("here", "there", "far", "crossed"))
        out, base = Operand("ptr", name(f"out.{position}")), Operand("ptr", name(f"in.{value.base}"))
        made = [
            _step("ptrtoint", "i64", (out,), here),
            _step("ptrtoint", "i64", (base,), there),
            _step("sub", "i64", (Operand("i64", here), Operand("i64", there)), far),
            self._crossed("i64", far, crossed, exit, position),
        ]
        operands = (self._outside[value.base], Operand("i64", crossed))
        return made, _step("getelementptr", "ptr", operands, value.operand.value, "i8")


def _step(
    opcode: str,
    type_: str = "",
    operands: tuple[Operand, ...] = (),
    result: str = "",
    detail: str = "",
    *,
    labels: tuple[str, ...] = (),
    indices: tuple[int, ...] = (),
) -> Step:
    instruction = Instruction(result, opcode, type_, operands, "", 0, detail, labels, indices)
    return Step(0, _NOWHERE, 0, instruction)


def _renamed(step: Step, names: Mapping[str, str]) -> Step:
    instruction = step.instruction
    operands = tuple(Operand(type_, names.get(value, value)) for type_, value in instruction.operands)
    result = names.get(instruction.result, instruction.result)
    return replace(step, instruction=replace(instruction, result=result, operands=operands))
