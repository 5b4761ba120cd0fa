"""A loop that counts to a number of the input is long, not endless: no error. One without end is, whatever it needs.

Which is which is known by reading: `counts`, `squares` and `sorts` end for every n (their budgets of steps are small
here, and the plain build takes seconds); each of the others has inputs that never end. So it is with functions that
call themselves: `fibonacci`, `hanoi` and `orders` end.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled

import veer
from veer.campaign import behind
from veer.model.outcome import Outcome
from veer.model.severity import Severity

pytestmark = pytest.mark.slow

TEXT = """
unsigned long counts(unsigned long n) { unsigned long s = 0; while (n--) s ^= n; return s; }
unsigned squares(unsigned n)
{
    unsigned s = 0;
    for (unsigned r = 0; r < n; r++)
        for (unsigned c = 0; c < n; c++)
            s ^= c;
    return s;
}
int wraps(int n) { int s = 0; for (unsigned char i = 0; i < n; i++) s ^= i; return s; }
int guarded(int n) { int s = 0; if (n > 1000000) for (;;) s ^= n; return s; }
int asks(unsigned n) { unsigned s = 0; if (n > 2000000) while (n != 7) s ^= n; return (int)s; }
int shorts(int n) { int s = 0; for (unsigned short i = 0; i < n; i++) s ^= i; return s; }
int skips(unsigned n) { int s = 0; for (unsigned i = 0; i != n; i += 2) s ^= 3; return s; }
"""
ENTRIES = ("counts", "squares", "wraps", "guarded", "asks", "shorts", "skips")
PROGRAM = """
#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    unsigned n = 0, moved = 0;
    if (scanf("%u", &n) != 1) return 1;
    for (unsigned i = 0; i < n; i++)
        for (unsigned j = i; j > 0; j--)
            moved ^= j;
    printf("%u", moved);
    return 0;
}
"""


RECURSIVE = """
int fibonacci(int n) { if (n < 1) return 0; if (n == 1) return 1; return (fibonacci(n - 1) + fibonacci(n - 2)) & 7; }
int hanoi(int n, int a, int b, int c)
{
    if (n <= 0) return 0;
    return (hanoi(n - 1, a, c, b) + 1 + hanoi(n - 1, c, b, a)) & 7;
}
int orders(int n)
{
    int s = 1;
    if (n <= 1) return 1;
    for (int i = 0; i < n; i++) s ^= orders(n - 1);
    return s;
}
int stuck(int n) { if (n <= 1) return n; if (n == 30) for (;;) ; return stuck(n - 1) ^ stuck(n - 2); }
int squared(int n)
{
    int s = 0;
    for (unsigned char i = 0; i < n; i++)
        for (unsigned char k = 0; k < n; k++)
            s ^= k;
    return s;
}
"""


QUICK = ("squares", "shorts", "fibonacci", "stuck")
IN_LOOPS = {name: name not in ("counts", "squares") for name in ENTRIES}
IN_CALLS = {name: name in ("stuck", "squared") for name in ("fibonacci", "hanoi", "orders", "stuck", "squared")}
"""By their names: whether some input never ends."""


@pytest.mark.parametrize("entry", sampled([*IN_LOOPS, *IN_CALLS], lambda name: name in QUICK))
def test_only_endless_runs_are_errors(tmp_path: Path, entry: str) -> None:
    source = tmp_path / "runs.c"
    source.write_text(TEXT if entry in IN_LOOPS else RECURSIVE)
    steps = 20_000 if entry in IN_LOOPS else 400_000
    result = veer.test(source, entry=entry, budget="4s", max_steps=steps, grow=False)
    hangs = [bug.severity for bug in result.bugs if bug.outcome is Outcome.HANG]
    if (IN_LOOPS | IN_CALLS)[entry]:
        assert hangs == [Severity.ERROR]
    else:
        assert set(hangs) <= {Severity.CONTRACT}


BEHIND = """
unsigned after(unsigned n)
{
    unsigned s = 0;
    if (n != 300000) return 0;
    for (unsigned i = 0; i < n; i++) s ^= i;
    for (unsigned r = 0; r < n; r++)
        for (unsigned c = 0; c < n; c++)
            s ^= c;
    return s;
}
"""


def test_a_loop_behind_one_that_takes_all_of_a_tries_steps_is_judged(tmp_path: Path) -> None:
    """The first 200,000 steps end in a loop before, which is no reason to take the one behind it for endless."""
    source = tmp_path / "behind.c"
    source.write_text(BEHIND)
    result = veer.test(source, entry="after", budget="4s", grow=False)
    assert [bug.severity for bug in result.bugs if bug.outcome is Outcome.HANG] == [Severity.CONTRACT]


def test_a_stack_that_the_plain_build_has_is_not_full(tmp_path: Path) -> None:
    """Frames of 48 bytes: the plain build holds 170,000 of them, a run of veer's 65,000. Those that no stack holds, and
    those that never end, are bugs."""
    source = tmp_path / "deep.c"
    source.write_text("""
int held(int n) { if (n <= 0) return 0; return held(n - 1) ^ n; }
int deep(int n) { return n > 70000 && n < 70010 ? held(n) : 0; }
int full(int n) { return n > 900000 && n < 900010 ? held(n) : 0; }
int endless(int n) { return n == 3 ? endless(n) ^ 1 : 0; }
""")
    for entry, is_bug in (("deep", False), ("full", True), ("endless", True)):
        result = veer.test(source, entry=entry, budget="4s", grow=False)
        assert [bug.outcome for bug in result.bugs] == [Outcome.STACK_OVERFLOW] * is_bug
        assert not [test for test in result.tests if test.outcome is Outcome.STACK_OVERFLOW] or is_bug
        assert not result.ending.within or "the stack that a run has" in result.ending.within


def test_a_number_in_a_text_is_to_blame_too(tmp_path: Path) -> None:
    source = tmp_path / "sorts.c"
    source.write_text(PROGRAM)
    result = veer.test(source, entry="main", budget="4s", stdin_size=8, grow=False)
    hangs = [bug for bug in result.bugs if bug.outcome is Outcome.HANG]
    assert all(bug.severity is Severity.CONTRACT for bug in hangs)
    sentences = [each.sentence for bug in hangs for each in bug.judgement.broken]
    assert all("in `stdin`, and with smaller numbers no run is as long" in each for each in sentences)


def test_of_more_endless_loops_than_there_is_time_for_the_first_are_bugs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(behind, "FEWEST_HANGS", 1)
    source = tmp_path / "loops.c"
    source.write_text("""
int loops(int n, int m)
{
    if (n == 3) while (m != 5) m ^= 2;
    if (n == 4) while (m != 6) m ^= 4;
    if (n == 5) while (m != 7) m ^= 8;
    return m;
}
""")
    result = veer.test(source, entry="loops", budget="1s", max_steps=20_000, grow=False)
    assert [bug.outcome for bug in result.bugs] == [Outcome.HANG]
    cut = [note for note in result.program.notes if "whether it would end is not known" in note]
    lines = {result.bugs[0].line, *(int(note.split(":")[1].split()[0]) for note in cut)}
    assert len(cut) == 2 and lines == {4, 5, 6}
    assert not [test for test in result.tests if test.outcome is Outcome.HANG and test.name != result.bugs[0].test]
    assert "max-steps 20000" in result.ending.within
