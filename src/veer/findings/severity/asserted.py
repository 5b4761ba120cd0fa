"""An assertion at the head of the entry fails, or at that of a function that the entry hands its parameters on to.

void ring_free(struct ring **r) { assert(r && *r); free(*r); }      NULL in `*r` is what the function does not take
void ring_drop(struct ring **r) { ring_free(r); }                   nor does this one

One that fails behind the first thing that is done is the code's own, and so is one in a function that the entry calls
with something else than its parameters, or with one that it looks at itself. `if (!p) __builtin_unreachable();` is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.execution.decode import Fault
from veer.findings.severity.witness import Held, Witness
from veer.model.outcome import Outcome
from veer.model.result import Frame
from veer.model.severity import Broken
from veer.model.types import ExtentKind, TypeKind
from veer.model.unitfacts import Demand, PlaceKind

ENDINGS = (
    Outcome.ASSERTION,
    Outcome.UNREACHABLE,
    Outcome.ABORTED,
    Outcome.HANG,
    Outcome.ILLEGAL,
    Outcome.SEGFAULT_NULL,
)
"""Those from ABORTED on are those of macros of the user's own: `*(volatile int *)0 = 0` is the last one."""
_WRITE = "write at 0"
_MANY = (ExtentKind.STRING, ExtentKind.LENGTH, ExtentKind.FLEXIBLE)
"""What is in a text or a buffer may be anything: a parser that asserts something of it is wrong."""


def broken(witness: Witness) -> Iterator[Broken]:
    """The assertion, if the entry begins with it, or demands the same."""
    fault, facts, entry = witness.fault, witness.facts, witness.program.entry
    begins = dict(facts.asserted)
    at = next((index for index, frame in enumerate(fault.stack) if frame.function in begins), None)
    if fault.outcome not in ENDINGS or (fault.outcome is Outcome.SEGFAULT_NULL and not fault.message.endswith(_WRITE)):
        return
    if at is None or fault.stack[at].line not in begins[fault.stack[at].function]:
        yield from _of_state(witness)
        return
    own, *callers = fault.stack[at:]
    if own.function == entry and not callers:
        yield Broken(f"{entry} asserts at line {own.line}", f"`{entry}` begins with an assertion that says otherwise")
        return
    demand = next((each for each in facts.demands if (each.function, each.line) == (own.function, own.line)), None)
    if demand is not None and callers and callers[-1].function == entry and _is_handed_on(witness, demand, callers):
        condition = fault.message.removeprefix("an assertion failed: ")
        why = f"`{own.function}`, which `{entry}` hands its arguments on to, begins with an assertion: {condition}"
        yield Broken(f"{own.function} asserts at line {own.line}", why)
    elif _is_of_arguments(witness, demand) or _is_of_null(witness, demand):
        condition = fault.message.removeprefix("an assertion failed: ")
        why = f"`{own.function}`, which is given arguments of `{entry}` as they came, begins with an assertion"
        yield Broken(f"{own.function} asserts at line {own.line}", f"{why}: {condition}")


def _is_handed_on(witness: Witness, demand: Demand, callers: Sequence[Frame]) -> bool:
    """Whether all that the assertion is about are the entry's own parameters, as its caller gave them."""
    function, wanted = demand.function, set(demand.parameters)
    for frame in callers:
        key = (frame.function, frame.line, function)
        made = next((each for each in witness.facts.handed_on if (each.caller, each.line, each.function) == key), None)
        if made is None or (demand.reads_memory and not made.is_first):
            return False
        outer = dict(made.parameters)
        if not wanted or not wanted <= outer.keys():
            return False
        function, wanted = frame.function, {outer[each] for each in wanted}
    return True


