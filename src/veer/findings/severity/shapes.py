"""Objects that are reached twice, or from themselves, where no function of the unit makes that.

n->next = head;                     a list: two nodes with one `next`, or a circle, are none that was made so
a->next = b; b->prev = a;           of each `next` there is a `prev` that leads back
q->head = q->tail = n;              head and tail may be one
for (...; p != h; p = p->next)      a circle: the walk ends where it began
h->next = h;                        a circle
if (p == target)                    a list may have `target` in it, and is no circle for that
find("a", "a")                      one text of Java is given twice: it never changes
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from msgspec import Struct

from veer.findings.severity.witness import Held, Witness
from veer.model.severity import Broken


class _Edge(Struct, frozen=True):
    """A pointer of the input that leads to an object."""

    held: Held
    target: int


class _Edges:
    """All of them, and those `of` an object, and `to` one."""

    def __init__(self, edges: Sequence[_Edge]) -> None:
        self.all = edges
        self.of, self.to = defaultdict[int, list[_Edge]](list), defaultdict[int, list[_Edge]](list)
        for edge in edges:
            self.of[edge.held.owner].append(edge)
            self.to[edge.target].append(edge)


def broken(witness: Witness) -> Iterator[Broken]:
    """Each pointer to an object that another one made, unless the code sets or compares pointers so."""
    edges = _Edges([_Edge(held, pointer.target) for held, pointer in witness.pointers if pointer.target])
    paths = {item.number: item.path for item in witness.inputs.objects}
    for edge in edges.all:
        first = paths.get(edge.target, "")
        if edge.held.words == first or _is_passed_again(witness, edge, first) or _is_made_so(witness, edge, edges):
            continue
        yield Broken(
            f"{edge.held.words} and {first} differ",
            f"it needs `{edge.held.words}` and `{first}` to lead to one object, which no function of the unit makes",
        )


def _is_passed_again(witness: Witness, edge: _Edge, first: str) -> bool:
    """Whether a caller passes the entry what a call before was given, or the other way round."""
    state = witness.program.state
    before = state.functions if state is not None else ()
    is_argument = edge.held.owner == 0
    return is_argument and (edge.held.words.partition(".")[0] in before) != (first.partition(".")[0] in before)


def _is_made_so(witness: Witness, edge: _Edge, edges: _Edges) -> bool:
    """Whether the code has a reason for this further pointer to an object."""
    place, facts = edge.held.place, witness.facts
    if place is None or place in facts.circular or edge.held.type.is_value:
        return True
    beside = {each.held.place for each in edges.to[edge.target] if each is not edge}
    if any(each is not None and facts.are_same(place, each) for each in beside) and not _closes(edge, edges):
        return True
    back = (each for each in edges.of[edge.target] if each.target == edge.held.owner and each is not edge)
    return any((each.held.place, place) in facts.back for each in back)


def _closes(edge: _Edge, edges: _Edges) -> bool:
    """Whether a pointer leads back to an object that leads to it: only a store or a walk that goes round allows that.

    The owner of a root is none that anything leads to.
    """
    reached, waiting = {edge.target}, [edge.target]
    while waiting:
        new = {each.target for each in edges.of[waiting.pop()] if each is not edge} - reached
        reached |= new
        waiting += new
    return edge.held.owner in reached
