"""A search that forgets finished subtrees again and again finds what one finds that forgets nothing."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from sampling import sampled
from test_jobs import Searched, search

from veer.model.searchoptions import SearchOptions
from veer.search import memory

SMALL = 150_000  # bytes: less than the whole search takes


@pytest.fixture(scope="module")
def roomy(tmp_path_factory: pytest.TempPathFactory) -> Searched:
    return search(tmp_path_factory.mktemp("roomy"), SearchOptions(budget=60.0))


@pytest.mark.parametrize(
    ("strategy", "jobs"),
    sampled(
        itertools.product(("coverage", "rarest", "dfs", "bfs", "generational", "random-path"), (1, 3)),
        lambda case: case in (("coverage", 1), ("dfs", 1), ("generational", 1), ("rarest", 3), ("random-path", 3)),
    ),
)
def test_the_same_is_found_however_often_the_tree_is_compacted(
    roomy: Searched, strategy: str, jobs: int, tmp_path: Path
) -> None:
    assert roomy.ending.claim == "paths" and not roomy.forgotten
    found = search(tmp_path, SearchOptions(strategy=strategy, jobs=jobs, campaign_memory=jobs * SMALL, budget=60.0))
    assert found.forgotten or jobs > 1
    assert (found.ending, found.count) == (roomy.ending, roomy.count)
    assert found.paths == roomy.paths or jobs > 1, "workers hand over only runs that are worth a test"
    assert (found.edges, found.bugs, found.runs, found.left) == (roomy.edges, roomy.bugs, roomy.runs, 0)
    assert found.states == roomy.states, "nodes by edge and state, forgotten ones included"


@pytest.mark.parametrize("jobs", [1, 3])
def test_paths_that_nobody_knows_any_more_are_counted_all_the_same(
    roomy: Searched, jobs: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Identities are dropped at each compaction. No path of this program has two leaves of the tree."""
    monkeypatch.setattr(memory, "_WORTH_DROPPING", 0)
    found = search(tmp_path, SearchOptions(strategy="dfs", jobs=jobs, campaign_memory=jobs * SMALL, budget=60.0))
    assert (found.ending, found.count, found.edges, found.bugs) == (
        roomy.ending,
        roomy.count,
        roomy.edges,
        roomy.bugs,
    )
    assert len(found.paths) < roomy.count or jobs > 1, "what is not kept was told apart by the tree"
    assert found.states == roomy.states
