"""Discovery thresholds: what veer must find within N runs, whatever the seed and the strategy."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

TRUTH = Path(__file__).parent.parent / "truth" / "papers"
PROGRAMS = Path(__file__).parent.parent / "programs"


def explore(source: Path, entry: str, search: SearchOptions) -> Result:
    return campaign.run(BuildOptions(sources=(source,), entry=entry, max_length=3), search)


@pytest.mark.parametrize("strategy", ["dfs", "rarest"])
@pytest.mark.parametrize("seed", range(3))
def test_cute_figure_1(seed: int, strategy: str) -> None:
    search = SearchOptions(budget=20.0, seed=seed, strategy=strategy, max_runs=10)
    result = explore(TRUTH / "cute_figure_1.c", "testme", search)
    assert {bug.outcome.key for bug in result.bugs} == {"abort", "undefined"}  # 2 * v + 1 overflows, too


@pytest.mark.parametrize("seed", range(3))
def test_every_keyword_within_60_runs(seed: int) -> None:
    result = explore(PROGRAMS / "string_compare.c", "keyword", SearchOptions(budget=20.0, seed=seed, max_runs=60))
    assert all(branch.state == "covered" for branch in result.branches)


def test_the_same_seed_gives_the_same_result() -> None:
    search = SearchOptions(budget=120.0, growing=(), seed=5)  # what the clock ends may differ
    one, two = (explore(PROGRAMS / "short_circuits.c", "mixed", search) for _ in range(2))
    assert [test.inputs for test in one.tests] == [test.inputs for test in two.tests]
    assert (one.runs, one.paths, one.ending) == (two.runs, two.paths, two.ending)
