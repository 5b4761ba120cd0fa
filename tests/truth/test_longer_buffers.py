"""Buffers that are longer than a length says that nobody wrote down (docs/decisions/0436): what they reach is reached,
what is beyond them is no error, and a length that is written stays."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite_builds import build_suite, compiler_command

import veer
from veer.model.growth import GrowthEnd
from veer.model.outcome import Outcome
from veer.model.result import Result, Test
from veer.model.severity import Severity
from veer.suite.c.plain import render

LONGER = "and up to 4 more"
UNIT = """
/* Elements 1 to n. */
int peak(const signed char *a, int n)
{
    int best = 0;
    for (int i = 1; i <= n; i++)
        if (a[i] > 100) best = i;
    return best > 2 ? 2 : best;
}

/* A guard behind the last element. */
int position(int *a, int n, int key)
{
    int i = 0;
    a[n] = key;
    while (a[i] != key) i++;
    return i < n ? 1 : 0;
}

/* Twice as many. */
int pairs(const unsigned char *a, unsigned n)
{
    int found = 0;
    for (unsigned i = 0; i < n; i++)
        if (a[2 * i] == 7 && a[2 * i + 1] == 9) found = 1;
    if (found) return 1;
    return 0;
}

/* No buffer that is tried is as long as this. */
int far(const int *a, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] & 1;
    if (sum > 1) sum = a[n + 3];
    if (sum > 1) sum = a[n + 40];
    return sum > 0;
}

/* What is reached behind it is reached. */
int divided(const int *a, int n)
{
    for (int i = 1; i <= n; i++)
        if (a[i] == 77) return 100 / (a[i - 1] - 5);
    return 0;
}

/* Beyond all that are tried. */
int beyond(const int *a, int n) { if (a[n + 40] == 3) return 1; return 0; }

int written(const int *a, int n) __attribute__((access(read_only, 1, 2)));
int written(const int *a, int n) { return a[n] == 3; }
"""


def searched(folder: Path, entry: str, **options: object) -> Result:
    source = folder / "unit.c"
    source.write_text(UNIT)
    result = veer.test(source, entry, budget="20s", max_array=4, max_length=4, **options)
    assert not result.diverged
    return result


def whole(result: Result) -> list[Test]:
    """The tests that end by a return."""
    return [test for test in result.tests if test.returned is not None]


def returned(result: Result) -> set[int]:
    return {int.from_bytes(test.returned or b"", "little", signed=True) for test in whole(result)}


@pytest.mark.parametrize(("entry", "numbers"), [("peak", {0, 1, 2}), ("position", {0, 1}), ("pairs", {0, 1})])
def test_what_longer_buffers_reach_is_reached(entry: str, numbers: set[int], tmp_path: Path) -> None:
    result = searched(tmp_path, entry)
    assert returned(result) == numbers
    assert {test.replayed for test in whole(result)} == {"same"}
    done = build_suite(tmp_path, "again.c", render(result.program, tuple(whole(result))), compiler_command()).run()
    assert done.returncode == 0, done.stdout


def test_without_growth_the_claim_says_what_was_tried(tmp_path: Path) -> None:
    alone = searched(tmp_path, "peak", grow=False)
    assert any(words.startswith("a has n elements (the") for words in alone.ending.within)
    assert not any(LONGER in words for words in alone.ending.within)
    assert returned(alone) == {0}


def test_an_access_beyond_a_longer_buffer_is_a_contract(tmp_path: Path) -> None:
    """a[n + 40] is reached with 4 more elements alone, and misses those."""
    bugs = {bug.line: bug for bug in searched(tmp_path, "far").bugs if bug.outcome is Outcome.BOUNDS_READ}
    line = UNIT.splitlines().index("    if (sum > 1) sum = a[n + 40];") + 1
    assert bugs[line].severity is Severity.CONTRACT
    assert "more than `n` elements" in bugs[line].judgement.broken[0].sentence


def test_what_is_reached_in_a_longer_buffer_is_judged_as_ever(tmp_path: Path) -> None:
    kinds = {bug.outcome: bug.severity for bug in searched(tmp_path, "divided").bugs}
    assert kinds[Outcome.DIVISION] == "undefined", kinds


def test_a_length_that_is_written_stays(tmp_path: Path) -> None:
    result = searched(tmp_path, "written")
    assert not any(LONGER in words for words in result.ending.within)
    assert returned(result) == set()


def test_a_search_in_longer_buffers_that_shows_nothing_leaves_the_claim_as_it_was(tmp_path: Path) -> None:
    result = searched(tmp_path, "beyond")
    assert any(words.startswith("a has n elements (the") for words in result.ending.within)
    assert not any(LONGER in words for words in result.ending.within)
    assert result.growth is not None
    assert (result.growth.begun, result.growth.end) == ((), GrowthEnd.NOTHING_NEW)
