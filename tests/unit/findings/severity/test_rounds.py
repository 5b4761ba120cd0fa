"""A number that asks for more rounds than a run has steps, on hangs that are made by hand."""

from __future__ import annotations

import pytest
from severity_fixtures import CHAR, INT, fault, number_of, program, root

from veer.findings.severity import rounds
from veer.findings.severity.repair import misfits, put
from veer.findings.severity.witness import Witness, witness
from veer.model.inputs import Cell, InputMap, Root, Scalar
from veer.model.outcome import Outcome
from veer.model.unitfacts import UnitFacts
from veer.model.values import replace


def hang(
    value: int, asked: int, outcome: Outcome = Outcome.HANG, *, asks_on: bool = True, text: bytes = b""
) -> Witness:
    given = program(UnitFacts(), n=INT, c=CHAR)
    characters = [Scalar(each, 8, "byte", at=4 + place) for place, each in enumerate(text)]
    cells = tuple(Cell(place, f"[{place}]", each) for place, each in enumerate(characters))
    inputs = InputMap((root("n", INT, number_of(value)), Root("stdin", 0, -1, len(text), cells)), ())
    found = witness(given, UnitFacts(), fault(outcome), inputs)
    return replace(found, asked=asked, asks_on=asks_on)


@pytest.mark.parametrize("value", [70_001, 2**31 - 1, -(2**31)])
def test_a_large_number_is_to_blame_where_each_round_asks_something_new(value: int) -> None:
    (broken,) = rounds.broken(hang(value, asked=4000))
    assert broken.sentence == f"it needs `n` = {value}, and with smaller numbers no run is as long"
    (tried,) = misfits(hang(value, asked=4000))
    assert tried.fitting == (300, 70_000, -300, 1)


@pytest.mark.parametrize(
    ("value", "asked", "outcome"),
    [
        (1000, 4000, Outcome.HANG),  # as many rounds end at once
        (2**31 - 1, 4000, Outcome.ABORTED),
    ],
)
def test_no_number_is_to_blame_for_an_endless_loop_or_another_bug(value: int, asked: int, outcome: Outcome) -> None:
    assert not list(rounds.broken(hang(value, asked, outcome)))


def test_a_number_that_the_second_half_of_the_run_asks_nothing_new_about_is_not_to_blame() -> None:
    assert not list(rounds.broken(hang(70_000, asked=65_536, asks_on=False)))


def test_smaller_numbers_are_smaller() -> None:
    (tried,) = misfits(hang(41_001, asked=4000))
    assert tried.fitting == (300, -300, 1)


def test_a_large_number_in_a_text_is_to_blame() -> None:
    (broken,) = rounds.broken(hang(5, asked=4000, text=b"9\n41001x"))
    assert broken.sentence == "it needs 41001 in `stdin`, and with smaller numbers no run is as long"
    (tried,) = misfits(hang(5, asked=4000, text=b"9\n41001x"))
    moved = [put(b"\5\0\0\0009\n41001x", tried.value, each) for each in tried.fitting]
    assert moved == [b"\5\0\0\0009\n%sx" % each for each in (b"00300", b"00009", b"00001")]


@pytest.mark.parametrize("text", [b"9", b"1000 1000", b"-", b"1-2-"])
def test_small_numbers_in_a_text_are_not_to_blame(text: bytes) -> None:
    assert not [each for each in rounds.broken(hang(5, asked=4000, text=text)) if "-2" not in each.sentence]


def test_a_text_of_ten_thousand_digits_is_a_large_number() -> None:
    assert len(list(rounds.broken(hang(5, asked=4000, text=b"1" * 10_000)))) == 1


def test_a_negative_number_in_a_text_is_a_large_one() -> None:
    (broken,) = rounds.broken(hang(5, asked=4000, text=b"-1"))
    assert broken.sentence == "it needs -1 in `stdin`, and with smaller numbers no run is as long"
