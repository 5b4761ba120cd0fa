"""Allocations that fail where a branch is open (docs/decisions/0446): the results are those of every pattern of
failures, nothing else changes, and what only follows from a want of memory is no error."""

from __future__ import annotations

from pathlib import Path

import pytest
from failing_allocations import ALLOCATING, every_result
from suite_builds import build_suite, compiler_command

import veer
from veer.campaign.failures import NOTE
from veer.model.ending import Claim, EndingKind
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.severity import Severity
from veer.suite.c.plain import render

UNIT = (
    ALLOCATING
    + """
int lost(int n)
{
    char *a = malloc(8), *b;
    if (!a) return -1;
    b = calloc(2, 4);
    if (!b) return -2;
    free(a);
    free(b);
    return n > 0;
}

int unchecked(int n)
{
    int *p = malloc(sizeof *p), *q, sum;
    if (!p) abort();
    q = malloc(sizeof *q);
    *p = n & 7;
    *q = 1;
    sum = *p + *q;
    free(p);
    free(q);
    return sum;
}

/* Far more paths than a search of some seconds runs. */
int busy(const int v[12])
{
    int k = 0, *p;
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < i; j++)
            if (v[i] < v[j]) k++;
    p = malloc(sizeof *p);
    if (!p) return -1;
    *p = k;
    k = *p > 1 ? 1 : 2;
    free(p);
    return k;
}

/* Nobody asks whether it failed; a branch that is open for another reason is no cause to let it fail. */
int trusting(int n)
{
    char *p = malloc(4);
    int most = 3, found;
    *p = (char)n;
    found = *p == 1;
    free(p);
    if (most > 4) return 9;
    return found;
}
"""
)


def explored(folder: Path, entry: str, **options: object) -> Result:
    source = folder / "unit.c"
    source.write_text(UNIT)
    result = veer.test(source, entry, budget="20s", **options)
    assert not result.diverged
    return result


def results(result: Result) -> set[int]:
    return {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests}


def test_results_are_those_of_every_pattern_of_failures(tmp_path: Path) -> None:
    result = explored(tmp_path, "memory")
    every = explored(tmp_path, "memory", fail=["malloc"], criterion="path")
    assert results(every) == every_result(tmp_path) >= results(result) > {0, 1, 4}
    assert result.paths == every.paths
    open_ = {(branch.text, branch.side) for branch in result.branches if branch.state.name != "COVERED"}
    assert open_ == {("errno == ENOMEM", "false")}
    assert result.ending.claim is Claim.PATHS
    assert not any("allocation" in bound for bound in result.ending.within)
    assert NOTE in result.program.notes
    assert not result.bugs


def test_a_search_that_its_budget_ends_leaves_time_for_failures(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    result = veer.test(source, "busy", budget="4s")
    assert result.ending.kind is EndingKind.BUDGET and result.ending.claim is Claim.NONE
    assert result.coverage.branches.covered == result.coverage.branches.total
    assert -1 in results(result) and NOTE in result.program.notes and not result.diverged


def test_its_suite_holds_with_another_compiler(tmp_path: Path) -> None:
    result = explored(tmp_path, "memory")
    command = (*compiler_command(), *result.program.compile_flags)
    assert build_suite(tmp_path, "again.c", render(result.program, result.tests), command).run().returncode == 0


def test_what_is_lost_when_memory_ends_is_an_error(tmp_path: Path) -> None:
    (bug,) = explored(tmp_path, "lost").bugs
    assert (bug.outcome, bug.severity, bug.line) == (Outcome.LEAK, Severity.ERROR, 30)


def test_null_of_a_failure_that_nobody_asked_for_breaks_a_contract(tmp_path: Path) -> None:
    found = explored(tmp_path, "unchecked")
    assert {bug.outcome for bug in found.bugs} == {Outcome.ABORTED, Outcome.SEGFAULT_NULL}
    assert {bug.severity for bug in found.bugs} == {Severity.CONTRACT}
    asked = explored(tmp_path, "unchecked", fail=["malloc"])
    assert {bug.severity for bug in asked.bugs} == {Severity.ERROR}


@pytest.mark.parametrize(("entry", "options"), [("trusting", {}), ("memory", {"grow": False})])
def test_nothing_fails_where_that_covers_no_more_or_bounds_stay(
    tmp_path: Path, entry: str, options: dict[str, bool]
) -> None:
    result = explored(tmp_path, entry, **options)
    assert not result.bugs
    assert NOTE not in result.program.notes
    assert any(bound.startswith("every allocation succeeds") for bound in result.ending.within)
    assert result.builds == tuple({build: None for build in result.builds if not build.unasked_failures})
