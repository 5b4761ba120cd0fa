"""Pointers to the two ends of one buffer (docs/decisions/0538): each result that brute force has over all small inputs
is reached, and no other one; the claim names the pairing, and suites write it as a caller would."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from end_side import MOST, brute_force, returned, searched
from suite_builds import build_suite, compilations, compiler_command

import veer
from veer.model.outcome import Outcome
from veer.model.severity import Severity
from veer.suite.c.plain import render

UNIT = """
int walk(const unsigned char *p, const unsigned char *end)
{
    int r = 1;
    while (p < end) {
        unsigned char c = *p++;
        r = r * 3 + (c == 'a' ? 1 : c > 'x' ? 2 : 0);
    }
    return r;
}

int field(const unsigned char *in, const unsigned char *in_end)
{
    if (in_end - in < 2) return -1;
    if (in[0] == 7) return in_end - in == 3 ? 1 : 2;
    return in[1] == in[0] ? 3 : 4;
}

static int digit(const unsigned char **pp, const unsigned char *end)
{
    if (*pp == end || **pp < '0' || **pp > '9') return -1;
    return *(*pp)++ - '0';
}

int number(const unsigned char **pp, const unsigned char *end)
{
    const unsigned char *begin = *pp;
    int n = 0, d;
    while ((d = digit(pp, end)) >= 0) n = d > 4 ? n * 2 + 1 : n * 2;
    return n * 10 + (int)(*pp - begin);
}

int between(const unsigned char *buf, const unsigned char *p, const unsigned char *end)
{
    int r = 0;
    if (p > buf && p[-1] == '\\n') r += 10;
    for (; buf < p; buf++) r++;
    while (p < end && *p != '\\n') p++, r += 100;
    return r + (p == end) * 1000;
}

int wide(const int *first, const int *last)
{
    int r = 0;
    for (; first != last; ++first) r = r * 3 + (*first > 2 ? 2 : *first == 2 ? 1 : 0);
    return r;
}

int maybe(const unsigned char *p, const unsigned char *end)
{
    if (!p) return p == end ? -1 : -2;
    return p < end && *p == 'm' ? 1 : 0;
}

int over(const unsigned char *p, const unsigned char *end) { while (p <= end) if (*p++ == '!') return 1; return 0; }

