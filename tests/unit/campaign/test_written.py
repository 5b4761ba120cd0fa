"""The last look at a suite: what it changes of what a replay said, by verdicts made by hand."""

from __future__ import annotations

import pytest

from veer.campaign.written import Look, first_error
from veer.findings.replaying import Replayed
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.replay import SAME, differs, not_replayed
from veer.model.result import Test as Recorded


def recorded(name: str, replayed: str = "same", outcome: Outcome = Outcome.RETURNED) -> Recorded:
    return Recorded(name, InputMap((), ()), outcome, None, None, (), replayed)


def test_a_test_that_the_suite_does_not_confirm_says_so() -> None:
    tests = (
        recorded("kept"),
        recorded("lost"),
        recorded("left_out"),
        recorded("known", "differs: it printed 1"),
        recorded("bug", outcome=Outcome.ABORTED),
    )
    why = differs("result is 3, expected 4")
    look = Look({"kept": SAME, "lost": why, "left_out": not_replayed("the suite could not hold it"), "bug": why})
    said = [test.replayed for test in look.applied(Replayed(tests, ())).tests]
    lost = "differs: as a test of the suite, result is 3, expected 4"
    assert said == ["same", lost, "same", "differs: it printed 1", "same"]


def test_a_suite_that_was_not_run_changes_nothing() -> None:
    found = Replayed((recorded("one"),), ())
    assert Look({}, "the suite does not compile: no").applied(found) == found


@pytest.mark.parametrize(
    ("message", "said"),
    [
        (
            "the suite t.c does not compile:\nt.c:3:1: error: unknown type name 'x'\n    3 | x y;\n",
            "unknown type name 'x'",
        ),
        (
            "it does not compile:\nld.lld: error: undefined symbol: veer_input\n>>> t.c:2\n",
            "undefined symbol: veer_input",
        ),
        ("it does not compile:\nkilled\nthere", "killed"),
        ("there is no compiler", "there is no compiler"),
    ],
)
def test_the_note_of_a_suite_that_does_not_compile_is_the_first_error(message: str, said: str) -> None:
    assert first_error(message) == said
