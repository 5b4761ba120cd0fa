"""A step of 0 in a static function, on hangs that are made by hand."""

from __future__ import annotations

import pytest
from severity_fixtures import INT, fault, number_of, program, root

from veer.findings.severity import standstill
from veer.findings.severity.repair import misfits
from veer.findings.severity.witness import Witness, witness
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.program import Function
from veer.model.unitfacts import UnitFacts, parameter_place
from veer.model.values import replace

STEP = parameter_place("f", "step")
UNKNOWN = UnitFacts()


def hang(
    value: int, facts: UnitFacts = UNKNOWN, *, static: bool = True, asked: int = 3, outcome: Outcome = Outcome.HANG
) -> Witness:
    given = program(facts, step=INT)
    own = replace(given.functions[0], is_static=static)
    caller = Function("g", "unit.c", 9, (), -1, is_static=False, calls=("f",))
    inputs = InputMap((root("step", INT, number_of(value)),), ())
    found = witness(replace(given, functions=(own, caller)), facts, fault(outcome), inputs)
    return Witness(found.program, found.facts, found.fault, found.inputs, found.held, asked=asked)


def test_the_callers_of_a_static_function_say_by_how_much_it_goes_on() -> None:
    (broken,) = standstill.broken(hang(0))
    assert broken.sentence == "it needs `step` = 0, which the static `f` never rules out: its callers say what it is"
    (tried,) = misfits(hang(0))
    assert tried.fitting == (1, 2), "with which it is run again: one that hangs as well is the function's own error"


@pytest.mark.parametrize(
    "other",
    [
        hang(1),
        hang(0, static=False),  # any caller can give it
        hang(0, asked=4000),  # a loop that counts
        hang(0, outcome=Outcome.ABORTED),
        hang(0, UnitFacts(tops=((STEP, 5),))),  # `if (step > 5)`: it looks at numbers, and misses 0
        hang(0, UnitFacts(floors=frozenset({STEP}))),
    ],
)
def test_nothing_else_is_to_blame(other: Witness) -> None:
    assert not list(standstill.broken(other))
