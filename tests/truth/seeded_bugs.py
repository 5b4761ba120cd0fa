# ruff: noqa: E501  a program stands on a line
"""Programs with one call of abort() each, whose smallest input is known by brute force over a small domain.

`veer_numbers` and `veer_text` of a program are that domain: what its numbers and its characters may be.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

HEAD = """#include <stdlib.h>
#include <string.h>
#include <stdio.h>
struct node { int v; struct node *next; };
struct tree { int v; struct tree *left, *right; };
"""


@dataclass(frozen=True, slots=True)
class Seeded:
    """A bug: the program, and what brute force tries. `build`: options of the build."""

    name: str
    text: str
    numbers: tuple[int, ...] = (0, 1)
    letters: str = "a"
    build: dict[str, Any] = field(default_factory=dict)

    @property
    def source(self) -> str:
        """The text of the program."""
        return HEAD + self.text

    @property
    def entry(self) -> str:
        """What is tested."""
        return "main" if "int main(" in self.text else "f"


def _all(first: int, last: int) -> tuple[int, ...]:
    return tuple(range(first, last + 1))


def _of_numbers(name: str, parameters: str, condition: str, numbers: Iterable[int]) -> Seeded:
    return Seeded(name, f"int f({parameters}) {{ if ({condition}) abort(); return 0; }}", tuple(numbers))


def _of_text(name: str, condition: str, letters: str, most: int = 4, before: str = "") -> Seeded:
    text = f"int f(const char *s) {{ if (!s) return 0; {before} if ({condition}) abort(); return 1; }}"
    return Seeded(name, text, (), letters, {"max_length": most})


def _of_array(name: str, body: str, numbers: Iterable[int]) -> Seeded:
    text = f"int f(const int *a, int n) {{ if (!a) return 0; {body} return 1; }}"
    return Seeded(name, text, tuple(numbers), build={"max_array": 4, "max_length": 4})


def _of_list(name: str, body: str, numbers: Iterable[int], depth: int = 3) -> Seeded:
    return Seeded(name, f"int f(struct node *p) {{ {body} return 0; }}", tuple(numbers), build={"graph_depth": depth})


def _of_tree(name: str, body: str, numbers: Iterable[int]) -> Seeded:
    return Seeded(name, f"int f(struct tree *t) {{ {body} return 0; }}", tuple(numbers), build={"graph_depth": 3})


def _of_calls(name: str, text: str, sequence: str, numbers: Iterable[int], most: int = 4) -> Seeded:
    return Seeded(name, text, tuple(numbers), build={"sequence": sequence, "max_calls": most})


def _of_main(name: str, body: str, letters: str, most: int = 3) -> Seeded:
    return Seeded(
        name, f"int main(void) {{ {body} return 0; }}", (), letters, {"stdin_size": most, "argc": 1, "argv_size": 1}
    )


def _of_answers(name: str, body: str, numbers: Iterable[int]) -> Seeded:
    return Seeded(name, f"int sensor(void); int f(int x) {{ {body} return x; }}", tuple(numbers))


SCALARS = (
    _of_numbers("equal", "int x", "x == 37", _all(-40, 40)),
    _of_numbers("above", "int x", "x > 20", _all(-30, 30)),
    _of_numbers("below", "int x", "x < -5", _all(-30, 30)),
    _of_numbers("sum", "int x, int y", "x + y == 12", _all(-14, 14)),
    _of_numbers("difference", "int x, int y", "x - y == 9", _all(-14, 14)),
    _of_numbers("product", "int x, int y", "x > 0 && y > 0 && x * y == 12", _all(-14, 14)),
    _of_numbers("same", "int x, int y", "x == y && x > 6", _all(-9, 9)),
    _of_numbers("mask", "unsigned x", "(x & 0x48) == 0x48", _all(0, 200)),
    _of_numbers("upper", "char c", "c >= 'A' && c <= 'Z'", _all(-128, 127)),
    _of_numbers("ordered", "int a, int b, int c", "a < b && b < c && c - a > 5", _all(-8, 8)),
    _of_numbers("narrow", "short x, unsigned char y", "x * 3 + y == 30", _all(-20, 40)),
    _of_numbers("flag", "_Bool b, int x", "b && x > 4", _all(-9, 9)),
    _of_numbers("rest", "unsigned x", "x % 17 == 5 && x > 20", _all(0, 100)),
    _of_numbers("exclusive", "unsigned x, unsigned y", "(x ^ y) == 0x15", _all(0, 40)),
    _of_numbers("square", "int x", "x > -1000 && x < 1000 && x * x > 80", _all(-40, 40)),
    _of_numbers("window", "long x, long y", "x > 3 && y > x + 2 && y < 12", _all(-14, 14)),
)
STRINGS = (
    _of_text("digit", "strpbrk(s, \"0123456789\")", "ab01"),
    _of_text("long", "strlen(s) >= 3", "ab"),
    _of_text("in_order", "strchr(s, 'z') && strchr(strchr(s, 'z'), 'k')", "akz"),
    _of_text("starts", "!strncmp(s, \"GET\", 3)", "aGET"),
    _of_text("palindrome", "strlen(s) == 3 && s[0] == s[2] && s[1] != s[0]", "abc"),
    _of_text("twice", "n == 2", "ax", before="int n = 0; for (int i = 0; s[i]; i++) n += s[i] == 'x';"),
    _of_text("nested", "deep > 1", "a()", before="int d = 0, deep = 0; for (; *s; s++) { d += (*s == '(') - (*s == ')'); if (d > deep) deep = d; }"),
    _of_text("number", "atoi(s) > 12", "a0123", most=3),
    _of_text("camel", "strlen(s) > 1 && s[0] >= 'a' && s[0] <= 'z' && s[1] >= 'A' && s[1] <= 'Z'", "abAB"),
    _of_text("checked", "strlen(s) > 1 && (s[0] + s[1]) % 7 == 3", "abcdefgh", most=3),
)  # fmt: skip
ARRAYS = (
    _of_array("negative", "for (int i = 0; i < n; i++) if (a[i] < 0) abort();", _all(-2, 4)),
    _of_array("repeated", "for (int i = 1; i < n; i++) if (a[i] == a[i - 1] && a[i] > 1) abort();", _all(-1, 4)),
    _of_array("unsorted", "for (int i = 1; i < n; i++) if (a[i] < a[i - 1]) abort();", _all(-1, 4)),
    _of_array("total", "int t = 0; for (int i = 0; i < n && i < 3; i++) t += a[i] & 15; if (n > 1 && t == 7) abort();", (0, 1, 2, 3, 4, 7)),
    _of_array("last", "if (n > 0 && a[n - 1] == 5) abort();", (0, 1, 2, 3, 4, 5)),
    _of_array("between", "for (int i = 1; i + 1 < n; i++) if (!a[i] && a[i - 1] && a[i + 1]) abort();", _all(-1, 4)),
    _of_array("seven", "int seen = 0; for (int i = 0; i < n; i++) { if (seen && a[i] == 3) abort(); seen |= a[i] == 7; }", (0, 1, 2, 3, 4, 7)),
)  # fmt: skip
GRAPHS = (
    _of_list("three", "int n = 0; for (; p && n < 5; p = p->next) n++; if (n == 3) abort();", _all(-1, 1)),
    _of_list("five", "int n = 0; for (; p && n < 5; p = p->next, n++) if (p->v == 5) abort();", (0, 1, 5)),
    _of_list("falling", "for (int n = 0; p && p->next && n < 5; p = p->next, n++) if (p->v > p->next->v) abort();", _all(-2, 2)),
    _of_list("nine", "if (p && p->next && p->v > 0 && p->next->v > 0 && p->v < 50 && p->next->v < 50 && p->v + p->next->v == 9) abort();", _all(0, 9)),
    _of_list("circle", "if (p && p->next && p->next->next == p) abort();", (0, 1)),
    _of_tree("deep", "if (t && t->left && t->left->right) abort();", (0, 1)),
    _of_tree("both", "if (t && t->left && t->right && t->left->v > t->right->v) abort();", _all(-1, 1)),
)  # fmt: skip
ALIASES = (
    Seeded("one_cell", "int f(int *p, int *q) { if (p && q && p == q && *p == 4) abort(); return 0; }", _all(-1, 4)),
    Seeded("equal_cells", "int f(int *p, int *q) { if (p && q && *p == *q && *p > 2) abort(); return 0; }", _all(-1, 4), build={"max_array": 1}),
    Seeded("either", "int f(struct node *p, struct node *q) { if (p && q && p->next == q->next) abort(); return 0; }", (0, 1), build={"graph_depth": 2}),
    Seeded("written", "int f(int *p, int *q) { if (!p || !q) return 0; *p = 1; *q = 2; if (*p == 2) abort(); return 0; }", (0, 1)),
)  # fmt: skip
STACK = """
struct stack { int items[2], n; };
void init(struct stack *s) { s->n = 0; }
void push(struct stack *s, int v) { if (s->n == 2) abort(); s->items[s->n++] = v; }
int pop(struct stack *s) { return s->n ? s->items[--s->n] : 0; }
"""
COUNTER = """
struct counter { int n; };
void start(struct counter *c) { c->n = 0; }
void add(struct counter *c, int by) { if (by > 0 && by < 10) c->n += by; }
int look(struct counter *c) { if (c->n > 12) abort(); return c->n; }
"""
SET = """
struct set { int seen[4]; };
void empty(struct set *s) { memset(s, 0, sizeof *s); }
void put(struct set *s, int v) { if (v < 0 || v > 3) return; s->seen[v]++; }
int twice(struct set *s) { for (int i = 1; i < 4; i++) if (s->seen[i] > 1) abort(); return 0; }
"""
SEQUENCES = (
    _of_calls("overflow", STACK, "init,{push,pop}", (0, 1)),
    _of_calls("counted", COUNTER, "start,{add,look}", (0, 1, 3, 4, 9)),
    _of_calls("put_twice", SET, "empty,{put,twice}", _all(0, 2)),
)
READERS = (
    _of_main("read_x", "int c; while ((c = getchar()) != EOF) if (c == 'x') abort();", "abx"),
    _of_main("two_lines", "int c, n = 0; while ((c = getchar()) != EOF) n += c == '\\n'; if (n == 2) abort();", "ab\n"),
    _of_main("word", "char b[4] = {0}; if (fread(b, 1, 3, stdin) == 3 && b[0] == 'o' && b[2] == 'k') abort();", "abok"),
)
ANSWERS = (
    _of_answers("hot", "if (sensor() > 5) abort();", _all(-1, 7)),
    _of_answers("two_answers", "int a = sensor(); if (sensor() == a + 2 && a > 0) abort();", _all(-3, 6)),
    _of_answers("retried", "for (int i = 0; i < 3; i++) if (sensor() == x + 3) abort();", _all(-3, 4)),
)

SEEDED = (*SCALARS, *STRINGS, *ARRAYS, *GRAPHS, *ALIASES, *SEQUENCES, *READERS, *ANSWERS)
