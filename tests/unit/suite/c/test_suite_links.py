"""The comments on the links of a memory graph."""

from __future__ import annotations

from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Root
from veer.suite.c.links import Links


def graph(roots: tuple[int, ...], *objects: tuple[int, ...]) -> InputMap:
    """Pointers to `roots`; object k, from 1 on, has pointers to the k-th of `objects`."""
    made = [
        MemoryObject(number, "", 0, 1, 8, tuple(Cell(8 * k, "", Pointer(to)) for k, to in enumerate(links)))
        for number, links in enumerate(objects, 1)
    ]
    return InputMap(tuple(Root("p", k, 0, 8, (Cell(0, "", Pointer(to)),)) for k, to in enumerate(roots)), tuple(made))


def test_a_list_needs_no_words() -> None:
    links = Links(graph((1,), (2,), (3,), ()))
    assert [links.note(1, Pointer(2)), links.note(2, Pointer(3))] == ["", ""]


def test_cycles_and_sharing_are_told_apart() -> None:
    links = Links(graph((1,), (2, 3), (1, 2), (4,), ()))
    notes = [links.note(owner, Pointer(to)) for owner, to in ((1, 2), (1, 3), (2, 1), (2, 2), (3, 4), (2, 4))]
    assert notes == ["", "", " /* a cycle */", " /* itself */", "", " /* shared */"]


def test_what_two_parameters_lead_to_is_shared() -> None:
    assert Links(graph((1, 2), (2,), ())).note(1, Pointer(2)) == " /* shared */"
