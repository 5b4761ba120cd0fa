"""One function: prologue, blocks, phis, returns. The text before and after:

define i32 @f(i32 %x) {          define i32 @f(i32 %x) prefix ... {
bb:                              veer.entry:   steps, depth, shadows of arguments, frame of locals
  %a = add i32 %x, 1      ->     bb:           the same operation
  br label %next                               one check for the run, then the branch
                                 veer.b7:      out of line: what happens when %x is symbolic
"""

from __future__ import annotations

from dataclasses import replace

from veer.frontends.c.ir import contract
from veer.frontends.c.ir.available import AvailableLoads
from veer.frontends.c.ir.calls import Callees, Calls, needs_frame
from veer.frontends.c.ir.decisions import Decisions, EdgeMarks, NoMarks
from veer.frontends.c.ir.flow import CONCRETE, Flow, Step
from veer.frontends.c.ir.flows import SHADOW, with_flows
from veer.frontends.c.ir.frame import FrameLayout, plan_frame
from veer.frontends.c.ir.instructions import Instruction
from veer.frontends.c.ir.jumps import MARK_BEFORE_INVOKE
from veer.frontends.c.ir.lower import Lowering
from veer.frontends.c.ir.memory import MemoryAccesses
from veer.frontends.c.ir.module import Block, Function
from veer.frontends.c.ir.opcodes import BINARY, CASTS
from veer.frontends.c.ir.prologue import Prologue, byval_name, count_step
from veer.frontends.c.ir.runs import Runs
from veer.frontends.c.ir.sites import FunctionSites, back_edges
from veer.frontends.c.ir.symbolic import SymbolicOperations
from veer.frontends.c.ir.typelayout import Layout
from veer.frontends.c.ir.writer import HASH_VARIABLE, FunctionWriter, UnitText, defined
from veer.wire.layout import Loss

_ENTRY = "veer.entry"
_TRAP_UNREACHABLE = 254
_FLOAT_TYPES = frozenset(("x86_fp80", "fp128", "half", "bfloat"))
_NEVER_RETURN = contract.EXIT_NAMES | contract.ASSERT_NAMES | {"abort"} | contract.LONGJMP_NAMES


def instrument_function(
    unit: UnitText,
    layout: Layout,
    function: Function,
    blocks: tuple[Block, ...],
    sites: FunctionSites,
    callees: Callees,
    marks: EdgeMarks,
    *,
    keeps_flows: bool = False,
) -> list[str]:
    """The lines of the rewritten definition. `keeps_flows`: with FlowTest's flow map."""
    steps = _lowered(layout, blocks)
    if keeps_flows:
        steps = with_flows(unit, layout, function, blocks, steps, sites.at, callees.instrumented)
    return _FunctionRewriter(unit, layout, function, blocks, steps, sites, callees, marks).rewrite()


