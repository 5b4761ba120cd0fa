"""`veer test --all`: functions share the budget and the time behind it; what one leaves goes to the others."""

from __future__ import annotations

import pytest

from veer.cli.shares import LEAST_BEHIND, NOT_ENOUGH, Share, Shares
from veer.model.searchoptions import SearchOptions

SEARCH = SearchOptions(budget=20.0)
"""9 s behind it."""


def test_one_function_has_all() -> None:
    given = Shares(SEARCH).take(1)
    assert given == Share(20.0, 9.0)
    assert given.of(SEARCH).seconds_behind == SEARCH.seconds_behind


@pytest.mark.parametrize("functions", [2, 3, 6, 18])
def test_functions_that_use_all_that_they_may_end_within_the_bound(functions: int) -> None:
    shares, whole = Shares(SEARCH), 0.0
    for waiting in range(functions, 0, -1):
        share = shares.take(waiting)
        assert share.search >= 0
        assert share.behind >= 0
        shares.give_back(share, share)
        whole += share.search + share.behind
    assert whole <= 29.0 + 1e-9


@pytest.mark.parametrize(("functions", "seconds"), [(18, 20.0), (18, 60.0), (46, 60.0)])
def test_functions_that_hardly_search_have_more_behind_it_from_one_to_the_next(functions: int, seconds: float) -> None:
    shares, given = Shares(SearchOptions(budget=seconds)), []
    for waiting in range(functions, 0, -1):
        given.append(shares.take(waiting))
        shares.give_back(given[-1], Share(0.02, 0.4))
    assert [each.behind for each in given] == sorted(each.behind for each in given)
    assert given[0].behind > (5.0 + 0.2 * seconds) / functions


def test_what_a_function_leaves_goes_to_the_next_ones() -> None:
    used, left = Shares(SEARCH), Shares(SEARCH)
    share = used.take(3)
    used.give_back(share, share)
    left.give_back(left.take(3), Share(2.0, 1.0))
    more, less = left.take(2), used.take(2)
    assert more.search > less.search
    assert more.behind > less.behind


def test_what_a_function_overdraws_is_taken_from_the_next_ones() -> None:
    shares = Shares(SEARCH)
    shares.give_back(shares.take(3), Share(10.0, 12.0))
    share = shares.take(2)
    assert share.search == pytest.approx(7.0 * 20 / 29 / 2)  # 7 s are left of 29
    assert share.behind == 1.0  # half of the 10 s that the searches may take is lent, and 3 s are lacking


def test_each_function_has_a_least_time() -> None:
    shares = Shares(SEARCH)
    shares.give_back(shares.take(2), Share(25.0, 30.0))
    options = shares.take(1).of(SEARCH)
    assert (options.budget, options.seconds_behind) == (NOT_ENOUGH, LEAST_BEHIND)


def test_several_at_a_time_have_so_many_times_the_time() -> None:
    shares = Shares(SEARCH, jobs=2)
    first, second = shares.take(2), shares.take(1)
    assert first == second == Share(20.0, 9.0)  # no function has more than one that is tested alone
    many = Shares(SEARCH, jobs=2)
    given = [many.take(waiting) for waiting in (4, 3, 2, 1)]  # what is under way is set aside
    assert given[0] == Share(10.0, 7.0)
    assert sum(each.search + each.behind for each in given) <= 58.0 + 1e-9
