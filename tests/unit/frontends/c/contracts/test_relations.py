"""What code relates with each other: sizes, spans, walks that go round, and what functions check themselves."""

from __future__ import annotations

from pathlib import Path

from front_fixtures import module_of

from veer.frontends.c.contracts.reading import Knowledge
from veer.frontends.c.contracts.unit import unit_facts
from veer.model.unitfacts import Place, UnitFacts, field_place, parameter_place

SIZES = """
#include <string.h>
struct view { const char *text; unsigned long length, offset; int kind, mode; };
static int has(const struct view *v, unsigned long n) { return v->offset + n < v->length; }
int at(const struct view *v) { return has(v, 1) ? v->text[v->offset] : v->kind == 4 ? v->mode : -1; }
void copy(char *to, const char *from, unsigned long n) { memcpy(to, from, n); }
void outer(char *to, const char *from, unsigned long m, int how) { if (how == 3) copy(to, from, m); }
int swap(int *a, int i, int j) { int t = a[i]; if (j > 9) return 0; a[i] = a[j]; return t; }
"""
WITHIN = """
struct stack { int item[16]; unsigned top; };
struct config { int depth; } config;
struct path { int length; } *current;
typedef struct { int x; } point;
static point origin;
point corners[2][4];
extern struct mode { int kind; } modes[3];
static struct stack own;
int push(struct stack *s, int v) { if (s->top > 16) return -1; s->item[s->top++] = v; return own.top; }
int room(struct stack *s, unsigned n) { unsigned left = 16 - s->top; return left > 16 + n; }
int kind(void) { return modes[1].kind + origin.x; }
"""
ENDS = """
struct in { char *data, *end; };
static char *end_of(struct in *i) { return i->end; }
int count(const char *p, const char *end) { int n = 0; while (p < end) n += *p++ == ' '; return n; }
int outer(const char *from, const char *to) { return count(from, to); }
int until(const char *q, const char *stop) { int n = 0; for (; q != stop; q++) n++; return n; }
int same(const char *one, const char *other) { return one == other; }
long left(struct in *i, const char *at) { return end_of(i) - at; }
"""
WALKS = """
struct n { struct n *next, *parent, *left, *prev; };
struct list { struct n *head; };
int around(struct n *h) { int k = 0; for (struct n *p = h->next; p != h; p = p->next) k++; return k; }
int find(struct n *h, struct n *target) { for (; h; h = h->left) if (h == target) return 1; return 0; }
struct n *above(struct n *n) { while (n->parent && n == n->parent->left) n = n->parent; return n; }
int laps(struct list *l) { int k = 0; struct n *p = l->head; do { k++; p = p->prev; } while (p != l->head); return k; }
"""
BACK = """
#include <string.h>
struct header { int used; };
static int used(char *s) { return ((struct header *)s)[-1].used; }
int outer(char *t) { return used(t); }
int by_way(char **w) { return w ? outer(*w) : 0; }
void trim(char *u) { char *end = u + strlen(u); while (end > u && end[-1] == ' ') *--end = 0; }
struct set { const char *from, *cursor; union { const char *class; int c; } u; };
static char all[64];
void make(struct set *s, int at, const char *text) { s->u.class = &all[at]; s->from = text; s->cursor = text; }
void plain(struct set *s, int c) { s->u.c = c; }
void go_on(struct set *s) { s->cursor++; }
int last(const char *v) { return v[strlen(v) - 1]; }
"""
COUNTS = """
int last(const int *buf, unsigned long size) { while (size > 0) if (buf[size--]) return 1; return 0; }
int text(const char *s, int len) { return len > 0 && s[len] == 0; }
int nth(const int *a, int n) { return n > 0 ? a[n] : 0; }
int which(const int *a, int at) { return at > 0 ? a[at] : 0; }
"""
ASSERTED = """
#include <assert.h>
int twice(int *p) {
    assert(p && *p);
    assert(*p < 9);
    *p *= 2;
    assert(*p < 18);
    return *p;
}
int none(int *p) { return *p; }
double root(double x, const char *name)
{
    assert(x >= 0 && !__builtin_isnan(x));
    assert(__builtin_strlen(name) < 8);
    return *name + x;
}
"""
CHECKED = """
#include <stdlib.h>
struct s { char *kept, *made, *last; };
void text_free(char *text) { if (text) free(text); }
int text_is(char *text) { return text != NULL; }
void end(struct s *s) { text_free(s->made); text_is(s->last); }
int make(struct s *s) { s->made = malloc(4); if (!s->made) return -1; return 0; }
int ask(struct s *s) { return s->kept ? s->kept[0] : 0; }
void drop(struct s *s) { free(s); }
char *grow(char *text) { text = realloc(text, 9); if (!text) return 0; text[8] = 0; return text; }
char *grown(char *word) { word = grow(word); if (word == NULL) return NULL; return word; }
char *walk(char *at) { for (;;) { if (*at == 'x') return at; at = grow(at); if (at == NULL) return NULL; } }
char *both(char *end) { for (;;) { if (end == NULL) return NULL; if (*end == 'x') return end; end = grow(end); } }
char *late(char *name) { if (name == NULL) return NULL; name = grow(name); return name; }
"""


