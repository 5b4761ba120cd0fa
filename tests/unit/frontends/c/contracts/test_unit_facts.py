"""What the code of a whole unit shows, by the compiler that veer brings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from front_fixtures import contract_of, module_of

from veer.frontends.c.contracts.reading import Knowledge
from veer.frontends.c.contracts.storedranges import Interval, computed
from veer.frontends.c.contracts.unit import unit_facts
from veer.model.unitfacts import Place, UnitFacts, field_place, parameter_place

LIST = """
#include <stdlib.h>
struct node { struct node *next; int key; char *name, *grown; };
struct node *find(struct node *head, int key) { while (head && head->key != key) head = head->next; return head; }
static int is_none(struct node *n) { return !n; }
void grow(struct node *n) { n->grown = realloc(n->grown, 4); }
int through(struct node *given, struct node *followed) { return is_none(given) + followed->key; }
void drop(struct node *head) { struct node **link = &head; while (*link) link = &(*link)->next; free(head->name); }
"""
ASSERTED = """
#include <assert.h>
#include <stddef.h>
static char *skip(char *s, char *base) { assert(base != NULL && s); while (s > base && s[-1] == ' ') s--; return s; }
void trim(char *text, char *end) { *skip(end, text) = 0; assert(text); }
void or_none(char *q) { assert(!q || *q); }
"""
WIDENED = """
#include <assert.h>
#include <stdint.h>
static void end(char *d, uint32_t n) { assert(n > 0); d[n - 1] = 0; }
void name(char *to, short length) { end(to, length); }
void cut(char *to, long length) { end(to, length); }
"""
WRITTEN = """
#include <stdio.h>
#include <string.h>
void sum(char *out, const char *s) { snprintf(out, 3, "%02x", *s ? 1u : 0u); strcat(out, s); }
void name(char *to, const char *from, const char *format) { sprintf(to, format, 1); strncpy(to, from, 3); }
"""
TWO_WAYS = """
struct d { struct d *prev, *next; };
struct list { struct d *head, *tail; };
void link(struct d *a, struct d *b) { a->next = b; b->prev = a; }
void only(struct list *l, struct d *n) { l->head = n; l->tail = n; }
void ring(struct d *n) { n->next = n; }
int length(struct d *h) { int k = 0; for (struct d *p = h->next; p != h; p = p->next) k++; return k; }
"""
MOVED = """
#include <stdlib.h>
struct n { struct n *next, *child; };
void unlink(struct n *before, struct n *n) { before->next = n->next; before->child = n->next; n->next = 0; }
int equal(struct n *a, struct n *b) { for (a = a->child; a; a = a->next) if (a == b->next) return 1; return 0; }
void chain(struct n *list, int count)
{
    struct n *last = 0;
    for (int i = 0; i < count; i++) {
        struct n *n = malloc(sizeof *n);
        if (!n) return;
        if (last) last->next = n; else list->child = n;
        last = n;
    }
}
void add(struct n *list, struct n *n) { if (!list->child) list->child = n; else list->child->next = n; }
"""
RANGES = """
#include <string.h>
struct ring {
    unsigned short head, count;
    int mode, any;
    volatile unsigned char tick;
    int top, lent, free, grown;
};
void zero(struct ring *r) { memset(r, 0, sizeof *r); }
void step(struct ring *r) { r->head = (unsigned short)((r->head + 1u) % 16u); r->tick = (r->tick + 1) & 7; }
int put(struct ring *r) { if (r->count == 16) return 0; r->count++; return 1; }
void take(struct ring *r) { if (r->count > 0) r->count--; }
void set(struct ring *r, int fast, int any) { r->mode = fast ? 3 : -1; r->any = any; }
void limit(struct ring *r, int n) { if (n > 40) return; r->top = n; }
void fill(int *out);
int some(struct ring *r, int n) { if (n < 1 || n == 9) return 0; r->free = n; return 1; }
int more(struct ring *r) { return r->grown > 0 ? r->grown++ : 0; }
void lend(struct ring *r) { r->lent = 1; fill(&r->lent); }
"""
CHARACTERS = """
#include <string.h>
int spaces(const char *s) { int n = 0; while (*s) n += *s++ == ' '; return n; }
int made(char **out, char **kept) { if (!*out) return -1; **out = 1; **kept = 1; return 0; }
int two(const char *t) { return t[0] + t[1]; }
unsigned long by_library(const char *u) { return strlen(u); }
int kind(const char *v, unsigned n) { if (n < 2) return -1; switch (v[1]) { case 'x': return 1; default: return 2; } }
"""
TABLE = "struct s { int used, set; }; struct s table[2] = {{7, 8}}; void f(struct s *s) { s->used = 1; s->set = 1; }"
REGISTER = "int f(void) { return *(volatile int *)0x40021000 + 1; }"


def facts(folder: Path, text: str) -> UnitFacts:
    return unit_facts([Knowledge(module_of(folder, text))])


def names(places: Iterable[Place]) -> set[str]:
    return {f"{place.owner}.{place.member}" for place in places}


def ranges(folder: Path, text: str) -> dict[str, Interval]:
    return {f"{each.place.owner}.{each.place.member}": (each.low, each.high) for each in facts(folder, text).stored}


def test_what_is_compared_with_null_is_tested_and_so_is_what_a_function_is_given_that_compares(tmp_path: Path) -> None:
    tested = facts(tmp_path, LIST).tested
    assert {
        field_place("struct node", 0),
        parameter_place("find", "head"),
        parameter_place("through", "given"),
    } <= tested
    assert parameter_place("drop", "head") in tested, "a pointer to a pointer"
    assert field_place("node", 16) not in tested, "that it is freed says nothing of NULL"
    assert field_place("node", 24) in tested, "realloc() makes a block of NULL"
    assert parameter_place("through", "followed") not in tested


def test_a_walk_that_has_followed_its_beginning_says_nothing_of_it(tmp_path: Path) -> None:
    text = """
        struct n { struct n *up; int key; };
        int begun(struct n *b) { int k = b->key; while (b) { k += b->key; b = b->up; } return k; }
        int asked(struct n *a) { int k = 0; while (a) { k += a->key; a = a->up; } return k; }
        int late(struct n *l) { int k = l->key; if (l) k++; return k; }
        """
    tested = facts(tmp_path, text).tested
    assert parameter_place("begun", "b") not in tested
    assert {parameter_place("asked", "a"), parameter_place("late", "l"), field_place("n", 0)} <= tested


def test_what_is_asserted_not_to_be_null_is_not_tested(tmp_path: Path) -> None:
    found = facts(tmp_path, ASSERTED)
    assert names(found.tested) == {"or_none.q"}, "what trim() is given is no NULL, for skip() asserts that"


def test_a_number_that_is_widened_for_a_call_is_handed_on_and_a_narrowed_one_is_not(tmp_path: Path) -> None:
    made = {each.caller: dict(each.parameters) for each in facts(tmp_path, WIDENED).handed_on}
    assert made == {"name": {"d": "to", "n": "length"}, "cut": {"d": "to"}}


def test_pointers_that_may_lead_to_one_object(tmp_path: Path) -> None:
    found = facts(tmp_path, TWO_WAYS)
    prev, following, head, tail = (field_place(*at) for at in (("d", 0), ("d", 8), ("list", 0), ("list", 8)))
    assert (following, prev) in found.back and (prev, following) in found.back
    assert found.are_same(head, tail) and found.are_same(following, parameter_place("length", "h"))
    assert found.circular == {following}
    assert not found.are_same(head, following)


def test_a_list_that_only_ends_has_no_pointers_that_may_be_the_same(tmp_path: Path) -> None:
    found = facts(tmp_path, LIST)
    assert (found.same, found.back, found.circular) == (frozenset(), frozenset(), frozenset())


def test_a_pointer_that_is_moved_or_stored_in_one_of_two_places_is_not_in_both(tmp_path: Path) -> None:
    found = facts(tmp_path, MOVED)
    assert {pair for pair in found.same if all(each.owner == "n" for each in pair)} == set()
    assert found.circular == frozenset()


def test_the_numbers_that_fields_hold(tmp_path: Path) -> None:
    assert ranges(tmp_path, RANGES) == {
        "ring.0": (0, 15),  # a remainder
        "ring.2": (0, 16),  # counts to what it is compared with
        "ring.4": (-1, 3),
        "ring.12": (0, 7),
        "ring.16": (0, 40),  # a parameter that is compared first
    }


def test_locals_that_are_made_of_each_other_are_looked_at_once(tmp_path: Path) -> None:
    turns = "a = b + c; b = a + c; c = a + b;" * 30
    body = f"int a = n, b = 1, c = 2; {turns} s->low = a & 7; s->any = a;"
    assert ranges(tmp_path, f"struct s {{ int low, any; }}; void f(struct s *s, int n) {{ {body} }}") == {"s.0": (0, 7)}


def test_what_an_initialiser_holds_may_be_anything(tmp_path: Path) -> None:
    assert ranges(tmp_path, TABLE) == {}


def test_texts_are_characters_that_are_looked_at_one_by_one(tmp_path: Path) -> None:
    found = facts(tmp_path, CHARACTERS)
    assert names(found.texts) >= {"spaces.s", "by_library.u", "kind.v"} and "two.t" not in names(found.texts)
    assert names(found.bounded) >= {"kind.n"}
    assert "made.*out" in names(found.tested) and "made.*kept" not in names(found.tested)


def test_what_the_library_only_writes_to_is_no_text(tmp_path: Path) -> None:
    found = names(facts(tmp_path, WRITTEN).texts)
    assert found == {"sum.s", "name.from", "name.format"}


def test_what_is_unreachable_else_is_asserted(tmp_path: Path) -> None:
    found = facts(tmp_path, "void f(int *p, int n) {\n if (!p || n < 2) __builtin_unreachable();\n p[n - 1] = 0; }")
    assert found.asserted == (("f", (2,)),) and names(found.tested) == set()


LOOPS = """#define ASSERT(e) while (!(e)) __builtin_trap()
int counted(const char *s) {
    int n = 0;
    for (; *s; s++) n++;
    ASSERT(n < 5); return n; }
