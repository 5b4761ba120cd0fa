"""What the code of a unit relates with each other: numbers with sizes, pointers with ends, walks with where they began.

if (b->offset + 1 < b->length)           offset and length are sizes: numbers that the code compares with a number that
memcpy(to, p, n);                        is no constant, or gives to the library as a size
p[i]                                     i is a size, too, and an index
while (p < end) ...  end - p             p and end are a span, and so they are where p moves on
for (; p != end; p++)
for (p = h->next; p != h; p = p->next)   next leads back to where the walk began
if (h->next == h)                        so it does here
((struct header *)s)[-1]                 s is embedded: there is something before it
class->text = &all[at];                  so is class.text, which is never set to anything else
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from msgspec import Struct, field

from veer.frontends.c.contracts.functionbody import Comparison, is_constant
from veer.frontends.c.contracts.heads import asserted_conditions
from veer.frontends.c.contracts.origins import Origins, alternatives
from veer.model.unitfacts import Place, PlaceKind, behind, is_behind, parameter_place, result_place

_SUMS = ("add", "sub", "mul", "shl", "sdiv", "udiv", "lshr", "ashr", "and", "or", "urem", "srem")
_SIZED = ("mem", "llvm.mem", "strn", "malloc", "calloc", "realloc", "snprintf", "vsnprintf", "fread", "fwrite")
_REDUCING = ("srem", "urem", "and")
_EQUALITY = ("eq", "ne")
_MOST_PARTS = 64


class Relations(Struct):
    """See UnitFacts; `checks`, `ordered`: by function."""

    sizes: set[Place] = field(default_factory=set)
    indices: set[Place] = field(default_factory=set)
    spans: set[tuple[Place, Place]] = field(default_factory=set)
    circles: set[Place] = field(default_factory=set)
    embedded: set[Place] = field(default_factory=set)
    checks: dict[str, set[Place]] = field(default_factory=dict)
    ordered: dict[str, set[Place]] = field(default_factory=dict)
    floors: set[Place] = field(default_factory=set)
    tops: dict[Place, int] = field(default_factory=dict)
    beside: set[Place] = field(default_factory=set)
    ranged: set[Place] = field(default_factory=set)


def relations(functions: Sequence[Origins], parameters: Mapping[str, Sequence[str]]) -> Relations:
    """Of all these functions; `parameters`: the names of those of each function that the unit defines."""
    found = Relations()
    for function in functions:
        checked = found.checks.setdefault(function.name, set())
        ordered = found.ordered.setdefault(function.name, set())
        asserted = asserted_conditions(function.body)
        for each in function.body.comparisons():
            if each.type == "ptr":
                _of_pointers(function, each, found)
                checked |= _tested(function, each) if each not in asserted else frozenset()
            else:
                _of_numbers(function, each, found.sizes, checked)
                if each.predicate not in _EQUALITY and each not in asserted:
                    ordered |= _ordered(function, each)
                    _limits(function, each, found)
                    found.floors |= _from_below(function, each)
        found.ranged |= _ranged(function)
        found.indices |= _indices(function)
        found.sizes |= _indices_within(function)
        found.sizes |= _given_as_sizes(function)
        found.spans |= _subtracted(function)
        found.embedded |= _moved_back(function)
    found.embedded |= _set_inside(functions)
    _passed_on(functions, parameters, found)
    found.sizes |= found.indices
    return found


def _of_numbers(function: Origins, comparison: Comparison, sizes: set[Place], checked: set[Place]) -> None:
    both = parts(function, comparison.left) | parts(function, comparison.right)
    if not is_constant(comparison.left) and not is_constant(comparison.right):
        sizes |= both
        checked |= both
    elif comparison.predicate not in _EQUALITY:
        checked |= both


def _ordered(function: Origins, comparison: Comparison) -> frozenset[Place]:
    """The numbers that a comparison by order tests: `i < s->count` of a loop that counts `i` tests nothing of it."""
    sides = [(comparison.left, comparison.right), (comparison.right, comparison.left)]
    tests = (function.of(one) for one, other in sides if not _is_counter(function, other))
    return frozenset(place for places in tests for place in places)


def _is_counter(function: Origins, value: str) -> bool:
    """Whether a value is that of a variable of the function's own which goes up or down by steps."""
    slot = function.body.slot(value)
    moves = (function.body.step(slot, each) for each in function.body.stores.get(slot, ()))
    return slot not in function.body.parameters and any(moves)


def _limits(function: Origins, comparison: Comparison, found: Relations) -> None:
    """What numbers are compared with by order: the greatest constant, or other numbers that are places."""
    for one, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
        for place in function.of(one):
            if is_constant(other):
                found.tops[place] = max(int(other), found.tops.get(place, int(other)))
            elif function.of(other):
                found.beside.add(place)


