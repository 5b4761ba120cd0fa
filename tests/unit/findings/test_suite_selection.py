"""Selection: the smallest set of tests that covers what all cover, a witness of each bug, names that fit."""

from __future__ import annotations

import random
from itertools import combinations

import output_samples as samples
import pytest

from veer.findings.select import selected, smallest_cover
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.result import Bug
from veer.model.result import Test as Recorded
from veer.model.state import Origin
from veer.model.values import replace


def recorded(number: int, covers: tuple[int, ...], outcome: Outcome = Outcome.RETURNED) -> Recorded:
    code = 1 if outcome is Outcome.EXITED else None
    return Recorded(f"test_{number:03d}", InputMap((), ()), outcome, code, None, covers, "")


def bug(number: int, test: str) -> Bug:
    return Bug(number, Outcome.ABORTED, "a.c", 1, 1, "f", "abort() was called", test, (), "plain", 1, 0.1)


def test_a_later_test_that_covers_all_replaces_the_earlier_ones() -> None:
    tests, _ = selected([recorded(1, (0,)), recorded(2, (0, 1)), recorded(3, (0, 1, 2))], ())
    assert [(test.name, test.covers) for test in tests] == [("test_001", (0, 1, 2))]


def test_the_witness_stays_and_another_way_to_the_bug_goes() -> None:
    crash = Outcome.ABORTED
    found = [recorded(1, (0,)), recorded(2, (0, 1), crash), recorded(3, (0, 1), crash)]
    tests, bugs = selected(found, [bug(1, "test_003")])
    assert [(test.name, test.covers, test.outcome) for test in tests] == [
        ("test_001", (0,), Outcome.RETURNED),
        ("test_002", (0, 1), crash),
    ]
    assert bugs[0].test == "test_002"


def test_a_branch_that_a_crash_covers_is_covered_by_a_test_that_returns_too() -> None:
    found = [recorded(1, (0, 1), Outcome.ABORTED), recorded(2, (0,)), recorded(3, (1,), Outcome.EXITED)]
    tests, _ = selected(found, [bug(1, "test_001")])
    assert [test.outcome for test in tests] == [Outcome.ABORTED, Outcome.RETURNED, Outcome.EXITED]


def test_a_program_without_branches_keeps_one_test() -> None:
    tests, _ = selected([recorded(1, ()), recorded(2, ())], ())
    assert len(tests) == 1


def test_each_function_that_an_indirect_call_reaches_keeps_a_test() -> None:
    found = [recorded(1, (0,)), replace(recorded(2, (0,)), callees=(7,)), replace(recorded(3, (0, 1)), callees=(8, 9))]
    tests, _ = selected([*found, replace(recorded(4, (1,)), callees=(9,))], ())
    assert [test.callees for test in tests] == [(7,), (8, 9)]


def test_all_tests_of_testme_are_needed() -> None:
    result = samples.result()
    tests, bugs = selected(result.tests, result.bugs)
    assert [test.name for test in tests] == [f"test_{i:03d}" for i in range(1, 6)]
    assert bugs == result.bugs


@pytest.mark.parametrize("seed", range(30))
def test_against_brute_force(seed: int) -> None:
    dice = random.Random(seed)
    count = dice.randrange(1, 9)
    items = {f"t{i}": frozenset(dice.sample(range(10), dice.randrange(0, 6))) for i in range(count)}
    wanted = frozenset().union(*items.values())
    found = smallest_cover(items)
    assert frozenset().union(*(items[name] for name in found)) == wanted
    best = next(
        size
        for size in range(count + 1)
        if any(frozenset().union(*(items[name] for name in chosen)) == wanted for chosen in combinations(items, size))
    )
    assert len(found) == best


def test_many_tests_are_covered_without_a_superfluous_one() -> None:
    dice = random.Random(7)
    items = {f"t{i}": frozenset(dice.sample(range(120), 12)) for i in range(60)}
    found = smallest_cover(items)
    wanted = frozenset().union(*items.values())
    assert frozenset().union(*(items[name] for name in found)) == wanted
    for name in found:
        assert frozenset().union(*(items[other] for other in found if other != name)) != wanted


def test_static_data_as_initialised_comes_before_calls_and_calls_before_free_values() -> None:
    begun, called = (
        replace(recorded(1, (0,)), state=Origin.INITIALISED),
        replace(recorded(2, (0, 1)), state=Origin.CALLS),
    )
    free = replace(recorded(3, (0, 1, 2)), state=Origin.FREE)
    tests, _ = selected([free, called, begun], ())
    assert [test.state for test in tests] == [Origin.FREE, Origin.CALLS, Origin.INITIALISED]
    tests, _ = selected([free, replace(called, covers=(0,)), replace(begun, covers=(0, 1))], ())
    assert [test.state for test in tests] == [Origin.FREE, Origin.INITIALISED]
