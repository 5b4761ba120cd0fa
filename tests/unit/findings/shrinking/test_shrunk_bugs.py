"""What shrinking must leave as it is: the bug, its severity, the path of a test, hangs; and `--no-shrink`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from veer.campaign import run as campaign
from veer.findings import synthesis
from veer.findings.readable import Readable, readable
from veer.model.buildoptions import BuildOptions
from veer.model.inputs import Scalar
from veer.model.outcome import Outcome
from veer.model.plainness import size_of
from veer.model.result import Bug, Result, Test
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity

SOLVED_NATIVELY = ("linear", "invert")
"""What finds a remainder in a smaller number than a solver does."""
TEXT = """
#include <stdlib.h>
int sum(int x, int y) { if (x + y == 700) abort(); return 0; }
int guarded(int *p, int x) { if (!p) return 0; if (x > 5) *p = x / (*p - 1); return 1; }
int behind(int *p, int x) { return x > 40 ? *p : 0; }
int endless(unsigned n) { if (n > 70) while (n) n |= 1; return 0; }
int rest(unsigned x) { return x % 17 == 5 && x > 20 ? 2 : 1; }
"""


def explored(
    folder: Path, entry: str, *, shrink: bool = True, criterion: str = "branch", without: tuple[str, ...] = ()
) -> Result:
    source = folder / "small.c"
    source.write_text(TEXT)
    search = SearchOptions(budget=20.0, max_steps=500_000, shrink=shrink, criterion=criterion, without=without)
    return campaign.run(BuildOptions((source,), entry, no_checks=("overflow",)), search)


def numbers(test: Test) -> list[int]:
    return [cell.value.number for root in test.inputs.roots for cell in root.cells if isinstance(cell.value, Scalar)]


def witness(result: Result, outcome: Outcome) -> tuple[Bug, Test]:
    [bug] = [each for each in result.bugs if each.outcome is outcome]
    [test] = [each for each in result.tests if each.name == bug.test]
    return bug, test


def test_the_bug_stays_what_it_is(tmp_path: Path) -> None:
    before, wide = witness(explored(tmp_path, "sum", shrink=False), Outcome.ABORTED)
    after, small = witness(explored(tmp_path, "sum"), Outcome.ABORTED)
    assert numbers(small) == [0, 700] and size_of(small.inputs) < size_of(wide.inputs)
    for what in ("outcome", "file", "line", "column", "function", "message", "fingerprint", "confirmed", "judgement"):
        assert getattr(after, what) == getattr(before, what)


@pytest.mark.parametrize("criterion", ["branch", "path"])
def test_as_many_tests_cover_as_much(tmp_path: Path, criterion: str) -> None:
    before = explored(tmp_path, "sum", shrink=False, criterion=criterion)
    after = explored(tmp_path, "sum", criterion=criterion)
    assert after.coverage == before.coverage and after.ending.claim == before.ending.claim
    assert (after.paths, after.runs, len(after.tests)) == (before.paths, before.runs, len(before.tests))


def test_a_smaller_input_that_a_caller_is_to_blame_for_is_none(tmp_path: Path) -> None:
    """NULL is smaller than a pointer to 1, but the function tests for it; a division by zero is no NULL dereference."""
    bug, test = witness(explored(tmp_path, "guarded"), Outcome.DIVISION)
    assert bug.judgement.severity is Severity.UNDEFINED
    assert numbers(test) == [6] and len(test.inputs.objects) == 1
    bug, test = witness(explored(tmp_path, "behind"), Outcome.SEGFAULT_NULL)
    assert bug.judgement.severity is Severity.CONTRACT and numbers(test) == [41]


def test_hangs_stay_as_the_search_found_them(tmp_path: Path) -> None:
    """Each run of one takes the whole budget of steps."""
    _, before = witness(explored(tmp_path, "endless", shrink=False), Outcome.HANG)
    _, after = witness(explored(tmp_path, "endless"), Outcome.HANG)
    assert numbers(after) == numbers(before)


def test_a_test_has_small_values_on_its_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the solver found for `x % 17 == 5` is a large number; what values are moved from then is the least one."""
    begun_with: list[bytes] = []

    def seen(*arguments: Any) -> Readable:
        begun_with.extend(arguments[-1].values())
        return readable(*arguments)

    monkeypatch.setattr(synthesis, "readable", seen)
    result = explored(tmp_path, "rest", criterion="path", without=SOLVED_NATIVELY)
    before = explored(tmp_path, "rest", criterion="path", shrink=False, without=SOLVED_NATIVELY)
    assert [int.from_bytes(data, "little") for data in begun_with] == [22]
    assert sorted(test.covers for test in result.tests) == sorted(test.covers for test in before.tests)
    assert {test.replayed for test in result.tests} == {"same"}
