"""Preconditions (CUTE section 3.6): the paths under `--pre` are what its solutions leave of all paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

LIST = """
#include <stddef.h>
struct node { int value; struct node *next, *prev; };
static int list_ok(const struct node *first)
{
    int count = 0;
    if (first && first->prev) return 0;
    for (const struct node *n = first; n; n = n->next) {
        if (++count > 4) return 0;
        if (n->next && n->next->prev != n) return 0;
    }
    return 1;
}
int find(struct node *first, int wanted)
{
    for (struct node *n = first; n; n = n->next)
        if (n->value == wanted) return n->prev == NULL ? 1 : 2;
    return 0;
}
"""
PAIR = """
int ordered(int low, int high) { return low <= high; }
int positive(int low) { return low > 0; }
int clamp(int value, int low, int high)
{
    if (low > high) return -1;
    if (low <= 0) return -2;
    if (value < low) return low;
    return value > high ? high : value;
}
"""


def _tested(tmp_path: Path, text: str, entry: str, *predicates: str, others: str = "") -> Result:
    source, second = tmp_path / "unit.c", tmp_path / "checks.c"
    source.write_text(text)
    second.write_text(others)
    sources = (source, second) if others else (source,)
    build = BuildOptions(sources, entry, preconditions=predicates, graph_depth=4)
    return campaign.run(build, SearchOptions(budget=30.0, criterion="path"))


def test_only_valid_lists_are_tests_and_each_once(tmp_path: Path) -> None:
    result = _tested(tmp_path, LIST, "find", "list_ok")
    # A list of n nodes: the value is in one of them, or in none.
    assert (result.ending.claim, len(result.tests)) == ("paths", sum(n + 1 for n in range(5)))
    assert not result.bugs
    assert {test.replayed for test in result.tests} == {"same"}


def test_predicates_are_no_part_of_what_is_covered(tmp_path: Path) -> None:
    result = _tested(tmp_path, LIST, "find", "list_ok")
    assert {branch.function for branch in result.branches} == {"find"}
    assert result.coverage.branches is not None
    assert result.coverage.branches.covered == result.coverage.branches.total


def test_predicates_take_parameters_by_name_and_rule_branches_out(tmp_path: Path) -> None:
    result = _tested(tmp_path, PAIR, "clamp", "ordered", "positive")
    infeasible = sorted((branch.text, branch.side) for branch in result.branches if branch.state == "infeasible")
    assert infeasible == [("low <= 0", "true"), ("low > high", "true")]
    assert len(result.tests) == 3


def test_a_predicate_may_stand_in_another_source(tmp_path: Path) -> None:
    text = "int half(int even) { return even % 2 ? -1 : even / 2; }"
    result = _tested(tmp_path, text, "half", "is_even", others="int is_even(int even) { return even % 2 == 0; }")
    assert len(result.tests) == 1
    assert result.tests[0].replayed == "same"


@pytest.mark.parametrize(
    ("predicate", "sentence"),
    [
        ("orderd", "did you mean ordered"),
        ("clamp", "is the entry itself"),
        ("nothing", "returns no truth value"),
        ("other", "has no parameters for it"),
    ],
)
def test_a_predicate_that_cannot_be_asked_is_said_in_one_sentence(
    tmp_path: Path, predicate: str, sentence: str
) -> None:
    text = PAIR + "void nothing(int low) { (void)low; }\nint other(char *text) { return text != 0; }\n"
    with pytest.raises(UsageError, match=sentence):
        _tested(tmp_path, text, "clamp", predicate)


def test_a_longer_doubly_linked_list_costs_a_linear_number_of_runs_more(tmp_path: Path) -> None:
    # Section 3.6: N nodes are not N * N tries, for what is decided about the first ones is kept.
    runs = []
    for most in (3, 4, 5, 6):
        source = tmp_path / f"list_{most}.c"
        source.write_text(LIST.replace("> 4", f"> {most}").replace("n->value == wanted", "0 && wanted"))
        build = BuildOptions((source,), "find", preconditions=("list_ok",), graph_depth=most + 2)
        result = campaign.run(build, SearchOptions(budget=30.0, criterion="path"))
        assert (result.ending.claim, len(result.tests)) == ("paths", most + 1)
        runs.append(result.runs)
    assert all(later - earlier <= 2 * most + 3 for most, earlier, later in zip((4, 5, 6), runs, runs[1:], strict=False))
