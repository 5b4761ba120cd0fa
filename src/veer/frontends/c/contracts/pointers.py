"""What the code of a unit shows of pointers: which it tests for NULL, which lead to texts, which may be the same.

while (head && head->key != key) head = head->next;     head and node.next are tested
while (*s != ')') s++;                                  s is a text
if (n >= 4) ...                                         n is bounded
for (p = h->next; p != h; p = p->next)                  h and node.next may lead to one object
a->next = b; b->prev = a;                               prev leads back from next
h->next = h;                                            next is circular
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct, field

from veer.frontends.c.contracts.functionbody import call, is_constant
from veer.frontends.c.contracts.heads import asserted_conditions
from veer.frontends.c.contracts.origins import Origins
from veer.instrument.module import Block, successors
from veer.model.unitfacts import Place, PlaceKind, parameter_place

TAKES_NULL = frozenset({"time", "fflush", "setbuf"})
RESIZES = "realloc"
"""It makes a block of NULL, so that a field that it is given may hold NULL. That something is freed says nothing."""
_MOST_STEPS = 8
_RELEASES = re.compile(r"(^|_)x?(free|destroy|delete|release|dispose)($|_)", re.I)
"""What is called as free() is, and takes NULL as it does: that says nothing of what it is given."""
_VALIDATES = re.compile(r"(^|_)(is_?)?(check|valid|validate|verify|sane|sanity)($|_)", re.I)
"""What such a function asks of an object's fields says what the object is, and not what others have to expect."""
_WRITE_FIRST = frozenset(
    {"strcpy", "strncpy", "stpcpy", "sprintf", "snprintf", "vsprintf", "vsnprintf", "strcat", "strncat"}
)
"""What only writes to its first argument, or behind the text in it: how much room there is, no NUL says."""
_TEXT_CALLS = ("str", "ato", "puts", "fputs", "printf", "fprintf", "sprintf", "snprintf", "sscanf", "fopen", "perror")


class PointerFacts(Struct):
    """See UnitFacts; `resized`: pointers that realloc() is given."""

    tested: set[Place] = field(default_factory=set)
    resized: set[Place] = field(default_factory=set)
    bounded: set[Place] = field(default_factory=set)
    texts: set[Place] = field(default_factory=set)
    ended: set[Place] = field(default_factory=set)
    same: set[tuple[Place, Place]] = field(default_factory=set)
    back: set[tuple[Place, Place]] = field(default_factory=set)
    circular: set[Place] = field(default_factory=set)


def pointer_facts(functions: Sequence[Origins], parameters: Mapping[str, Sequence[str]]) -> PointerFacts:
    """Of all these functions; `parameters`: the names of those of each function that the unit defines."""
    found = PointerFacts()
    for each in functions:
        _compared(each, found)
        _called(each, found)
        _stored(each, found)
    _passed_on(functions, parameters, found)
    found.tested |= {each for each in found.resized if each.kind is not PlaceKind.PARAMETER}
    return found


def _compared(function: Origins, found: PointerFacts) -> None:
    fresh = _replaced(function) | _fresh(function)
    walked = _walked(function) & set(_followed_first(function, {}, set()))  # `while (n)` asks where the walk ends
    asserted = asserted_conditions(function.body)
    for each in function.body.comparisons():
        left, right = function.of(each.left), function.of(each.right)
        if each.type == "ptr" and "null" in (each.left, each.right):
            if each in asserted:
                continue
            asked = (left | right) - fresh.get(each.left, frozenset()) - fresh.get(each.right, frozenset()) - walked
            is_said = _VALIDATES.search(function.name) is not None
            found.tested |= {each for each in asked if each.kind is not PlaceKind.FIELD} if is_said else asked
        elif each.type == "ptr":
            found.same |= set(_pairs(left, right))
        else:
            found.bounded |= {*function.of(_near(function, each.left)), *function.of(_near(function, each.right))}
            if is_constant(each.right):
                found.texts |= _pointed_from(function, each.left)
            if each.right == "0":
                found.ended |= _pointed_from(function, each.left)
    for instruction in function.body.instructions():
        if instruction.opcode == "switch":
            value = instruction.operands[0].value
            found.bounded |= function.of(value)
            found.texts |= _pointed_from(function, value)
            found.ended |= _pointed_from(function, value)


