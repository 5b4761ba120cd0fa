"""The body of one copy of a function: its blocks, phis, returns. The text before and after:

bb:                              bb:           the same operation
  %a = add i32 %x, 1      ->                   one check for the run, then the branch
  br label %next                 veer.b7:      out of line: what happens when %x is symbolic
"""

from __future__ import annotations

from veer.instrument import convention
from veer.instrument.available import AvailableLoads
from veer.instrument.boundary import Boundary, LoopBoundaries
from veer.instrument.calls import Calls
from veer.instrument.decisions import Decisions
from veer.instrument.facts import FunctionFacts
from veer.instrument.fastpath import CodePath, returned_place
from veer.instrument.informationflow import SHADOW
from veer.instrument.instructions import Instruction
from veer.instrument.memory import MemoryAccesses
from veer.instrument.module import Block
from veer.instrument.opcodes import BINARY, CASTS
from veer.instrument.pending import Pending
from veer.instrument.placement import write_question
from veer.instrument.prologue import count_step
from veer.instrument.sites import back_edges
from veer.instrument.symbolic import SymbolicOperations
from veer.instrument.taint import CONCRETE, Step, Taint
from veer.instrument.writer import FunctionWriter, defined
from veer.wire.layout import Loss

_TRAP_UNREACHABLE = 254
_FLOAT_TYPES = frozenset(("x86_fp80", "fp128", "half", "bfloat"))
_FLOATS = {"float": "f32", "double": "f64"}
"""As names of intrinsics say it."""
_NEVER_RETURN = convention.EXIT_NAMES | convention.ASSERT_NAMES | {"abort"} | convention.LONGJMP_NAMES


