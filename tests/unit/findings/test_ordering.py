"""The order of tests, and the branch that decides each."""

from __future__ import annotations

import random
from itertools import permutations
from pathlib import Path

import numpy as np
import output_samples as samples
import pytest

from veer.campaign.run import run
from veer.findings.ordering import NO_BRANCH, in_order
from veer.model.buildoptions import BuildOptions
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.result import Bug
from veer.model.result import Test as Recorded
from veer.model.searchoptions import SearchOptions

TRUE, FALSE = 0, 1  # places of the sides
SOURCE = """
int classify(int x, int y)
{
    if (x > 10) {
        if (y > 5) return 1;
        return 2;
    }
    if (x == 7) return 3;
    return 4;
}
"""


def recorded(number: int) -> Recorded:
    """A test that covers both sides of all."""
    return Recorded(f"test_{number:03d}", InputMap((), ()), Outcome.RETURNED, None, None, (0, 1, 2, 3), "")


def went(*ways: tuple[tuple[int, int], ...]) -> list[tuple[Recorded, bytes]]:
    """Tests that went so, numbered from 1 on, with their trails: sites, each with the place of its side."""
    return [(recorded(number), np.array(way, ">u4").tobytes()) for number, way in enumerate(ways, 1)]


WAYS = (
    ((0, TRUE), (1, TRUE)),
    ((0, TRUE), (1, FALSE)),
    ((0, FALSE),),
)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_does_not_hang_on_when_tests_were_found(order: tuple[int, ...]) -> None:
    tests = went(*WAYS)
    shown = Bug(1, Outcome.ABORTED, "a.c", 1, 1, "f", "abort() was called", "test_003", (), "plain", 1, 0.1)
    ordered, bugs = in_order(samples.program(), [tests[k] for k in order], [shown])
    assert [each.name for each in ordered] == ["test_001", "test_002", "test_003"]
    assert [each.decides for each in ordered] == [3, 2, 0]  # site 1 true, site 1 false, site 0 false
    assert bugs[0].test == "test_003"


def test_tests_of_one_path_are_decided_alike_and_keep_their_order() -> None:
    tests = went(WAYS[2], WAYS[0], WAYS[0])
    ordered, _ = in_order(samples.program(), tests, [])
    assert [each.decides for each in ordered] == [1, 1, 0]


def test_without_a_test_there_is_no_order() -> None:
    assert in_order(samples.program(), (), ()) == ((), ())


def test_a_choice_among_inputs_is_no_branch() -> None:
    tests = went(((0, TRUE), (1, 3)), ((0, TRUE), (1, 2)))
    ordered, _ = in_order(samples.program(), tests, [])
    assert [each.decides for each in ordered] == [NO_BRANCH, NO_BRANCH]


@pytest.mark.parametrize("strategy", ["bfs", "dfs"])
def test_tests_stand_as_the_code_does(tmp_path: Path, strategy: str) -> None:
    source = tmp_path / "classify.c"
    source.write_text(SOURCE)
    options = SearchOptions(strategy=strategy, seed=random.Random(strategy).randrange(1000))
    result = run(BuildOptions((source,), "classify"), options)
    said = {each.id: f"{each.text} {each.side}" for each in result.branches}
    told: dict[int, str] = {}
    for test in result.tests:
        told.setdefault(int.from_bytes(test.returned or b"", "little"), said[test.decides])
    assert list(told.items()) == [(1, "y > 5 true"), (2, "y > 5 false"), (3, "x == 7 true"), (4, "x == 7 false")]
