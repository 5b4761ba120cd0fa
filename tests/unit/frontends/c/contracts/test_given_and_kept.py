"""What a unit gives to the library, which fields it sets together, and which variables it leaves to other sources."""

from __future__ import annotations

from pathlib import Path

import pytest
from front_fixtures import module_of

from veer.frontends.c.contracts.reading import Knowledge
from veer.frontends.c.contracts.unit import unit_facts
from veer.model.unitfacts import UnitFacts, field_place, parameter_place

GIVEN = """
#include <stdarg.h>
#include <stdio.h>
struct tar { void *stream, *other; };
static int put(void *to, const char *text) { return fputs(text, to); }
int write_tar(struct tar *t, const char *text) { return put(t->stream, text); }
void say(const char *format, ...) { va_list list; va_start(list, format); vprintf(format, list); va_end(list); }
void plain(const char *text) { printf("%s", text); }
"""
KEPT = """
#include <stdlib.h>
struct n { struct n *next; int key; };
struct l { struct n *head; unsigned len; };
void clear(struct l *l) { l->head = NULL; l->len = 0; }
void add(struct l *l, struct n *n, int key) { n->next = l->head; n->key = key; l->head = n; l->len++; }
void cut(struct n *n) { n->next = NULL; }
"""
UNSET = """
#include <stdio.h>
FILE *progress;
int *asked;
int *set_here;
static int *own;
int scale;
void init(int *p) { set_here = p; }
void show(void)
{
    fputs(".", progress);
}
int ask(void) { return asked ? *asked : *set_here + *own; }
int scaled(int x)
{
    return x / scale;
}
"""
AWAITED = """
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; int key; };
static struct { int n; int *cells; } table;
static int *plain, *asked, *given, *away, *array[2];
int *outer;
static struct node *top;
void init(int n)
{
    memset(&table, 0, sizeof table);
    int *made = n > 9 ? malloc(9) : calloc(n, 4);
    table.cells = made;
    plain = malloc(80);
    asked = malloc(8);
    outer = malloc(4);
    array[n & 1] = outer;
}
void close_all(void) { free(plain); plain = NULL; }
void set(int *to) { given = to; }
void by_address(int **where) { *where = malloc(4); }
void others(void) { by_address(&away); away = malloc(4); }
void push(int key) { struct node *n = malloc(sizeof *n); n->key = key; n->next = top; top = n; }
void clear(void) { top = NULL; }
int cell(int i)
{
    return table.cells[i];
}
int first(void) { return *plain; }
int seen(void) { return asked ? *asked : 0; }
int unasked(void) { return *asked; }
int registered(void) { return *given; }
int far(void) { return *away; }
int peek(void) { return top->key; }
int visible(void) { return *outer; }
int element(int i) { return *array[i & 1]; }
"""
HANDED = """
#include <stdlib.h>
typedef int (*visit)(void *state, int token);
static int inner(void *state, int token) { *(int *)state += token; return 0; }
static int by_key(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int stored(void *state, int token) { return token; }
static int both(void *state, int token) { return token; }
static int tabled(void *state, int token) { return token; }
static int plain(int token) { return token; }
static visit table[] = {tabled};
visit hook;
int register_at(void *bus, visit callback);
static int walk(const char *s, visit callback, void *state)
{
    while (*s)
        if (callback(state, *s++)) return 1;
    return 0;
}
int parse(const char *s) { int sum = plain(3); walk(s, inner, &sum); walk(s, both, &sum); return sum; }
void set_up(void *bus, int *rows) { hook = stored; register_at(bus, both); qsort(rows, 3, sizeof *rows, by_key); }
int from_table(int i) { return walk("a", table[i & 0], 0); }
struct bus { visit callback; };
static int listed(void *state, int token) { return token; }
static int outer(void *state, int token) { return token; }
static void keep(struct bus *bus, visit callback) { bus->callback = callback; }
static void pass_on(struct bus *bus, visit callback) { keep(bus, callback); }
static int again(const char *s, visit callback, void *state) { return walk(s, callback, state); }
void listen(struct bus *bus) { pass_on(bus, listed); }
int sum_again(const char *s) { int sum = 0; again(s, outer, &sum); return sum; }
"""
AT_ONCE = """
#include <stdlib.h>
struct s { int *a; };
static void drop(struct s *s) { if (s) free(s->a); }
int late(struct s *s) { int n = *s->a; drop(s); return n; }
static int first(struct s *s) { return *s->a; }
int by_way(struct s *s) { int n = first(s); drop(s); return n; }
int early(struct s *s, int n) { if (n > 3) drop(s); return *s->a; }
"""


def facts(folder: Path, text: str) -> UnitFacts:
    return unit_facts([Knowledge(module_of(folder, text))])


def test_streams_and_formats_are_followed_through_functions_of_the_unit(tmp_path: Path) -> None:
    found = facts(tmp_path, GIVEN)
    assert found.streams == {field_place("tar", 0), parameter_place("put", "to")}
    assert parameter_place("put", "to") in dict(found.gives)["put"]
    assert found.formats == {parameter_place("say", "format")}


def test_fields_are_kept_together_where_none_becomes_null_without_the_other(tmp_path: Path) -> None:
    kept = facts(tmp_path, KEPT).kept
    assert (field_place("l", 0), field_place("l", 8)) in kept
    assert (field_place("n", 0), field_place("n", 8)) not in kept, "cut() leaves the key alone"


def test_variables_that_only_another_source_can_set(tmp_path: Path) -> None:
    assert facts(tmp_path, UNSET).unset == (("scaled", 16, "scale"), ("show", 11, "progress"))
    assert facts(tmp_path, UNSET + "int main(void) { show(); return 0; }\n").unset == ()


def test_pointers_that_a_function_of_the_unit_allocates_before(tmp_path: Path) -> None:
    """Not those that are tested, that a caller gives, that others may set by their address, or that lists take over."""
    found = {(function, variable): writers for function, _, variable, writers in facts(tmp_path, AWAITED).awaited}
    assert found == {
        ("cell", "table"): ("init",),
        ("first", "plain"): ("init",),
        ("close_all", "plain"): ("init",),
        ("visible", "outer"): ("init",),
    }
    assert {line for function, line, *_ in facts(tmp_path, AWAITED).awaited if function == "cell"} == {27}


def test_functions_whose_address_stays_in_the_unit(tmp_path: Path) -> None:
    assert facts(tmp_path, HANDED).handed == {"inner", "outer"}


@pytest.mark.parametrize(("function", "is_tested"), [("late", False), ("by_way", False), ("early", True)])
def test_a_test_in_a_function_that_is_called_behind_the_access_comes_too_late(
    tmp_path: Path, function: str, is_tested: bool
) -> None:
    assert (parameter_place(function, "s") in facts(tmp_path, AT_ONCE).tested) is is_tested
