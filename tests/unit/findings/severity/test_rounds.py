"""A number that asks for more rounds than a run has steps, on hangs that are made by hand."""

from __future__ import annotations

import pytest
from severity_fixtures import CHAR, INT, fault, number_of, program, root

from veer.findings.severity import rounds
from veer.findings.severity.repair import misfits
from veer.findings.severity.witness import Witness, witness
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.unitfacts import UnitFacts


def hang(value: int, asked: int, outcome: Outcome = Outcome.HANG) -> Witness:
    given = program(UnitFacts(), n=INT, c=CHAR)
    inputs = InputMap((root("n", INT, number_of(value)),), ())
    found = witness(given, UnitFacts(), fault(outcome), inputs)
    return Witness(found.program, found.facts, found.fault, found.inputs, found.held, asked=asked)


@pytest.mark.parametrize("value", [100_001, 2**31 - 1, -(2**31)])
def test_a_large_number_is_to_blame_where_each_round_asks_something_new(value: int) -> None:
    (broken,) = rounds.broken(hang(value, asked=4000))
    assert broken.sentence == f"it needs `n` = {value}, and with smaller numbers no run is as long"
    (tried,) = misfits(hang(value, asked=4000))
    assert tried.fitting == (300, 70_000, -300, 1)


@pytest.mark.parametrize(
    ("value", "asked", "outcome"),
    [
        (100_000, 4000, Outcome.HANG),  # as many rounds end at once
        (2**31 - 1, 300, Outcome.HANG),  # the same is asked again and again
        (2**31 - 1, 4000, Outcome.ABORTED),
    ],
)
def test_no_number_is_to_blame_for_an_endless_loop_or_another_bug(value: int, asked: int, outcome: Outcome) -> None:
    assert not list(rounds.broken(hang(value, asked, outcome)))
