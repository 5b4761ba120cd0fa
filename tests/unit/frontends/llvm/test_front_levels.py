"""Code levels: the units nearest to the entry are optimised, as far as there is time; a giant function never is."""

from __future__ import annotations

from veer.frontends.llvm.levels import GIANT_FUNCTION, OPTIMISED, with_levels
from veer.frontends.llvm.unit import UnitRequest


def unit(name: str, *calls: str, size: int = 100, functions: int = 1) -> UnitRequest:
    """A unit that defines f_<name> and more functions, which together have about so many characters."""
    body = "\n".join(f"  call void @{call}()" for call in calls)
    padding = "  ; " + "x" * (size // functions)
    parts = [f"define void @f_{name}{k or ''}() {{\n{body}\n{padding}\n  ret void\n}}" for k in range(functions)]
    return UnitRequest(name, "\n".join([*parts, *(f"declare void @{call}()" for call in calls)]))


def levels(*units: UnitRequest) -> dict[str, int]:
    return {each.label: each.level for each in with_levels(units)}


def test_a_small_program_is_optimised() -> None:
    assert levels(unit("a"), unit("main", "f_a")) == {"a": 1, "main": 1}


def test_the_nearest_come_first_and_what_nobody_calls_last() -> None:
    half, many = OPTIMISED // 2 - 1000, 10
    found = levels(
        unit("far", size=half, functions=many),
        unit("alone", size=half, functions=many),
        unit("near", "f_far", size=half, functions=many),
        unit("main", "f_near", size=half, functions=many),
    )
    assert found == {"far": 0, "alone": 0, "near": 1, "main": 1}


def test_what_does_not_fit_leaves_room_for_others() -> None:
    large = unit("large", size=OPTIMISED, functions=20)
    assert levels(large, unit("small"), unit("main", "f_large", "f_small")) == {"large": 0, "small": 1, "main": 1}


def test_a_giant_function_is_not_optimised_even_in_the_entrys_unit() -> None:
    assert levels(unit("a"), unit("main", "f_a", size=GIANT_FUNCTION)) == {"a": 1, "main": 0}
    assert levels(unit("main", size=GIANT_FUNCTION, functions=4)) == {"main": 1}


def test_the_level_is_in_the_units_name() -> None:
    one = unit("main", size=GIANT_FUNCTION)
    assert with_levels([one])[0].key("v") != one.key("v")
