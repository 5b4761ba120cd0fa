"""The closed form of a loop: all of its paths at once, from its text (model/loops.py) and the state at its entry.

Section 4's formula for `locate`, over the cells that are there: with x(i) = "iteration i ends at this exit" and c(i) =
"it goes on", an exit is taken if x(0) or (c(0) and (x(1) or (c(1) and ...))), and what it gives out is
ite(x(0), value(0), ite(x(1), value(1), ...)): a term that is as long as there are iterations. Ways within an iteration
are joined in the same manner.

Nothing is assumed: every iteration is computed by the operations of the text, over slots. A load of bytes that are not
known at the entry (behind the object's end, say) ends the form there: a goal for a run, as is each side of a branch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from veer.model.loops import ENTRY, FAILED, Loop, LoopBlock, LoopOutput, LoopStep, LoopValue
from veer.search.compositional.activations import Activation, Decision, Place
from veer.search.compositional.pathstate import Goal
from veer.search.compositional.terms import Terms
from veer.wire.layout import Crossing, Kind, Op

MOST_ITERATIONS = 1100
"""More than an object that can be an input has bytes."""
_COMPARISONS = {
    "eq": (Op.EQ, False, False),
    "ne": (Op.EQ, False, True),
    "ult": (Op.ULT, False, False),
    "ule": (Op.ULE, False, False),
    "ugt": (Op.ULT, True, False),
    "uge": (Op.ULE, True, False),
    "slt": (Op.SLT, False, False),
    "sle": (Op.SLE, False, False),
    "sgt": (Op.SLT, True, False),
    "sge": (Op.SLE, True, False),
}
"""Predicate → operator, whether its operands change places, whether it is negated (veer_compare in tracer/values.c)."""
_CASTS = {"zext": Op.ZEXT, "sext": Op.SEXT, "trunc": Op.EXTRACT}


class NotClosedError(Exception):
    """The loop has no closed form in this state."""


class LeftError(Exception):
    """A run did something else than the form says."""


class _UnknownError(Exception):
    """A load of bytes that are not known."""


Values = dict[int, int]
"""Numbers of values → terms."""


class State(Struct, frozen=True):
    """What is known at an activation's entry: terms of the inputs, of the cells by address with their sizes."""

    inputs: tuple[int, ...]
    cells: Mapping[int, tuple[int, int]]

    @classmethod
    def of(cls, activation: Activation, terms: Terms) -> State:
        """That of a recorded activation."""
        inputs: list[int] = []
        cells: dict[int, tuple[int, int]] = {}
        for (kind, number, address, width, _), value in zip(activation.shape, activation.inputs, strict=True):
            term = value.slot or terms.constant(width, value.value)
            base = address if kind == Crossing.ARGUMENT else number
            if value.slot and base:  # of a pointer
                term = terms.operation(Op.ADD, width, term, terms.constant(width, base))
            if kind == Crossing.ARGUMENT:
                inputs.append(term)
            elif kind == Crossing.CELL:
                cells[address] = width // 8, term
        return cls(tuple(inputs), cells)


