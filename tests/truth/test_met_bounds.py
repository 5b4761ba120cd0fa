"""A claim names the bounds of the inputs that runs came to, and no others: a larger bound must give the same paths."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.model.types import BoundKind
from veer.model.values import replace

SOURCE = """
#include <stddef.h>
#include <stdlib.h>
struct node { struct node *next; int value; };
struct pack { int count; int items[]; };
int numbers(int a, int b) { if (a > b) return 1; return 0; }
int head(const char *s) { if (s && s[0] == 'a' && s[1] == 'b') return 1; return 0; }
int all(const char *s) { int n = 0; if (!s) return -1; while (s[n]) n++; if (n > 5) return 1; return 0; }
int at(const char *s, unsigned i) { if (!s || i > 20) return 0; if (s[i] == 'x' && i > 5) return 1; return 2; }
int first(int *a) { if (a && a[0] > 3) return 1; return 0; }
int sixth(int *a) { if (a && a[5] == 2) return 1; return 0; }
int far(int *a) { char *b = malloc(1); int n; if (!a || !b) return 0; n = a[11]; free(b); if (n) return 1; return 2; }
int length(const unsigned char *b, size_t n) { (void)b; if (n > 10) return 1; return 0; }
int two(struct node *p) { int n = 0; while (p && n < 2) { n++; p = p->next; } if (n) return 1; return 0; }
int chain(struct node *p) { int n = 0; while (p && n < 9) { n++; p = p->next; } if (n > 5) return 1; return 0; }
int tail(struct pack *p) { if (p && p->count > 9) return 1; return 0; }
"""
_KINDS = {kind.value for kind in BoundKind}


@pytest.mark.parametrize(
    ("entry", "met"),
    sampled(
        [
            ("numbers", set()),
            ("head", set()),
            ("all", {"max-length 3"}),
            ("at", {"max-length 3"}),
            ("first", set()),
            ("sixth", {"max-array 3"}),
            ("far", {"max-array 3"}),
            ("length", {"max-length 3"}),
            ("two", set()),
            ("chain", {"graph-depth 3"}),
            ("tail", {"max-array 3"}),
        ],
        lambda case: case[0] not in ("numbers", "all", "first", "far", "two"),
    ),
)
def test_the_claim_names_what_was_met(tmp_path: Path, entry: str, met: set[str]) -> None:
    source = tmp_path / "unit.c"
    source.write_text(SOURCE)
    build = BuildOptions((source,), entry, max_length=3, max_array=3, graph_depth=3)
    search = SearchOptions(budget=60, criterion="path")
    result = campaign.run(build, search)
    assert result.ending.claim == "paths"
    assert {words for words in result.ending.within if words.split()[0] in _KINDS} == met
    larger = campaign.run(replace(build, max_length=12, max_array=12, graph_depth=12), search)
    assert _paths(larger) >= _paths(result)
    assert (_paths(larger) == _paths(result)) == (not met)


def _paths(result: campaign.Result) -> set[tuple[object, ...]]:
    return {(test.covers, test.outcome, test.returned) for test in result.tests}


LONGEST = 29  # decisions of the longest path of LOOP
LOOP = """
int f(unsigned char x) {
    int n = x % 16 * 10, d = 0;
    while (n > 0) { n -= 10; d++; }
    if (d == 9) return 1;
    return 0;
}
"""


@pytest.mark.parametrize("most", sampled(range(1, 60), lambda most: most in (4, 5, LONGEST - 1, LONGEST)))
def test_a_last_decision_is_named_where_paths_may_go_on_behind_it(tmp_path: Path, most: int) -> None:
    """Whatever kind of decision it is: of one that earlier ones settle, no side is left to be cut."""
    source = tmp_path / "unit.c"
    source.write_text(LOOP)
    search = SearchOptions(budget=60, criterion="path", max_branches=most)
    result = campaign.run(BuildOptions((source,), "f"), search)
    assert result.ending.claim == "paths"
    is_named = result.ending.within == (f"max-branches {most}",)
    assert is_named or (result.paths == 16 and not result.ending.within)
    assert (result.paths == 16) is (most >= LONGEST)
    for branch in result.branches:
        assert branch.state != "infeasible", "each is taken by some input"
        assert branch.state != "pruned" or is_named, branch
