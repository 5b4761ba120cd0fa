"""Bounds of single parameters, counted: lists and strings have every length within their own bounds, and no other."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions, OwnBound
from veer.model.searchoptions import SearchOptions

SOURCE = """
struct node { struct node *next; };
struct link { struct link *next; };
int lists(struct node *a, struct link *b)
{
    int first = 0, second = 0;
    for (; a; a = a->next) if (++first > 6) return -1; /* a cycle */
    for (; b; b = b->next) if (++second > 6) return -1;
    return 10 * first + second;
}
int text(const char *a, const char *b)
{
    int first = 0, second = 0;
    if (!a || !b) return 0;
    while (a[first]) first++;
    while (b[second]) second++;
    return 10 * first + second;
}
"""


@pytest.mark.parametrize(
    ("entry", "own", "most", "words"),
    [
        ("lists", (), 22, {"graph-depth 2"}),
        ("lists", (("graph-depth", "a", 3),), 32, {"graph-depth 2", "graph-depth 3 of a"}),
        ("lists", (("graph-depth", "b", 1),), 21, {"graph-depth 2", "graph-depth 1 of b"}),
        ("text", (("max-length", "a", 3),), 32, {"max-length 2", "max-length 3 of a"}),
        ("text", (("max-length", "b", 1),), 21, {"max-length 2", "max-length 1 of b"}),
    ],
)
def test_results_are_those_within_the_bounds(
    tmp_path: Path, entry: str, own: tuple[OwnBound, ...], most: int, words: set[str]
) -> None:
    source = tmp_path / "walk.c"
    source.write_text(SOURCE)
    build = BuildOptions((source,), entry, max_length=2, graph_depth=2, own_bounds=own)
    result = campaign.run(build, SearchOptions(budget=60, criterion="path"))
    assert result.ending.claim == "paths" and not result.bugs
    assert words <= set(result.ending.within)
    returned = {int.from_bytes(test.returned, "little", signed=True) for test in result.tests if test.returned}
    first, second = divmod(most, 10)
    assert returned - {-1} == {10 * a + b for a in range(first + 1) for b in range(second + 1)}
