"""How the state of a run came about, from the choices in its inputs."""

from __future__ import annotations

import pytest

from veer.model.inputs import Cell, InputMap, Root, Scalar
from veer.model.state import CallBefore, Origin, StateBefore, calls_before, is_argument, origin

STATE = StateBefore(("set", "load"), ("level",), "static data as it begins (level)")


def choices(**made: tuple[int, ...]) -> InputMap:
    """Roots like `before()`, given as `before`, in the order of their occurrence backwards."""
    roots = [
        Root(f"{name}()", occurrence, -1, 8, (Cell(0, "", Scalar(value, 64, "choice")),))
        for name, values in made.items()
        for occurrence, value in enumerate(values)
    ]
    return InputMap(tuple(reversed(roots)), ())


@pytest.mark.parametrize(
    ("inputs", "calls", "said"),
    [
        (choices(), (), Origin.INITIALISED),
        (choices(state=(0,), before=(0,)), (), Origin.INITIALISED),
        (choices(before=(2, 1, 2, 0)), (("load", 0), ("set", 0), ("load", 1)), Origin.CALLS),
        (choices(state=(1,)), (), Origin.FREE),
        (choices(before=(7,)), (), Origin.INITIALISED),  # a damaged record calls nothing
    ],
)
def test_choices_say_which_calls_were_made(inputs: InputMap, calls: tuple[tuple[str, int], ...], said: Origin) -> None:
    assert calls_before(STATE, inputs) == tuple(CallBefore(*each) for each in calls)
    assert origin(STATE, inputs) is said


def test_without_state_there_is_nothing_to_say() -> None:
    assert calls_before(None, choices(before=(1,))) == ()
    assert origin(None, choices(state=(1,))) is None


def test_an_argument_is_known_by_its_function() -> None:
    assert CallBefore("set", 2).root("to") == ("set.to", 2)
    assert is_argument(STATE, Root("set.to", 0, 1, 4, ()))
    assert not is_argument(STATE, Root("set", 0, 1, 4, ()))
    assert not is_argument(STATE, Root("reset.to", 0, 1, 4, ()))
