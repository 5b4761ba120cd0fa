"""Lists of arguments that the machine's printf reads, as each logger has one: `vfprintf(stderr, format, list)`.

What is printed is what the plain build prints, and code behind the call is reached, whether or not the format is an
input.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled
from variadic_calls import holds, results

import veer
from veer.model.ending import Claim
from veer.model.result import Result
from veer.model.severity import Severity

UNIT = """
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The format is known. */
int known(int level, ...)
{
    va_list ap;
    va_start(ap, level);
    vfprintf(stderr, "%d %-*s %f %c%% %ld\\n", ap);
    va_end(ap);
    return level == 7;
}

int known_list(int level, va_list ap)
{
    vprintf("%s: %d\\n", ap);
    return level == 7;
}

/* How much is printed follows from the arguments: it is as on the plain build. */
int length(int unused, ...)
{
    va_list ap;
    va_start(ap, unused);
    int n = vprintf("[%d|%s|%.2f|%lx]\\n", ap);
    va_end(ap);
    return n;
}

/* Some arguments were read before. */
int rest(int unused, ...)
{
    va_list ap;
    va_start(ap, unused);
    int first = va_arg(ap, int);
    const char *second = va_arg(ap, const char *);
    vfprintf(stderr, "%s %d\\n", ap);
    va_end(ap);
    return first == 5 ? 1 : second && second[0] == 'x' ? 2 : 3;
}

/* The format is an input: each of its conversions takes an argument that a caller might not pass. */
int open(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    return !strcmp(format, "%s%*d%a%p") ? 1 : !strcmp(format, "%%%s%5$") ? 2 : 3;
}

int open_list(const char *format, va_list ap)
{
    vprintf(format, ap);
    return !strcmp(format, "%s%a%*s%p") ? 1 : format[0] == 'x' ? 2 : 3;
}

/* The list is the unit's own: what is printed is what it passes. */
static int printed(const char *format, ...)
{
    va_list ap;
    va_start(ap, format);
    int n = vfprintf(stdout, format, ap);
    va_end(ap);
    return n;
}

int own(int n)
{
    if (n == 5) return printed("%s%d\\n", "abc", 1234);
    return 0;
}
"""
RESULTS = {
    "known": {0, 1},
    "known_list": {0, 1},
    "rest": {1, 2, 3},
    "open": {1, 2, 3},
    "open_list": {1, 2, 3},
    "own": {0, 8},
}


def explored(folder: Path, entry: str, **options: object) -> Result:
    source = folder / "unit.c"
    source.write_text(UNIT)
    result = veer.test(source, entry, **{"budget": "30s", "max_runs": 3000, "nonnull": ["format"], **options})
    assert {bug.severity for bug in result.bugs} <= {Severity.CONTRACT} and not result.diverged  # "%n" of no argument
    assert {test.replayed for test in result.tests} == {"same"}
    assert result.bugs or holds(folder, result)
    return result


@pytest.mark.parametrize("entry", sampled(RESULTS, lambda each: each in ("known", "rest", "open", "open_list")))
def test_what_is_behind_the_call_is_reached(tmp_path: Path, entry: str) -> None:
    options = {"nonnull": ["format"]} if entry.startswith("open") else {"nonnull": []}
    assert results(explored(tmp_path, entry, **options)) == RESULTS[entry]


@pytest.mark.parametrize("entry", ["known", "known_list"])
def test_a_list_that_is_printed_costs_no_claim(tmp_path: Path, entry: str) -> None:
    result = explored(tmp_path, entry, nonnull=[], criterion="path")
    assert result.ending.claim is Claim.PATHS and not result.bugs


def test_what_is_printed_is_as_long_as_on_the_plain_build(tmp_path: Path) -> None:
    """The suite compares what the function returns: the number of characters."""
    found = results(explored(tmp_path, "length", nonnull=[], max_length=3, criterion="path"))
    assert len(found) > 1 and min(found) >= len("[0||0.00|0]\n")
