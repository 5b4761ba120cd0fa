"""FlowTest's flow map, compiled in: each SSA value has the set of inputs that flow into it (Majumdar, Xu, algorithm 3).

Between the instructions stand calls of the runtime (veer_runtime.h, "flows"), which the rest of the instrumenter passes
through as they are:

    %c = icmp eq i32 %x, 7                    flow(%c) = flow(%x): no code
    br i1 %c, label %a, label %b        ->    veer_flow_branch(flow(%c), number of the join, ...)
    join:
    %y = phi i32 [ 1, %a ], [ 2, %b ]   ->    %y.in = phi i32 [flow(1), %a], [flow(2), %b]
                                              %j = veer_flow_join(number): what decided how the join was reached
                                              flow(%y) = %y.in + %j

A value that can only come from constants, under no branch that anything flows into, has no flow and costs nothing. A
value does not get the flow of the branches around it when it is computed, but where it leaves their region: in a phi, a
store, a test, a return. So values that are used behind the loop that they come from must go through a phi (LLVM's pass
lcssa, codegen.prepare).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from veer.instrument import convention
from veer.instrument.controlflow import ControlFlow, control_flow
from veer.instrument.flowtext import NOTHING, FlowText
from veer.instrument.instructions import Instruction
from veer.instrument.lexer import Operand, bare
from veer.instrument.module import Block, Function, successors
from veer.instrument.opcodes import TERMINATORS
from veer.instrument.taint import Step
from veer.instrument.typelayout import Layout
from veer.instrument.writer import UnitText
from veer.model.values import replace
from veer.wire.layout import MAX_ARGUMENTS, FlowKind

SHADOW = "$shadow"
"""In the text of a `flow` step: the shadow of its operand."""
_SOURCES = frozenset(("load", "call", "landingpad", "va_arg", "atomicrmw", "cmpxchg"))
_DEPTH = "%veer.flow.depth"


class InformationFlow:
    """The flow map of one function; `instrumented`: callees known to be."""

    def __init__(
        self,
        unit: UnitText,
        layout: Layout,
        function: Function,
        blocks: tuple[Block, ...],
        steps: list[Step],
        site_of: Callable[[int], int],
        instrumented: frozenset[str],
    ) -> None:
        self._unit = unit
        self._layout = layout
        self._function = function
        self._steps = steps
        self._instrumented = instrumented
        self._labels = [block.label for block in blocks]
        index = {label: number for number, label in enumerate(self._labels)}
        graph = [[index[label] for label in successors(block)] for block in blocks]
        self._edges = graph
        self._control: ControlFlow = control_flow(graph, [block.instructions[-1].opcode for block in blocks])
        self._definitions = {step.instruction.result: step.instruction for step in steps if step.instruction.result}
        self._controlled: frozenset[int] = frozenset()  # blocks whose phis depend on a branch of the function
        self._flowing: set[str] = {one.value for one in function.parameters if not one.byval}
        self._find_flowing()
        joined = {self._control.join[step.block] for step in steps if self._branches(step)}
        self._joins = joined - {-1}
        self._known: dict[str, str] = {}
        self._to = FlowText(unit, site_of, steps[0])

    # -- which values have a flow at all --------------------------------------------------------------------------

    def _find_flowing(self) -> None:
        """Optimistic, as the shadows': nothing flows until a source or a branch on something that flows is met."""
        flowing, regions = self._flowing, dict[int, frozenset[int]]()
        before = -1
        while before != len(flowing) + len(regions):
            before = len(flowing) + len(regions)
            for step in self._steps:
                instruction = step.instruction
                if self._branches(step) and step.block not in regions:
                    regions[step.block] = self._control.region(step.block)
                if not instruction.result or instruction.result in flowing:
                    continue
                is_controlled = instruction.opcode == "phi" and any(step.block in region for region in regions.values())
                is_source = instruction.opcode in _SOURCES or self._is_dynamic(instruction)
                if is_controlled or is_source or any(operand.value in flowing for operand in instruction.operands):
                    flowing.add(instruction.result)
        self._controlled = frozenset(block for region in regions.values() for block in region)

    def _branches(self, step: Step) -> bool:
        """Whether the step is a terminator that chooses by something that flows."""
        instruction = step.instruction
        is_choice = instruction.opcode in TERMINATORS and step.block in self._control.join
        return is_choice and any(operand.value in self._flowing for operand in instruction.operands)

    @staticmethod
    def _is_dynamic(instruction: Instruction) -> bool:
        """An alloca of its own, not a part of the frame."""
        return instruction.opcode == "alloca" and any(not one.value.isdigit() for one in instruction.operands)

    def _of(self, value: str) -> str:
        """The operand that holds a value's flow."""
        if not value or value[0] != "%" or value not in self._flowing:
            return NOTHING
        found = self._known.get(value)
        if found is None:
            found = self._known[value] = self._alias(value)
        return found

    def _alias(self, value: str) -> str:
        """The flow of the only operand that has one; a name of the value's own otherwise."""
        instruction = self._definitions.get(value)
        if instruction is None or instruction.opcode in ("phi", "alloca", *_SOURCES):
            return _name(value)
        names = self._names(instruction.operands)
        return names[0] if len(names) == 1 else _name(value)

    def _names(self, operands: Sequence[Operand]) -> list[str]:
        return [name for name in dict.fromkeys(self._of(one.value) for one in operands) if name != NOTHING]

    # -- writing --------------------------------------------------------------------------------------------------

    def woven(self) -> list[Step]:
        """All steps in order."""
        for value in self._definitions:
            self._of(value)
        for block, steps in _by_block(self._steps):
            first = next((k for k, step in enumerate(steps) if not _leads(step.instruction)), len(steps))
            self._to.here = steps[0]
            phis = [step.instruction for step in steps[:first] if step.instruction.opcode == "phi"]
            landing = [step for step in steps[:first] if step.instruction.opcode == "landingpad"]
            for step in steps[:first]:
                if step.instruction.opcode == "phi":
                    self._to.keep(step)
            flowing = [phi for phi in phis if phi.result in self._flowing]
            for phi in flowing:
                self._to.phi(f"{_name(phi.result)}.in", [self._of(one.value) for one in phi.operands], phi.labels)
            self._loop_phi(block)
            for step in landing:
                self._to.keep(step)
            self._begin(block, flowing, is_landing=bool(landing))
            for step in steps[first:]:
                self._to.here = step
                self._step(step)
        return [replace(step, number=number) for number, step in enumerate(self._to.steps)]

    def _begin(self, block: int, phis: list[Instruction], *, is_landing: bool) -> None:
        if block == 0:
            self._enter()
        header = block in self._control.headers
        if header:
            around = self._iteration(self._control.outer[block])
            self._to.raw(f"%veer.round.{block} = add i64 %veer.rounds.{block}, 1")
            mixed = self._to.value(f"xor i64 {around}, %veer.round.{block}")
            self._to.raw(f"%veer.loop.{block} = mul i64 {mixed}, {convention.signed_multiplier()}")
        if is_landing:
            self._to.call("void", "veer_flow_jump", f"i32 0, i32 {self._to.site()}")
            self._land("0")
        joined = NOTHING
        if block in self._joins or (phis and block in self._controlled):
            number = block + 1 if block in self._joins else 0
            joined = self._to.call("i32", "veer_flow_join", f"i32 {number}, i32 {self._to.site()}")
        for phi in phis:
            self._to.define(_name(phi.result), [f"{_name(phi.result)}.in", joined], FlowKind.JOIN)

    def _enter(self) -> None:
        address = f"ptrtoint (ptr {self._function.name} to i64)"
        self._to.raw(f"{_DEPTH} = call i32 {self._unit.runtime('veer_flow_enter')}(i64 {address})")
        for index, parameter in enumerate(self._function.parameters):
            place = convention.flows("arguments", min(index, MAX_ARGUMENTS - 1))
            if not parameter.byval:
                self._to.raw(f"{_name(parameter.value)} = load i32, ptr {place}, align 4")
        if self._function.variadic:
            first = len(self._function.parameters)
            self._to.raw(f"%veer.flow.rest = call i32 {self._unit.runtime('veer_flow_variadic')}(i32 {first})")

    def _step(self, step: Step) -> None:
        instruction = step.instruction
        opcode = instruction.opcode
        writer = _WRITERS.get(opcode)
        if writer is not None:
            writer(self, step)
        elif opcode in TERMINATORS:
            self._terminator(step)
        else:
            self._operation(step)

    def _operation(self, step: Step) -> None:
        """What does nothing but make a value of others."""
        self._to.keep(step)
        result = step.instruction.result
        if result in self._flowing and self._of(result) == _name(result):
            self._to.define(_name(result), self._names(step.instruction.operands), FlowKind.VALUE)

    def _load(self, step: Step) -> None:
        instruction = step.instruction
        pointer = instruction.operands[0]
        where = self._note(pointer)
        self._to.keep(step)
        size = self._layout.store_size(instruction.type)
        arguments = f"ptr {pointer.value}, i32 {size}, i32 {where}, i32 {SHADOW}, i32 {self._to.site()}"
        self._to.raw(f"{_name(instruction.result)} = {self._to.called('i32', 'veer_flow_load', arguments)}", pointer)

    def _store(self, step: Step) -> None:
        value, pointer = step.instruction.operands
        where = self._note(pointer)
        self._to.keep(step)
        self._written(pointer, value.type, self._of(value.value), where)

    def _written(self, pointer: Operand, type_: str, flow: str, where: str) -> None:
        size = self._layout.store_size(type_)
        around = self._iteration(self._control.loop[self._to.here.block])
        arguments = f"ptr {pointer.value}, i32 {size}, i32 {flow}, i32 {where}, i32 {SHADOW}, i32 {self._to.site()}"
        self._to.raw(self._to.called("void", "veer_flow_store", f"{arguments}, i64 {around}"), pointer)

    def _update(self, step: Step) -> None:
        """An atomic read and write of one place: the result is what was there, and what is there now depends on all."""
        instruction = step.instruction
        pointer, *values = instruction.operands
        where = self._note(pointer)
        self._to.keep(step)
        size = self._layout.store_size(values[0].type)
        arguments = f"ptr {pointer.value}, i32 {size}, i32 {where}, i32 {SHADOW}, i32 {self._to.site()}"
        self._to.raw(f"{_name(instruction.result)} = {self._to.called('i32', 'veer_flow_load', arguments)}", pointer)
        flow = self._to.join([_name(instruction.result), *self._names(values)], FlowKind.VALUE)
        self._written(pointer, values[0].type, flow, where)

    def _note(self, pointer: Operand) -> str:
        """The flow of an address; the runtime is told, for the access may end the run."""
        where = self._of(pointer.value)
        if where != NOTHING:
            self._to.call("void", "veer_flow_note", f"i32 {where}, i32 {self._to.site()}")
        return where

    def _divide(self, step: Step) -> None:
        self._note_all(step.instruction.operands)
        self._operation(step)

    def _alloca(self, step: Step) -> None:
        self._to.keep(step)
        instruction = step.instruction
        if self._is_dynamic(instruction):
            size = self._of(instruction.operands[0].value)
            arguments = f"i32 {size}, i32 {self._to.site()}"
            self._to.raw(f"{_name(instruction.result)} = {self._to.called('i32', 'veer_flow_alloca', arguments)}")

    def _made_call(self, step: Step) -> None:
        instruction = step.instruction
        call = instruction.call
        assert call is not None
        callee = call.callee
        name = bare(callee) if callee.startswith("@") else ""
        operands = [one for one in instruction.operands if one.type not in ("metadata", "label", "token")]
        if name.startswith("llvm.va_start"):
            self._to.keep(step)
            self._to.call("void", "veer_flow_va_start", f"ptr {operands[0].value}, i32 %veer.flow.rest")
        elif name.startswith("llvm.") or callee.startswith("asm "):
            self._to.keep(step)
            if instruction.result:
                self._to.define(_name(instruction.result), self._names(operands), FlowKind.VALUE)
        elif name in convention.SETJMP_NAMES:
            mark = self._to.call("i32", "veer_flow_mark", "")
            self._to.keep(step)
            landed = self._land(mark)
            if instruction.result:
                self._to.define(_name(instruction.result), [landed], FlowKind.VALUE)
        elif name in convention.LONGJMP_NAMES:
            flow = self._to.join(self._names(operands), FlowKind.VALUE)
            self._to.call("void", "veer_flow_jump", f"i32 {flow}, i32 {self._to.site()}")
            self._to.keep(step)
        elif name in convention.BUILT_IN_NAMES:
            self._note_all(operands)
            self._to.keep(step)
            if instruction.result:
                self._to.define(_name(instruction.result), (), FlowKind.VALUE)
        else:
            self._function_call(step, callee, name, operands)

    def _note_all(self, operands: Sequence[Operand]) -> None:
        flow = self._to.join(self._names(operands), FlowKind.VALUE)
        self._to.call("void", "veer_flow_note", f"i32 {flow}, i32 {self._to.site()}")

    def _select(self, step: Step) -> None:
        """A branch that ends where it begins."""
        condition = self._of(step.instruction.operands[0].value)
        if condition != NOTHING:
            self._to.call("void", "veer_flow_test", f"i32 {condition}, i32 {self._to.site()}")
        self._operation(step)

    def _land(self, mark: str) -> str:
        return self._to.call("i32", "veer_flow_land", f"i32 {_DEPTH}, i32 {mark}, i32 {self._to.site()}")

    def _function_call(self, step: Step, callee: str, name: str, operands: list[Operand]) -> None:
        call = step.instruction.call
        assert call is not None
        flows = [self._of(one.value) for one in operands]
        if name.startswith("veer_"):
            self._note_all(operands)
        elif callee not in self._instrumented:  # which function that is, and what it follows without asking
            self._note_all([Operand("ptr", callee), *(one for one in operands if one.type == "ptr")])
        chosen = self._of(callee) if not name else NOTHING
        around = self._iteration(self._control.loop[step.block])
        if chosen != NOTHING:  # which function is called is a branch that ends with the call
            number = len(self._labels) + 1 + step.position
            self._to.call(
                "void", "veer_flow_branch", f"i32 {chosen}, i32 {number}, i64 {around}, i32 {self._to.site()}"
            )
        last = MAX_ARGUMENTS - 1
        shown = flows[:last] + ([self._to.join(flows[last:], FlowKind.CALL)] if len(flows) > last else [])
        for index, flow in enumerate(shown):
            self._to.raw(f"store i32 {flow}, ptr {convention.flows('arguments', index)}, align 4")
        address = f"ptrtoint (ptr {callee} to i64)" if name else self._to.value(f"ptrtoint ptr {callee} to i64")
        known = int(callee in self._instrumented)
        arguments = f"i64 {address}, i32 {len(shown)}, i32 {self._to.site()}, i64 {around}, i32 {known}"
        self._to.call("void", "veer_flow_call", arguments)
        self._to.keep(step)
        result = step.instruction.result
        given = self._to.call("i32", "veer_flow_result", f"i64 {address}") if result else NOTHING
        if chosen != NOTHING:
            joined = self._to.call("i32", "veer_flow_join", f"i32 {number}, i32 {self._to.site()}")
            given = self._to.join([given, joined], FlowKind.JOIN) if result else given
        if result:
            self._to.raw(f"{_name(result)} = add i32 {given}, 0")

    def _terminator(self, step: Step) -> None:
        instruction = step.instruction
        if instruction.opcode == "ret":
            flow = self._of(instruction.operands[0].value) if instruction.operands else NOTHING
            address = f"ptrtoint (ptr {self._function.name} to i64)"
            self._to.call("void", "veer_flow_leave", f"i32 {flow}, i64 {address}")
        elif self._branches(step):
            flow = self._to.join(self._names(instruction.operands[:1]), FlowKind.VALUE)
            join = self._control.join[step.block]
            around = self._iteration(self._control.common_loop(step.block, join) if join >= 0 else -1)
            self._to.call(
                "void", "veer_flow_branch", f"i32 {flow}, i32 {join + 1}, i64 {around}, i32 {self._to.site()}"
            )
        self._to.keep(step)

    # -- parts ----------------------------------------------------------------------------------------------------

    def _loop_phi(self, block: int) -> None:
        """How often the loop went round: 0 when it is entered."""
        sources = self._control.headers.get(block)
        if sources is None:
            return
        edges = [source for source, targets in enumerate(self._edges) for target in targets if target == block]
        values = [f"%veer.round.{block}" if source in sources else "0" for source in edges]
        self._to.phi(f"%veer.rounds.{block}", values, [self._labels[source] for source in edges], "i64")

    def _iteration(self, header: int) -> str:
        """A hash of how often the loops around a place went round, from the loop's header inwards."""
        return "0" if header < 0 else f"%veer.loop.{header}"


_WRITERS: dict[str, Callable[[InformationFlow, Step], None]] = {
    "load": InformationFlow._load,
    "store": InformationFlow._store,
    "atomicrmw": InformationFlow._update,
    "cmpxchg": InformationFlow._update,
    "alloca": InformationFlow._alloca,
    "call": InformationFlow._made_call,
    "select": InformationFlow._select,
    **dict.fromkeys(("udiv", "sdiv", "urem", "srem"), InformationFlow._divide),
}


def _leads(instruction: Instruction) -> bool:
    """Whether it must stand at the beginning of its block."""
    return instruction.opcode in ("phi", "landingpad")


def _by_block(steps: Sequence[Step]) -> Iterator[tuple[int, list[Step]]]:
    block: list[Step] = []
    for step in steps:
        if block and step.block != block[0].block:
            yield block[0].block, block
            block = []
        block.append(step)
    if block:
        yield block[0].block, block


def _name(value: str) -> str:
    """The name of a value's flow."""
    return f'%"veer.f.{value[2:]}' if value.startswith('%"') else f"%veer.f.{value[1:]}"