def facts(folder: Path, text: str) -> UnitFacts:
    return unit_facts([Knowledge(module_of(folder, text))])


def test_sizes_are_compared_with_numbers_count_elements_or_are_given_as_sizes(tmp_path: Path) -> None:
    sizes = facts(tmp_path, SIZES).sizes
    length, offset, kind, mode = (field_place("view", at) for at in (8, 16, 24, 28))
    assert {length, offset, parameter_place("has", "n"), parameter_place("copy", "n")} <= sizes
    assert {parameter_place("outer", "m"), parameter_place("swap", "i"), parameter_place("swap", "j")} <= sizes
    assert facts(tmp_path, SIZES).indices == {offset, parameter_place("swap", "i"), parameter_place("swap", "j")}
    assert not {kind, mode, parameter_place("outer", "how")} & sizes
    within = facts(tmp_path, WITHIN)
    assert field_place("stack", 64) in within.sizes and field_place("stack", 0) not in within.sizes
    assert dict(within.ordered) == {"push": {field_place("stack", 64)}, "room": frozenset(), "kind": frozenset()}, (
        "not `16 - top`"
    )
    assert within.shared == {"config", "path", "point", "mode"}


def test_a_function_checks_what_it_compares_with_more_than_one_constant(tmp_path: Path) -> None:
    checks = dict(facts(tmp_path, SIZES).checks)
    assert checks["has"] == {field_place("view", 8), field_place("view", 16), parameter_place("has", "n")}
    assert checks["swap"] == {parameter_place("swap", "j")}
    assert checks["at"] == frozenset(), "kind == 4 says nothing of a range"


MOVED = """
struct node { struct node *next; int key; };
int walks(const char *s) { int n = 0; for (const char *p = s; p && *p; p++) n++; return n; }
int takes(char *room, int n)
{
    struct node *top = 0, *each;
    for (; n > 0; n--) { each = (struct node *)room; room += sizeof *each; each->next = top; top = each; }
    return top ? top->key : 0;
}
"""


def test_a_number_of_which_a_remainder_is_taken_may_be_any(tmp_path: Path) -> None:
    text = "int a[8]; int f(int i, int k, int m, int n) { return a[i % 8] + a[k & 7] + a[m] + (n && m); }"
    assert facts(tmp_path, text).ranged == {parameter_place("f", "i"), parameter_place("f", "k")}


def test_what_a_pointer_was_moved_to_is_no_test_of_it(tmp_path: Path) -> None:
    checks = dict(facts(tmp_path, MOVED).checks)
    assert parameter_place("walks", "s") in checks["walks"]
    assert parameter_place("takes", "room") not in checks["takes"]


