"""Which pointer is the end of what another one leads to: by the code, by the names, by the user; and which is none."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_fixtures import contract_of

from veer.frontends.c.contracts.clauses import Contract
from veer.model.buildoptions import GivenTerms
from veer.model.errors import UsageError

SKIP = """
static int skip(const char **pp, const char *end) { while (*pp < end && **pp == ' ') (*pp)++; return *pp == end; }
"""
CODE = {
    "an order": ("int f(const char *p, const char *q) { int n = 0; while (p < q) n += *p++; return n; }", {"p": "q"}),
    "inequality": ("int f(const int *a, const int *z) { for (; a != z; a++) if (*a) return 1; return 0; }", {"a": "z"}),
    "a difference": ("int f(const char *a, const char *b) { return b - a < 3 ? -1 : a[2]; }", {"a": "b"}),
    "a sum": ("int f(const char *a, const char *b) { return a + 3 > b ? -1 : a[2]; }", {"a": "b"}),
    "a cursor of its own": (
        "int f(const char *a, const char *b) { const char *s = a; while (s < b) if (*s++) return 1; return 0; }",
        {"a": "b"},
    ),
    "from behind": ("int f(char *p, char *q) { while (q > p && q[-1] == ' ') q--; return q - p; }", {"p": "q"}),
    "by an address": (SKIP + "int f(const char *s, const char *t) { return skip(&s, t); }", {"s": "t"}),
    "behind a pointer": (SKIP + "int f(const char **s, const char *t) { return skip(s, t) || **s; }", {"*s": "t"}),
    "bytes and characters": (
        "int f(const void *v, const char *q) { const char *p = v; while (p < q) if (*p++) return 1; return 0; }",
        {"v": "q"},
    ),
    "structs": (
        "struct s { int x; }; int f(struct s *a, struct s *b) { for (; a < b; a++) if (a->x) return 1; return 0; }",
        {"a": "b"},
    ),
}
NONE = {
    "two that are the same": "int f(const char *p, const char *q) { return p == q; }",
    "a last one that is read": "int f(int *lo, int *hi) { if (lo < hi && *lo > *hi) return 1; return 0; }",
    "other elements": "int f(const short *p, const int *end) { return (const char *)p < (const char *)end; }",
    "a length": "int f(const char *p, const char *end, unsigned n)"
    " { for (unsigned i = 0; i < n; i++) if (p[i] == 7) return 1; return p < end; }",
    "two that are only compared": "int f(const void *a, const void *b) { return a < b ? -1 : a > b; }",
    "one to write to": "int f(const char *p, char **end) { *end = (char *)p + 1; return 0; }",
}


def contract(folder: Path, text: str, *terms: str) -> Contract:
    return contract_of(folder, text, "f", tuple(GivenTerms("f", each, "veer.toml:1") for each in terms))


@pytest.mark.parametrize("name", CODE)
def test_the_code_says_which_pointer_is_the_end(name: str, tmp_path: Path) -> None:
    text, ends = CODE[name]
    found = contract(tmp_path, text)
    assert found.ends == ends and found.guessed == ends.keys()
    [(buffer, end)] = ends.items()
    assert f"{buffer} has {end} - {buffer} elements (the code)" in found.restricting
    assert f"{buffer.removeprefix('*')} is not NULL (the code never tests it)" in found.restricting


@pytest.mark.parametrize("name", NONE)
def test_what_is_no_end(name: str, tmp_path: Path) -> None:
    assert contract(tmp_path, NONE[name]).ends == {}


def test_a_pointer_between_the_two_ends_leads_into_the_buffer(tmp_path: Path) -> None:
    head = "int f(const char *a, const char *p, const char *b) "
    found = contract(tmp_path, head + "{ if (p > a && p[-1]) return 1; while (p < b) p++; return 0; }")
    assert (found.ends, found.within) == ({"a": "b"}, {"p": "a"})
    assert "p leads into a (the code)" in found.restricting


def test_names_say_it_where_the_code_does_not(tmp_path: Path) -> None:
    head = "int g(const char *, const char *); "
    found = contract(tmp_path, head + "int f(const char *in, const char *in_end) { return g(in, in_end); }")
    assert found.ends == {"in": "in_end"} and "in has in_end - in elements (the names)" in found.restricting
    assert contract(tmp_path, head + "int f(const char *in, const char *out) { return g(in, out); }").ends == {}
    assert contract(tmp_path, head + "int f(const char *p, const char *end) { return *end; }").ends == {}


def test_a_pointer_that_is_tested_may_be_null(tmp_path: Path) -> None:
    found = contract(tmp_path, "int f(const char *p, const char *q) { if (!p) return 1; return p < q ? *p : 0; }")
    assert found.ends == {"p": "q"} and not found.not_null
    behind = "int f(const char **p, const char *q) { if (!*p) return 1; return *p < q ? **p : 0; }"
    assert contract(tmp_path, behind).not_null == {"p"}


def test_the_users_word_comes_first(tmp_path: Path) -> None:
    text = "int f(const char *p, const char *q, int n) { while (p < q) if (*p++) return n; return 0; }"
    assert contract(tmp_path, text, "end(p, )").ends == {}
    assert contract(tmp_path, text, "length(p, n)").ends == {}
    assert contract(tmp_path, text, "length(p, q)").ends == {"p": "q"}
    assert "p has q - p elements (veer.toml:1)" in contract(tmp_path, text, "end(p, q)").restricting
    assert contract(tmp_path, "/* veer: end(a, b) within(c, a) */ int f(int *a, int *b, int *c) { return *a; }").within


@pytest.mark.parametrize("term", ["end(p, n)", "end(p, x)", "end(n, p)", "within(p, n)", "end(*p, q)", "within(p, )"])
def test_ends_that_are_none_are_refused(term: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"veer\.toml:1"):
        contract(tmp_path, "int f(const char *p, const char *q, int n) { return n; }", term)
