"""Which members of a struct are ends of a buffer, from what the code relates and what they are called."""

from __future__ import annotations

from itertools import combinations

import pytest

from veer.frontends.c.endmembers import Spans, rows_of_ends
from veer.frontends.c.extents import ObjectBounds
from veer.model.types import BoundKind, ExtentKind, Field, Type, TypeKind
from veer.model.unitfacts import Place, field_place

LIMITS = ObjectBounds(8, 4)
TYPES = (
    Type(0, TypeKind.OPAQUE, "void", 0),
    Type(1, TypeKind.CHAR, "char", 1),
    Type(2, TypeKind.SIGNED, "int", 4, 4),
    Type(3, TypeKind.POINTER, "char *", 8, 8, 1, extent=ExtentKind.STRING, maximum=8),
    Type(4, TypeKind.POINTER, "int *", 8, 8, 2, extent=ExtentKind.COUNT, maximum=4),
)


def made(*names: str, kind: int = 3, others: tuple[str, ...] = ()) -> list[Field]:
    """Members of one type; `others`: those of another one."""
    return [
        *(Field(name, 8 * at, kind) for at, name in enumerate(names)),
        *(Field(name, 8 * (len(names) + at), 7 - kind) for at, name in enumerate(others)),
    ]


def found(fields: list[Field], spans: Spans) -> dict[str, tuple[str, str]]:
    """Member → the one that it is counted from, and the end of that."""
    by_offset = {each.offset: each.name for each in fields}
    rows = rows_of_ends("s", fields, TYPES, spans, LIMITS)
    ends = {fields[at]: row for at, row in rows.items() if row.extent is ExtentKind.END}
    return {
        field.name: (by_offset[field.offset + row.start], by_offset[field.offset + row.end])
        for field, row in ends.items()
    }


def spans(fields: list[Field], *pairs: tuple[str, str], **more: frozenset[tuple[Place, Place]]) -> Spans:
    return Spans(places(fields, *pairs), **more)


def places(fields: list[Field], *pairs: tuple[str, str]) -> frozenset[tuple[Place, Place]]:
    at = {each.name: field_place("s", each.offset) for each in fields}
    return frozenset((at[one], at[other]) for one, other in pairs)


def test_two_that_the_code_compares() -> None:
    fields = made("cur", "end")
    assert found(fields, spans(fields, ("cur", "end"))) == {"end": ("cur", "end")}
    assert found(fields, Spans()) == {}
    rows = rows_of_ends("s", fields, TYPES, spans(fields, ("end", "cur")), LIMITS)
    assert [(row.extent, row.start, row.end, row.length) for row in rows.values()] == [
        (ExtentKind.LENGTH, 0, 8, "end"),
        (ExtentKind.END, -8, 0, "cur"),
    ]
    assert rows[0].is_guess and (rows[0].maximum, rows[0].bound) == (8, BoundKind.LENGTH)


def test_elements_are_bounded_by_what_they_are() -> None:
    fields = made("first", "last", kind=4)
    rows = rows_of_ends("s", fields, TYPES, spans(fields, ("first", "last")), LIMITS)
    assert {(row.maximum, row.bound) for row in rows.values()} == {(4, BoundKind.ARRAY)}


def test_a_third_one_leads_into_the_buffer() -> None:
    fields = made("pos", "begin", "end")
    related = spans(fields, ("pos", "end"), ("begin", "pos"))
    assert found(fields, related) == {"end": ("begin", "end"), "pos": ("begin", "end")}


def test_what_the_code_writes_at_is_no_end() -> None:
    fields = made("begin", "end", "limit", kind=4)
    same = places(fields, ("end", "limit"))
    assert found(fields, spans(fields, ("begin", "end"), same=same)) == {
        "limit": ("begin", "limit"),
        "end": ("begin", "limit"),
    }
    touched = frozenset((field_place("s", 8),))
    fields = made("begin", "end", kind=4)
    assert found(fields, Spans(places(fields, ("begin", "end")), touched=touched)) == {}


def test_that_two_are_the_same_relates_none() -> None:
    fields = made("head", "tail")
    assert found(fields, Spans(same=places(fields, ("head", "tail")))) == {}


@pytest.mark.parametrize("names", [("one", "other"), ("base", "value")])
def test_names_that_say_nothing(names: tuple[str, str]) -> None:
    fields = made(*names)
    assert found(fields, spans(fields, names)) == {}


def test_other_elements_and_what_is_apart() -> None:
    fields = made("cur", others=("end",))
    assert found(fields, spans(fields, ("cur", "end"))) == {}
    fields = made("cur", "end")
    assert found(fields, Spans(places(fields, ("cur", "end")), apart=frozenset(("s.cur",)))) == {}


def test_of_several_ends_the_one_of_all_room_is_taken() -> None:
    fields = made("buffer", "bufferLim", "bufferEnd", "eventEnd")
    everything = spans(fields, *combinations([each.name for each in fields], 2))
    assert {end for _, end in found(fields, everything).values()} == {"bufferLim"}
    assert len(found(fields, everything)) == 3
