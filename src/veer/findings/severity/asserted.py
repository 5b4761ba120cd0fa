"""An assertion at the head of the entry fails, or at that of a function that the entry hands its parameters on to.

void ring_free(struct ring **r) { assert(r && *r); free(*r); }      NULL in `*r` is what the function does not take
void ring_drop(struct ring **r) { ring_free(r); }                   nor does this one

One that fails behind the first thing that is done is the code's own, and so is one in a function that the entry calls
with something else than its parameters, or with one that it looks at itself. `if (!p) __builtin_unreachable();` is one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.findings.severity.witness import Witness
from veer.model.outcome import Outcome
from veer.model.result import Frame
from veer.model.severity import Broken
from veer.model.unitfacts import Demand

_ENDINGS = (Outcome.ASSERTION, Outcome.UNREACHABLE)


def broken(witness: Witness) -> Iterator[Broken]:
    """The assertion, if the entry begins with it, or demands the same."""
    fault, facts, entry = witness.fault, witness.facts, witness.program.entry
    begins = dict(facts.asserted)
    at = next((index for index, frame in enumerate(fault.stack) if frame.function in begins), None)
    if fault.outcome not in _ENDINGS or at is None:
        return
    own, *callers = fault.stack[at:]
    if own.line not in begins[own.function]:
        return
    if own.function == entry and not callers:
        yield Broken(f"{entry} asserts at line {own.line}", f"`{entry}` begins with an assertion that says otherwise")
        return
    demand = next((each for each in facts.demands if (each.function, each.line) == (own.function, own.line)), None)
    if demand is not None and callers and callers[-1].function == entry and _is_handed_on(witness, demand, callers):
        condition = fault.message.removeprefix("an assertion failed: ")
        why = f"`{own.function}`, which `{entry}` hands its arguments on to, begins with an assertion: {condition}"
        yield Broken(f"{own.function} asserts at line {own.line}", why)


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