def test_spans_are_compared_by_order_or_walked_or_subtracted(tmp_path: Path) -> None:
    found = facts(tmp_path, ENDS)
    assert found.are_span(parameter_place("count", "p"), parameter_place("count", "end"))
    assert found.are_span(parameter_place("outer", "from"), parameter_place("outer", "to"))
    assert found.are_span(parameter_place("until", "stop"), parameter_place("until", "q"))
    assert not found.are_span(parameter_place("same", "one"), parameter_place("same", "other"))
    assert found.are_span(field_place("in", 8), parameter_place("left", "at")), "by way of what end_of() returns"


def test_a_walk_that_ends_where_it_began_makes_a_circle(tmp_path: Path) -> None:
    following, parent, left, previous = (field_place("n", at) for at in (0, 8, 16, 24))
    circular: frozenset[Place] = facts(tmp_path, WALKS).circular
    assert circular == {following, previous}, (parent, left)


def test_a_pointer_that_is_asked_right_behind_its_store_is_what_malloc_gave(tmp_path: Path) -> None:
    tested = facts(tmp_path, CHECKED).tested
    assert field_place("s", 0) in tested and field_place("s", 8) not in tested
    assert field_place("s", 16) in tested, "text_free() is one like free(), and text_is() asks"
    assert parameter_place("drop", "s") not in tested, "that it is freed says nothing of NULL"
    assert parameter_place("grown", "word") not in tested, "what is asked is what grow() returned"
    assert parameter_place("walk", "at") not in tested, "what is asked is what grow() returned, in each round"
    assert {parameter_place("both", "end"), parameter_place("late", "name")} <= tested


def test_a_pointer_that_is_moved_back_by_a_constant_is_embedded(tmp_path: Path) -> None:
    embedded = facts(tmp_path, BACK).embedded
    inside, by_way = field_place("set", 16), parameter_place("by_way", "*w")
    assert embedded == {parameter_place("used", "s"), parameter_place("outer", "t"), by_way, inside}


def test_assertions_at_the_head_of_a_function_are_known_by_their_lines(tmp_path: Path) -> None:
    assert facts(tmp_path, ASSERTED).asserted == (("twice", (4, 5)), ("root", (13, 14)))


STARTED = """
#include <assert.h>
struct list { long length; };
struct place { struct list *in; long at; };
struct place begin(struct list *l) { struct place p = {0, 0}; p.at = 1; assert(l); p.in = l; return p; }
struct place end(struct list *l) { struct place p; l->length = 0; assert(l->length < 9); p.in = l; return p; }
"""


def test_local_structs_are_set_within_the_head(tmp_path: Path) -> None:
    assert facts(tmp_path, STARTED).asserted == (("begin", (5,)),)


def test_a_length_that_is_called_so_counts_elements(tmp_path: Path) -> None:
    module = module_of(tmp_path, COUNTS)
    known, functions = Knowledge(module), module.debug.functions()
    found = unit_facts([known], [known.contract(each) for each in functions])
    size, length = parameter_place("last", "size"), parameter_place("text", "len")
    assert found.counts == {size, length}, "`n` and `at` may say which element is meant"
    assert found.capacities == {size}, "`len` may leave out a NUL"


STEPS = """
static void block(unsigned char *b) { for (int i = 0; i < 16; i++) b[i] ^= 1; }
void all(unsigned char *buf, unsigned long n) { for (unsigned long i = 0; i < n; i += 16) block(buf + i); }
void down(unsigned char *buf, unsigned long n) { while (n) { block(buf); buf += 16; n -= 16; } }
void rest(unsigned char *buf, unsigned long n) { while (n >= 16) { block(buf); buf += 16; n -= 16; } }
int pairs(const char *in, unsigned long n)
{ int k = 0; for (unsigned long i = 0; i < n; i += 2) k += in[i + 1]; return k; }
int each(const char *in, unsigned long n) { int k = 0; for (unsigned long i = 0; i < n; i++) k += in[i]; return k; }
"""


def test_lengths_that_the_code_goes_along_in_blocks(tmp_path: Path) -> None:
    """One that the code asks for a rest of, and steps of single digits, are none."""
    expected = {parameter_place("all", "n"): 16, parameter_place("down", "n"): 16}
    assert dict(facts(tmp_path, STEPS).steps) == expected