def _lowered(layout: Layout, blocks: tuple[Block, ...]) -> list[Step]:
    lowering = Lowering(layout)
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
    """Holds what the parts of the rewriting of one function share."""

    def __init__(
        self,
        unit: UnitText,
        layout: Layout,
        function: Function,
        blocks: tuple[Block, ...],
        steps: list[Step],
        sites: FunctionSites,
        callees: Callees,
        marks: EdgeMarks,
    ) -> None:
        self._layout = layout
        self._function = function
        self._blocks = blocks
        self._steps = steps
        self._sites = sites
        self._marks = marks
        concrete = frozenset("@" + name for name in contract.CONCRETE_RESULTS) | callees.foreign
        self._flow = Flow(layout, function.parameters, steps, concrete)
        self._writer = FunctionWriter(unit, layout, _ENTRY)
        operations = SymbolicOperations(self._writer, self._flow, layout)
        self._runs = Runs(self._writer, self._flow, operations, sites.at)
        self._available = AvailableLoads(layout, blocks, steps)
        self._memory = MemoryAccesses(self._writer, self._flow, self._runs, operations, layout, self._available)
        self._calls = Calls(self._writer, self._flow, self._runs, layout, callees)
        self._decisions = Decisions(self._writer, self._flow, self._runs, operations, layout, sites, marks)
        self._frame: FrameLayout = plan_frame(layout, function.parameters, [s for s in steps if s.block == 0])
        self._has_list = any(_starts_list(step.instruction) for step in steps)
        has_alloca = any(step.instruction.opcode == "alloca" for step in steps)
        self._has_mark = self._frame.is_needed or has_alloca or self._has_list
        self._back_edges = back_edges(blocks)
        self._froms: dict[tuple[str, str], list[str]] = {}
        self._phis: list[tuple[int, str, Instruction]] = []
        self._returns_symbolic = any(
            shadow != CONCRETE
            for step in steps
            if step.instruction.opcode == "ret"
            for operand in step.instruction.operands
            for shadow in self._flow.shadows(operand)
        )
        for name in callees.objects:
            self._memory.note_low(name)
            self._available.note_object(name)
        for place in self._frame.places:
            self._memory.note_low(place.value)
            self._available.note_object(place.value)
            self._calls.local_types[place.value] = place.type

    def rewrite(self) -> list[str]:
        """All lines of the definition."""
        has_calls = any(needs_frame(step.instruction) for step in self._steps)
        prologue = Prologue(
            self._writer,
            self._flow,
            self._layout,
            self._function,
            self._frame,
            self._sites.function,
        )
        keeps_hash = self._back_edges and self._sites.decisions and not isinstance(self._marks, NoMarks)
        if keeps_hash:
            self._writer.hot.add(f"{HASH_VARIABLE} = alloca i64, align 8")
        if any(step.instruction.opcode == "landingpad" for step in self._steps):
            self._writer.hot.add(f"{MARK_BEFORE_INVOKE} = alloca i64, align 8")
        prologue.write(has_calls=has_calls, has_mark=self._has_mark, has_list=self._has_list)
        if keeps_hash:
            self._writer.keep_hash()
        hot = self._writer.hot
        hot.add(f"br label %{self._blocks[0].label}")
        steps = iter(self._steps)
        step = next(steps)
        for index, block in enumerate(self._blocks):
            hot.start(block.label)
            self._available.enter(index)
            while step is not None and step.block == index:
                self._step(step, block)
                step = next(steps, None)  # type: ignore[assignment]
            self._available.leave(index)
        for line, label, phi in self._phis:
            hot.lines[line] = "\n".join(self._phi_lines(label, phi))
        return [self._header(), *hot.lines, *self._writer.cold.lines, "}"]

    def _header(self) -> str:
        function = self._function
        parameters = []
        for parameter in function.parameters:
            name = parameter.value
            if parameter.byval:
                name = byval_name(name)
            parameters.append(f"{parameter.type} {parameter.attributes}{name}")
        if function.variadic:
            parameters.append("...")
        mark = f"prefix [2 x i64] [i64 {contract.FUNCTION_MARK}, i64 {contract.FUNCTION_MARK}]"
        tail, _, personality = function.tail.partition(" personality ")
        tail = tail.replace(" local_unnamed_addr", "").replace(" unnamed_addr", "")
        handler = f" personality {personality}" if personality else ""
        return f"{function.head}{function.returns} {function.name}({', '.join(parameters)}){tail} {mark}{handler} {{"

    # -- blocks -------------------------------------------------------------------------------------------------

    def _step(self, step: Step, block: Block) -> None:
        instruction = step.instruction
        opcode = instruction.opcode
        if opcode == "phi":
            self._phis.append((len(self._writer.hot.lines), block.label, instruction))
            self._writer.hot.lines.append("")
        elif opcode == "flow":
            self._keep_flow(instruction)
        elif opcode in ("load", "store") and self._layout.is_packed(instruction.type):
            self._packed_access(instruction, self._sites.at(step.position))
        elif opcode == "load":
            self._memory.load(instruction, self._sites.at(step.position))
        elif opcode == "store":
            self._memory.store(instruction, self._sites.at(step.position))
        elif opcode == "call":
            self._call(step, block)
        elif opcode == "select" and instruction.operands[0].type == "i1":
            self._decisions.select(step)
        elif opcode == "alloca":
            self._alloca(step)
        elif opcode == "landingpad":
            self._calls.jumps.land(instruction)
            self._available.forget()
        elif opcode in ("br", "switch", "indirectbr", "ret", "unreachable", "resume"):
            self._terminator(step, block)
        else:
            self._operation(step)

    def _keep_flow(self, instruction: Instruction) -> None:
        """A line of the flow map, with the shadow of the address that it is about."""
        text = instruction.text
        if instruction.operands:
            self._runs.close()  # defines the shadow
            text = text.replace(SHADOW, self._flow.shadow(instruction.operands[0]))
        self._writer.hot.add(text)

    def _operation(self, step: Step) -> None:
        """An operation on values."""
        instruction = step.instruction
        site = self._sites.at(step.position)
        flow = self._flow
        if flow.moved(instruction) is not None or flow.is_rearrangement(instruction):
            pass
        elif flow.is_pure(instruction):
            if instruction.opcode in ("udiv", "sdiv", "urem", "srem") and not _is_safe_divisor(instruction):
                self._division(step, site)
                return
            if instruction.result in flow.symbolic:
                self._runs.add(step)
            if instruction.opcode == "getelementptr":
                self._memory.note_address(instruction)
        elif instruction.opcode in ("atomicrmw", "cmpxchg"):
            self._memory.access(instruction.operands[0], instruction.operands[1].type, site)
            self._calls.unsupported(instruction, site, Loss.UNSUPPORTED)
        elif instruction.opcode != "fence":
            self._unsupported(instruction, site)
        self._writer.hot.add(self._text(instruction))

    def _packed_access(self, instruction: Instruction, site: int) -> None:
        """A load or store of lanes that are no bytes: concrete."""
        self._calls.unsupported(instruction, site, Loss.UNSUPPORTED)
        self._memory.access(instruction.operands[-1], instruction.type, site)
        self._writer.hot.add(instruction.text)

    def _unsupported(self, instruction: Instruction, site: int) -> None:
        """An operation without a symbolic meaning: its result is concrete, which is noted if an operand is not."""
        if not any(operand.value in self._flow.symbolic for operand in instruction.operands):
            return
        types = {instruction.type, *(operand.type for operand in instruction.operands)}
        loss = Loss.UNSUPPORTED
        if types & _FLOAT_TYPES:
            loss = Loss.FLOAT
        elif any(type_.startswith("i") and not self._layout.width(type_) for type_ in types):
            loss = Loss.WIDE
        self._calls.unsupported(instruction, site, loss)

    def _division(self, step: Step, site: int) -> None:
        """The runtime sees the operands first when the divisor may be 0 (or -1) or anything is symbolic."""
        instruction = step.instruction
        divisor = instruction.operands[1]
        hot, writer = self._writer.hot, self._writer
        type_, value = divisor.type, defined(divisor.type, divisor.value)
        if instruction.opcode in ("sdiv", "srem"):
            shifted = writer.value(hot, f"add {type_} {value}, 1")
            extra = writer.value(hot, f"icmp ule {type_} {shifted}, 1")
        else:
            extra = writer.value(hot, f"icmp eq {type_} {value}, 0")
        self._runs.divide(step, extra, site)
        hot.add(self._text(instruction))

    def _call(self, step: Step, block: Block) -> None:
        call = step.instruction.call
        site = self._sites.at(step.position)
        if call is not None and call.callee in ("@llvm.ubsantrap", "@llvm.trap"):
            site = self._sites.trap_sites.get(block.label, site)
        if call is not None and call.callee in contract.LOW_RESULTS:
            self._memory.note_low(step.instruction.result)
        self._calls.landings.clear()
        self._calls.call(step, site)
        self._available.forget()
        for landing_pad, label in self._calls.landings.items():
            self._froms.setdefault((block.label, landing_pad), []).append(label)

    def _alloca(self, step: Step) -> None:
        instruction = step.instruction
        if instruction.result in self._frame.values:
            return
        self._runs.close()
        size: str = str(self._layout.size(instruction.detail))
        shadow = CONCRETE
        if instruction.operands:
            operand = instruction.operands[0]
            constant = operand.value.isdigit()
            size = str(int(operand.value) * int(size)) if constant else operand.value
            shadow = self._flow.shadow(operand)
        runtime = self._writer.unit.runtime("veer_alloca")
        place = self._writer.unit.site(self._sites.at(step.position))
        hot = self._writer.hot
        alignment = max(instruction.alignment, 1)
        self._writer.flush(hot)
        made = f"call i64 {runtime}(i64 {size}, i32 {shadow}, i64 {alignment}, i32 {place})"
        hot.add(f"{instruction.result} = inttoptr i64 {self._writer.value(hot, made)} to ptr")
        self._memory.note_low(instruction.result)

    def _terminator(self, step: Step, block: Block) -> None:
        instruction = step.instruction
        if step.block in self._back_edges:
            count_step(self._writer, self._sites.at(step.position))
        if instruction.opcode == "ret":
            self._return(instruction)
            return
        if instruction.opcode == "unreachable":
            self._unreachable(step, block)
            return
        if instruction.opcode == "resume":
            self._runs.close()
            self._writer.flush(self._writer.hot)
            self._writer.hot.add(instruction.text)
            return
        if instruction.opcode == "br":
            froms = self._decisions.branch(step)
        elif instruction.opcode == "switch":
            if self._layout.wide(instruction.operands[0].type):
                self._calls.unsupported(instruction, self._sites.at(step.position), Loss.WIDE)
            froms = self._decisions.switch(step)
        else:
            froms = self._decisions.indirect(step, self._sites.at(step.position))
        for target, label in zip(instruction.labels, froms, strict=True):
            self._froms.setdefault((block.label, target), []).append(label)

    def _return(self, instruction: Instruction) -> None:
        self._runs.close()
        hot = self._writer.hot
        self._writer.flush(hot)
        if self._has_mark:
            hot.add(f"call void {self._writer.unit.runtime('veer_frame_end')}(i64 %veer.mark)")
        if self._returns_symbolic:
            for index, shadow in enumerate(self._flow.shadows(instruction.operands[0])):
                where = contract.hot("returned") if index == 0 else contract.hot("arguments", index)
                hot.add(f"store i32 {shadow}, ptr {where}, align 4")
            address = f"ptrtoint (ptr {self._function.name} to i64)"
            hot.add(f"store i64 {address}, ptr {contract.hot('returner')}, align 8")
        text = "void"
        if instruction.operands:
            type_, value = instruction.operands[0]
            text = f"{type_} {defined(type_, value)}"
        hot.add(f"ret {text}")

    def _unreachable(self, step: Step, block: Block) -> None:
        self._runs.close()
        writer = self._writer
        last = block.instructions[-2].call if len(block.instructions) > 1 else None
        name = last.callee.lstrip("@") if last is not None else ""
        if name not in _NEVER_RETURN and name not in ("llvm.trap", "llvm.ubsantrap"):
            place = writer.unit.site(self._sites.at(step.position))
            runtime = writer.unit.runtime("veer_trap")
            writer.flush(writer.hot)
            writer.hot.add(f"call void {runtime}(i32 {place}, i32 {_TRAP_UNREACHABLE})")
        writer.hot.add("unreachable")

    # -- text ---------------------------------------------------------------------------------------------------

    def _phi_lines(self, label: str, phi: Instruction) -> list[str]:
        """The phi and those of its shadows, with the labels that the edges come from now."""
        taken: dict[str, int] = {}
        froms = []
        for source in phi.labels:
            edges = self._froms[(source, label)]
            number = taken.get(source, 0)
            taken[source] = number + 1
            froms.append(edges[number])
        values = [defined(phi.type, operand.value) for operand in phi.operands]
        pairs = ", ".join(f"[ {value}, %{source} ]" for value, source in zip(values, froms, strict=True))
        lines = [f"  {phi.result} = phi {phi.type} {pairs}"]
        incoming = [self._flow.shadows(operand) for operand in phi.operands]
        for leaf, shadow in enumerate(self._flow.result(phi)):
            if shadow != CONCRETE:
                pairs = ", ".join(f"[ {one[leaf]}, %{source} ]" for one, source in zip(incoming, froms, strict=True))
                lines.append(f"  {shadow} = phi i32 {pairs}")
        return lines

    def _text(self, instruction: Instruction) -> str:
        """The plain form of an operation, without the flags that promise an optimiser something."""
        opcode = instruction.opcode
        operands = instruction.operands
        values = [defined(operand.type, operand.value) for operand in operands]
        typed = [f"{operand.type} {value}" for operand, value in zip(operands, values, strict=True)]
        if opcode in BINARY:
            body = f"{opcode} {instruction.type} {values[0]}, {values[1]}"
        elif opcode in ("icmp", "fcmp"):
            body = f"{opcode} {instruction.detail} {operands[0].type} {values[0]}, {values[1]}"
        elif opcode in CASTS:
            body = f"{opcode} {typed[0]} to {instruction.type}"
        elif opcode == "getelementptr":
            body = f"getelementptr {instruction.detail}, {', '.join(typed)}"
        elif opcode in ("insertvalue", "extractvalue"):
            body = f"{opcode} {', '.join([*typed, *map(str, instruction.indices)])}"
        elif opcode in ("freeze", "fneg", "insertelement", "extractelement"):
            body = f"{opcode} {', '.join(typed)}"
        elif opcode == "choose":
            body = f"select {', '.join(typed)}"
        elif opcode == "unary":
            name = instruction.text.partition("@")[2].partition("(")[0]
            self._writer.unit.intrinsic(name, f"declare {instruction.type} @{name}({instruction.type})")
            body = instruction.text
        else:
            return instruction.text
        return f"{instruction.result} = {body}"


def _starts_list(instruction: Instruction) -> bool:
    return instruction.call is not None and instruction.call.callee.startswith("@llvm.va_start")


def _is_safe_divisor(instruction: Instruction) -> bool:
    value = instruction.operands[1].value
    return value.lstrip("-").isdigit() and int(value) not in (0, -1)
