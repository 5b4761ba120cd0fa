"""How long the steps behind a search may take: 5 s and a fifth of its budget."""

from __future__ import annotations

import pytest

from veer.findings import contradiction, pairs, readable
from veer.findings.severity import assessor
from veer.model.searchoptions import SearchOptions


@pytest.mark.parametrize("budget", [0.5, 1.0, 10.0, 30.0, 60.0, 600.0])
def test_what_only_makes_tests_better_leaves_time_for_replays(budget: float) -> None:
    usual = readable.MOST_SECONDS + pairs.MOST_SECONDS + contradiction.MOST_SECONDS + assessor.MOST_SECONDS
    allowed = 5.0 + 0.2 * budget
    options = SearchOptions(budget=budget)
    assert options.pace * usual <= 0.75 * allowed
    assert options.pace * usual + options.shrinking_seconds <= 0.9 * allowed


@pytest.mark.parametrize("budget", [0.5, 10.0, 600.0])
def test_shrinking_takes_no_more_than_a_tenth_of_the_budget(budget: float) -> None:
    assert 0 < SearchOptions(budget=budget).shrinking_seconds <= 0.1 * budget
    assert SearchOptions(budget=budget, shrink=False).shrinking_seconds == 0


def test_the_usual_budget_gives_the_usual_time() -> None:
    assert SearchOptions().pace == 1.0