BYTES = """
unsigned char *next(unsigned char *p) { return p[0] == 255 ? 0 : p + 1 + p[0]; }
int length(const unsigned char *text) { int n = 0; while (text[n]) n++; return n; }
int outer(const unsigned char *given) { return length(given); }
"""


def test_bytes_behind_which_a_zero_is_looked_for_have_an_end(tmp_path: Path) -> None:
    found = facts(tmp_path, BYTES)
    assert found.ended == {parameter_place("length", "text"), parameter_place("outer", "given")}
    assert parameter_place("next", "p") in found.texts - found.ended


def test_a_pointer_that_only_goes_backwards_is_embedded(tmp_path: Path) -> None:
    source = "int back(unsigned char *p) { int v = 0; while (*p & 128) { v += *p; p--; } return v; }"
    both = "int both(char *q, int n) { if (n) q++; else q--; return *q; }"
    assert facts(tmp_path, f"{source}\n{both}\n").embedded == {parameter_place("back", "p")}


def test_an_assertion_is_no_test_of_a_number(tmp_path: Path) -> None:
    source = "#include <assert.h>\nint f(int a, int b) { b += a; assert(a < 9); return b > 3; }\n"
    assert dict(facts(tmp_path, source).ordered)["f"] == {parameter_place("f", "b")}


def test_numbers_that_are_told_from_those_below_0(tmp_path: Path) -> None:
    source = "int f(int a, int b, unsigned c, int d) { return a < 0 ? 1 : b < 9 ? 2 : c > 0 ? 3 : d <= c; }"
    assert facts(tmp_path, source).floors == {parameter_place("f", "a")}


def test_what_a_loop_counts_up_to_is_not_tested_by_it(tmp_path: Path) -> None:
    source = """
    int f(int n, int m, int k) { int s = 0; for (int i = 0; i < n; i++) s += i; return m < k ? s : 0; }
    int g(const char *s, const char *t, int size) { int most = (int)(t - s); return most < size ? most : size; }
    """
    ordered = dict(facts(tmp_path, source).ordered)
    assert ordered["f"] == {parameter_place("f", "m"), parameter_place("f", "k")}
    assert ordered["g"] == {parameter_place("g", "size")}


def test_the_greatest_constant_that_a_number_is_compared_with(tmp_path: Path) -> None:
    source = "int f(int a, int b, int c) { return a > 7 ? 1 : a <= 2 ? 2 : b < 3 ? 3 : b < c; }"
    assert dict(facts(tmp_path, source).tops) == {parameter_place("f", "a"): 7}


def test_what_a_validator_asks_of_fields_is_no_test(tmp_path: Path) -> None:
    text = (
        "struct s { char *a, *b; }; int s_check(struct s *p) { return p && p->a; } int g(struct s *q) { return !q->b; }"
    )
    found = facts(tmp_path, text).tested
    assert field_place("s", 0) not in found and {parameter_place("s_check", "p"), field_place("s", 8)} <= found


def test_an_assertion_may_ask_functions_that_only_look(tmp_path: Path) -> None:
    source = """
    #include <assert.h>
    static int calls;
    static int valid(const char *s) { int n = 0; while (s[n]) n++; return n < 9; }
    static int counted(const char *s) { calls++; return valid(s); }
    int head(const char *s) { assert(valid(s)); return 1; }
    int later(const char *s) { assert(counted(s)); return 1; }
    """
    assert set(dict(facts(tmp_path, source).asserted)) == {"head"}


def test_that_a_walk_ends_says_nothing_of_the_field_that_it_begins_at(tmp_path: Path) -> None:
    source = """
    struct n { struct n *next; };
    struct l { struct n *first, *other; };
    static int length(struct n *n) { int k = 0; while (n) { k++; n = n->next; } return k; }
    static int is_there(struct n *m) { return m != 0; }
    int f(struct l *l, struct n *given) { return length(l->first) + is_there(l->other) + length(given); }
    """
    tested = facts(tmp_path, source).tested
    assert field_place("l", 0) not in tested
    assert {field_place("l", 8), parameter_place("f", "given")} <= tested
