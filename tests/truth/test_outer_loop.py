"""DART's outer loop: where a function is not instrumented, fresh random inputs find what no constraint leads to."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import first
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

HASH = """
int hash(int x) {
    unsigned u = x;
    u ^= u >> 16; u *= 0x45d9f3b; u ^= u >> 16; u *= 0x45d9f3b; u ^= u >> 16;
    return (int)(u & 0x7fffffff);
}
"""
UNIT = """
int hash(int);
int g(int x) {
    if (x < 0) return 0;
    int y = hash(x);
    if (y % 8 == 3) return 10;
    if (x > 10) return 1;
    return 2;
}
static int size(int c) { if (c > 100) return 2; if (c > 10) return 1; return 0; }
int apart(int x, int z) {
    int s = size(z);
    if (hash(x) % 8 == 3) return 10;
    if (s == 1) return 1;
    return 2;
}
int never(int x) {
    int y = hash(x);
    if (y < 0) return 1;
    return 0;
}
static char large[1 << 17];
int addressed(unsigned tag, unsigned number)
{
    large[tag % 9] = 1;
    return number == 7 ? 7 : tag % 4 == 1 ? large[number % sizeof large] : 0;
}
"""


def searched(tmp_path: Path, entry: str, **options: object) -> Result:
    unit, own = tmp_path / "unit.c", tmp_path / "hash.c"
    unit.write_text(UNIT)
    own.write_text(HASH)
    build = BuildOptions((unit, own), entry, uninstrumented=("hash",))
    return explore(build, SearchOptions(budget=60.0, **options))  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", first(3, 10))
def test_every_branch_behind_a_concrete_function_is_found(tmp_path: Path, seed: int) -> None:
    result = searched(tmp_path, "g", seed=seed)
    returned = {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests}
    assert returned == {0, 1, 2, 10}


@pytest.mark.parametrize("seed", first(1, 3))
@pytest.mark.parametrize("search", ["plain", "partitioned", "compositional"])
def test_every_kind_of_search_goes_on(tmp_path: Path, search: str, seed: int) -> None:
    """Theorem 3 of SMART: by summaries and fresh inputs, it reaches what the plain search reaches."""
    result = searched(tmp_path, "apart", search=search, seed=seed, restarts=1000)
    assert (result.summaries is not None, result.partition is not None) == (
        search == "compositional",
        search == "partitioned",
    )
    states = {(branch.text, branch.state) for branch in result.branches if branch.function in ("apart", "size")}
    assert {state for _, state in states} == {"covered"}, states
    assert any("fresh random inputs were run" in note for note in result.program.notes)


def test_a_search_that_finds_nothing_more_ends_and_says_how_long_it_tried(tmp_path: Path) -> None:
    result = searched(tmp_path, "never", restarts=500)
    assert result.ending.claim == "none"
    assert any("fresh random inputs were run, for precision was lost" in note for note in result.program.notes)
    assert 500 <= result.runs < 2000


def test_a_random_address_that_shows_no_path_is_nothing_new(tmp_path: Path) -> None:
    """One input in four reads at an address of its own, which is a node of the tree."""
    result = searched(tmp_path, "addressed", restarts=300, max_runs=5000)
    assert result.ending.kind == "exhausted"
    assert any("symbolic address" in reason for reason in result.ending.lost_by)
    assert 300 <= result.runs < 2000
