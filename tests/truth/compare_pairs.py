"""Pairs of versions of a function `f`: 16 that are equivalent, 17 that differ in a corner.

`both` stands before each version. `where`: of a pair that differs, what the first difference must name.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Pair:
    """Two versions; `where` is empty where they are equivalent."""

    name: str
    both: str
    old: str
    new: str
    where: str = ""

    def texts(self) -> tuple[str, str]:
        return self.both + self.old, self.both + self.new


NODE = "#include <stddef.h>\n#include <stdlib.h>\nstruct node { int key; struct node *next; };\n"
TEXT = "#include <string.h>\n#include <stdlib.h>\n"

EQUIVALENT = (
    Pair(
        "clamp",
        "",
        "int f(int x, int lo, int hi) { if (x < lo) return lo; if (x > hi) return hi; return x; }",
        "int f(int x, int lo, int hi) { return x < lo ? lo : x > hi ? hi : x; }",
    ),
    Pair(
        "absolute",
        "",
        "unsigned f(int x) { return x < 0 ? 0u - (unsigned)x : (unsigned)x; }",
        "unsigned f(int x) { unsigned m = (unsigned)(x >> 31); return ((unsigned)x ^ m) - m; }",
    ),
    Pair(
        "round_up",
        "",
        "unsigned f(unsigned n) { while (n % 8 != 0) n++; return n; }",
        "unsigned f(unsigned n) { return (n + 7u) & ~7u; }",
    ),
    Pair(
        "bits",
        "",
        "int f(unsigned char x) { int n = 0; for (int k = 0; k < 8; k++) n += x >> k & 1; return n; }",
        "int f(unsigned char x) { int n = 0; while (x) { x &= x - 1; n++; } return n; }",
    ),
    Pair(
        "swap",
        "",
        "void f(int *a, int *b) { int t; if (!a || !b) return; t = *a; *a = *b; *b = t; }",
        "void f(int *a, int *b) { if (a && b && a != b) { *a ^= *b; *b ^= *a; *a ^= *b; } }",
    ),
    Pair(
        "push",
        NODE,
        "struct node *f(struct node *list, int key) { struct node *n = malloc(sizeof *n);"
        " n->key = key; n->next = list; return n; }",
        "struct node *f(struct node *list, int key) { struct node *n = calloc(3, sizeof *n); n[0].key = key;"
        " if (list) n[0].next = list; return n; }",
    ),
    Pair(
        "last",
        NODE,
        "struct node *f(struct node *p) { if (!p) return NULL;"
        " for (int k = 0; k < 3 && p->next; k++) p = p->next; return p; }",
        "struct node *f(struct node *p) { int k = 0; while (p && p->next && k++ < 3) p = p->next; return p; }",
    ),
    Pair(
        "find",
        TEXT,
        "const char *f(const char *s) { if (!s) return 0; for (; *s; s++) if (*s == ':') return s; return 0; }",
        "const char *f(const char *s) { return s ? strchr(s, ':') : 0; }",
    ),
    Pair(
        "copy",
        TEXT,
        "char *f(const char *s) { char *t; if (!s) return 0; t = malloc(strlen(s) + 1); strcpy(t, s); return t; }",
        "char *f(const char *s) { size_t n; char *t; if (!s) return 0; n = strlen(s) + 1; t = malloc(n + 4);"
        " memcpy(t, s, n); return t; }",
    ),
    Pair(
        "half",
        "",
        "double f(double x) { return x / 2; }",
        "double f(double x) { return x * 0.5; }",
    ),
    Pair(
        "calls",
        "int ask(int n);\nvoid tell(const char *what, int n);\n",
        'int f(int n) { int a = ask(n); if (a < 0) { tell("low", a); return -1; } tell("ok", a); return a; }',
        "int f(int n) { int a = ask(n), bad = a < 0; char text[4] = \"low\"; if (!bad) { text[0] = 'o'; text[1] = 'k';"
        " text[2] = 0; } tell(text, a); return bad ? -1 : a; }",
    ),
    Pair(
        "state",
        "static int level = 3;\nint total;\n",
        "int f(int n) { if (n > 10) level++; else level = 0; total += level; return level; }",
        "int f(int n) { level = n > 10 ? level + 1 : 0; total = total + level; return level; }",
    ),
    Pair(
        "pack",
        "struct pair { char tag; int value; };\n",
        "struct pair f(int n) { struct pair p; p.tag = n > 0 ? 'p' : 'n'; p.value = n; return p; }",
        "struct pair f(int n) { struct pair p = {'n', n}; if (n > 0) p.tag = 'p'; return p; }",
    ),
    Pair(
        "both_fail",
        TEXT,
        "int f(int *p, int n) { if (n == 5) abort(); return *p / n; }",
        "int f(int *p, int n) { int q; if (n == 5) abort(); q = *p; return q / n; }",
    ),
    Pair(
        "passed_with_padding",
        "#include <stdlib.h>\nstruct s { char c; int n; };\nvoid send_out(const struct s *p);\n",
        "int f(int n) { struct s *p = malloc(sizeof *p); if (!p) return -1; p->c = 'x'; p->n = n; send_out(p); free(p);"
        " return n; }",
        "int f(int n) { struct s *p = malloc(sizeof *p); if (!p) return -1; p->n = n; p->c = 120; send_out(p); free(p);"
        " return p ? n : -1; }",
    ),
    Pair(
        "sum",
        "",
        "int f(const unsigned char *b, int n) { int s = 0; if (!b) return 0;"
        " for (int k = 0; k < n; k++) s += b[k]; return s; }",
        "int f(const unsigned char *b, int n) { int s = 0; if (b) while (n > 0) s += b[--n]; return s; }",
    ),
)

DIFFERENT = (
    Pair(
        "clamp_corner",
        "",
        "int f(int x, int lo, int hi) { if (x < lo) return lo; if (x > hi) return hi; return x; }",
        "int f(int x, int lo, int hi) { if (x > hi) return hi; if (x < lo) return lo; return x; }",
        "what it returns",
    ),
    Pair(
        "one_value",
        "",
        "unsigned f(unsigned x) { return x * 3u; }",
        "unsigned f(unsigned x) { return x == 123456789u ? 0u : x * 3u; }",
        "what it returns",
    ),
    Pair(
        "middle",
        "",
        "int f(int a, int b) { if (a < 0 || b < a) return 0; return (a + b) / 2; }",
        "int f(int a, int b) { if (a < 0 || b < a) return 0; return a + (b - a) / 2; }",
        "how it ends",
    ),
    Pair(
        "written",
        "",
        "void f(int *out, int n) { if (out) *out = n > 100 ? 100 : n; }",
        "void f(int *out, int n) { if (out) *out = n >= 100 ? 99 : n; }",
        "*out",
    ),
    Pair(
        "null",
        "",
        "int f(const int *p) { return p ? *p : 0; }",
        "int f(const int *p) { return *p; }",
        "how it ends",
    ),
    Pair(
        "node_key",
        NODE,
        "struct node *f(struct node *list, int key) { struct node *n = malloc(sizeof *n);"
        " n->key = key; n->next = list; return n; }",
        "struct node *f(struct node *list, int key) { struct node *n = malloc(sizeof *n);"
        " n->key = key == 41 ? 40 : key; n->next = list; return n; }",
        "result->key",
    ),
    Pair(
        "other_node",
        NODE,
        "struct node *f(struct node *p) { if (!p) return NULL;"
        " for (int k = 0; k < 2 && p->next; k++) p = p->next; return p; }",
        "struct node *f(struct node *p) { if (!p) return NULL;"
        " for (int k = 0; k < 2 && p->next && p->key; k++) p = p->next; return p; }",
        "what it returns",
    ),
    Pair(
        "found_behind",
        TEXT,
        "const char *f(const char *s) { return s ? strchr(s, ':') : 0; }",
        "const char *f(const char *s) { return s ? strrchr(s, ':') : 0; }",
        "what it returns",
    ),
    Pair(
        "copied",
        TEXT,
        "char *f(const char *s) { char *t; if (!s) return 0; t = malloc(strlen(s) + 1); strcpy(t, s); return t; }",
        "char *f(const char *s) { char *t; if (!s) return 0; t = malloc(strlen(s) + 1); strcpy(t, s);"
        " if (t[0] == 'x' && t[1] == 'y') t[1] = 'z'; return t; }",
        "result",
    ),
    Pair(
        "negative_zero",
        "",
        "double f(double x) { return x; }",
        "double f(double x) { return x + 0.0; }",
        "what it returns",
    ),
    Pair(
        "argument",
        "int ask(int n);\nvoid tell(const char *what, int n);\n",
        'int f(int n) { int a = ask(n); tell(a < 0 ? "low" : "ok", a); return a; }',
        'int f(int n) { int a = ask(n); tell(a <= 0 ? "low" : "ok", a); return a; }',
        "argument 1 of call 2, of tell",
    ),
    Pair(
        "call_left_out",
        "int ask(int n);\nvoid tell(int n);\n",
        "int f(int n) { int a = ask(n); tell(a); return a; }",
        "int f(int n) { int a = ask(n); if (a != 7) tell(a); return a; }",
        "the functions that it calls",
    ),
    Pair(
        "left_in_state",
        "static int level = 3;\n",
        "int f(int n) { if (n > 10) level++; else level = 0; return n; }",
        "int f(int n) { if (n > 10) level++; else if (n != -5) level = 0; return n; }",
        "level",
    ),
    Pair(
        "not_written",
        NODE,
        "struct node *f(int key) { struct node *n = malloc(sizeof *n); n->key = key; n->next = NULL; return n; }",
        "struct node *f(int key) { struct node *n = malloc(sizeof *n); n->next = NULL; (void)key; return n; }",
        "result->key",
    ),
    Pair(
        "bit_fields",
        "struct flags { unsigned kind : 3; unsigned count : 5; };\n",
        "int f(const struct flags *p) { return p && p->kind == 5 ? p->count : 0; }",
        "int f(const struct flags *p) { return p && p->kind == 5 ? p->count & 15 : 0; }",
        "what it returns",
    ),
    Pair(
        "freed",
        NODE,
        "void f(struct node *p) { if (p && p->key == 9) free(p); }",
        "void f(struct node *p) { if (p && p->key == 9 && !p->next) free(p); }",
        "whether",
    ),
    Pair(
        "table",
        "static const short table[8] = {1, 2, 4, 8, 16, 32, 64, 128};\n",
        "int f(unsigned n) { return n < 8 ? table[n] : -1; }",
        "int f(unsigned n) { return n < 7 ? 1 << n : n == 7 ? 127 : -1; }",
        "what it returns",
    ),
)