int halved(unsigned k) {
    int n = 0;
    while (k > 3) { n++; k /= 2; }
    ASSERT(n < 5); return n; }
int each(const int *p, int n) {
    for (int i = 0; i < n; i++)
        ASSERT(p[i] > 0);
    return n; }
int first(int n) {
    ASSERT(n % 4 == 0);
    ASSERT(n / 4 < 9);
    return n; }
int divided(int n, int k) {
    ASSERT(n % k == 0);
    return n; }
"""


def test_what_stands_behind_a_loop_is_no_beginning(tmp_path: Path) -> None:
    """What a loop asserts in each round is one, and a division by a number does nothing that a caller could see."""
    assert facts(tmp_path, LOOPS).asserted == (("each", (12,)), ("first", (15, 16)))


def test_addresses_that_are_numbers(tmp_path: Path) -> None:
    assert facts(tmp_path, REGISTER).addresses == (0x40021000,)


def test_what_a_contract_says_is_known_too(tmp_path: Path) -> None:
    text = "/* veer: nullable(p) length(q, 3) */ int f(int *p, int *q, int *r) { return *p + q[2] + r[1]; }"
    found = unit_facts([Knowledge(module_of(tmp_path, text))], [contract_of(tmp_path, text)])
    assert (names(found.tested), names(found.declared)) == ({"f.p"}, {"f.q"})


@pytest.mark.parametrize(
    ("name", "left", "right", "result"),
    [
        ("add", (0, 15), (1, 1), (1, 16)),
        ("sub", (0, 15), (1, 2), (-2, 14)),
        ("mul", (-1, 3), (2, 4), (-4, 12)),
        ("urem", (0, 99), (16, 16), (0, 15)),
        ("urem", None, (16, 16), (0, 15)),
        ("srem", None, (4, 4), (-3, 3)),
        ("srem", (0, 2), (4, 4), (0, 2)),
        ("and", None, (7, 7), (0, 7)),
        ("lshr", (0, 255), (4, 4), (0, 15)),
        ("udiv", (8, 80), (8, 8), (1, 10)),
        ("shl", (0, 3), (2, 2), (0, 12)),
        ("or", (0, 5), (0, 8), (0, 15)),
        ("xor", (0, 5), (0, 8), None),
        ("add", None, (1, 1), None),
    ],
)
def test_operations_on_ranges(
    name: str, left: Interval | None, right: Interval | None, result: Interval | None
) -> None:
    assert computed(name, left, right) == result
    if left is not None and right is not None and result is not None:
        operations = {"add": int.__add__, "sub": int.__sub__, "mul": int.__mul__, "urem": int.__mod__}
        operations |= {"and": int.__and__, "or": int.__or__, "lshr": int.__rshift__, "shl": int.__lshift__}
        operations |= {"udiv": int.__floordiv__, "srem": int.__mod__}
        every = [
            operations[name](one, other)
            for one in range(left[0], left[1] + 1)
            for other in range(right[0], right[1] + 1)
        ]
        assert result[0] <= min(every) and max(every) <= result[1]


def test_what_a_variable_holds_that_others_write_to_is_not_known(tmp_path: Path) -> None:
    """match() writes to `found` behind its pointer, as does who keeps its address; `own` nobody else can reach."""
    text = """
    struct state { unsigned found, kept, own; };
    void match(unsigned *length, unsigned n) { *length = n; }
    void step(struct state *s, unsigned n)
    {
        unsigned found = 0, kept = 0, own = 0;
        unsigned *last = &kept;
        match(&found, n);
        *last = n;
        if (n > 3) own = 2;
        s->found = found; s->kept = kept; s->own = own;
    }
    """
    assert ranges(tmp_path, text) == {"state.8": (0, 2)}


# -- what calls pass ---------------------------------------------------------------------------------------------------


def test_constants_that_all_calls_pass_are_from_the_least_to_the_greatest(tmp_path: Path) -> None:
    text = """
    static char name[50];
    static int f(char *to, unsigned long size, int at, int low, _Bool is) { return to[size - 1] + at + low + is; }
    static int again(int n, int down) { return n ? again(n, down - 1) : down; }
    int g(int at) { return f(name, sizeof name, at, -1, 1) + again(4, 9); }
    int h(char *to) { return f(to, 200, 3, 2, 0) + f(to, 60, 3, 2, 0) + again(4, 8); }
    """
    passed = {f"{each.place.owner}.{each.place.member}": (each.low, each.high) for each in facts(tmp_path, text).passed}
    assert passed == {"f.size": (50, 200)}, "again passes its own n, which is no constant there"
