"""Two copies of a function or one (fastpath.py): every run does the same, so searches are equal to the last query."""

from __future__ import annotations

from pathlib import Path

import brute_header
import pytest
from sampling import sampled
from test_paths import PROGRAMS
from veer_side import build_options, explore

from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace

FEW = ("qsort_own", "shared_node", "struct_by_value", "variadic_sum")
CHOSEN = sampled(PROGRAMS, lambda path: path.stem in FEW)


def searched(program: Path, *, has_fast_path: bool) -> Result:
    """A whole search that may not be cut short by time."""
    build = replace(build_options(brute_header.read(program)), has_fast_path=has_fast_path)
    search = SearchOptions(strategy="dfs", criterion="path", budget=120.0, max_steps=200_000, max_runs=3000)
    return explore(build, search)


@pytest.mark.parametrize("program", CHOSEN, ids=lambda path: path.stem)
def test_one_copy_and_two_search_alike(program: Path) -> None:
    one, two = searched(program, has_fast_path=False), searched(program, has_fast_path=True)
    assert one.runs > 1
    assert (two.runs, two.paths, two.diverged, two.ending) == (one.runs, one.paths, one.diverged, one.ending)
    assert two.queries == one.queries
    assert two.tests == one.tests
    assert [bug.outcome for bug in two.bugs] == [bug.outcome for bug in one.bugs]
    assert (two.ledger, two.operations, two.tree) == (one.ledger, one.operations, one.tree)
    assert (two.coverage, two.branches) == (one.coverage, one.branches)
