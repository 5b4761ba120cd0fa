"""Objects that are reached twice, or from themselves, where no function of the unit makes that.

n->next = head;                     a list: two nodes with one `next`, or a circle, are none that was made so
a->next = b; b->prev = a;           of each `next` there is a `prev` that leads back
q->head = q->tail = n;              head and tail may be one
while (p != h) p = p->next;         h and a `next` may be one: a circle
h->next = h;                        a circle
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from veer.findings.severity.witness import Held, Witness
from veer.model.severity import Broken
from veer.model.unitfacts import PlaceKind


@dataclass(frozen=True, slots=True)
class _Edge:
    """A pointer of the input that leads to an object."""

    held: Held
    target: int


def broken(witness: Witness) -> Iterator[Broken]:
    """Each pointer to an object that another one made, unless the code sets or compares pointers so."""
    edges = [_Edge(held, pointer.target) for held, pointer in witness.pointers if pointer.target]
    paths = {item.number: item.path for item in witness.inputs.objects}
    for edge in edges:
        first = paths.get(edge.target, "")
        if edge.held.words == first or _is_made_so(witness, edge, edges):
            continue
        yield Broken(
            f"{edge.held.words} and {first} differ",
            f"it needs `{edge.held.words}` and `{first}` to lead to one object, which no function of the unit makes",
        )


def _is_made_so(witness: Witness, edge: _Edge, edges: list[_Edge]) -> bool:
    """Whether the code has a reason for this further pointer to an object."""
    place, facts = edge.held.place, witness.facts
    if place is None or place in facts.circular:
        return True
    for other in edges:
        if other.held.place is None or other is edge:
            continue
        is_itself = edge.held.owner == edge.target and other.held.place.kind is PlaceKind.FIELD
        if other.target == edge.target and facts.are_same(place, other.held.place) and not is_itself:
            return True
        leads_back = other.held.owner == edge.target and other.target == edge.held.owner
        if leads_back and (other.held.place, place) in facts.back:
            return True
    return False
