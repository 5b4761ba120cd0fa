"""--max-bugs N ends a search once N different bugs are known, whichever search it is; and what it counts is true."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.ending import EndingKind
from veer.model.progress import Progress
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace

# 40 bugs, each behind a door of its own, and many paths besides.
TEXT = """
#include <stdlib.h>
int f(unsigned char x, unsigned char y, unsigned char z)
{
    int sum = 0;
    for (int bit = 0; bit < 8; bit++)
        if (y >> bit & 1)
            sum += bit;
    switch (x) {
    DOORS
    }
    return sum + (z > sum);
}
"""
DOORS = "\n    ".join(f"case {10 + each}: if (z == {each * 3}) abort(); break;" for each in range(40))
SEARCH = SearchOptions(budget=60.0, strategy="bfs", batch=8)


def explored(folder: Path, search: SearchOptions, told: list[Progress] | None = None) -> Result:
    source = folder / "doors.c"
    source.write_text(TEXT.replace("DOORS", DOORS))
    return campaign.run(BuildOptions((source,), "f"), search, (told if told is not None else []).append)


@pytest.mark.parametrize(
    "more",
    sampled(
        [{}, {"jobs": 2}, {"search": "partitioned"}, {"search": "compositional"}],
        lambda more: more.get("search") != "partitioned",
    ),
    ids=lambda more: str(more),
)
def test_the_search_ends_once_so_many_are_known(more: dict[str, object], tmp_path: Path) -> None:
    result = explored(tmp_path, replace(SEARCH, max_bugs=3, **more))  # type: ignore[arg-type]
    assert result.ending.kind is EndingKind.MAX_BUGS
    assert result.ending.claim == "none"
    assert 3 <= len(result.bugs) < 40
    assert {bug.line for bug in result.bugs} <= set(range(10, 50))


def test_the_count_that_is_told_is_that_of_the_result(tmp_path: Path) -> None:
    told: list[Progress] = []
    result = explored(tmp_path, replace(SEARCH, max_bugs=2), told)
    counts = [each.bugs for each in told if each.phase == "explore"]
    assert counts == sorted(counts)
    assert max(counts) <= len(result.bugs)


def test_without_a_bound_all_are_found(tmp_path: Path) -> None:
    result = explored(tmp_path, replace(SEARCH, budget=120.0, strategy="coverage", batch=64))
    assert len(result.bugs) == 40
    assert result.ending.kind is EndingKind.EXHAUSTED
