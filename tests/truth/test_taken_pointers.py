"""Pointers to void, as the code takes them: against the same function with pointers of that type.

Without that they lead to eight bytes, a struct behind them is too short, and what the struct leads to is an address
that nobody has: none of these functions was tested.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity

TYPES = """
#include <stddef.h>
#include <string.h>
struct item { int kind; char name[12]; struct item *next; };
typedef struct { long low, high; } range;
struct device { int id; void *priv; const void *limits; };
"""
PAIRS = {
    "a local variable": (
        "int f(void *p, int k)",
        "int f(struct item *p, int k)",
        """{ struct item *i = p; if (!i) return 0;
           return i->next && i->next->kind == 7 ? 1 : i->name[3] == k; }""",
    ),
    "a cast where it is used": (
        "int f(const void *p)",
        "int f(const struct item *p)",
        """{ if (!p) return 0; return ((const struct item *)p)->kind == 5
           ? ((const struct item *)p)->name[0] == 'a' : 2; }""",
    ),
    "two of them": (
        "int f(const void *a, const void *b)",
        "int f(const range *a, const range *b)",
        """{ const range *x = a, *y = b; if (!x || !y) return 9; if (x == y) return 8;
           return x->low < y->low ? -1 : x->high > y->high; }""",
    ),
    "given to a function": (
        "static int g(const struct item *i) { return i && i->next ? i->next->kind > 4 : 3; } int f(void *p)",
        "static int g(const struct item *i) { return i && i->next ? i->next->kind > 4 : 3; } int f(struct item *p)",
        "{ return g(p); }",
    ),
    "given on as void": (
        "static int g(void *v) { range *r = v; return r && r->low > r->high; } int f(void *p)",
        "static int g(void *v) { range *r = v; return r && r->low > r->high; } int f(range *p)",
        "{ return g(p); }",
    ),
    "elements that a number counts": (
        "int f(const void *data, int n)",
        "int f(const range *data, int n)",
        """{ const range *r = data; int s = 0;
           for (int i = 0; i < n; i++) s += r[i].low > 3 && r[i].high < 9; return s; }""",
    ),
    "numbers that a number counts": (
        "int f(const void *data, int n)",
        "int f(const int *data, int n)",
        "{ const int *r = data; int s = 0; for (int i = 0; i < n; i++) s += r[i] > 3; return s; }",
    ),
    "a pointer to a pointer": (
        "int f(void **list, void *one)",
        "int f(struct item **list, struct item *one)",
        """{ if (!list || !one) return 9; struct item *i = one; i->next = *list; *list = one;
           return i->next && i->next->kind == 3; }""",
    ),
    "its name, and const": (
        "typedef void *const *items_t; int f(items_t list)",
        "typedef struct item *const *items_t; int f(items_t list)",
        "{ if (!list) return 9; const struct item *i = *list; return i && i->kind == 2; }",
    ),
    "a pointer to a pointer is given on": (
        """static int g(void **list) { struct item *i = *list; return i && i->kind > 4; }
           int f(void **list)""",
        """static int g(struct item **list) { struct item *i = *list; return i && i->kind > 4; }
           int f(struct item **list)""",
        "{ if (!list) return 9; return g(list); }",
    ),
    "elements that are pointers": (
        "int f(void **all, int n)",
        "int f(struct item **all, int n)",
        """{ int s = 0; for (int i = 0; i < n; i++) { struct item *one = all[i]; if (one) s += one->kind > 3; }
           return s > 0; }""",
    ),
    "kept in a global variable": (
        "static struct item *now; int f(void *p)",
        "static struct item *now; int f(struct item *p)",
        "{ if (!p) return 0; now = p; return now->kind == 5 ? now->name[0] == 'a' : 2; }",
    ),
    "returned": (
        "static struct item *g(void *v) { return v; } int f(void *p)",
        "static struct item *g(struct item *v) { return v; } int f(struct item *p)",
        "{ if (!p) return 0; return g(p)->kind == 5; }",
    ),
    "compared with another": (
        "int f(struct item *list, const void *one)",
        "int f(struct item *list, const struct item *one)",
        """{ int n = 0; if (!one) return 9; struct item *i = list;
           while (i && n < 3) { n++; if (i == one) return n; i = i->next; } return 0; }""",
    ),
}


def explored(folder: Path, text: str, entry: str = "f") -> Result:
    source = folder / "unit.c"
    source.write_text(TYPES + text)
    return campaign.run(BuildOptions((source,), entry), SearchOptions(budget=60))


def returned(result: Result) -> set[int]:
    return {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests}


def errors(result: Result) -> list[str]:
    return [each.message for each in result.bugs if each.severity == Severity.ERROR]


@pytest.mark.parametrize("name", list(PAIRS))
def test_it_is_explored_as_if_it_were_declared_so(name: str, tmp_path: Path) -> None:
    taken, declared, body = PAIRS[name]
    found, wanted = explored(tmp_path, taken + body), explored(tmp_path, declared + body)
    assert found.ending.claim == wanted.ending.claim == "paths"
    assert found.paths == wanted.paths and found.coverage.branches == wanted.coverage.branches
    assert {test.returned for test in found.tests} == {test.returned for test in wanted.tests}
    assert [bug.outcome for bug in found.bugs] == [bug.outcome for bug in wanted.bugs]
    assert not errors(found)
    assert "a void * leads to what the code takes it for" in found.ending.within
    assert all(not test.replayed.startswith("differs") for test in found.tests)


def test_a_member_is_what_the_unit_takes_it_for(tmp_path: Path) -> None:
    body = """
        int f(struct device *d, int k)
        {
            if (!d || !d->priv || !d->limits) return -1;
            struct item *i = d->priv;
            const range *r = d->limits;
            if (k < r->low || k > r->high) return -2;
            if (i->next && i->next->kind == k) return 1;
            return 0;
        }
        void attach(struct device *d, void *p) { d->priv = p; }
        """
    found = explored(tmp_path, body)
    assert found.ending.claim == "paths" and not found.bugs
    assert returned(found) == {-1, -2, 0, 1}
    assert all(not test.replayed.startswith("differs") for test in found.tests)


def test_the_elements_of_a_member_are_what_the_unit_takes_them_for(tmp_path: Path) -> None:
    body = """
        struct bag { void **slots; int count; };
        int f(const struct bag *b, int kind)
        {
            if (!b || b->count < 0 || b->count > 2) return -1;
            for (int i = 0; i < b->count; i++) {
                const struct item *one = b->slots[i];
                if (one && one->kind == kind) return i > 0 ? 1 : 0;
            }
            return -2;
        }
        """
    found = explored(tmp_path, body)
    assert found.ending.claim == "paths" and not errors(found)
    assert returned(found) == {-1, -2, 0, 1}
    assert all(not test.replayed.startswith("differs") for test in found.tests)


def test_a_result_is_what_the_callers_take_it_for(tmp_path: Path) -> None:
    body = """
        void *take(size_t n);
        void give(void *p);
        int f(int v)
        {
            struct item *i = take(sizeof *i);
            if (!i) return -1;
            i->kind = v;
            memset(i->name, 0, sizeof i->name);
            int found = i->kind > 100 ? i->name[11] : 7;
            give(i);
            return found;
        }
        """
    found = explored(tmp_path, body)
    assert found.ending.claim == "paths" and not found.bugs
    assert returned(found) == {-1, 0, 7}
    assert all(not test.replayed.startswith("differs") for test in found.tests)


BYTES = {
    "two types": "int f(void *p) { struct item *i = p; if (i->kind == 1) return ((range *)p)->low > 2; return 0; }",
    "bytes, too": "int f(void *p) { range *r = p; char *c = p; return r->low > c[1]; }",
    "what lies before it": "int f(void *p) { range *r = (range *)p - 1; return r->low == 3; }",
    "a number of bytes": """int f(void *p, size_t n)
        { range *r = p; char to[16]; memcpy(to, p, n & 15); return r->low > 3; }""",
    "two types behind a pointer": """int f(void **p)
        { struct item *i = *p; if (i->kind == 1) return ((range *)*p)->low > 2; return 0; }""",
    "half a number": """int f(const void *data, unsigned n)
        { const short *r = data; int s = 0; for (unsigned i = 0; i < n / 2; i++) s += r[i] > 3; return s; }""",
}


@pytest.mark.parametrize("name", list(BYTES))
def test_what_is_not_clear_stays_bytes(name: str, tmp_path: Path) -> None:
    found = explored(tmp_path, BYTES[name])
    assert "a void * leads to what the code takes it for" not in found.ending.within
    assert not errors(found)