def _fresh(function: Origins) -> dict[str, frozenset[Place]]:
    """Values that are loaded from a field or a parameter right behind a store to it: `if (!(s->p = malloc(n)))`.

    What is asked there is what was stored: it says nothing of fields that were stored before, nor of what the caller
    has given.
    """
    found: dict[str, frozenset[Place]] = {}
    for block in function.body.blocks:
        stored: set[str] = set()
        for instruction in block.instructions:
            if instruction.opcode == "store":
                value, address = (each.value for each in instruction.operands)
                stored |= {function.identity(address)} if value in function.body.made else set()
            elif instruction.opcode == "load" and function.identity(instruction.operands[0].value) in stored:
                place = _kept_at(function, instruction.operands[0].value)
                if place is not None:
                    found[instruction.result] = frozenset({place})
    return found


def _replaced(function: Origins) -> dict[str, frozenset[Place]]:
    """Values that are loaded from a parameter where each way has stored another one: `while ((p = next(p)) != 0)`."""
    found: dict[str, frozenset[Place]] = {}
    blocks = {block.label: block for block in function.body.blocks}
    for slot, name in function.body.parameters.items():
        if len(function.body.stores.get(slot, ())) < 2:
            continue
        loads, given = {}, set[str]()
        waiting, seen = [function.body.blocks[0].label], set[str]()
        for block in function.body.blocks:
            for each in block.instructions:
                if each.opcode == "load" and each.operands[0].value == slot:
                    loads[each.result] = frozenset({parameter_place(function.name, name)})
        while waiting:
            label = waiting.pop()
            if label in seen:
                continue
            seen.add(label)
            waiting += _loads_before_a_store(blocks[label], slot, function, given)
        found |= {value: places for value, places in loads.items() if value not in given}
    return found


def _loads_before_a_store(block: Block, slot: str, function: Origins, given: set[str]) -> list[str]:
    """Adds the values that are loaded from a slot before another one than the argument is stored there; the blocks
    behind this one, none where there was such a store."""
    argument = function.body.stores[slot][0]
    for each in block.instructions:
        if each.opcode == "load" and each.operands[0].value == slot:
            given.add(each.result)
        if each.opcode == "store" and each.operands[1].value == slot and each.operands[0].value != argument:
            return []
    return list(successors(block))


def _kept_at(function: Origins, address: str) -> Place | None:
    """The field or the parameter at an address."""
    name = function.body.parameters.get(address)
    return parameter_place(function.name, name) if name is not None else function.field(address)


def _pairs(left: frozenset[Place], right: frozenset[Place]) -> Iterator[tuple[Place, Place]]:
    """What a comparison says may be one object. That two fields are compared says so of different ones alone, and only
    where these are all that is compared: `a == b` of two elements that are walked to says nothing of their lists."""
    for one, other in product(left, right):
        are_fields = one.kind is PlaceKind.FIELD and other.kind is PlaceKind.FIELD
        if not are_fields or (one != other and len(left) == len(right) == 1):
            yield one, other


def _near(function: Origins, value: str) -> str:
    """A value without the sums and quotients around it: the `n` of `n - 1` and `n / 2`."""
    for _ in range(_MOST_STEPS):
        inner = "" if function.loaded_from(value) else function.body.around(value)
        if not inner:
            break
        value = inner
    return value


def _pointed_from(function: Origins, value: str) -> frozenset[Place]:
    """The pointers behind which a character was loaded."""
    address = function.loaded_from(value, "i8")
    return function.of(function.base(address)) if address and not function.targets(address) else frozenset()


def _called(function: Origins, found: PointerFacts) -> None:
    for called in function.body.calls():
        if called.function in TAKES_NULL:
            found.tested.update(*map(function.of, called.arguments))
        elif called.function == RESIZES:
            found.resized.update(*map(function.of, called.arguments))
        elif called.function.startswith(_TEXT_CALLS):
            read = called.arguments[called.function in _WRITE_FIRST :]
            found.texts.update(*map(function.of, read))
            found.ended.update(*map(function.of, read))


class _Store(Struct, frozen=True):
    """A pointer that is stored in a field: in which block, of which object, which pointer (Origins.identity)."""

    block: str
    place: Place
    owner: str
    value: str

    @property
    def is_circular(self) -> bool:
        """Whether the object itself is stored in it."""
        own = (self.owner.removeprefix("&"), f"{self.owner}->{self.place.owner}.{self.place.member}")
        return self.value.removeprefix("&") == own[0] or self.value == own[1]

    @property
    def is_moved(self) -> bool:
        """Whether it was in a field before: most such pointers are taken out of there, as from a list."""
        return "->" in self.value


