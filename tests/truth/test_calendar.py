"""Dates of inputs are followed, and suites hold in any time zone (docs/decisions/0517)."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from suite_builds import build_suite, compiler_command

import veer
from veer.model.outcome import Outcome
from veer.suite.c.plain import render

UNIT = """
#include <time.h>

int in_2000(time_t t)
{
    struct tm *date = gmtime(&t);
    if (!date) return -1;
    return date->tm_year == 100 ? 1 : 0;
}

int at_five(time_t t)
{
    struct tm date;
    if (!localtime_r(&t, &date)) return -1;
    return date.tm_hour == 5 ? date.tm_wday : 100;
}

int left(time_t t, int with_room)
{
    struct tm date = {0};
    return localtime_r(&t, with_room ? &date : 0) ? 1 : date.tm_year;
}

long second(int month, int day)
{
    struct tm date = {0};
    if (month < 1 || month > 12 || day < 1 || day > 31) return -1;
    date.tm_year = 100; date.tm_mon = month - 1; date.tm_mday = day;
    return mktime(&date) == 951782400 ? 1 : 0;
}
"""
FIRST, LAST = -67768040609740800, 67768036191676799
"""The seconds whose years an int counts from 1900 on."""


def is_at_five(t: int) -> bool:
    return t // 3600 % 24 == 5


@pytest.mark.parametrize("entry", ["in_2000", "at_five", "second"])
def test_every_path_over_dates_is_run_and_the_suite_holds_elsewhere(entry: str, tmp_path: Path) -> None:
    source = tmp_path / "dates.c"
    source.write_text(UNIT)
    result = veer.test(source, entry, budget="60s")
    assert result.ending.claim == "paths", result.ending
    assert not result.bugs and not result.ledger and not result.diverged
    assert all(branch.state == "covered" for branch in result.branches)
    given = [[root.cells[0].value.number for root in test.inputs.roots] for test in result.tests]
    returned = [int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests]
    for values, value in zip(given, returned, strict=True):
        if entry == "in_2000":
            in_range = FIRST <= values[0] <= LAST
            assert value == (-1 if not in_range else int(946684800 <= values[0] < 978307200))
        elif entry == "at_five":
            in_range = FIRST <= values[0] <= LAST
            expected = (values[0] // 86400 + 4) % 7 if is_at_five(values[0]) else 100
            assert value == (expected if in_range else -1)
        else:
            inside = 1 <= values[0] <= 12 and 1 <= values[1] <= 31
            assert value == (-1 if not inside else int(values in ([2, 29], [1, 60])))
    built = build_suite(tmp_path, "again.c", render(result.program, result.tests), compiler_command())
    for zone in ("UTC", "EST5", "ABC-7:30"):
        done = subprocess.run([built.executable], env={"TZ": zone}, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout


def test_a_date_whose_year_does_not_fit_is_written_in_part(tmp_path: Path) -> None:
    """So nobody may ask for one without room for it, and what is left of it is as on the machine."""
    source = tmp_path / "dates.c"
    source.write_text(UNIT)
    result = veer.test(source, "left", budget="60s")
    assert {bug.outcome for bug in result.bugs} == {Outcome.SEGFAULT_NULL}
    assert not result.diverged and result.ending.claim == "paths"
    assert all(test.replayed == "same" for test in result.tests), result.tests
