"""Tests that end otherwise on the plain build: nothing may be claimed of a search that saw something else."""

from __future__ import annotations

from veer.execution.replay import SANDBOXED
from veer.findings.replaying import differing
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.replay import AT_LIMIT, SAME, Verdict, differs
from veer.model.result import Test as RecordedTest


def a_test(number: int, verdict: Verdict, outcome: Outcome = Outcome.RETURNED) -> RecordedTest:
    return RecordedTest(f"test_{number:03d}", InputMap((), ()), outcome, None, None, (), str(verdict))


def test_tests_that_are_the_same_raise_no_doubt() -> None:
    assert differing([a_test(1, SAME), a_test(2, AT_LIMIT)]) == ()


def test_what_differs_is_named() -> None:
    tests = [a_test(1, SAME), a_test(2, differs("result is 1, recorded 2"))]
    assert differing(tests) == ("what the plain build does is not what the search saw (test_002)",)


def test_few_of_many_are_named() -> None:
    tests = [a_test(number, differs("result is 1")) for number in range(1, 6)]
    assert differing(tests) == (
        "what the plain build does is not what the search saw (test_001, test_002, test_003 and 2 more)",
    )


def test_what_the_sandbox_refuses_raises_none() -> None:
    assert differing([a_test(1, differs(f"{SANDBOXED}, recorded: returned"))]) == ()


def test_a_bug_that_shows_in_the_checked_build_alone_raises_none() -> None:
    assert differing([a_test(1, differs("returned 3"), Outcome.UNDEFINED)]) == ()
