"""Places are written as the language of the program writes them."""

from __future__ import annotations

from veer.model.places import written


def test_places_in_java() -> None:
    assert written("java", "it needs `a->elements[0]->next` and `b.elements[1]`") == "it needs `a[0].next` and `b[1]`"
    assert written("c", "it needs `a->elements[0]`") == "it needs `a->elements[0]`"