def _stored(function: Origins, found: PointerFacts) -> None:
    """Fields that get one pointer in one run, that lead back, or that lead to their own object."""
    stores = list(_stores(function))
    after = _reachable(function.body.blocks) if len(stores) > 1 else {}
    for one in stores:
        if one.is_circular:
            found.circular.add(one.place)
        for other in stores:
            if one is other or (other.block not in after[one.block] and one.block not in after[other.block]):
                continue
            if one.value == other.value and not one.is_moved:
                found.same.add((one.place, other.place))
            if one.value == other.owner and other.value == one.owner and one.value != one.owner:
                found.back.add((one.place, other.place))


def _stores(function: Origins) -> Iterator[_Store]:
    for block in function.body.blocks:
        for instruction in block.instructions:
            if instruction.opcode != "store" or instruction.type != "ptr":
                continue
            value, address = (each.value for each in instruction.operands)
            place = function.field(address)
            if place is not None and value.startswith("%"):
                owner = function.identity(function.base_of_field(address))
                yield _Store(block.label, place, owner, function.identity(value))


def _reachable(blocks: Sequence[Block]) -> dict[str, set[str]]:
    """The blocks that a run may reach from each block without going round a loop, itself among them.

    Blocks stand in the order of the source, so that what leads round a loop leads to an earlier one.
    """
    order = {block.label: number for number, block in enumerate(blocks)}
    following = {
        block.label: {label for label in successors(block) if order[label] > order[block.label]} for block in blocks
    }
    found: dict[str, set[str]] = {}
    for block in following:
        seen, waiting = {block}, [block]
        while waiting:
            new = following[waiting.pop()] - seen
            seen |= new
            waiting += new
        found[block] = seen
    return found


def _passed_on(functions: Sequence[Origins], parameters: Mapping[str, Sequence[str]], found: PointerFacts) -> None:
    """What a function does with its parameters counts for what it is given, however deep. That a walk ends at NULL,
    `while (list)`, says nothing of a field that it begins at."""
    given = [pair for each in functions for pair in _given(each, parameters)]
    followed = _followed_at_once(functions, parameters)
    walked = {place for each in functions for place in _walked(each)}
    for facts in (found.tested, found.resized, found.bounded, found.texts, found.ended):
        grown = True
        while grown:
            before = len(facts)
            for inner, outer in given:
                if inner not in facts:
                    continue
                if facts is not found.tested:
                    facts |= outer
                elif not _RELEASES.search(inner.owner):
                    begins = inner in walked
                    facts |= {each for each in outer if each.kind is PlaceKind.PARAMETER or not begins} - followed
            grown = len(facts) > before


def _walked(function: Origins) -> set[Place]:
    """The parameters that get other values than the caller's."""
    own = function.body.parameters.items()
    return {parameter_place(function.name, name) for slot, name in own if len(function.body.stores.get(slot, ())) > 1}


def _followed_at_once(functions: Sequence[Origins], parameters: Mapping[str, Sequence[str]]) -> frozenset[Place]:
    """The parameters that a function follows in its first block: whom it gives them to later asks too late."""
    found: set[Place] = set()
    grown = True
    while grown:
        before = len(found)
        for function in functions:
            found.update(_followed_first(function, parameters, found))
        grown = len(found) > before
    return frozenset(found)


def _followed_first(function: Origins, parameters: Mapping[str, Sequence[str]], known: set[Place]) -> Iterator[Place]:
    own = function.body.parameters
    for instruction in function.body.blocks[0].instructions if function.body.blocks else ():
        followed: list[str] = []
        if instruction.opcode in ("load", "store"):
            address = instruction.operands[-1].value
            while (found := function.made(address, "getelementptr")) is not None:
                address = found.operands[0].value
            followed.append(address)
        elif (called := call(instruction)) is not None:
            names = zip(parameters.get(called.function, ()), called.arguments, strict=False)
            followed += [value for name, value in names if parameter_place(called.function, name) in known]
        for value in followed:
            slot = function.loaded_from(value)
            if slot in own:
                yield parameter_place(function.name, own[slot])


def _given(function: Origins, parameters: Mapping[str, Sequence[str]]) -> Iterator[tuple[Place, frozenset[Place]]]:
    """The parameters of the functions that it calls, each with where its argument comes from."""
    for called in function.body.calls():
        names = parameters.get(called.function, ())
        if len(names) == len(called.arguments):
            for name, value in zip(names, called.arguments, strict=True):
                if outer := function.of(value):
                    yield parameter_place(called.function, name), outer
