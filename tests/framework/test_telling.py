"""Further inputs of a path: where a test's numbers do not show in what it expects, another one's do."""

from __future__ import annotations

from pathlib import Path

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.inputs import Scalar
from veer.model.outcome import Outcome
from veer.model.result import Test
from veer.model.searchoptions import SearchOptions


def returning(folder: Path, text: str, entry: str) -> list[Test]:
    source = folder / "unit.c"
    source.write_text(text)
    result = campaign.run(BuildOptions(sources=(source,), entry=entry), SearchOptions(budget=60.0, max_runs=200))
    return [test for test in result.tests if test.outcome is Outcome.RETURNED]


def numbers(tests: list[Test]) -> set[int]:
    return {int.from_bytes(test.returned or b"", "little", signed=True) for test in tests}


def test_each_entry_of_a_table_is_read(tmp_path: Path) -> None:
    text = (
        "int look(int i) { static const int t[5] = {31, 17, 8, 4, 2}; if (i < 0 || i > 4) return -1; return t[i]; }\n"
    )
    assert numbers(returning(tmp_path, text, "look")) == {-1, 31, 17, 8, 4, 2}


def test_equal_entries_need_one_test(tmp_path: Path) -> None:
    text = "int look(int i) { static const int t[5] = {3, 3, 3, 3, 7}; if (i < 0 || i > 4) return -1; return t[i]; }\n"
    tests = returning(tmp_path, text, "look")
    assert numbers(tests) == {-1, 3, 7} and len(tests) <= 5


def test_a_sum_behind_a_divisor_shows(tmp_path: Path) -> None:
    """The result of some test changes with each element: with all at 0, or a gain of a million, none of them would."""
    text = """
long scaled(int a[8], unsigned short gain)
{
    long sum = 0;
    for (int i = 0; i < 8; i++) sum += a[i];
    return gain > 0 ? sum * 33 / (4096L * gain) : 0;
}
"""
    assert any(abs(each) > 100 for each in numbers(returning(tmp_path, text, "scaled")))


def test_both_sides_of_a_comparison_without_a_branch_are_tested(tmp_path: Path) -> None:
    """Else `>=` in the place of `>`, or 101 of 100, would pass."""
    text = "_Bool over(int x) { return x > 100; }\nint order(int a, int b) { return (a <= b) + 2 * (b >= 1 << 20); }\n"
    assert {given(test) for test in returning(tmp_path, text, "over")} >= {(100,), (101,)}
    pairs = [given(test) for test in returning(tmp_path, text, "order")]
    assert any(a == b for a, b in pairs) and any(a == b + 1 for a, b in pairs)


def given(test: Test) -> tuple[int, ...]:
    values = [root.cells[0].value for root in test.inputs.roots]
    return tuple(value.number for value in values if isinstance(value, Scalar))


def test_a_test_that_tells_enough_has_no_other_beside_it(tmp_path: Path) -> None:
    text = "int both(int a, int b) { return a > b ? a - 3 * b : 5 * a + b; }\n"
    assert len(returning(tmp_path, text, "both")) <= 3
