"""Where the arguments behind `...` lie, against the System V ABI's rules."""

from __future__ import annotations

import pytest

from veer.instrument.callsyntax import parse_call
from veer.instrument.typelayout import Layout
from veer.instrument.variadic import SAVE_AREA, assign

LAYOUT = Layout({"%struct.big": "{ i64, i64, i32 }"})


def places(arguments: str) -> list[tuple[int, int, int]]:
    """(slot, offset, size) of each argument behind the first."""
    _, call, _ = parse_call(f"i32 (ptr, ...) @print({arguments})")
    return [(place.slot, place.offset, place.size) for place in assign(LAYOUT, call).places]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ("ptr %f, i32 %a, i64 %b", [(1, 8, 4), (2, 16, 8)]),
        ("ptr %f, double %a, i32 %b, double %c", [(1, 48, 8), (2, 8, 4), (3, 64, 8)]),
        ("ptr %f, i128 %a", [(1, 8, 8), (2, 16, 8)]),
        ("ptr %f, x86_fp80 %a, i32 %b", [(2, 8, 4)]),
        ("ptr %f, ptr byval(%struct.big) align 8 %a, i32 %b", [(1, SAVE_AREA, 24), (2, 8, 4)]),
        ("ptr %f, <2 x float> %a", [(1, 48, 4), (2, 52, 4)]),
    ],
)
def test_registers_are_handed_out_in_order(arguments: str, expected: list[tuple[int, int, int]]) -> None:
    assert places(arguments) == expected


def test_the_seventh_integer_and_the_ninth_double_lie_in_memory() -> None:
    integers = ", ".join(f"i32 %i{k}" for k in range(7))
    doubles = ", ".join(f"double %d{k}" for k in range(9))
    found = places(f"ptr %f, {integers}, {doubles}")
    assert found[4] == (5, 40, 4)
    assert found[5:7] == [(6, SAVE_AREA, 4), (7, SAVE_AREA + 8, 4)]
    assert found[-2:] == [(15, 160, 8), (16, SAVE_AREA + 16, 8)]


def test_nothing_is_said_behind_a_pair_that_may_be_torn_apart() -> None:
    _, call, _ = parse_call("i32 (ptr, ...) @print(ptr %f, i64 %a, i64 %b, i64 %c, i64 %d, i128 %e, i32 %g)")
    assigned = assign(LAYOUT, call)
    assert [place.slot for place in assigned.places] == [1, 2, 3, 4]
    assert assigned.lost == {5, 6, 7}
