"""--fail: each call that may fail fails in some run, and no run has an answer that no machine gives."""

from __future__ import annotations

from pathlib import Path

import pytest
from failing_allocations import ALLOCATING, every_result
from suite_builds import build_suite, compiler_command

import veer
from veer.model.errors import UsageError
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.suite.c.plain import render

LEAKY = """
#include <stdlib.h>
int leaky(int n)
{
    char *a = malloc(8), *b;
    if (!a) return -1;
    b = malloc(8);
    if (!b) return -2;
    free(a);
    free(b);
    return n > 0;
}
int unchecked(void)
{
    int *p = calloc(2, sizeof *p), answer;
    answer = p[1];
    free(p);
    return answer;
}
"""
INPUT = """
#include <errno.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    char buffer[4];
    ssize_t got = read(0, buffer, sizeof buffer);
    FILE *log;
    if (got < 0) return errno == EIO ? 10 : 90;
    if (got == 0) return 11;
    if (got == 1 && read(0, buffer + 1, 3) == 3) return 12;
    if (got < 4) return 13;
    log = fopen("log", "w");
    if (!log) return errno == ENOENT ? 14 : 91;
    fclose(log);
    got = write(1, buffer, 2);
    if (got < 0) return errno == ENOSPC ? 15 : 92;
    return got == 1 ? 16 : 17;
}
"""


def explored(tmp_path: Path, text: str, entry: str, *fail: str) -> Result:
    source = tmp_path / "unit.c"
    source.write_text(text)
    return veer.test(source, entry, fail=list(fail), criterion="path", budget="60s", grow=False)


def results(result: Result) -> set[int]:
    return {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests}


def holds_when_built(tmp_path: Path, result: Result) -> bool:
    command = (*compiler_command(), *result.program.compile_flags)
    return build_suite(tmp_path, "again.c", render(result.program, result.tests), command).run().returncode == 0


def test_results_are_those_of_every_pattern_of_failures(tmp_path: Path) -> None:
    result = explored(tmp_path, ALLOCATING, "memory", "malloc")
    assert result.ending.claim == "paths", result.ending
    assert not result.bugs and not result.diverged
    assert {test.replayed for test in result.tests} == {"same"}
    assert results(result) == every_result(tmp_path)
    assert holds_when_built(tmp_path, result)


def test_what_is_not_asked_for_never_fails(tmp_path: Path) -> None:
    assert results(explored(tmp_path, ALLOCATING, "memory")) == {0, 1, 4}


@pytest.mark.parametrize(("entry", "bug"), [("leaky", Outcome.LEAK), ("unchecked", Outcome.SEGFAULT_NULL)])
def test_the_bug_on_an_error_path_is_found(tmp_path: Path, entry: str, bug: Outcome) -> None:
    assert not explored(tmp_path, LEAKY, entry).bugs
    result = explored(tmp_path, LEAKY, entry, "malloc")
    assert [each.outcome for each in result.bugs] == [bug]


def test_files_fail_and_reads_are_short(tmp_path: Path) -> None:
    result = explored(tmp_path, INPUT, "main", "io")
    assert result.ending.claim == "paths", result.ending
    assert results(result) == {10, 11, 12, 13, 14, 15, 16, 17}
    assert any(bound.startswith("each file is missing, or a regular one") for bound in result.ending.within)
    assert {test.replayed for test in result.tests} == {"same"}
    assert holds_when_built(tmp_path, result)


def test_wrong_and_idle_calls_are_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--fail disk: that cannot be made to fail; known are malloc, io"):
        explored(tmp_path, LEAKY, "leaky", "disk")
    result = explored(tmp_path, "int f(int x) { return x > 0; }\n", "f", "io")
    assert "--fail io: nothing in these sources calls fopen or read or write" in result.program.notes
    assert result.program.failing == ()
