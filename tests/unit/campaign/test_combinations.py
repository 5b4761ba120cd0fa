"""Which options of a search go together: each row of the table, as the user writes it, and its sentence."""

from __future__ import annotations

import pytest

from veer.campaign.combinations import require_combination
from veer.campaign.requests import Options, search_options
from veer.model.errors import UsageError
from veer.model.searchoptions import SearchOptions


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (Options(compositional=True, jobs=2), "--compositional searches in one process: leave --jobs out"),
        (Options(partitioned=True, jobs=2), "--partitioned searches in one process: leave --jobs out"),
        (Options(compositional=True, criterion="mcdc"), "--compositional does not run every path: leave --criterion"),
        (Options(compositional=True, look_ahead=True), "--compositional has its own order: leave --look-ahead, "),
        (Options(compositional=True, max_call_depth=1), "--compositional has its own order: leave --look-ahead, "),
        (Options(compositional=True, partitioned=True), "--compositional and --partitioned divide the search"),
        (Options(search="compositional", jobs=2), "--search compositional searches in one process: leave --jobs out"),
        (
            Options(search="partitioned", compositional=True),
            "--search partitioned and --compositional name two searches",
        ),
        (Options(search="nearest"), "there is no search `nearest`; known are "),
        (Options(look_ahead=True, criterion="path"), "--look-ahead leaves out paths to no uncovered branch"),
        (Options(solve_first=True, strategy="bfs"), "--solve-first is an order of depth-first search"),
    ],
)
def test_what_makes_no_sense_together_is_refused(given: Options, sentence: str) -> None:
    with pytest.raises(UsageError) as refused:
        search_options(given)
    assert str(refused.value).startswith(sentence)


@pytest.mark.parametrize(
    ("given", "search"),
    [
        (Options(jobs=4, criterion="path"), "plain"),
        (Options(partitioned=True, criterion="path"), "partitioned"),
        (Options(compositional=True), "compositional"),
        (Options(search="compositional"), "compositional"),
        (Options(search="partitioned", partitioned=True), "partitioned"),
        (Options(solve_first=True, strategy="dfs"), "plain"),
    ],
)
def test_what_makes_sense_names_a_search(given: Options, search: str) -> None:
    assert search_options(given).search == search


def test_a_search_that_saves_nothing_is_resumed_by_the_plain_one_which_takes_workers() -> None:
    options = SearchOptions(search="compositional", jobs=2)
    require_combination(options, is_resumed=True)
    with pytest.raises(UsageError):
        require_combination(options)
    with pytest.raises(UsageError):
        require_combination(SearchOptions(search="partitioned", jobs=2), is_resumed=True)
