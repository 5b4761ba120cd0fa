"""What assertions at the heads of functions demand of their parameters, and which functions hand parameters on to them.

void vec_set(struct vec *v, int n) { assert(v && n > 0); ... }         demands something of v and n
void vec_fill(struct vec *v, int n) { vec_set(v, n); }                 hands v and n on, unchanged: it demands the same
void vec_most(struct vec *v, int n) { if (n < 9) vec_set(v, n); }      looks at n itself: what n may be is its business
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from veer.frontends.c.contracts.functionbody import Called, FunctionBody, call
from veer.frontends.c.contracts.heads import all_asserted_at, asserted_at, is_failure, is_inert
from veer.frontends.c.contracts.reading import Knowledge
from veer.instrument.instructions import Instruction
from veer.instrument.module import Block
from veer.model.unitfacts import Demand, HandedOn

_COMPARING = ("icmp", "switch")
_SUMS = ("add", "sub", "mul", "shl")
_WIDENING = ("sext", "zext")


class Leaves(Struct, frozen=True):
    """The parameters that values are computed of; `reads_memory`: and other things, too; `has_sums`: by sums."""

    parameters: frozenset[str]
    reads_memory: bool
    has_sums: bool = False


def asserted(modules: Sequence[Knowledge]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The functions that begin with assertions, each with the lines of these."""
    return tuple(
        (name, tuple(sorted({_line(module, each) for each in at})))
        for module in modules
        for name, body in _bodies(module)
        if (at := asserted_at(body))
    )


