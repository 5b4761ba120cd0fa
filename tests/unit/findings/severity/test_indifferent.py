"""Structs whose numbers do not matter: each bit of each number is tried the other way round."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from severity_fixtures import NULL, TO_NODE, TO_RING, node, program, ring_with, root

from veer.findings.severity.indifferent import indifferent, leaving_out
from veer.model.inputs import InputMap, Pointer, Scalar
from veer.model.unitfacts import UnitFacts
from veer.model.values import replace

_GIVEN = program(UnitFacts(), r=TO_RING, n=TO_NODE)


def _head(raw: bytes) -> int:
    return int.from_bytes(raw[4:8], "little")


@pytest.mark.parametrize(
    ("shows", "names"),
    [
        (lambda raw: True, ("ring",)),
        (lambda raw: _head(raw) & 1 == 1, ()),
        (lambda raw: _head(raw) & 2 == 2, ()),
        (lambda raw: _head(raw) > 5, ()),
        (lambda raw: _head(raw) != 1, ()),
        (lambda raw: raw[0] == 9, ("ring",)),  # not of the struct
    ],
)
def test_a_struct_is_indifferent_where_no_number_of_it_decides(
    shows: Callable[[bytes], bool], names: tuple[str, ...]
) -> None:
    raw = b"\x09\0\0\0" + (7).to_bytes(4, "little")
    assert shows(raw)
    assert indifferent(raw, ring_with(7), _GIVEN, shows) == names


def test_numbers_that_are_equal_do_not_stay_so() -> None:
    (one,) = ring_with(7).objects
    second = replace(one.cells[0], value=Scalar(7, 32, "signed", at=8))
    inputs = InputMap((), (one, replace(one, number=2, cells=(second,))))
    raw = bytes(4) + 2 * (7).to_bytes(4, "little")
    assert indifferent(raw, inputs, _GIVEN, lambda raw: raw[4:8] == raw[8:12]) == ()


def test_a_struct_with_a_pointer_that_was_followed_is_none() -> None:
    inputs = InputMap((root("n", TO_NODE, Pointer(1)),), (node(1, "n", NULL),))
    assert indifferent(bytes(8), inputs, _GIVEN, lambda raw: True) == ()


def test_what_is_left_out_counts_as_not_looked_at() -> None:
    (item,) = leaving_out(ring_with(7), ("ring",), _GIVEN).objects
    assert [cell.value.used for cell in item.cells if isinstance(cell.value, Scalar)] == [False]
    assert leaving_out(ring_with(7), ("node_t",), _GIVEN) == ring_with(7)
