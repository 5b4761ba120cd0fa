"""A pointer to the end of something else.

while (p < end) ... *p                    `p` and `end` are the two ends of one buffer: the code compares them. Where an
for (p = ini->data; p < ini->end; p++)    input has them lead to two objects, no end ever stops the walk
assert(rb->tail < rb->buf + rb->size);    and what is asserted of them says nothing
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from veer.findings.severity.witness import Held, Witness
from veer.model.outcome import Outcome
from veer.model.severity import Broken
from veer.model.unitfacts import Place, PlaceKind


def broken(witness: Witness) -> Iterator[Broken]:
    """Each two pointers of the input that the code takes for the ends of one object, and that lead to two; of what is
    asserted those that lead to none."""
    if witness.fault.outcome is Outcome.ASSERTION:
        yield from _of_nothing(witness)
    places = _ends(witness)
    ends = [(held, pointer) for held, pointer in witness.pointers if held.place in places]
    for (one, first), (other, second) in combinations(ends, 2):
        if one.place is None or other.place is None or first.target == second.target or not _are_beside(one, other):
            continue
        if witness.facts.are_span(one.place, other.place) and one.type.target == other.type.target:
            yield Broken(
                f"{one.words} and {other.words} are ends of one object",
                f"it needs `{one.words}` and `{other.words}` to lead to two objects, "
                "and the code takes them for two ends of one",
            )


def _of_nothing(witness: Witness) -> Iterator[Broken]:
    """Ends that are NULL and that nothing tests: what an assertion says of them it says of an object."""
    ends = _ends(witness)
    for held, pointer in witness.pointers:
        if pointer.target is None and held.place in ends and held.place not in witness.facts.tested:
            yield Broken(
                f"{held.words} leads to an object",
                f"it needs {witness.program.null} for `{held.words}`, which the code takes for an end of an object",
            )


def _ends(witness: Witness) -> frozenset[Place]:
    """What the code takes for an end of an object."""
    return frozenset(place for pair in witness.facts.spans for place in pair)


def _are_beside(one: Held, other: Held) -> bool:
    """Whether two pointers are fields of one object, or one of them is a parameter."""
    kinds = {each.place.kind for each in (one, other) if each.place is not None}
    return one.owner == other.owner or PlaceKind.PARAMETER in kinds