def assertions(modules: Sequence[Knowledge]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """The functions that assert something anywhere, each with the lines."""
    return tuple(
        (name, tuple(sorted({_line(module, each) for each in at})))
        for module in modules
        for name, body in _bodies(module)
        if (at := all_asserted_at(body))
    )


def demanded(modules: Sequence[Knowledge]) -> tuple[Demand, ...]:
    """What the assertions at the heads of functions are about, by line."""
    found: dict[tuple[str, int], Demand] = {}
    for module in modules:
        for name, location, about in [(name, *each) for name, body in _bodies(module) for each in _demands(body)]:
            key = (name, _line(module, location))
            other = found.get(key, Demand(*key, frozenset()))
            reads_memory = other.reads_memory or about.reads_memory
            parameters, has_sums = other.parameters | about.parameters, other.has_sums or about.has_sums
            found[key] = Demand(*key, parameters, reads_memory, has_sums)
    return tuple(found.values())


def handed_on(modules: Sequence[Knowledge]) -> tuple[HandedOn, ...]:
    """The calls that are given parameters as they came, of the functions that assert something and those that call
    these. What several calls on one line agree about counts for that line."""
    parameters = {name: tuple(body.parameters.values()) for each in modules for name, body in _bodies(each)}
    if not any(asserted_at(body) for each in modules for _, body in _bodies(each)):
        return ()
    found: dict[tuple[str, int, str], HandedOn] = {}
    for module in modules:
        for caller, made in [(name, each) for name, body in _bodies(module) for each in _calls(body, parameters)]:
            key = (caller, _line(module, made.location), made.function)
            pairs = frozenset((parameters[made.function][index], own) for index, own in made.arguments.items())
            other = found.get(key)
            if other is not None:
                pairs &= frozenset(other.parameters)
            is_first = made.is_first and (other is None or other.is_first)
            found[key] = HandedOn(*key, tuple(sorted(pairs)), is_first)
    return tuple(found.values())


def _bodies(module: Knowledge) -> Iterator[tuple[str, FunctionBody]]:
    bodies = module.bodies()
    for name in bodies.names:
        body = bodies.function(name)
        if body is not None:
            yield name, body


def _line(module: Knowledge, location: int) -> int:
    return module.module.locations.position(location).line


class _Call(Struct, frozen=True):
    """A call of a function of the unit: its location, and argument number → the caller's own parameter."""

    location: int
    function: str
    arguments: Mapping[int, str]
    is_first: bool


def _demands(body: FunctionBody) -> Iterator[tuple[int, Leaves]]:
    """The locations of assertions, each with what it is about."""
    for block, failure in _assertions(body):
        yield failure.instructions[0].location, leaves(body, [block.instructions[-1].operands[0].value])


def _calls(body: FunctionBody, parameters: Mapping[str, Sequence[str]]) -> Iterator[_Call]:
    """The calls of functions of the unit, with the caller's parameters that come as they were, and that it asserts
    something of at most."""
    own = _never_looked_at(body, {block.instructions[-1].operands[0].value for block, _ in _assertions(body)})
    first = _first_call(body)
    for instruction in body.instructions():
        called = call(instruction)
        if called is not None and len(parameters.get(called.function, ())) == len(called.arguments):
            arguments = dict(_own_arguments(body, called, own))
            yield _Call(instruction.location, called.function, arguments, instruction is first)


def leaves(body: FunctionBody, values: Sequence[str]) -> Leaves:
    """What values are computed of."""
    found: set[str] = set()
    reads_memory = has_sums = False
    waiting, seen = list(values), set[str]()
    while waiting:
        value = waiting.pop()
        made = body.made.get(value)
        if made is None or value in seen:
            continue
        seen.add(value)
        if made.opcode != "load":
            reads_memory |= made.opcode == "call"
            has_sums |= made.opcode in _SUMS
            waiting += [each.value for each in made.operands]
            continue
        slot = made.operands[0].value
        if slot in body.parameters and len(body.stores.get(slot, ())) == 1:
            found.add(body.parameters[slot])
        else:
            reads_memory = True
            waiting.append(slot)
    return Leaves(frozenset(found), reads_memory, has_sums)


def _assertions(body: FunctionBody) -> Iterator[tuple[Block, Block]]:
    """The blocks of a head that end with the condition of an assertion, each with what follows where it fails."""
    for block in _head(body):
        last = block.instructions[-1]
        failing = [each for each in body.blocks if each.label in last.labels and is_failure(body, each)]
        if last.opcode == "br" and len(last.labels) == 2 and failing:
            yield block, failing[0]


def _head(body: FunctionBody) -> Iterator[Block]:
    """The blocks before anything is done but assertions: `assert(p || !n)` goes two ways, which meet again."""
    blocks = {each.label: each for each in body.blocks}
    waiting, seen = [body.blocks[0].label], set[str]()
    while waiting:
        block = blocks[waiting.pop(0)]
        if block.label in seen:
            continue
        seen.add(block.label)
        yield block
        if not all(is_inert(body, each) or each.opcode in ("br", "phi") for each in block.instructions):
            continue
        following = [label for label in block.instructions[-1].labels if not is_failure(body, blocks[label])]
        if len(following) < len(block.instructions[-1].labels) or len(following) == 1 or _meet(body, following):
            waiting += following


def _meet(body: FunctionBody, labels: Sequence[str]) -> bool:
    """Whether one of two ways asks a further condition of the same assertion, and then goes on where the other does."""
    blocks = {each.label: each for each in body.blocks}
    for one, other in (labels[:2], labels[1::-1]):
        onward = [label for label in blocks[one].instructions[-1].labels if not is_failure(body, blocks[label])]
        fails = len(onward) < len(blocks[one].instructions[-1].labels)
        if fails and onward == [other]:
            return True
    return False


def _first_call(body: FunctionBody) -> Instruction | None:
    """The call that a function begins with, behind its assertions."""
    *_, last = _head(body)
    for instruction in last.instructions:
        if call(instruction) is not None:
            return instruction
        if not is_inert(body, instruction):
            return None
    return None


def _never_looked_at(body: FunctionBody, asserted: set[str]) -> Mapping[str, str]:
    """The slots of the parameters that are never set, and compared in assertions of the head at most."""
    compared = [
        [each.value for each in instruction.operands]
        for instruction in body.instructions()
        if instruction.opcode in _COMPARING and instruction.result not in asserted
    ]
    looked_at = {name for values in compared for name in leaves(body, values).parameters}
    return {
        slot: name
        for slot, name in body.parameters.items()
        if name not in looked_at and len(body.stores.get(slot, ())) == 1
    }


def _own_arguments(body: FunctionBody, called: Called, own: Mapping[str, str]) -> Iterator[tuple[int, str]]:
    """A number that is widened to the type of the parameter is as it came."""
    for number, value in enumerate(called.arguments):
        made = body.made.get(value)
        while made is not None and made.opcode in _WIDENING:
            made = body.made.get(made.operands[0].value)
        if made is not None and made.opcode == "load" and made.operands[0].value in own:
            yield number, own[made.operands[0].value]