class Iterations:
    """Computes a loop's iterations from one state."""

    def __init__(self, terms: Terms, loop: Loop, state: State) -> None:
        """Raises NotClosedError when the state is not that of the loop's entry."""
        if len(state.inputs) != loop.inputs:
            raise NotClosedError
        self.loop = loop
        self._terms = terms
        self._cells = state.cells
        self.first: Values = dict(enumerate(state.inputs))

    def value(self, values: Values, operand: LoopValue) -> int:
        """The term of an operand."""
        if operand.number >= 0:
            return values[operand.number]
        return self._terms.constant(operand.width, operand.constant)

    def output(self, values: Values, output: LoopOutput) -> int:
        """The term of what an exit gives out."""
        term = self.value(values, output.value)
        if output.base is None:
            return term
        return self._terms.operation(Op.SUB, 64, term, self.value(values, output.base))

    def compute(self, values: Values, step: LoopStep) -> None:
        """Everything but a phi. Raises _UnknownError at a load of bytes that are not known."""
        terms = self._terms
        operands = [self.value(values, operand) for operand in step.operands]
        if step.opcode == "load":
            result = self._load(operands[0], step.width // 8)
        elif step.opcode == "same":
            result = operands[0]
        elif step.opcode == "address":
            result = self._address(step, operands)
        elif step.opcode == "icmp":
            operator, is_swapped, is_negated = _COMPARISONS[step.detail]
            left, right = reversed(operands) if is_swapped else operands
            result = terms.operation(operator, 1, left, right)
            if is_negated:
                result = terms.negation(result)
        elif step.opcode in _CASTS:
            result = terms.operation(_CASTS[step.opcode], step.width, operands[0])
        else:
            result = terms.operation(Op[step.opcode.upper()], step.width, *operands)
        values[step.result] = result

    def _load(self, address: int, size: int) -> int:
        place = self._terms.value_of(address)
        if place is None:
            raise NotClosedError
        known = self._cells.get(place)
        if known is not None and known[0] == size:
            return known[1]
        if any(place + k in self._cells for k in range(size)) or self._reaches(place):
            raise NotClosedError  # in other pieces
        raise _UnknownError

    def _reaches(self, place: int) -> bool:
        """Whether a cell that begins before the place covers it."""
        return any(self._cells.get(place - k, (0, 0))[0] > k for k in range(1, 8))

    def _address(self, step: LoopStep, operands: Sequence[int]) -> int:
        """Made as the instrumented code makes it (instrument/symbolic.py)."""
        terms, (result, *indices), (offset, *sizes) = self._terms, operands, step.parts
        if offset:
            result = terms.operation(Op.ADD, 64, result, terms.constant(64, offset))
        for operand, index, size in zip(step.operands[1:], indices, sizes, strict=True):
            if operand.width < 64:
                index = terms.operation(Op.SEXT, 64, index)
            if size != 1:
                index = terms.operation(Op.MUL, 64, index, terms.constant(64, size))
            result = terms.operation(Op.ADD, 64, result, index)
        return result


class _Exit(Struct):
    """Of one iteration: under which condition it is taken, counted from the header, and what it gives out."""

    condition: int
    values: list[int]


class ClosedExit(Struct, frozen=True):
    """An exit: when it is taken, and what it gives out by place."""

    condition: int
    values: dict[Place, int]


class ClosedForm(Struct, frozen=True):
    """All paths of a loop from one state. `paths`: by exit and iteration; `goals`: when a run meets them."""

    exits: tuple[ClosedExit | None, ...]
    goals: dict[Goal, int]
    paths: int


class _Form(Struct):
    """A closed form on its way, iteration by iteration."""

    iterations: Iterations
    terms: Terms
    exits: list[list[_Exit | None]] = field(default_factory=list)
    goes_on: list[int] = field(default_factory=list)
    goals: dict[Goal, int] = field(default_factory=dict)

    def iterate(self, values: Values, reached: int) -> tuple[int, list[tuple[int, int]]]:
        """One iteration, which begins when `reached` holds. Gives when it goes on, and that by block."""
        loop, terms = self.iterations.loop, self.terms
        ways: list[list[tuple[int, int]]] = [[] for _ in loop.blocks]
        back: list[tuple[int, int]] = []
        exits: list[_Exit | None] = [None] * len(loop.exits)
        for number, block in enumerate(loop.blocks):
            here = terms.some(condition for _, condition in ways[number]) if number else terms.true
            if here == terms.false:
                continue
            if number:
                self.join(values, block, ways[number])
            if not self._compute(values, number, block, terms.every((reached, here))):
                continue
            for target, condition in self._sides(values, block, reached, here):
                if target > 0:
                    ways[target].append((number, condition))
                elif target == 0:
                    back.append((number, condition))
                elif target != FAILED:
                    given = [self.iterations.output(values, output) for output in loop.exits[-1 - target]]
                    exits[-1 - target] = _Exit(condition, given)
        self.exits.append(exits)
        self.goes_on.append(terms.some(condition for _, condition in back))
        return self.goes_on[-1], back

    def join(self, values: Values, block: LoopBlock, ways: Sequence[tuple[int, int]]) -> None:
        """The phis of a block that is come to in these ways, one of which is the one."""
        joined: Values = {}
        for step in _phis(block):
            operands = dict(zip(step.parts, step.operands, strict=True))
            (source, _), *others = ways
            term = self.iterations.value(values, operands[source])
            for source, condition in others:
                term = self.terms.choice(condition, self.iterations.value(values, operands[source]), term)
            joined[step.result] = term
        values.update(joined)

    def _compute(self, values: Values, number: int, block: LoopBlock, reached: int) -> bool:
        """False: it ends at a load of what is not known."""
        for position, step in enumerate(block.steps):
            if step.opcode != "phi":
                try:
                    self.iterations.compute(values, step)
                except _UnknownError:
                    self._meet(Goal("load", number, position), reached)
                    return False
        return True

    def _sides(self, values: Values, block: LoopBlock, reached: int, here: int) -> list[tuple[int, int]]:
        """The ways from a block that can be taken: target, condition counted from the header."""
        terms = self.terms
        if block.condition is None:
            return [(block.targets[0], here)]
        holds = self.iterations.value(values, block.condition)
        found = []
        for side, literal in ((1, holds), (0, terms.negation(holds))):
            condition = terms.every((here, literal))
            if condition != terms.false:
                self._meet(Goal("side", block.site, side), terms.every((reached, condition)))
                found.append((block.targets[1 - side], condition))
        return found

    def _meet(self, goal: Goal, condition: int) -> None:
        self.goals[goal] = self.terms.some((self.goals.get(goal, self.terms.false), condition))

    def finished(self) -> ClosedForm:
        """Put together from the last iteration to the first."""
        terms = self.terms
        made: list[ClosedExit | None] = []
        paths = 0
        for number, outputs in enumerate(self.iterations.loop.exits):
            taken, given = terms.false, list[int]()
            for exits, goes_on in zip(reversed(self.exits), reversed(self.goes_on), strict=True):
                taken = terms.every((goes_on, taken))
                here = exits[number]
                if here is None:
                    continue
                paths += 1
                taken = terms.some((here.condition, taken))
                pairs = zip(here.values, given, strict=True)
                given = [terms.choice(here.condition, *pair) for pair in pairs] if given else here.values
            places = [place_of(output) for output in outputs]
            made.append(ClosedExit(taken, dict(zip(places, given, strict=True))) if given else None)
        return ClosedForm(tuple(made), self.goals, paths)


def closed_form(terms: Terms, iterations: Iterations) -> ClosedForm:
    """The closed form from a state. Raises NotClosedError where the iterations have no end that is known."""
    form = _Form(iterations, terms)
    values, reached = dict(iterations.first), terms.true
    form.join(values, iterations.loop.blocks[0], [(ENTRY, terms.true)])
    for _ in range(MOST_ITERATIONS):
        goes_on, back = form.iterate(values, reached)
        reached = terms.every((reached, goes_on))
        if reached == terms.false:
            return form.finished()
        form.join(values, iterations.loop.blocks[0], back)
    raise NotClosedError


def follow(terms: Terms, iterations: Iterations, activation: Activation) -> tuple[set[Goal], bool]:
    """What a run did in the loop, and whether it came to an end that the form has (it may have loaded what is not
    known instead). Raises LeftError where it did something else."""
    walk = _Walk(terms, iterations, activation)
    is_end = walk.end()
    if not walk.has_ended():
        raise NotClosedError  # it went on behind a load of what is not known
    return walk.met, is_end


class _Walk:
    """One run through a loop: its decisions must be those that the text makes, each the same expression."""

    def __init__(self, terms: Terms, iterations: Iterations, activation: Activation) -> None:
        self.met: set[Goal] = set()
        self._terms = terms
        self._iterations = iterations
        self._activation = activation
        self._decisions = iter(activation.steps)
        self._decided: dict[int, bool] = {}
        self._values: Values = dict(iterations.first)

    def end(self) -> bool:
        """Walks to the end."""
        blocks = self._iterations.loop.blocks
        source, number = ENTRY, 0
        for _ in range(MOST_ITERATIONS * len(blocks)):
            block = blocks[number]
            self._enter(block, source)
            for position, step in enumerate(block.steps):
                if step.opcode != "phi":
                    try:
                        self._iterations.compute(self._values, step)
                    except _UnknownError:
                        self.met.add(Goal("load", number, position))
                        return False
            target = block.targets[0] if block.condition is None or self._side(block) else block.targets[1]
            if target == FAILED:
                return False
            if target < 0:
                self._leave(-1 - target)
                return True
            source, number = number, target
        raise LeftError

    def has_ended(self) -> bool:
        """Whether nothing was decided behind what was walked."""
        return next(self._decisions, None) is None

    def _enter(self, block: LoopBlock, source: int) -> None:
        values = {
            step.result: self._iterations.value(self._values, dict(zip(step.parts, step.operands, strict=True))[source])
            for step in _phis(block)
        }
        self._values.update(values)

    def _side(self, block: LoopBlock) -> bool:
        assert block.condition is not None
        literal = self._iterations.value(self._values, block.condition)
        known = self._terms.value_of(literal)
        side = bool(known) if known is not None else self._decide(block, literal)
        self.met.add(Goal("side", block.site, int(side)))
        return side

    def _decide(self, block: LoopBlock, literal: int) -> bool:
        """Of a check, the literal says that all is well (tracer/events.c)."""
        if not block.is_check:
            return self._decided_at(Kind.BRANCH, block.site, literal)
        if block.targets[0] != FAILED:
            return self._decided_at(Kind.CHECK, block.site, literal)
        return not self._decided_at(Kind.CHECK, block.site, self._terms.negation(literal))

    def _decided_at(self, kind: Kind, site: int, literal: int) -> bool:
        """A literal that was decided in this activation is not asked again (tracer/events.c)."""
        inner, is_negated = self._terms.stripped(literal)
        if inner not in self._decided:
            step = next(self._decisions, None)
            if not isinstance(step, Decision) or (step.kind, step.literal, step.site) != (kind, literal, site):
                raise LeftError
            self._decided[inner] = bool(step.alternative) != is_negated
        return self._decided[inner] != is_negated

    def _leave(self, exit: int) -> None:
        outputs = self._iterations.loop.exits[exit]
        if not self._activation.is_finished or [place_of(output) for output in outputs] != [*self._activation.outputs]:
            raise LeftError
        for output, told in zip(outputs, self._activation.outputs.values(), strict=True):
            term = self._iterations.output(self._values, output)
            known = self._terms.value_of(term)
            if (told.term or None) != (term if known is None else None) or (known is not None and known != told.value):
                raise LeftError


def place_of(output: LoopOutput) -> Place:
    """Where it crosses the boundary."""
    return int(Crossing.RESULT), output.number, 0, output.value.width


def _phis(block: LoopBlock) -> list[LoopStep]:
    return [step for step in block.steps if step.opcode == "phi"]