def _is_of_arguments(witness: Witness, demand: Demand | None) -> bool:
    """Whether the run asked only of arguments as they came, or of fields of structs that callers have filled, and no
    function on the way compares one of them by order: that would be its own test. Sums are the assertion's own."""
    asked = witness.conditions
    if asked.has_sums and not (demand is not None and demand.has_sums):
        return False
    places = {value.at: held for held, value in witness.numbers}
    about = [places.get(number) for number in asked.numbers]
    if not (about or asked.has_pointers) or asked.numbers & asked.by_order:
        return False
    return all(each is not None and _is_of_a_caller(witness, each) for each in about)


def _is_of_null(witness: Witness, demand: Demand | None) -> bool:
    """Whether an assertion asked of pointers, and the run was given NULL: that was decided before it was asked."""
    asked, function = witness.conditions, witness.program.function(demand.function) if demand is not None else None
    if demand is None or function is None or asked.is_computed or asked.numbers:
        return False
    kinds = {each.name: witness.program.types[each.type].kind for each in function.parameters if each.type >= 0}
    is_asked = any(kinds.get(name) is TypeKind.POINTER for name in demand.parameters)
    return is_asked and any(pointer.target is None and not pointer.function for _, pointer in witness.pointers)


def _is_of_a_caller(witness: Witness, held: Held) -> bool:
    """Whether a number is a parameter, a field of a struct, or what a pointer to a single number leads to."""
    if held.place is None or held.place.kind is PlaceKind.RESULT:
        return False
    leading = [each.type.extent for each in witness.leading_to(held.owner)]
    return not any(extent in _MANY for extent in leading) or held.place.kind is PlaceKind.FIELD


def _of_state(witness: Witness) -> Iterator[Broken]:
    """An assertion that says what the fields of a struct are, or which arguments go with the state of an object:
    `assert(0)` where nothing is to be freed.

    Objects whose fields functions of the unit set have a state. What is computed is the code's own.
    """
    fault, asked = witness.fault, witness.conditions
    is_one = any(fault.stack[0].line in lines for name, lines in witness.facts.assertions if _is_at(fault, name))
    if not is_one or asked.is_computed:
        return
    yield from _of_a_call(witness)
    if asked.has_sums:
        return
    condition = fault.message.removeprefix("an assertion failed: ")
    about = [held for held, value in witness.numbers if value.at in asked.numbers]
    if about and all(held.place is not None and held.place.kind is PlaceKind.FIELD for held in about):
        words = f"{about[0].words} is as `{fault.stack[0].function}` asserts"
        yield Broken(words, f"it needs another `{about[0].words}` than the code asserts: {condition}")
        return
    written = {place for _, places in witness.facts.writes for place in places}
    state = [held for held, _ in (*witness.numbers, *witness.pointers) if held.place in written]
    given = [held for held, _ in witness.numbers if held.owner == 0 and held.place is not None]
    if state and given and fault.outcome is Outcome.ASSERTION:
        yield Broken(
            f"{given[0].words} goes with {state[0].words}",
            f"it needs a `{given[0].words}` that does not go with `{state[0].words}`: the code asserts `{condition}`",
        )


def _of_a_call(witness: Witness) -> Iterator[Broken]:
    """An assertion that a function of a sequence makes of its own argument, whose object calls have made: which numbers
    go with the state of that object is the caller's to know."""
    fault, function = witness.fault, witness.fault.stack[0].function
    if witness.program.sequence is None or function not in witness.program.starts:
        return
    numbers = witness.conditions.numbers
    given = [
        held
        for held, value in witness.numbers
        if value.at in numbers and held.owner == 0 and held.place is not None and held.place.owner == function
    ]
    if given and fault.outcome is Outcome.ASSERTION:
        condition = fault.message.removeprefix("an assertion failed: ")
        cause = f"{given[0].words} goes with its object"
        yield Broken(cause, f"it needs a `{given[0].words}` of which `{function}` asserts otherwise: {condition}")


def _is_at(fault: Fault, function: str) -> bool:
    return bool(fault.stack) and fault.stack[0].function == function
