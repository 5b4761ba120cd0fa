"""Finds the loops that can be units of summary of their own: those that do nothing but compute and load.

One header, any exits up to a bound, no call, no store, no loop inside, integers and pointers only. What such a loop
does follows from its text (model/loops.py has it without names), so that the compositional search knows all of its
paths without running them. Anything else in it, and it stays a part of its function. The compiler's checks are branches
that end the run on their bad side; sums with a flag of overflow are plain operations by then (overflow.py), whose pairs
of a value and a flag are taken apart again here.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct, field

from veer.instrument.controlflow import control_flow, dominates, dominators
from veer.instrument.foundloop import Exit, LeavingValue, LoopUnit
from veer.instrument.lexer import Operand
from veer.instrument.module import Block, successors
from veer.instrument.sites import FunctionSites
from veer.instrument.symbolic import address_terms
from veer.instrument.taint import Step
from veer.instrument.typelayout import Layout
from veer.instrument.writer import constant_bits
from veer.model.loops import ENTRY, FAILED, OUTPUTS_PER_EXIT, Loop, LoopBlock, LoopOutput, LoopStep, LoopValue
from veer.wire.layout import MAX_ARGUMENTS

MOST_EXITS = 8
_ARITHMETIC = frozenset(("add", "sub", "mul", "and", "or", "xor"))
_SHIFTS = frozenset(("shl", "lshr", "ashr"))
_SAME = frozenset(("ptrtoint", "inttoptr", "bitcast"))
_CASTS = frozenset(("zext", "sext", "trunc"))
_WIDTHS = frozenset((8, 16, 32, 64))
_NO_MEMBERS = ("zeroinitializer", "poison", "undef")
_ADDRESSED = frozenset(("indirectbr", "callbr"))
"""Ends of blocks in functions whose blocks have addresses: no edge can be led elsewhere."""


class _NoUnitError(Exception):
    """The loop stays a part of its function."""


def find_loops(layout: Layout, blocks: Sequence[Block], steps: Sequence[Step], sites: FunctionSites) -> list[LoopUnit]:
    """The units of a function, in the order of their headers."""
    if any(block.instructions[-1].opcode in _ADDRESSED for block in blocks):
        return []
    index = {block.label: number for number, block in enumerate(blocks)}
    graph = [[index[label] for label in successors(block)] for block in blocks]
    control = control_flow(graph, [block.instructions[-1].opcode for block in blocks])
    by_block: list[list[Step]] = [[] for _ in blocks]
    for step in steps:
        by_block[step.block].append(step)
    found = []
    for header in sorted(control.headers):
        body = control.bodies[header]
        if any(other != header and other in body for other in control.headers):
            continue
        finder = _Finder(layout, by_block, graph, index, sites, header, body)
        try:
            found.append(finder.unit())
        except _NoUnitError:
            continue
    return found


class _Finder(Struct):
    """Looks at one innermost loop."""

    layout: Layout
    steps: list[list[Step]]
    graph: list[list[int]]
    index: dict[str, int]
    sites: FunctionSites
    header: int
    body: frozenset[int]
    inputs: list[Operand] = field(default_factory=list)
    merged: set[int] = field(default_factory=set)
    phis: dict[str, int | str] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)  # values → numbers; those of inputs by their names outside
    roots: dict[str, int] = field(default_factory=dict)  # pointers of the loop → the input that they come from
    members: dict[str, dict[int, Operand]] = field(default_factory=dict)  # of the pairs of the loop

    def unit(self) -> LoopUnit:
        """The unit. Raises _NoUnitError."""
        order = self._order()
        entries = tuple(k for k, targets in enumerate(self.graph) if self.header in targets and k not in self.body)
        exits = tuple(
            Exit(block, side)
            for block in order
            for side, target in enumerate(self.graph[block])
            if target not in self.body and side != self._bad_side(block)
        )
        if not entries or not 0 < len(exits) <= MOST_EXITS or any(self._leads_twice(k) for k in (*entries, *order)):
            raise _NoUnitError
        defined = {step.instruction.result: step for block in order for step in self.steps[block]}
        defined.pop("", None)
        self._find_inputs(order, entries, defined)
        if len(self.inputs) > MAX_ARGUMENTS:
            raise _NoUnitError
        for name in defined:
            self.numbers[name] = len(self.numbers)
        self._find_roots(order)
        made = tuple(self._block(block, order, exits) for block in order)
        site = next((block.site for block in made if block.condition is not None and not block.is_check), None)
        if site is None:
            raise _NoUnitError
        leaving = tuple(self._leaving(order, defined))
        available = self._available(exits, leaving)
        outputs = tuple(self._outputs(number, names, leaving) for number, names in enumerate(available))
        loop = Loop(site, len(self.inputs), made, outputs)
        return LoopUnit(
            self.header,
            tuple(order),
            exits,
            self.phis,
            tuple(self.inputs),
            frozenset(self.merged),
            leaving,
            available,
            loop,
        )

    # -- shape ----------------------------------------------------------------------------------------------------

    def _order(self) -> list[int]:
        """The blocks of an iteration, each behind all that lead to it. The body has no loop but its own."""
        waiting = {block: sum(block in self.graph[k] for k in self.body if block != self.header) for block in self.body}
        ready, order = [self.header], list[int]()
        while ready:
            block = ready.pop()
            order.append(block)
            if self.steps[block][-1].instruction.opcode != "br":
                raise _NoUnitError
            for target in self.graph[block]:
                if target in self.body and target != self.header:
                    waiting[target] -= 1
                    if waiting[target] == 0:
                        ready.append(target)
        if len(order) != len(self.body):
            raise _NoUnitError
        return order

    def _leads_twice(self, block: int) -> bool:
        targets = self.graph[block]
        return len(set(targets)) < len(targets)

    def _bad_side(self, block: int) -> int | None:
        """Of a check: the side on which the run ends. Labels begin with the side on which the condition holds."""
        return self.sites.checks.get(self.steps[block][-1].position)

    # -- inputs ---------------------------------------------------------------------------------------------------

    def _find_inputs(self, order: list[int], entries: tuple[int, ...], defined: dict[str, Step]) -> None:
        for step in self.steps[self.header]:
            if step.instruction.opcode == "phi":
                self._first_value(step, entries)
        for block in order:
            for step in self.steps[block]:
                is_first = block == self.header and step.instruction.opcode == "phi"
                for operand in self._of_later_rounds(step) if is_first else step.instruction.operands:
                    is_empty = step.instruction.opcode == "insertvalue" and operand.value in _NO_MEMBERS
                    if not is_empty and operand.value not in defined:
                        self._input(operand)

    def _of_later_rounds(self, phi: Step) -> list[Operand]:
        """What a phi of the header is in all rounds but the first; it may be made outside, too."""
        pairs = zip(phi.instruction.labels, phi.instruction.operands, strict=True)
        return [operand for label, operand in pairs if self.index[label] in self.body]

    def _first_value(self, phi: Step, entries: tuple[int, ...]) -> None:
        """Of a phi of the header."""
        pairs = dict(zip(phi.instruction.labels, phi.instruction.operands, strict=True))
        by_entry = {self.index[label]: operand for label, operand in pairs.items()}
        values = tuple(by_entry[entry] for entry in entries)
        name = phi.instruction.result
        if len(set(values)) == 1:
            if constant_bits(*values[0]) is not None:
                self._check_type(values[0])
                self.phis[name] = values[0].value
            else:
                self.phis[name] = self._input(values[0])
            return
        self._check_type(values[0])
        self.phis[name] = len(self.inputs)
        self.merged.add(len(self.inputs))
        self.inputs.append(Operand(values[0].type, name))

    def _input(self, operand: Operand) -> int:
        """The number of a value that is made outside, a constant's is -1."""
        if constant_bits(*operand) is not None:
            self._check_type(operand)
            return -1
        if operand.value[0] not in "%@":
            raise _NoUnitError  # an expression
        for number, known in enumerate(self.inputs):
            if known == operand and number not in self.merged:
                return number
        self._check_type(operand)
        self.numbers[operand.value] = len(self.inputs)
        self.inputs.append(operand)
        return len(self.inputs) - 1

    def _check_type(self, operand: Operand) -> None:
        if operand.type not in ("ptr", "i1") and self.layout.width(operand.type) not in _WIDTHS:
            raise _NoUnitError
        if operand.type[0] not in "ip" or operand.value in ("undef", "poison"):
            raise _NoUnitError

    # -- an iteration ---------------------------------------------------------------------------------------------

    def _block(self, block: int, order: list[int], exits: tuple[Exit, ...]) -> LoopBlock:
        *steps, last = self.steps[block]
        bad = self._bad_side(block)
        targets = tuple(
            order.index(target)
            if target in self.body
            else FAILED
            if side == bad
            else -1 - exits.index(Exit(block, side))
            for side, target in enumerate(self.graph[block])
        )
        made = tuple(self._step(step, order) for step in steps if not self._is_pair(step))
        if not last.instruction.operands:
            return LoopBlock(made, targets)
        site = self.sites.decisions.get(last.position)
        if site is None:
            raise _NoUnitError
        return LoopBlock(made, targets, self._value(last.instruction.operands[0]), site)

    def _is_pair(self, step: Step) -> bool:
        """Whether it makes a pair, or a part of one, whose members are remembered."""
        instruction = step.instruction
        if instruction.opcode != "insertvalue":
            return False
        (whole, member), (place, *deeper) = instruction.operands, instruction.indices
        if deeper or (whole.value not in _NO_MEMBERS and whole.value not in self.members):
            raise _NoUnitError
        self.members[instruction.result] = {**self.members.get(whole.value, {}), place: member}
        return True

    def _member(self, step: Step) -> Operand:
        """What an extractvalue takes out of a pair."""
        known = self.members.get(step.instruction.operands[0].value, {}).get(step.instruction.indices[0])
        if known is None:
            raise _NoUnitError
        return known

    def _step(self, step: Step, order: list[int]) -> LoopStep:
        instruction = step.instruction
        opcode, operands, parts = instruction.opcode, list(instruction.operands), list[int]()
        width = 64 if instruction.type == "ptr" else self.layout.width(instruction.type)
        if instruction.type[:1] not in ("i", "p") or width not in (1, *_WIDTHS):
            raise _NoUnitError
        if opcode == "phi":
            return self._phi(step, width, order)
        if opcode == "getelementptr":
            offset, terms = address_terms(self.layout, instruction)
            operands = [instruction.operands[0], *(index for index, _ in terms)]
            parts = [offset, *(size for _, size in terms)]
            opcode = "address"
        elif opcode == "load":
            if " volatile " in instruction.text or " atomic " in instruction.text or instruction.type == "ptr":
                raise _NoUnitError
            if width == 1:
                raise _NoUnitError
        elif opcode == "extractvalue":
            operands = [self._member(step)]
            opcode = "same"
        elif opcode in _SAME:
            if self._value(operands[0]).width != width:
                raise _NoUnitError
            opcode = "same"
        elif opcode in _SHIFTS:
            amount = constant_bits(*instruction.operands[1])
            if amount is None or amount >= width:
                raise _NoUnitError
        elif opcode not in _ARITHMETIC and opcode not in _CASTS and opcode != "icmp":
            raise _NoUnitError
        values = tuple(map(self._value, operands))
        return LoopStep(opcode, self.numbers[instruction.result], width, values, instruction.detail, tuple(parts))

    def _phi(self, step: Step, width: int, order: list[int]) -> LoopStep:
        instruction = step.instruction
        values, parts = list[LoopValue](), list[int]()
        for operand, label in zip(instruction.operands, instruction.labels, strict=True):
            source = self.index[label]
            if source in self.body:
                values.append(self._value(operand))
                parts.append(order.index(source))
        if step.block == self.header:
            first = self.phis[instruction.result]
            values.append(
                LoopValue(width, first)
                if isinstance(first, int)
                else LoopValue(width, constant=constant_bits(instruction.type, first) or 0)
            )
            parts.append(ENTRY)
        return LoopStep("phi", self.numbers[instruction.result], width, tuple(values), "", tuple(parts))

    def _value(self, operand: Operand) -> LoopValue:
        width = 64 if operand.type == "ptr" else self.layout.width(operand.type)
        constant = constant_bits(*operand)
        if constant is not None:
            return LoopValue(width, constant=constant)
        return LoopValue(width, self.numbers[operand.value])

    # -- outputs --------------------------------------------------------------------------------------------------

    def _find_roots(self, order: list[int]) -> None:
        """Optimistic: a phi of the header is taken to come from where its first value comes from."""
        for number, operand in enumerate(self.inputs):
            if operand.type == "ptr" and number not in self.merged:
                self.roots[operand.value] = number
        for name, first in self.phis.items():
            if isinstance(first, int) and self.inputs[first].type == "ptr":
                self.roots[name] = first
        for block in order:
            for step in self.steps[block]:
                instruction = step.instruction
                if instruction.opcode == "getelementptr":
                    self._set_root(instruction.result, instruction.operands[:1])
                elif instruction.opcode == "phi" and instruction.type == "ptr" and block != self.header:
                    self._set_root(instruction.result, instruction.operands)
        for step in self.steps[self.header]:
            instruction = step.instruction
            if instruction.opcode == "phi" and instruction.type == "ptr":
                back = {
                    self.roots.get(operand.value)
                    for operand, label in zip(instruction.operands, instruction.labels, strict=True)
                    if self.index[label] in self.body
                }
                if back != {self.roots.get(instruction.result, -1)}:
                    raise _NoUnitError

    def _set_root(self, name: str, operands: Sequence[Operand]) -> None:
        found = {self.roots.get(operand.value) for operand in operands}
        if len(found) == 1 and None not in found:
            self.roots[name] = found.pop()  # type: ignore[assignment]

    def _leaving(self, order: list[int], defined: dict[str, Step]) -> Iterator[LeavingValue]:
        used = {
            operand.value
            for block, steps in enumerate(self.steps)
            if block not in self.body
            for step in steps
            for operand in (*step.instruction.operands, *_callee(step))
        }
        for name, step in defined.items():
            if name not in used:
                continue
            operand = Operand(step.instruction.type, name)
            if operand.type[0] not in "ip":
                raise _NoUnitError  # a pair
            root = self.roots.get(name, -1) if operand.type == "ptr" else -1
            if operand.type == "i1" or (operand.type == "ptr" and root < 0):
                raise _NoUnitError
            yield LeavingValue(operand, step.block, root)

    def _available(self, exits: tuple[Exit, ...], leaving: tuple[LeavingValue, ...]) -> tuple[frozenset[str], ...]:
        forward = dominators(self.graph)
        if len(leaving) >= OUTPUTS_PER_EXIT:
            raise _NoUnitError
        return tuple(
            frozenset(value.operand.value for value in leaving if dominates(forward, value.block, exit.source))
            for exit in exits
        )

    def _outputs(self, exit: int, names: frozenset[str], leaving: tuple[LeavingValue, ...]) -> tuple[LoopOutput, ...]:
        """What an exit gives out: what is not defined there is zero."""
        first = exit * OUTPUTS_PER_EXIT
        found: list[LoopOutput] = []
        for position, value in enumerate(leaving, first + 1):
            width = 64 if value.operand.type == "ptr" else self.layout.width(value.operand.type)
            if value.operand.value not in names:
                found.append(LoopOutput(position, LoopValue(width)))
                continue
            base = LoopValue(64, value.base) if value.base >= 0 else None
            found.append(LoopOutput(position, self._value(value.operand), base))
        return (*found, LoopOutput(first, LoopValue(8)))


def _callee(step: Step) -> tuple[Operand, ...]:
    call = step.instruction.call
    return (Operand("ptr", call.callee),) if call is not None else ()