class Body:
    """Writes one path of a function: its body. `taint` says which values have shadows in it."""

    def __init__(
        self,
        facts: FunctionFacts,
        taint: Taint,
        path: CodePath,
        writer: FunctionWriter,
        boundary: Boundary | None = None,
    ) -> None:
        layout, sites = facts.layout, facts.sites
        self._facts = facts
        self._layout = layout
        self._sites = sites
        self._taint = taint
        self._writer = writer
        operations = SymbolicOperations(writer, taint, layout)
        self._pending = Pending(writer, taint, operations, sites.at)
        self._available = AvailableLoads(layout, facts.blocks, facts.steps)
        self._memory = MemoryAccesses(
            writer, taint, path, self._pending, operations, layout, self._available, is_seen=boundary is not None
        )
        self._loops = LoopBoundaries(writer, taint)
        self._boundary = boundary if boundary is not None and boundary.is_drawn else None
        self._calls = Calls(writer, taint, path, self._pending, layout, facts.callees)
        self._decisions = Decisions(writer, taint, self._pending, operations, layout, sites, facts.marks)
        self._back_edges = back_edges(facts.blocks)
        self._froms: dict[tuple[str, str], list[str]] = {}
        self._phis: list[tuple[int, str, Instruction]] = []
        for name in facts.callees.objects:
            self._memory.note_low(name)
            self._available.note_object(name)
        for place in facts.frame.places:
            self._memory.note_low(place.value)
            self._available.note_object(place.value)
            self._calls.local_types[place.value] = place.type

    def write(self) -> None:
        """Writes all blocks; the first one begins where the writer stands."""
        hot = self._writer.hot
        steps = iter(self._facts.steps)
        step = next(steps)
        for index, block in enumerate(self._facts.blocks):
            hot.start(block.label)
            self._available.enter(index)
            while step is not None and step.block == index:
                self._step(step, block)
                step = next(steps, None)  # type: ignore[assignment]
            self._available.leave(index)
        for line, label, phi in self._phis:
            hot.lines[line] = "\n".join(self._phi_lines(label, phi))

    # -- blocks -------------------------------------------------------------------------------------------------

    def _step(self, step: Step, block: Block) -> None:
        instruction = step.instruction
        opcode = instruction.opcode
        if step.number in self._facts.asks:
            write_question(self._writer, instruction, self._facts.asks[step.number])
        if opcode == "phi":
            self._phis.append((len(self._writer.hot.lines), block.label, instruction))
            self._writer.hot.lines.append("")
        elif opcode == "flow":
            self._keep_flow(instruction)
        elif opcode in LoopBoundaries.OPCODES:
            self._pending.close()
            self._available.forget()  # shadows of the other side
            self._loops.write(instruction)
        elif opcode in ("load", "store") and self._layout.is_packed(instruction.type):
            self._packed_access(instruction, self._sites.at(step.position))
        elif opcode == "load":
            self._memory.load(instruction, self._sites.at(step.position), self._sites.words.get(step.position, ""))
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
            self._pending.close()  # defines the shadow
            text = text.replace(SHADOW, self._taint.shadow(instruction.operands[0]))
        self._writer.hot.add(text)

    def _operation(self, step: Step) -> None:
        """An operation on values."""
        instruction = step.instruction
        site = self._sites.at(step.position)
        taint = self._taint
        if taint.moved(instruction) is not None or taint.is_rearrangement(instruction):
            pass
        elif taint.is_pure(instruction):
            if instruction.opcode in ("udiv", "sdiv", "urem", "srem") and not _is_safe_divisor(instruction):
                self._division(step, site)
                return
            if instruction.result in taint.symbolic:
                self._pending.add(step)
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
        if not any(operand.value in self._taint.symbolic for operand in instruction.operands):
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
        self._pending.divide(step, extra, site)
        hot.add(self._text(instruction))

    def _call(self, step: Step, block: Block) -> None:
        call = step.instruction.call
        site = self._sites.at(step.position)
        if call is not None and call.callee in ("@llvm.ubsantrap", "@llvm.trap"):
            site = self._sites.trap_sites.get(block.label, site)
        if call is not None and call.callee in convention.LOW_RESULTS:
            self._memory.note_low(step.instruction.result)
        self._calls.landings.clear()
        self._calls.call(step, site)
        self._available.forget()
        for landing_pad, label in self._calls.landings.items():
            self._froms.setdefault((block.label, landing_pad), []).append(label)

    def _alloca(self, step: Step) -> None:
        instruction = step.instruction
        if instruction.result in self._facts.frame.values:
            return
        self._pending.close()
        size: str = str(self._layout.size(instruction.detail))
        shadow = CONCRETE
        if instruction.operands:
            operand = instruction.operands[0]
            constant = operand.value.isdigit()
            size = str(int(operand.value) * int(size)) if constant else operand.value
            shadow = self._taint.shadow(operand)
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
            self._pending.close()
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
        self._pending.close()
        hot = self._writer.hot
        self._writer.flush(hot)
        shadows = self._taint.shadows(instruction.operands[0]) if instruction.operands else ()
        if self._boundary is not None:
            shadows = self._boundary.leave(instruction.operands[0] if instruction.operands else None, shadows)
        if self._facts.has_mark:
            hot.add(f"call void {self._writer.unit.runtime('veer_frame_end')}(i64 %veer.mark)")
        if self._facts.returns_symbolic or (self._boundary is not None and shadows):
            address = "0"  # nobody's: the caller takes no shadows
            if any(shadow != CONCRETE for shadow in shadows):
                address = f"ptrtoint (ptr {self._facts.function.name} to i64)"
                for index, shadow in enumerate(shadows):
                    hot.add(f"store i32 {shadow}, ptr {returned_place(index)}, align 4")
            hot.add(f"store i64 {address}, ptr {convention.hot('returner')}, align 8")
        text = "void"
        if instruction.operands:
            type_, value = instruction.operands[0]
            text = f"{type_} {defined(type_, value)}"
        hot.add(f"ret {text}")

    def _unreachable(self, step: Step, block: Block) -> None:
        self._pending.close()
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
        incoming = [self._taint.shadows(operand) for operand in phi.operands]
        for leaf, shadow in enumerate(self._taint.result(phi)):
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
        elif opcode == "fused":
            name, type_ = f"llvm.fma.{_FLOATS[instruction.type]}", instruction.type
            self._writer.unit.intrinsic(name, f"declare {type_} @{name}({type_}, {type_}, {type_})")
            body = f"call {type_} @{name}({', '.join(typed)})"
        else:
            return instruction.text
        return f"{instruction.result} = {body}"


def _is_safe_divisor(instruction: Instruction) -> bool:
    value = instruction.operands[1].value
    return value.lstrip("-").isdigit() and int(value) not in (0, -1)
