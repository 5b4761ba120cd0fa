"""Static functions whose callers are all in the unit, by name or through a pointer: numbers that they never ask about
are what these give. A number that they ask about excuses no other one."""

from __future__ import annotations

from pathlib import Path

import pytest

import veer
from veer.model.severity import Severity

_SOURCE = """
#include <stdlib.h>
struct state { int depth, seen; };
typedef int (*visit)(void *state, int token);
static int each(void *to, int token)
{
    struct state *s = to;
    if (token == '(') s->depth++;
    return s->depth == 9;
}
static int walk(const char *text, visit callback, void *state)
{
    while (*text)
        if (callback(state, *text++)) return 1;
    return 0;
}
int parsed(const char *text)
{
    struct state s = {0};
    walk(text, each, &s);
    return s.depth;
}
static int entered(struct state *s, int limit)
{
    if (limit > 9) return 0;
    return ++s->seen;
}
int run(int times)
{
    struct state s = {0};
    int sum = 0;
    for (int k = 0; k < 3 && k < times; k++) sum = entered(&s, k);
    return sum;
}
static int misses(int count)
{
    if (count < 0) return 0;
    return count + 1;
}
int used(int count) { return misses(count); }
"""


@pytest.mark.parametrize(
    ("entry", "severity"),
    [
        ("each", Severity.CONTRACT),  # parsed() gives it 0, and a text of so many characters there is not
        ("entered", Severity.CONTRACT),  # that it asks about `limit` says nothing of `seen`
        ("misses", Severity.UNDEFINED),  # it asks about `count` itself, and misses the greatest
    ],
)
def test_an_overflow_of_what_callers_give(entry: str, severity: Severity, tmp_path: Path) -> None:
    unit = tmp_path / "unit.c"
    unit.write_text(_SOURCE)
    bugs = [each for each in veer.test(unit, entry, budget="10s").bugs if "overflowed" in each.message]
    assert {each.severity for each in bugs} == {severity}
