"""Arguments behind `...` are inputs (docs/decisions/0570): each result that a caller gets is found, and no other.

The tests make plain calls, which hold on the plain build and in a suite.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sampling import sampled
from variadic_calls import holds, results, results_of_every_call

import veer
from veer.model.ending import Claim
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.severity import Severity
from veer.suite.c.plain import render

UNIT = """
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Each kind of argument, in any order. */
int kinds(const char *fmt, ...)
{
    int n = 0;
    va_list ap;
    va_start(ap, fmt);
    for (; *fmt; fmt++)
        switch (*fmt) {
        case 'd': if (va_arg(ap, int) == -1234) n |= 1; break;
        case 'l': if (va_arg(ap, long) == 0x123456789aL) n |= 2; break;
        case 's': { const char *s = va_arg(ap, const char *); if (s && s[0] == 'x') n |= 4; break; }
        case 'f': if (va_arg(ap, double) == 2.5) n |= 8; break;
        default: va_end(ap); return -1;
        }
    va_end(ap);
    return n;
}

/* Behind parameters that take registers of both kinds; more whole numbers than there are registers. */
int many(double x, int a, float y, long b, ...)
{
    va_list ap;
    long sum = 0;
    va_start(ap, b);
    for (int k = 0; k < 5; k++) sum = sum * 2 + ((unsigned long)va_arg(ap, long) == (unsigned long)b + k);
    double z = va_arg(ap, double), w = va_arg(ap, double);
    va_end(ap);
    return sum == 31 ? (z == x ? 1 : w == (double)y ? 2 : 3) : a == 7 ? 4 : 5;
}

/* A list that is begun anew, one that is copied, and a call of itself, whose arguments are its own. */
int again(int n, ...)
{
    va_list ap, other;
    va_start(ap, n);
    int a = va_arg(ap, int);
    va_copy(other, ap);
    int b = va_arg(ap, int), c = va_arg(other, int);
    va_end(ap);
    va_end(other);
    va_start(ap, n);
    int d = va_arg(ap, int);
    va_end(ap);
    if (a != d || b != c) return -1;
    return n == 3 ? again(1, a, 5) + 10 : b == 5 ? 1 : 2;
}

/* The library takes the arguments. */
int formatted(int unused, ...)
{
    char text[16];
    va_list ap;
    va_start(ap, unused);
    vsnprintf(text, sizeof text, "%d-%s", ap);
    va_end(ap);
    if (!strcmp(text, "42-b")) return 1;
    return text[0] == '7' ? 2 : 3;
}

/* More than there are. */
int counted(int n, ...)
{
    int sum = 0;
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n; i++) sum |= va_arg(ap, int);
    va_end(ap);
    return sum != 0;
}

/* A parameter of the name that the arguments have. */
int named(int rest, ...)
{
    va_list ap;
    va_start(ap, rest);
    int got = va_arg(ap, int);
    va_end(ap);
    return got == rest ? 1 : 0;
}
"""
RESULTS = {"many": {1, 2, 3, 4, 5}, "again": {1, 2, 11}, "formatted": {1, 2, 3}, "named": {0, 1}}


def explored(folder: Path, entry: str, **options: object) -> Result:
    source = folder / "unit.c"
    source.write_text(UNIT)
    result = veer.test(source, entry, **{"budget": "30s", **options})
    assert not result.diverged
    assert {test.replayed for test in result.tests if not test.outcome.is_bug} == {"same"}
    return result


def test_results_are_those_of_every_call(tmp_path: Path) -> None:
    result = explored(tmp_path, "kinds", criterion="path", max_length=2, nonnull=["fmt"], hybrid=False)
    assert result.ending.claim is Claim.PATHS
    assert "8 arguments behind ..." in result.ending.within
    assert all(branch.state.name == "COVERED" for branch in result.branches), "and none of va_arg()'s own is counted"
    assert results(result) == results_of_every_call(tmp_path, UNIT, "kinds")
    assert holds(tmp_path, result)


@pytest.mark.parametrize("entry", sampled(RESULTS, lambda each: each != "formatted"))
def test_each_result_is_found(tmp_path: Path, entry: str) -> None:
    result = explored(tmp_path, entry, max_runs=2000)
    assert not [bug for bug in result.bugs if bug.severity is not Severity.CONTRACT]
    assert results(result) == RESULTS[entry]
    assert holds(tmp_path, result)


@pytest.mark.parametrize(
    "options",
    sampled(
        ({"jobs": 2}, {"partitioned": True}, {"compositional": True}, {"eager": True}), lambda each: "eager" in each
    ),
)
def test_options_know_them(tmp_path: Path, options: dict[str, object]) -> None:
    result = explored(tmp_path, "named", **options)
    assert results(result) == RESULTS["named"] and not result.bugs


def test_a_suite_makes_plain_calls(tmp_path: Path) -> None:
    result = explored(tmp_path, "kinds", max_length=2, nonnull=["fmt"])
    text = render(result.program, result.tests)
    assert re.search(r"kinds\(fmt, 2\.5", text) and re.search(r"kinds\(fmt, -?\d+ll", text)
    assert "veer_argument" not in text


def test_more_arguments_than_there_are_are_the_callers_business(tmp_path: Path) -> None:
    result = explored(tmp_path, "counted")
    assert {bug.outcome for bug in result.bugs} == {Outcome.BOUNDS_READ}
    assert {bug.severity for bug in result.bugs} == {Severity.CONTRACT}