int apart(const unsigned char *p, const unsigned char *end) { return p < end ? 1 : p > end ? 2 : 3; }
"""
CALLS = {
    "walk": "walk(b, b + n)",
    "field": "field(b, b + n)",
    "number": "number(&q, b + n)",
    "between": "between(b, b + k, b + n)",
    "wide": "wide(w, w + n)",
    "maybe": "maybe(b, b + n)",
}
DRIVER = """
#include <stdio.h>
#include <string.h>
#include "unit.c"
int main(void)
{
    static char seen[200000];
    for (unsigned n = 0; n <= %(most)d; n++)
        for (unsigned k = 0; k <= n; k++)
            for (unsigned long all = 0; all < 1ul << 8 * n; all++) {
                unsigned char b[%(most)d];
                int w[%(most)d];
                memcpy(b, &all, n);
                for (unsigned i = 0; i < n; i++) w[i] = b[i];
                const unsigned char *q = b;
                (void)q, (void)w, (void)k;
                seen[%(call)s + 1000] = 1;
                if (n > %(own)d) break;
            }
    for (int i = 0; i < (int)sizeof seen; i++) if (seen[i]) printf("%%d\\n", i - 1000);
}
"""


def all_results(folder: Path, entry: str) -> set[int]:
    """The results over all buffers of up to MOST elements."""
    return brute_force(folder, UNIT, DRIVER % {"most": MOST, "call": CALLS[entry], "own": MOST})


@pytest.mark.parametrize("entry", CALLS)
def test_each_result_of_brute_force_is_reached_and_no_other(entry: str, tmp_path: Path) -> None:
    expected = all_results(tmp_path, entry) | ({-1} if entry == "maybe" else set())
    result = searched(tmp_path, UNIT, entry, criterion="path")
    assert returned(result) == expected
    assert result.ending.claim == "paths" and not result.bugs
    buffer, end = {
        "field": ("in", "in_end"),
        "number": ("*pp", "end"),
        "between": ("buf", "end"),
        "wide": ("first", "last"),
    }.get(entry, ("p", "end"))
    assert f"{buffer} has {end} - {buffer} elements (the code)" in result.ending.within
    assert {test.replayed for test in result.tests} == {"same"}


@pytest.mark.parametrize("compiler", compilations(), ids=" ".join)
def test_suites_write_the_ends_as_a_caller_would(compiler: tuple[str, ...], tmp_path: Path) -> None:
    texts = {}
    for entry in CALLS:
        result = searched(tmp_path, UNIT, entry)
        texts[entry] = render(result.program, tuple(result.tests))
        done = build_suite(tmp_path, f"{entry}.c", texts[entry], (*compiler, "-Wall", "-Wextra", "-Werror")).run()
        assert done.returncode == 0, done.stdout
    written = {
        "walk": (r"walk\(p, p \+ \d\)", r"walk\(p, p\)"),
        "number": (r"number\(pp, \*pp \+ \d\)", r"number\(pp, \*pp\)"),
        "between": (r"between\(buf, buf \+ \d, buf \+ \d\)",),
        "wide": (r"wide\(first, first \+ \d\)",),
        "maybe": (r"maybe\(p, p\)",),
    }
    for entry, forms in written.items():
        assert all(re.search(form, texts[entry]) for form in forms), texts[entry]


def test_a_read_at_the_end_is_an_error(tmp_path: Path) -> None:
    bugs = searched(tmp_path, UNIT, "over").bugs
    assert [(bug.outcome, bug.severity) for bug in bugs] == [(Outcome.BOUNDS_READ, Severity.ERROR)]


def test_ends_of_two_objects_are_tried_where_the_user_says_so(tmp_path: Path) -> None:
    assert returned(searched(tmp_path, UNIT, "apart")) == {1, 3}
    result = searched(tmp_path, UNIT, "apart", size_of=("p=",))
    assert 2 in returned(result)
    assert not any("elements" in words for words in result.ending.within)


def test_the_options_hold_for_ends(tmp_path: Path) -> None:
    result = searched(tmp_path, UNIT, "walk", size_of=("p=end",))
    assert "p has end - p elements (--size-of p=end)" in result.ending.within


def test_sequences_and_calls_before_write_them_too(tmp_path: Path) -> None:
    source = tmp_path / "feed.c"
    source.write_text(
        "static int seen;\n"
        "void feed(const char *p, const char *end) { while (p < end) if (*p++ == 'k') seen++; }\n"
        "int ready(void) { return seen > 1; }\n"
    )
    result = veer.test(source, "ready", budget="30s")
    assert returned(result) == {0, 1}
    text = render(result.program, tuple(result.tests))
    assert re.search(r"feed\(p_1, p_1 \+ \d\);", text)
    done = build_suite(tmp_path, "ready.c", text, compiler_command()).run()
    assert done.returncode == 0, done.stdout
    calls = veer.test(source, sequence="feed*,ready", budget="30s")
    text = render(calls.program, tuple(calls.tests))
    assert re.search(r"feed\((p_\d), \1 \+ \d\);", text)
    done = build_suite(tmp_path, "calls.c", text, compiler_command()).run()
    assert done.returncode == 0, done.stdout


def test_an_object_of_a_sequence_is_one_element(tmp_path: Path) -> None:
    source = tmp_path / "items.c"
    source.write_text(
        "struct item { int x; int used; };\n"
        "void set(struct item *i, int x) { i->x = x; i->used = 1; }\n"
        "int total(struct item *first, struct item *last)\n"
        "{ int s = 0; for (; first != last; first++) s += first->used; return s; }\n"
    )
    result = veer.test(source, sequence="set,total*", max_calls=2, budget="30s")
    assert not result.bugs
    assert "total(item_1, item_1 + 1)" in render(result.program, tuple(result.tests))
