"""Contracts against brute force: the paths are those of all inputs within the contract, and of no other input."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from pathlib import Path

import pytest
from veer_side import explore

from veer.model.buildoptions import BuildOptions, GivenTerms
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity

UNIT = """
int classify(signed char a, unsigned char b) {
    if (a < 0) { if (b == a + 5) return 1; return 2; }
    if (a == b) return 3;
    if (b > 250) __builtin_trap();
    return a > 3 ? 4 : 5;
}
int fixed(int zero, int five) { if (zero == 0 && five == 5) return 1; __builtin_trap(); }
int count(const unsigned char *p, int k) {
    int many = 0;
    if (!p) __builtin_trap();
    for (int i = 0; i < k; i++) if (p[i] == 7) many++;
    if (many == 3) __builtin_trap();
    return many;
}
int over(const int *p, int k) { int sum = 0; for (int i = 0; i <= k; i++) sum += p[i] > 0; return sum; }
"""


def result(folder: Path, entry: str, *terms: str) -> Result:
    """What a campaign finds on a function of the unit, with these terms as its contract."""
    source = folder / "unit.c"
    source.write_text(UNIT)
    given = tuple(GivenTerms(entry, each, "veer.toml:1") for each in terms)
    found = explore(
        BuildOptions((source,), entry, max_length=3, max_array=3, contracts=given), SearchOptions(budget=30)
    )
    assert found.ending.claim == "paths"
    return found


def signature(a: int, b: int) -> tuple[bool, ...]:
    """The branches that `classify` takes."""
    if a < 0:
        return (True, b == a + 5)
    if a == b:
        return (False, True)
    return (False, False, True) if b > 250 else (False, False, False, a > 3)


def paths(first: Iterable[int], second: Iterable[int]) -> int:
    """How many paths of `classify` these values have."""
    return len({signature(a, b) for a, b in itertools.product(first, second)})


@pytest.mark.parametrize(
    ("a", "b"),
    [((-128, 127), (0, 255)), ((-3, 2), (0, 250)), ((0, 0), (0, 0)), ((4, 9), (3, 8)), ((-1, -1), (4, 4))],
)
def test_a_range_has_the_paths_of_its_values(tmp_path: Path, a: tuple[int, int], b: tuple[int, int]) -> None:
    found = result(tmp_path, "classify", f"range(a, {a[0]}..{a[1]})", f"range(b, {b[0]}..{b[1]})")
    values = [range(low, high + 1) for low, high in (a, b)]
    assert found.paths == paths(*values)
    assert bool(found.bugs) == (b[1] > 250)
    assert any(each.startswith("a is ") for each in found.ending.within)


def test_ranges_of_one_value_are_that_value(tmp_path: Path) -> None:
    found = result(tmp_path, "fixed", "range(zero, 0..0)", "range(five, 5..5)")
    assert found.paths == 1 and not found.bugs


def test_a_pointer_that_is_not_null_never_is_and_a_planted_bug_is_found(tmp_path: Path) -> None:
    found = result(tmp_path, "count", "nonnull(p)", "length(p, k)")
    # k is 0 .. 3, and each element is 7 or not; one path of the eight longest has three of them.
    assert found.paths == sum(2**k for k in range(4))
    assert [bug.outcome for bug in found.bugs] == [Outcome.ILLEGAL]
    assert len(result(tmp_path, "count", "nullable(p)", "length(p, k)").bugs) == 2


def test_a_length_that_a_range_restricts(tmp_path: Path) -> None:
    found = result(tmp_path, "count", "nonnull(p)", "length(p, k)", "range(k, 1..2)")
    assert found.paths == 2 + 4 and not found.bugs


def test_an_inferred_length_hides_no_overrun(tmp_path: Path) -> None:
    found = result(tmp_path, "over")
    assert [bug.outcome for bug in found.bugs] == [Outcome.BOUNDS_READ]
    assert {"p is not NULL (the code never tests it)", "p has k elements (the code)"} <= {*found.ending.within}


BETWEEN = """
int greater(const int *a, int first, int last, int x) {
    for (int k = first; k <= last; k++) if (a[k] > x) return k;
    return -1;
}
int smaller(const int *a, int last, int first, int x) {
    for (int k = last; k >= first; k--) if (a[k] < x) return k;
    return -1;
}
int last(const int *a, int first, int last) {
    int many = 0;
    for (int k = first; k < last; k++) if (a[k] > a[last]) many++;
    return many;
}
"""


@pytest.mark.parametrize("entry", ["greater", "smaller", "last"])
def test_the_place_of_an_element_is_no_length(tmp_path: Path, entry: str) -> None:
    """As a length it made each access one behind the end: a false error, and "no input reaches it"."""
    source = tmp_path / "between.c"
    source.write_text(BETWEEN)
    found = explore(BuildOptions((source,), entry), SearchOptions(budget=10, max_runs=600))
    assert found.coverage.branches.covered == found.coverage.branches.total == 4
    assert not any(bug.severity is Severity.ERROR for bug in found.bugs)
