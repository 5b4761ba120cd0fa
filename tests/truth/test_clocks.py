"""Clocks go on by themselves, then tell any time; what waits for them ends, and tests hold (docs/decisions/0434)."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite_builds import build_suite, compiler_command

import veer
from veer.model.result import Result
from veer.suite.c.plain import render

OWN, ANY = "clocks that begin in 2001 and go on as they are looked at", "clocks from 1970 to 9999"
UNIT = """
#include <errno.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int even(int x) { if (time(NULL) % 2) return 1; return x > 3 ? 2 : 3; }

int drawn(void) { srand((unsigned)time(NULL)); return rand() % 10 == 3 ? 1 : 0; }

int waits(int x) { time_t end = time(NULL) + 3600; while (time(NULL) < end) x &= 7; if (x == 5) return 1; return 0; }

int polls(int x)
{
    struct timespec now, nap = {0, 20000000}, wrong = {0, 1000000000};
    long end;
    clock_gettime(CLOCK_MONOTONIC, &now);
    end = now.tv_sec + 2;
    if (nanosleep(&wrong, NULL) == 0 || errno != EINVAL || usleep(1000) != 0 || sleep(1) != 0) return -1;
    for (int rounds = 0;; rounds++) {
        if (x == rounds && x < 3) return rounds;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (now.tv_sec >= end) return 100 + rounds;
        nanosleep(&nap, NULL);
    }
}

/* What all clocks told: a suite whose clocks told anything else would fail. */
long told(int x)
{
    struct timespec now;
    struct timeval here;
    long sum = (long)time(NULL) % 1000;
    clock_gettime(CLOCK_REALTIME, &now);
    gettimeofday(&here, NULL);
    sum = sum * 1000 + now.tv_nsec / 1000000;
    sum = sum * 1000 + here.tv_usec / 1000;
    sum = sum * 1000 + clock() / 1000;
    return x > 2 ? sum : -sum;
}
"""


def searched(folder: Path, entry: str, **options: object) -> Result:
    source = folder / "unit.c"
    source.write_text(UNIT)
    result = veer.test(source, entry, budget="20s", **options)
    assert not result.bugs and not result.diverged
    assert {test.replayed for test in result.tests} == {"same"}
    done = build_suite(folder, "again.c", render(result.program, result.tests), compiler_command()).run()
    assert done.returncode == 0, done.stdout
    return result


def returned(result: Result) -> set[int]:
    return {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests}


@pytest.mark.parametrize(
    ("entry", "numbers", "bound"),
    [
        ("even", {1, 2, 3}, ANY),
        ("drawn", {0, 1}, ANY),
        ("waits", {0, 1}, OWN),
        ("polls", {0, 1, 2, 148}, OWN),
    ],
)
def test_both_sides_are_found_and_waiting_ends(entry: str, numbers: set[int], bound: str, tmp_path: Path) -> None:
    result = searched(tmp_path, entry, criterion="branch" if bound == ANY else "path")  # which grows no bounds
    assert result.ending.claim == "paths", result.ending
    assert bound in result.ending.within
    assert returned(result) == numbers


def test_suites_tell_what_the_runs_were_told(tmp_path: Path) -> None:
    result = searched(tmp_path, "told", criterion="path")
    assert OWN in result.ending.within
    seconds, first, second, third = 1, 1, 2, 1003  # of the four looks, the last in milliseconds since the start
    told = ((seconds * 1000 + first) * 1000 + second) * 1000 + third
    assert returned(result) == {told, -told}


def test_workers_grow_clocks_as_well(tmp_path: Path) -> None:
    assert returned(searched(tmp_path, "even", jobs=2)) == {1, 2, 3}