def _from_below(function: Origins, comparison: Comparison) -> frozenset[Place]:
    """The numbers that a comparison tells from those below 0: `i < 0`, `n <= 0`, `k >= 1`."""
    for number, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
        if is_constant(other) and -1 <= int(other) <= 1 and comparison.predicate.startswith("s"):
            return function.of(number)
    return frozenset()


def parts(function: Origins, value: str) -> frozenset[Place]:
    """The places of all numbers that a number is computed of: `offset` and `n` of `offset + n * 2`."""
    found: set[Place] = set()
    waiting, seen = [value], set[str]()
    while waiting and len(seen) < _MOST_PARTS:
        value = waiting.pop()
        made = function.body.made.get(value)
        if made is None or value in seen:
            continue
        seen.add(value)
        if made.opcode in _SUMS:
            waiting += [each.value for each in made.operands]
        elif inner := alternatives(made):
            waiting += inner
        else:
            found |= function.of(value)
            for target in function.targets(made.operands[0].value) if made.opcode == "load" else ():
                waiting += function.body.stores.get(target, ()) if isinstance(target, str) else ()
    return frozenset(found)


def _indices(function: Origins) -> set[Place]:
    """The numbers by which elements are found."""
    found: set[Place] = set()
    for access in function.body.accesses():
        if not is_constant(access.index) and function.field(access.result) is None:
            found |= parts(function, access.index)
    return found


def _indices_within(function: Origins) -> set[Place]:
    """The numbers by which elements of arrays in structs and variables are found: these have their lengths by type."""
    found: set[Place] = set()
    for made in function.body.made.values():
        if made.opcode == "getelementptr" and made.detail.startswith("["):
            for each in made.operands[2:]:
                found |= parts(function, each.value)
    return found


def _given_as_sizes(function: Origins) -> set[Place]:
    """The numbers that the library is given as sizes."""
    found: set[Place] = set()
    for called in function.body.calls():
        if called.function.startswith(_SIZED):
            for value in called.arguments:
                found |= parts(function, value)
    return found


def _of_pointers(function: Origins, comparison: Comparison, found: Relations) -> None:
    left, right = comparison.left, comparison.right
    if "null" in (left, right):
        return
    if comparison.predicate not in _EQUALITY or _is_moved_on(function, left) or _is_moved_on(function, right):
        found.spans |= _pairs(function, left, right)
    found.circles |= _closed(function, left, right) | _closed(function, right, left)


def _tested(function: Origins, comparison: Comparison) -> frozenset[Place]:
    """The pointers that a comparison compares with NULL; none where it may be of what one was moved to:
    `n = (struct node *)heap; heap += sizeof *n; ... while (n)`."""
    if "null" not in (comparison.left, comparison.right):
        return frozenset()
    value = comparison.right if comparison.left == "null" else comparison.left
    own = function.body.slot(value)  # `for (p = s; p && *p; p++)` tests `s`
    is_moved = any(_walks(function, slot) for slot in function.loads(value) if slot != own)
    return frozenset() if is_moved else function.of(value)


def _ranged(function: Origins) -> set[Place]:
    """The numbers of which a remainder is taken, or some bits: any of them is brought into a range."""
    made = (each for each in function.body.made.values() if each.opcode in _REDUCING and each.type != "i1")
    return {
        place for each in made if is_constant(each.operands[1].value) for place in function.of(each.operands[0].value)
    }


def _walks(function: Origins, slot: str) -> bool:
    return any(function.body.step(slot, each) for each in function.body.stores.get(slot, ()))


def _is_moved_on(function: Origins, value: str) -> bool:
    """Whether a pointer is in a variable that walks over elements: `p++`."""
    return _walks(function, function.body.slot(value))


def _pairs(function: Origins, left: str, right: str) -> set[tuple[Place, Place]]:
    """What two pointers come from, whatever is added to them."""
    return {
        pair
        for pair in product(function.of(function.base(left)), function.of(function.base(right)))
        if pair[0] != pair[1]
    }


def _subtracted(function: Origins) -> set[tuple[Place, Place]]:
    found: set[tuple[Place, Place]] = set()
    for made in function.body.made.values():
        if made.opcode == "sub":
            casts = [function.made(each.value, "ptrtoint") for each in made.operands]
            if casts[0] is not None and casts[1] is not None:
                found |= _pairs(function, casts[0].operands[0].value, casts[1].operands[0].value)
    return found


