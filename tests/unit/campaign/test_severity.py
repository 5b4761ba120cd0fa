"""Severities of whole campaigns: C functions with what is to be said of their bugs, and the exit code."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from sampling import sampled

import veer
from veer.cli.app import main
from veer.model.severity import Severity

pytestmark = pytest.mark.slow  # campaigns and builds: not for ./check --quick

SOURCE = """
#include <assert.h>
#include <string.h>
struct ring { unsigned head, count; unsigned char buf[8]; };
void ring_init(struct ring *r) { memset(r, 0, sizeof *r); }
int ring_put(struct ring *r, unsigned char b)
{
    if (!r || r->count == 8) return 0;
    r->buf[r->head] = b;
    r->head = (r->head + 1) % 8;
    r->count++;
    return 1;
}
int ring_next(struct ring *r) { return r ? r->buf[r->head + 1] : -1; }
int elsewhere(int *p, int n) { if (n > 3 && !p) return 0; return *p; }
static int slots[8];
int slot(int i) { return slots[i % 8]; }
int weight(signed char c) { static const int weights[128]; return weights[c]; }
static inline int lonely(int *p, int mode) { if (mode > 3 && !p) return 0; return *p; }
int lookup(int i) { static const int table[4] = {1, 2, 3, 4}; return i > 4 ? -1 : table[i]; }
int divide(int a, int b) { return a / b; }
struct node { struct node *next; int key; };
struct node *find(struct node *n, int key) { while (n && n->key != key) n = n->next; return n; }
int forgotten(int n) { int result; if (n > 3) result = 1; return result; }
int level(struct ring *r) { int result; if (!r) return 0; if (r->head < 8) result = 1; return result; }
struct view { const char *text; unsigned length; };
int sum(const struct view *v)
{
    int n = 0;
    for (unsigned i = 0; v && v->text && i < v->length; i++) n += v->text[i] == ' ';
    return n;
}
int sum_one_more(const struct view *v)
{
    int n = 0;
    for (unsigned i = 0; v && v->text && i <= v->length; i++) n += v->text[i] == ' ';
    return n;
}
struct twins { const char *p, *q; };
int spaces(struct twins *t) { int n = 0; if (!t) return 0; while (t->p < t->q) n += *t->p++ == ' '; return n; }
static int entry_of(int i) { static const int table[4] = {1, 2, 3, 4}; return table[i]; }
int entry(int i) { return i < 0 || i > 3 ? -1 : entry_of(i); }
static int within(int i) { static const int table[4] = {1, 2, 3, 4}; return i < 0 ? -1 : table[i]; }
int end_of(int i) { return i == 7 ? within(3) : within(1); }
static int beyond(int i) { static const int table[4] = {1, 2, 3, 4}; return i < 0 ? -1 : table[i]; }
int ends_of(int i) { return i == 7 ? beyond(1) : beyond(400); }
struct node *last(struct node *n, struct node *stop) { while (n && n != stop) n = n->next; return n; }
int *progress;
int advance(int n) { if (n > 3) *progress += n; return n; }
static int at;
int step(const char *s) { if (!s) return at = 0; return s[at] ? s[at++] : 0; }
static int used, table[4];
int put(const char *s) { if (s && *s) table[used++] = *s; return used; }
struct value { int tag; union { long number; const char *text; } u; };
int first(const struct value *v) { if (!v) return 0; return v->u.number == 7 ? 7 : v->tag == 1 ? v->u.text[0] : 0; }
struct list { struct node *head; unsigned len; };
void clear(struct list *l) { l->head = 0; l->len = 0; }
void push(struct list *l, struct node *n) { n->next = l->head; l->head = n; l->len++; }
int top(const struct list *l) { return l && l->len ? l->head->key : -1; }
int peek(const struct list *l) { return l ? l->head->key : -1; }
int has(const struct list *l) { return l && l->head; }
static int scaled(int a, int b) { assert(b > 1); return a / b; }
int share(int a, int b) { return scaled(a, b); }
int half_share(int a, int b) { return scaled(a, b / 2); }
int some_share(int a, int b) { return b == 9 ? 0 : scaled(a, b); }
int most_shares(int a, int b) { return b > 9 ? 0 : scaled(a, b); }
static int copied(int n, const struct node *p) { assert(n > 2 || p); return n + (p != 0); }
int by_a_copy(int n, int k) { int m = n; return k == 9 ? copied(m, 0) : 0; }
#define CHECK(e) do { if (!(e)) for (;;); } while (0)
static int seen;
int checked(const struct view *v, int n) { seen = n; CHECK(!v || v->length < 9); return seen; }
int cipher(unsigned char *b, unsigned long n) { int k = 0; for (; n > 0; n -= 16, b += 16) k += b[15]; return k; }
int frame(const unsigned char *f) { return f && f[2 + (f[1] & 3)] == 7; }
int either(struct node *a, struct node *b, int w) { if (w == 7 && !a) return 0; return (w ? a : b)->key; }
"""
ERROR, UNDEFINED, CONTRACT = Severity


@pytest.fixture(scope="module")
def unit(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = tmp_path_factory.mktemp("severity") / "unit.c"
    source.write_text(SOURCE)
    return source


@pytest.mark.parametrize(
    ("entry", "severity", "needs"),
    sampled(
        [
            ("ring_init", CONTRACT, "it needs NULL for `r`, which `ring_init` never tests"),
            ("ring_put", CONTRACT, "it needs `r->head` = 8, and the code stores 0..7 there"),
            ("ring_next", ERROR, ""),  # with head = 7, which the unit stores
            ("elsewhere", ERROR, ""),
            ("slot", ERROR, ""),  # it takes any number, and forgets those below 0
            ("weight", ERROR, ""),
            ("lonely", ERROR, ""),  # nobody calls it, so that it is not among the compiled functions
            ("lookup", ERROR, ""),
            ("divide", UNDEFINED, ""),
            ("either", ERROR, ""),  # by way of b it breaks a contract, by way of a, which is tested, none
            ("forgotten", ERROR, ""),
            ("level", CONTRACT, "it needs `r->head` = 8, and the code stores 0..7 there"),
            ("sum", CONTRACT, "it needs `v->length` = 2, and `v->text` leads to only 1"),
            ("sum_one_more", ERROR, ""),  # with a length that fits
            (
                "spaces",
                CONTRACT,
                "it needs `t->p` and `t->q` to lead to two objects, and the code takes them for two ends of one",
            ),
            (
                "entry_of",
                CONTRACT,
                "it needs `i` = -1, which the static `entry_of` never checks: its callers say what it is",
            ),
            ("within", CONTRACT, "it needs `i` = 4, and the callers of the static `within` pass 1..3"),
            ("beyond", ERROR, ""),  # with a number that is passed
            (
                "advance",
                CONTRACT,
                "it needs `progress` as it begins: no function of these sources sets it, so another source does",
            ),
            (
                "step",
                CONTRACT,
                "it needs another `s` than in the call of `step` before, of which the static data still is",
            ),
            ("put", ERROR, ""),  # static data that counts all texts
            (
                "first",
                CONTRACT,
                "it needs `v->u.number` in a union of which the code takes another member for a pointer",
            ),
            (
                "top",
                CONTRACT,
                "it needs NULL for `l->head` beside `l->len` = 1, and the functions that set the one set the other",
            ),
            ("peek", ERROR, ""),  # of an empty list
            (
                "share",
                CONTRACT,
                "`scaled`, which `share` hands its arguments on to, begins with an assertion: b > 1",
            ),
            ("half_share", ERROR, ""),  # it makes another number of its own
            (
                "some_share",
                CONTRACT,
                "`scaled`, which is given arguments of `some_share` as they came, begins with an assertion: b > 1",
            ),
            ("most_shares", ERROR, ""),  # it compares b by order itself
            (
                "by_a_copy",
                CONTRACT,
                "`copied`, which is given arguments of `by_a_copy` as they came, begins with an assertion: n > 2 || p",
            ),
            (
                "checked",
                CONTRACT,
                "it needs another `v->length` than the code asserts: the budget of steps ran out",
            ),
            (
                "frame",
                CONTRACT,
                "it needs bytes behind `f` that say nothing of their length, and neither does a parameter",
            ),
            ("cipher", CONTRACT, "it needs `n` = 1, and the code goes in blocks of 16"),
            ("last", CONTRACT, "it needs `n->next` and `n` to lead to one object, which no function of the unit makes"),
            ("find", CONTRACT, "it needs `n->next` and `n` to lead to one object, which no function of the unit makes"),
        ],
        lambda case: case[0] not in ("level", "find"),
    ),  # as `ring_put` and `last`
)
def test_a_function_and_what_is_said_of_its_worst_bug(unit: Path, entry: str, severity: Severity, needs: str) -> None:
    result = veer.test(unit, entry, max_steps=20_000)
    worst = result.bugs[0]
    assert (worst.severity, "; ".join(worst.needs)) == (severity, needs)
    assert bool(result.bugs_at_least("undefined")) == (severity is not CONTRACT)
    if entry == "ring_next":
        shown = next(test for test in result.tests if test.name == worst.test)
        assert "head = 7" in dict(shown.shown)["ring_1"]


@pytest.mark.parametrize(
    ("entry", "asked", "code"),
    [
        ("ring_init", (), 0),
        ("ring_init", ("--fail-on", "contract"), 1),
        ("divide", (), 1),
        ("divide", ("--fail-on", "error"), 0),
        ("lookup", ("--fail-on", "error"), 1),
    ],
)
def test_what_gives_exit_code_1(unit: Path, tmp_path: Path, entry: str, asked: tuple[str, ...], code: int) -> None:
    arguments = ["test", str(unit), "--entry", entry, "--out", str(tmp_path / "out"), *asked]
    assert main(arguments) == code
    written = json.loads((tmp_path / "out" / "summary.json").read_text())["bugs"][0]
    assert {"severity", "needs", "causes"} <= written.keys()


def test_a_severity_that_there_is_not_is_refused(unit: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["test", str(unit), "--entry", "divide", "--fail-on", "never"]) == 2
    assert "error, undefined, contract" in capsys.readouterr().err
