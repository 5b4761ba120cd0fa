"""Pairs of tests: one decision apart, on both sides of its edge, with an effect that is seen."""

from __future__ import annotations

from pathlib import Path

from veer.campaign import run as campaign
from veer.findings.rerun import ALSO
from veer.model.buildoptions import BuildOptions
from veer.model.inputs import Scalar
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

MASKED = """
int f(int on, int rate, int gap) {
    int enabled = on && rate <= 600 && gap > 300;
    int result = 0;
    if (enabled)
        result = 7;
    return result;
}
"""
GLOBAL = """
int level = 5;
int f(int unused) {
    if (level > 3)
        return 1;
    return 1;
}
"""
CAPPED = """
int f(int a, int b, int wide) {
    int limit = wide ? a + 100 : a;
    return limit > b ? 1 : 2;
}
"""


def explored(tmp_path: Path, text: str, *, globals_: bool = False, criterion: str = "branch") -> Result:
    source = tmp_path / "unit.c"
    source.write_text(text)
    build = BuildOptions(sources=(source,), entry="f", globals=globals_)
    return campaign.run(build, SearchOptions(budget=10.0, criterion=criterion))


def rows(result: Result) -> set[tuple[int, ...]]:
    """By test: the numbers that it passes, and the result as the last one."""
    found = set()
    for test in result.tests:
        assert test.replayed == "same"
        cells = [root.cells[0].value for root in test.inputs.roots]
        numbers = [value.number for value in cells if isinstance(value, Scalar)]
        found.add((*numbers, int.from_bytes(test.returned or b"", "little")))
    return found


def has_pair(found: set[tuple[int, ...]], column: int, below: int, other: int) -> bool:
    """Whether two tests with these neighbouring numbers there, all else equal, have different results."""
    near = {row[:column] + row[column + 1 : -1]: row[-1] for row in found if row[column] == below}
    far = {row[:column] + row[column + 1 : -1]: row[-1] for row in found if row[column] == other}
    return any(far.get(rest, result) != result for rest, result in near.items())


def test_each_condition_has_a_pair_whose_effect_is_seen_at_its_edge(tmp_path: Path) -> None:
    found = rows(explored(tmp_path, MASKED))
    assert has_pair(found, 1, 600, 601)
    assert has_pair(found, 2, 300, 301)
    assert any(row[0] == 0 and row[1] <= 600 and row[2] > 300 for row in found)


def test_a_branch_without_effect_gets_no_pair(tmp_path: Path) -> None:
    result = explored(tmp_path, GLOBAL, globals_=True)
    assert len(result.tests) == 2 and all(test.path != ALSO for test in result.tests)


def test_a_branch_has_a_pair_for_each_form_of_what_it_asks_about(tmp_path: Path) -> None:
    found = rows(explored(tmp_path, CAPPED, criterion="mcdc"))
    for wide in (0, 1):
        apart = {abs(a - c) + abs(b - d) for a, b, w, r in found for c, d, v, s in found if w == v == wide and r != s}
        assert 1 in apart


def test_all_paths_are_tests_once(tmp_path: Path) -> None:
    result = explored(tmp_path, MASKED, criterion="path")
    assert len(result.tests) == result.paths == len({test.path for test in result.tests})


def test_what_a_bound_left_out_is_no_test(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("int f(int a, int b) { if (a == 5) if (b == 7) return 1; return 0; }\n")
    search = SearchOptions(budget=10.0, max_branches=1)
    result = campaign.run(BuildOptions(sources=(source,), entry="f"), search)
    assert {branch.state for branch in result.branches if branch.text == "b == 7" and branch.side == "true"} == {
        "pruned"
    }
    assert all(row[-1] == 0 for row in rows(result))