def _moved_back(function: Origins) -> set[Place]:
    """The pointers that are moved back by a constant, as they came: not those that have walked on before."""
    found: set[Place] = set()
    for access in function.body.accesses():
        if is_constant(access.index) and int(access.index) < 0:
            stored = function.body.stores.get(function.loaded_from(access.base), ())
            if not any(function.made(value, "getelementptr") for value in stored):
                found |= function.of(access.base)
    return found | _walked_back(function)


def _walked_back(function: Origins) -> set[Place]:
    """The parameters that only go backwards: `while (*end == ' ') end--`."""
    body = function.body
    steps = {slot: {body.step(slot, value) for value in body.stores.get(slot, ())} - {0} for slot in body.parameters}
    return {
        parameter_place(function.name, name)
        for slot, name in body.parameters.items()
        if steps[slot] and max(steps[slot]) < 0
    }


def _set_inside(functions: Sequence[Origins]) -> set[Place]:
    """The fields that are only ever set to the address of an element: `class->text = &all[at]`."""
    inside: set[Place] = set()
    other: set[Place] = set()
    for function in functions:
        for instruction in function.body.instructions():
            if instruction.opcode != "store" or instruction.type != "ptr":
                continue
            value, address = (each.value for each in instruction.operands)
            place = function.field(address)
            if place is not None and value != "null":
                made = function.made(value, "getelementptr")
                is_element = made is not None and any(each.value != "0" for each in made.operands[1:])
                (inside if is_element and function.field(value) is None else other).add(place)
    return inside - other


def _closed(function: Origins, walker: str, start: str) -> set[Place]:
    """The fields by which `walker` goes on until it is at `start` again, or that lead from `start` to itself."""
    steps = list(_steps(function, walker))
    bases: dict[Place, set[Place]] = {}
    for place, base in steps:
        bases.setdefault(place, set()).update(function.of(base))
    along = {place for place, known in bases.items() if place in known}
    begins = {each for known in bases.values() for each in known} - along
    found = along if begins & function.of(start) else set[Place]()
    if len(steps) == 1 and function.identity(steps[0][1]) == function.identity(start):
        found.add(steps[0][0])
    return found


def _steps(function: Origins, walker: str) -> Iterator[tuple[Place, str]]:
    """The fields that a pointer was loaded from, through variables, each with the pointer to its object."""
    for address in function.loads(walker):
        place = function.field(address)
        if place is not None and place.kind is PlaceKind.FIELD:
            yield place, function.base_of_field(address)


def _passed_on(functions: Sequence[Origins], parameters: Mapping[str, Sequence[str]], found: Relations) -> None:
    """What a function does with its parameters counts for what it is given, however deep, and what is done with its
    result for the fields that it returns."""
    calls = [each for function in functions for each in _arguments(function, parameters)]
    calls += [{result_place(each.name): returned} for each in functions if (returned := _returned(each))]
    grown = True
    while grown:
        before = _counts(found)
        for given in calls:
            for facts in (found.sizes, found.indices, found.embedded):
                facts.update(*(outer for inner, outer in given.items() if inner in facts))
            for one, other in [pair for pair in found.spans if pair[0] in given or pair[1] in given]:
                ones, others = given.get(one, frozenset({one})), given.get(other, frozenset({other}))
                found.spans |= {pair for pair in product(ones, others) if pair[0] != pair[1]}
        grown = _counts(found) != before


def _counts(found: Relations) -> tuple[int, ...]:
    return len(found.sizes), len(found.indices), len(found.spans), len(found.embedded)


def _returned(function: Origins) -> frozenset[Place]:
    """The fields whose pointers a function returns, whatever is added to them."""
    returns = (each for each in function.body.instructions() if each.opcode == "ret" and each.type == "ptr")
    places = (function.of(function.base(each.operands[0].value)) for each in returns)
    return frozenset(place for found in places for place in found if place.kind is PlaceKind.FIELD)


def _arguments(function: Origins, parameters: Mapping[str, Sequence[str]]) -> Iterator[dict[Place, frozenset[Place]]]:
    """Of each call of a function of the unit: its parameters, each with where its argument comes from."""
    for called in function.body.calls():
        names = parameters.get(called.function, ())
        if names and len(names) == len(called.arguments):
            given = {
                parameter_place(called.function, name): parts(function, value) or function.of(function.base(value))
                for name, value in zip(names, called.arguments, strict=True)
            }
            yield given | {behind(inner): _behind_parameters(outer) for inner, outer in given.items()}


def _behind_parameters(places: frozenset[Place]) -> frozenset[Place]:
    """What is behind those of the places that are parameters."""
    return frozenset(behind(each) for each in places if each.kind is PlaceKind.PARAMETER and not is_behind(each))
