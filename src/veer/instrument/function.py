"""One function: its prologue, and its body, once or as a fast and a slow path (fastpath.py).

define i32 @f(i32 %x) {          define i32 @f(i32 %x) prefix ... {
bb:                              veer.entry:       steps, depth, shadows of arguments, frame of locals
  ...                     ->     veer.fast.bb:     the fast path, which has no shadows
                                 veer.b1: bb:      the slow path
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

from veer.instrument import convention
from veer.instrument.body import Body
from veer.instrument.boundary import Boundary
from veer.instrument.calls import Callees
from veer.instrument.decisions import EdgeMarks, NoMarks
from veer.instrument.facts import FunctionFacts
from veer.instrument.fastpath import FastPath, OnlyPath, SlowPath
from veer.instrument.foundloop import LoopUnit
from veer.instrument.frame import plan_frame
from veer.instrument.informationflow import InformationFlow
from veer.instrument.instructions import Instruction
from veer.instrument.jumps import MARK_BEFORE_INVOKE
from veer.instrument.lexer import bare
from veer.instrument.loopunits import draw_loops
from veer.instrument.lower import Lowering
from veer.instrument.module import Block, Function
from veer.instrument.placement import asks
from veer.instrument.prologue import Prologue, byval_name
from veer.instrument.sites import FunctionSites, back_edges
from veer.instrument.slowpath import SlowText, prefixed, rename_locals
from veer.instrument.taint import CONCRETE, Step, Taint
from veer.instrument.typelayout import Layout
from veer.instrument.writer import HASH_VARIABLE, FunctionWriter, UnitText
from veer.model.values import replace

_ENTRY = "veer.entry"
_FAST = "veer.fast."
_OWN = ("veer_", "veer.")
"""How functions begin that front ends write: what puts arguments into registers, what calls the library."""
_SINGLE = frozenset(("landingpad", "resume", "indirectbr"))
"""Instructions of functions that have one copy: their blocks have an address, or an unwinder comes to them."""


def instrument_function(
    unit: UnitText,
    layout: Layout,
    function: Function,
    blocks: tuple[Block, ...],
    sites: FunctionSites,
    callees: Callees,
    marks: EdgeMarks,
    *,
    keeps_flows: bool,
    has_fast_path: bool,
    boundaries: bool,
    loops: Sequence[LoopUnit] = (),
    is_unit: bool = True,
) -> list[str]:
    """The lines of the rewritten definition. `keeps_flows`: with FlowTest's flow map; `has_fast_path`: concrete data
    has a path of its own; `boundaries`: what crosses them is told (compositional runs), by a function of one path;
    `loops`: those of it that have boundaries of their own; `is_unit`: whether it has one itself."""
    steps = lowered(layout, blocks)
    blocks, steps = draw_loops(blocks, steps, loops)
    if keeps_flows:
        steps = InformationFlow(unit, layout, function, blocks, steps, sites.at, callees.instrumented).woven()
    frame = plan_frame(layout, function.parameters, [step for step in steps if step.block == 0], blocks)
    concrete = frozenset("@" + name for name in convention.CONCRETE_RESULTS) | callees.uninstrumented
    taint = Taint(layout, function.parameters, steps, concrete)
    has_list = any(_starts_list(step.instruction) for step in steps)
    has_alloca = any(step.instruction.opcode == "alloca" for step in steps)
    facts = FunctionFacts(
        layout,
        function,
        blocks,
        steps,
        sites,
        callees,
        marks,
        frame,
        {} if isinstance(marks, NoMarks) or bare(function.name).startswith(_OWN) else asks(steps),
        has_list=has_list,
        has_mark=frame.is_needed or has_alloca or has_list,
        returns_symbolic=any(
            shadow != CONCRETE
            for step in steps
            if step.instruction.opcode == "ret"
            for operand in step.instruction.operands
            for shadow in taint.shadows(operand)
        ),
    )
    rewriter = _FunctionRewriter(unit, facts, taint, boundaries=boundaries, is_unit=is_unit)
    return rewriter.two_paths() if has_fast_path and _may_have_two(facts, taint) else rewriter.one_path()


def lowered(layout: Layout, blocks: tuple[Block, ...]) -> list[Step]:
    """The steps of a function, what is lowered (lower.py) in plain operations."""
    made = {each.result: each for block in blocks for each in block.instructions if each.result}
    lowering = Lowering(layout, made)
    steps: list[Step] = []
    position = 0
    for index, block in enumerate(blocks):
        for instruction in block.instructions:
            for piece in lowering.lower(instruction):
                if piece.opcode == "extractvalue":
                    type_ = layout.member_type(piece.operands[0].type, piece.indices)
                    piece = replace(piece, type=type_)
                steps.append(Step(len(steps), position, index, piece))
            position += 1
    return steps


class _FunctionRewriter:
    """Writes the prologue and what is behind it."""

    def __init__(self, unit: UnitText, facts: FunctionFacts, taint: Taint, *, boundaries: bool, is_unit: bool) -> None:
        self._unit = unit
        self._facts = facts
        self._taint = taint
        self._numbers = count(1)
        self._writer = FunctionWriter(unit, facts.layout, _ENTRY, self._numbers)
        self._boundary = Boundary(self._writer, facts, is_unit=is_unit) if boundaries else None
        self._keeps_hash = bool(
            back_edges(facts.blocks) and facts.sites.decisions and not isinstance(facts.marks, NoMarks)
        )

    def one_path(self) -> list[str]:
        """All lines of the definition."""
        writer, first = self._writer, self._facts.blocks[0].label
        self._variables()
        self._prologue().write(first)
        Body(self._facts, self._taint, OnlyPath(self._taint, writer), writer, self._boundary).write()
        return [self._header(), *writer.hot.lines, *writer.cold.lines, "}"]

    def two_paths(self) -> list[str]:
        """The same with a fast path. The slow one is written first, since its landings say what must reach it."""
        writer, first = self._writer, self._facts.blocks[0].label
        prologue = self._prologue()
        entry = writer.label()
        slow = FunctionWriter(self._unit, self._facts.layout, entry, self._numbers)
        path = self._slow_path(slow, prologue.shadows)
        text = SlowText([*slow.hot.lines, *slow.cold.lines])
        live = {label: text.live_at(label) for label in path.landings.values()}
        types = self._types()
        variables = {
            name: (types[name], writer.fresh("%veer.v."))
            for name in dict.fromkeys(name for names in live.values() for name in names)
        }
        for type_, variable in variables.values():
            writer.hot.add(f"{variable} = alloca {type_}")
        self._variables()
        prologue.write(first, entry, _received)
        crossings = {label: [(name, *variables[name]) for name in names] for label, names in live.items()}
        fast = FastPath(self._taint, writer, path.landings, crossings)
        Body(self._facts, self._taint.concrete(), fast, writer).write()
        lines = rename_locals([*writer.hot.lines, *writer.cold.lines], self._own_names(), _FAST)
        return [self._header(), *lines, *text.through_variables(variables, writer.fresh), "}"]

    def _slow_path(self, writer: FunctionWriter, shadows: Iterable[str]) -> SlowPath:
        """Writes the slow path; `shadows`: those of arguments."""
        writer.hot.start(writer.hot.label)
        if self._keeps_hash:
            writer.hash_place = HASH_VARIABLE
        for shadow in shadows:
            writer.hot.add(f"{shadow} = or i32 {_received(shadow)}, {CONCRETE}")
        writer.hot.add(f"br label %{self._facts.blocks[0].label}")
        path = SlowPath(self._taint, writer)
        Body(self._facts, self._taint, path, writer).write()
        return path

    def _prologue(self) -> Prologue:
        return Prologue(self._writer, self._taint, self._facts, self._boundary, keeps_hash=self._keeps_hash)

    def _variables(self) -> None:
        """The locals that instrumentation puts in."""
        if self._keeps_hash:
            self._writer.hot.add(f"{HASH_VARIABLE} = alloca i64, align 8")
        if any(step.instruction.opcode == "landingpad" for step in self._facts.steps):
            self._writer.hot.add(f"{MARK_BEFORE_INVOKE} = alloca i64, align 8")

    def _types(self) -> dict[str, str]:
        """The types of the values that the paths have in common, and of the slow path's shadows."""
        found = {}
        for step in self._facts.steps:
            instruction = step.instruction
            if instruction.result:
                found[instruction.result] = instruction.type
                found.update((shadow, "i32") for shadow in self._taint.result(instruction))
        found.update((shadow, "i32") for shadow in self._prologue().shadows)
        return found

    def _own_names(self) -> frozenset[str]:
        """The values and labels that each copy has for itself."""
        values = {step.instruction.result for step in self._facts.steps} - self._facts.frame.values
        return frozenset(values | {f"%{block.label}" for block in self._facts.blocks})

    def _header(self) -> str:
        function = self._facts.function
        parameters = []
        for parameter in function.parameters:
            name = parameter.value
            if parameter.byval:
                name = byval_name(name)
            parameters.append(f"{parameter.type} {parameter.attributes}{name}")
        if function.variadic:
            parameters.append("...")
        mark = f"prefix [2 x i64] [i64 {convention.FUNCTION_MARK}, i64 {convention.FUNCTION_MARK}]"
        tail, _, personality = function.tail.partition(" personality ")
        tail = tail.replace(" local_unnamed_addr", "").replace(" unnamed_addr", "")
        handler = f" personality {personality}" if personality else ""
        return f"{function.head}{function.returns} {function.name}({', '.join(parameters)}){tail} {mark}{handler} {{"


def _may_have_two(facts: FunctionFacts, taint: Taint) -> bool:
    """Whether anything may be symbolic, and nothing but branches leads from block to block."""
    names = {step.instruction.result for step in facts.steps}
    for step in facts.steps:
        instruction = step.instruction
        callee = instruction.call.callee if instruction.call is not None else ""
        if instruction.opcode in _SINGLE or (callee and instruction.labels) or callee[1:] in convention.SETJMP_NAMES:
            return False
    return bool(taint.symbolic) and not any(
        map(facts.layout.names_type, names)
    )  # text cannot tell such a value from the type


def _starts_list(instruction: Instruction) -> bool:
    return instruction.call is not None and instruction.call.callee.startswith("@llvm.va_start")


def _received(shadow: str) -> str:
    """What the shadow of an argument is called before the slow path takes it."""
    return prefixed(shadow, "veer.r.")
