"""Members of a struct that are the two ends of one buffer (docs/decisions/0539): each result that brute force has over
all small inputs is reached, and no other one; the claim names the pairing, and suites set them as a caller would."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from end_side import MOST, brute_force, returned, searched
from suite_builds import build_suite, compilations

from veer.model.outcome import Outcome
from veer.model.severity import Severity
from veer.suite.c.plain import render

UNIT = """
struct reader { const unsigned char *cur, *end; int bad; };

static int get(struct reader *r)
{
    if (r->cur >= r->end) {
        r->bad = 1;
        return -1;
    }
    return *r->cur++;
}

int word(struct reader *r)
{
    int n = 0, c;
    while ((c = get(r)) >= 0) n = n * 3 + (c == 'a' ? 1 : c > 'x' ? 2 : 0);
    return n;
}

int copied(struct reader *r)
{
    struct reader save = *r;
    int c = get(&save);
    if (c == 'k') return word(r) + 100;
    return c < 0 ? -1 : -2;
}

struct wrap { struct reader in; char kind; };
int wrapped(struct wrap *w) { return w->kind == 'w' ? word(&w->in) : -1; }

struct out { char *begin, *pos, *end; };
int put(struct out *o, char c)
{
    int r = 0;
    for (const char *p = o->begin; p < o->pos; p++) r++;
    if (o->end - o->pos < 1) return r + 10;
    *o->pos++ = c;
    while (o->pos < o->end) *o->pos++ = 0, r += 100;
    return r;
}

typedef struct { int *first, *last; } range;
int many(range r)
{
    int s = 0;
    for (; r.first < r.last; r.first++)
        if (*r.first == 7) s = s * 2 + 1;
        else s = s * 2;
    return s;
}

struct vector { int *begin, *end, *limit; };
int push(struct vector *v, int x)
{
    int r = 0;
    for (const int *p = v->begin; p < v->end; p++) r++;
    if (v->end == v->limit) return -1 - r;
    *v->end++ = x;
    return r;
}

struct two { const unsigned char *cur, *end; };
int over(struct two *r) { while (r->cur <= r->end) if (*r->cur++ == 7) return 1; return 0; }
"""
CALLS = {
    "word": "word(&(struct reader){b, b + n, 0})",
    "copied": "copied(&(struct reader){b, b + n, 0})",
    "wrapped": "wrapped(&(struct wrap){{b, b + n, 0}, k ? 'w' : 0})",
    "put": "put(&(struct out){(char *)b, (char *)b + k, (char *)b + n}, 1)",
    "many": "many((range){w, w + n})",
    "push": "push(&(struct vector){w, w + k, w + n}, 1)",
}
ENDS = {
    "put": ("begin", "end", "struct out"),
    "many": ("first", "last", "range"),
    "push": ("begin", "limit", "struct vector"),
}
DRIVER = """
#include <stdio.h>
#include <string.h>
#include "unit.c"
int main(void)
{
    static char seen[200000];
    for (unsigned n = 0; n <= %(most)d; n++)
        for (unsigned long all = 0; all < 1ul << 8 * n; all++)
            for (unsigned k = 0; k <= (n ? n : 1); k++) {
                unsigned char b[%(most)d + 1];
                int w[%(most)d];
                memcpy(b, &all, n);
                for (unsigned i = 0; i < n; i++) w[i] = b[i];
                (void)w;
                if (%(inner)d && k > n) continue;
                seen[%(call)s + 1000] = 1;
            }
    for (int i = 0; i < (int)sizeof seen; i++) if (seen[i]) printf("%%d\\n", i - 1000);
}
"""


def all_results(folder: Path, entry: str) -> set[int]:
    """The results over all buffers of up to MOST elements."""
    return brute_force(
        folder, UNIT, DRIVER % {"most": MOST, "call": CALLS[entry], "inner": int(entry in ("put", "push"))}
    )


@pytest.mark.parametrize("entry", CALLS)
def test_each_result_of_brute_force_is_reached_and_no_other(entry: str, tmp_path: Path) -> None:
    expected = all_results(tmp_path, entry)
    result = searched(tmp_path, UNIT, entry, criterion="path", reach=False)
    assert returned(result) == expected
    assert result.ending.claim == "paths"
    assert all(bug.severity is Severity.CONTRACT and "NULL" in bug.judgement.broken[0].sentence for bug in result.bugs)
    buffer, end, struct = ENDS.get(entry, ("cur", "end", "struct reader"))
    assert f"{struct}: {buffer} has {end} - {buffer} elements (the code)" in result.ending.within
    assert {test.replayed for test in result.tests if test.returned is not None} == {"same"}


@pytest.mark.parametrize("compiler", compilations(), ids=" ".join)
def test_suites_set_the_ends_as_a_caller_would(compiler: tuple[str, ...], tmp_path: Path) -> None:
    written = {
        "word": (r"r->cur = (\w+);\n.*\n?    r->end = \1 \+ \d;", r"r->cur = (\w+);\n    r->end = \1;"),
        "wrapped": (r"w->in\.end = \w+ \+ \d;",),
        "put": (r"o->pos = (\w+)( \+ \d)?;\n    o->end = \1 \+ \d;",),
        "many": (r"\.last = \w+ \+ \d",),
    }
    for entry in CALLS:
        result = searched(tmp_path, UNIT, entry, reach=False)
        text = render(result.program, tuple(result.tests))
        assert all(re.search(form, text) for form in written.get(entry, ())), text
        assert "is not written" not in text
        done = build_suite(tmp_path, f"{entry}.c", text, (*compiler, "-Wall", "-Wextra", "-Werror")).run()
        assert done.returncode == 0, done.stdout


def test_a_read_at_the_end_breaks_no_contract(tmp_path: Path) -> None:
    bugs = [bug for bug in searched(tmp_path, UNIT, "over", reach=False).bugs if bug.outcome is Outcome.BOUNDS_READ]
    assert [bug.severity for bug in bugs] == [Severity.ERROR]


def test_members_are_apart_where_the_user_says_so(tmp_path: Path) -> None:
    (tmp_path / "veer.toml").write_text('[function.word]\nend = { "reader.cur" = "" }\n')
    result = searched(tmp_path, UNIT, "word", reach=False)
    assert not any("elements" in words for words in result.ending.within)
