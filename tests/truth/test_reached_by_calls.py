"""Bugs whose inputs are objects of the unit's own: brought about by calls, or none that a caller of it meets.

The calls are compiled with gcc and its sanitizers, which must see the fault; and all sequences of the functions that
make no fault are run by brute force, for a bug that is said to be out of reach.
"""

from __future__ import annotations

import itertools
import shutil
import subprocess
from pathlib import Path

import pytest

import veer
from veer.campaign import reach
from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.ending import EndingKind
from veer.model.outcome import Outcome
from veer.model.result import Bug, Result
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity
from veer.model.values import replace

pytestmark = pytest.mark.slow

RETURNED = """
#include <stdlib.h>
struct heap { int *data; unsigned size, cap; };
struct heap *heap_new(unsigned cap)
{
    if (cap == 0 || cap > 16) return NULL;
    struct heap *h = malloc(sizeof *h);
    h->data = malloc(cap * sizeof(int));
    h->size = 0;
    h->cap = cap;
    return h;
}
int heap_push(struct heap *h, int v)
{
    if (h->size >= h->cap) return 0;
    h->data[h->size++] = v;
    return 1;
}
int heap_room(struct heap *h) { return 100 / (int)(h->cap - h->size); }
int heap_room_and_one(struct heap *h) { return 100 / (h->size == h->cap + 1 ? 0 : 1); }
static int share(const struct heap *h) { return 100 / (int)(h->cap - h->size); }
int heap_share(struct heap *h) { return h->size ? share(h) : 0; }
int heap_shown(int shown) { return 100 / shown; }
"""
SET_UP = """
struct ring { unsigned char head, count, buf[4]; };
void ring_init(struct ring *r) { r->head = 0; r->count = 0; r->buf[0] = 1; }
void ring_clear(struct ring *r) { r->count = 0; }
int ring_put(struct ring *r, unsigned char b)
{
    if (r->count == 4) return 0;
    r->buf[(r->head + r->count++) & 3] = b;
    return 1;
}
int ring_mean(const struct ring *r)
{
    int sum = 0;
    for (unsigned k = 0; k < r->count && k < 4; k++) sum += r->buf[k];
    return sum / r->count;
}
int ring_gap(const struct ring *r) { return 100 / (r->count - 5); }
"""
DELIVERED = """
#include <stdlib.h>
struct ring { int *data; unsigned cap, at; };
int ring_new(struct ring **out, unsigned char cap)
{
    if (cap == 3) return -1;
    struct ring *r = malloc(sizeof *r);
    r->data = calloc(cap + 1, sizeof(int));
    r->cap = cap;
    r->at = 0;
    *out = r;
    return 0;
}
int ring_make(struct ring **ring) { return ring_new(ring, 7); }
void ring_swap(struct ring **one, struct ring **other) { struct ring *r = *one; *one = *other; *other = r; }
int ring_at(struct ring *r) { return 100 / r->cap; }
int ring_third(struct ring *r) { return 100 / (r->cap - 3); }
"""
EMPTY = """
#include <stdlib.h>
struct node { struct node *next; int due; };
struct timer { struct node *list; int *room; int period; };
void timer_init(struct timer *t, int period) { *t = (struct timer){.period = period, .room = malloc(16)}; }
void timer_term(struct timer *t) { free(t->room); t->room = NULL; }
void timer_add(struct timer *t, struct node *n) { n->next = t->list; t->list = n; }
int timer_first(struct timer *t) { return t->list->due; }
int timer_room(struct timer *t) { return t->room[0] = 7; }
"""
PRIVATE = """
struct path { char text[8]; unsigned length; };
static void add(struct path *p, const char *name, int size)
{
    int n = p->length, left = sizeof p->text - n - 1;
    if (size > left) size = left;
    for (int i = 0; i < size; i++) p->text[n + i] = name[i];
    p->text[n + size] = 0;
    p->length += size;
}
int path_of(const char *name, const char *other)
{
    struct path p = {.length = 0};
    int i = 0, j = 0;
    while (name[i]) i++;
    while (other[j]) j++;
    add(&p, name, i);
    add(&p, other, j);
    return p.text[0];
}
struct stack { int item[16]; unsigned top; };
static int push(struct stack *s, int v) { if (s->top > 16) return -1; s->item[s->top++] = v; return 0; }
int all(const char *text)
{
    struct stack s = {.top = 0};
    for (; *text; text++) if (push(&s, *text)) return -1;
    return s.item[0];
}
struct task { int (*run)(int); int left; };
static int can(const struct task *t) { return t->run != 0; }
static void begin(struct task *t, int (*run)(int)) { t->run = run; }
static int step(struct task *t, int v) { return t->left > 0 ? t->run(v) : 0; }
int steps(int v, int (*run)(int))
{
    struct task t;
    begin(&t, run);
    t.left = v;
    return can(&t) ? step(&t, v) : 0;
}
static int kind(const char *s, int len) { return *s == 'u' ? len < 6 : 1; }
int is_kind(const char *s, int len) { return len > 0 ? kind(s, len) : 0; }
"""
HELPERS = """
static int share(int all, int by) { int rest = all % by; return rest < 0 ? rest + by : rest; }
static int part(int all, int by) { int whole = all / by; return whole < 0 ? whole - by : whole; }
int each(int (*next)(int), int by) { return by > 0 && next ? share(next(1), by) : 0; }
int one(int all, int by) { return by > 2 && by < 6 ? share(all, by) : part(all, by); }
"""
TEXTS = """
static int lines(const char *s, int len)
{
    int n = 0;
    for (int i = 0; i < len; i++) if (s[i] == 92 && s[i + 1] == 'n') n++;
    return n;
}
int lines_of(const char *text)
{
    int n = 0;
    while (text[n]) n++;
    return lines(text, n);
}
static int ends(const char *s, int len)
{
    for (int i = 0; i < len; i++) if (s[i] == 13 && s[i + 1] == 10) return 1;
    return 0;
}
int ends_of(const char *s, int len) { return s && len > 0 ? ends(s, len) : 0; }
"""
CALLERS = """
struct options { int level, scale; };
int scaled(const struct options *o, int x) { return o ? (x & 255) / o->scale : 0; }
struct view { int from, to; };
void view_widen(struct view *v) { v->to = 7; }
int view_share(const struct view *v) { return v ? 100 / (v->from == v->to ? 0 : 1) : 0; }
"""


REFUSES = """
struct timer { unsigned char step, limit; };
int timer_init(struct timer *t, unsigned step)
{
    if (step == 0 || step > 9) return -1;
    t->step = step;
    t->limit = 100;
    return 0;
}
void timer_stop(struct timer *t) { t->limit = t->step; }
int timer_rate(const struct timer *t) { return t->limit / t->step; }
int timer_share(const struct timer *t) { return 100 / (t->limit - t->step); }
"""


def _bugs(tmp_path: Path, source: str, entry: str, **options: object) -> list[Bug]:
    """The bugs of the entry that say nothing of NULL."""
    file = tmp_path / "unit.c"
    file.write_text(source)
    result = veer.test(file, entry=entry, budget="15s", **options)  # type: ignore[arg-type]
    return [bug for bug in result.bugs if "NULL" not in str(bug.needs)]


def _sanitized(tmp_path: Path, source: str, statements: str) -> str:
    """What gcc's sanitizers say of a program that runs these statements; "" where they say nothing."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    file, program = tmp_path / "calls.c", tmp_path / "calls"
    file.write_text(f"{source}\nint main(void)\n{{\n{statements}\n    return 0;\n}}\n")
    flags = ["-g", "-w", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    subprocess.run(["gcc", *flags, file, "-o", program], check=True, timeout=60)
    environment = {"ASAN_OPTIONS": "detect_leaks=0"}
    return subprocess.run([program], capture_output=True, text=True, timeout=60, env=environment).stderr


def _statements(calls: tuple[str, ...], type_: str) -> str:
    """Calls as statements of C: `heap_1 = heap_new(1)` declares heap_1."""
    return "\n".join(f"    {type_}{call};" if " = " in call else f"    {call};" for call in calls)


def test_calls_bring_a_bug_about_and_gcc_sees_it(tmp_path: Path) -> None:
    (bug,) = _bugs(tmp_path, RETURNED, "heap_room")
    assert bug.severity is Severity.UNDEFINED
    assert bug.reached_by[0].startswith("heap_1 = heap_new(")
    assert bug.reached_by[-1] == "heap_room(heap_1)"
    assert "division by zero" in _sanitized(tmp_path, RETURNED, _statements(bug.reached_by, "struct heap *"))


def test_what_no_calls_make_breaks_a_contract(tmp_path: Path) -> None:
    (bug,) = _bugs(tmp_path, RETURNED, "heap_room_and_one")
    assert (bug.severity, bug.reached_by) == (Severity.CONTRACT, ())
    assert bug.judgement.broken[0].cause == "not-built struct heap"
    assert "were found that make such a `struct heap`" in bug.needs[0]
    assert "`heap_new`" in bug.needs[0]


def test_a_static_function_is_reached_through_its_callers(tmp_path: Path) -> None:
    (bug,) = _bugs(tmp_path, RETURNED, "share")
    assert bug.severity is Severity.UNDEFINED
    assert bug.reached_by[-1] == "heap_share(heap_1)"


def test_nothing_is_asked_of_numbers(tmp_path: Path) -> None:
    (bug,) = _bugs(tmp_path, RETURNED, "heap_shown")
    assert (bug.severity, bug.reached_by) == (Severity.UNDEFINED, ())


def test_objects_that_a_function_sets_up_begin_with_it(tmp_path: Path) -> None:
    (bug,) = _bugs(tmp_path, SET_UP, "ring_mean")
    assert bug.severity is Severity.UNDEFINED
    assert bug.reached_by == ("ring_init(ring_1)", "ring_mean(ring_1)")
    text = f"    struct ring it, *ring_1 = &it;\n{_statements(bug.reached_by, '')}"
    assert "division by zero" in _sanitized(tmp_path, SET_UP, text)


def test_a_call_that_refuses_has_made_no_object(tmp_path: Path) -> None:
    """`timer_init(t, 0)` leaves zeros where its caller had zeros; what it leaves alone else begins as that."""
    (bug,) = _bugs(tmp_path, REFUSES, "timer_rate")
    assert (bug.severity, bug.reached_by) == (Severity.CONTRACT, ())
    assert bug.judgement.broken[0].cause == "not-built struct timer"
    (bug,) = (each for each in _bugs(tmp_path, REFUSES, "timer_share") if each.outcome is Outcome.DIVISION)
    assert bug.severity is Severity.UNDEFINED and "timer_stop(timer_1)" in bug.reached_by
    text = f"    struct timer it = {{0}}, *timer_1 = &it;\n{_statements(bug.reached_by, '')}"
    assert "division by zero" in _sanitized(tmp_path, REFUSES, text)


def test_objects_are_delivered_by_a_parameter(tmp_path: Path) -> None:
    (bug,) = _bugs(tmp_path, DELIVERED, "ring_at")
    assert (bug.severity, bug.reached_by) == (Severity.UNDEFINED, ("ring_new(&ring_1, 0)", "ring_at(ring_1)"))
    text = f"    struct ring *ring_1;\n{_statements(bug.reached_by, '')}"
    assert "division by zero" in _sanitized(tmp_path, DELIVERED, text)
    (other,) = _bugs(tmp_path, DELIVERED, "ring_third")
    assert (other.severity, other.judgement.broken[0].cause) == (Severity.CONTRACT, "not-built struct ring")


def test_null_that_the_makers_store_is_no_fault_of_the_caller(tmp_path: Path) -> None:
    file = tmp_path / "unit.c"
    file.write_text(EMPTY)
    result = veer.test(file, entry="timer_first", budget="15s")
    assert [(bug.severity, bug.reached_by) for bug in result.bugs if bug.reached_by] == [
        (Severity.ERROR, ("timer_init(timer_1, 0)", "timer_first(timer_1)"))
    ]
    assert {bug.severity for bug in result.bugs if not bug.reached_by} == {Severity.CONTRACT}  # NULL for t
    text = "    struct timer it, *timer_1 = &it;\n    timer_init(timer_1, 0);\n    timer_first(timer_1);"
    assert "null pointer" in _sanitized(tmp_path, EMPTY, text)


def test_nothing_is_called_behind_the_end_of_an_object(tmp_path: Path) -> None:
    file = tmp_path / "unit.c"
    file.write_text(EMPTY)
    result = veer.test(file, entry="timer_room", budget="15s")  # timer_term sets it to NULL, no maker does
    assert {(bug.severity, bug.reached_by) for bug in result.bugs} == {(Severity.CONTRACT, ())}


def test_what_is_out_of_reach_is_so_for_all_short_sequences(tmp_path: Path) -> None:
    (bug,) = _bugs(tmp_path, SET_UP, "ring_gap")
    assert bug.severity is Severity.CONTRACT
    calls = ("ring_init(r)", "ring_clear(r)", "ring_put(r, 7)")
    runs = "\n".join(
        "    ring_init(r); " + "; ".join((*chosen, "ring_gap(r)")) + ";"
        for length in range(6)
        for chosen in itertools.product(calls, repeat=length)
    )
    assert not _sanitized(tmp_path, SET_UP, f"    struct ring it, *r = &it;\n{runs}")


def test_structs_that_callers_fill_stay_what_they_were(tmp_path: Path) -> None:
    (plain,) = _bugs(tmp_path, CALLERS, "scaled")
    assert (plain.severity, plain.reached_by) == (Severity.UNDEFINED, ())
    (changed,) = _bugs(tmp_path, CALLERS, "view_share")  # nothing makes a view: callers set its fields
    assert changed.severity is Severity.UNDEFINED


def test_it_can_be_left_out(tmp_path: Path) -> None:
    (bug,) = _bugs(tmp_path, RETURNED, "heap_room_and_one", reach=False)
    assert (bug.severity, bug.reached_by) == (Severity.UNDEFINED, ())


def test_who_stops_the_search_for_calls_keeps_what_was_found(tmp_path: Path) -> None:
    file = tmp_path / "unit.c"
    file.write_text(RETURNED)
    build, search = BuildOptions((file,), "heap_room_and_one"), SearchOptions(budget=15.0)
    found = campaign.run(build, replace(search, reach=False))
    assert any(bug.severity is not Severity.CONTRACT for bug in found.bugs)

    def pressed(_: BuildOptions, __: SearchOptions) -> Result:
        raise KeyboardInterrupt

    def ended(_: BuildOptions, __: SearchOptions) -> Result:
        return replace(found, tests=(), bugs=(), ending=replace(found.ending, kind=EndingKind.STOPPED))

    for stopping in (pressed, ended):
        result = reach.with_calls(found, build, search, stopping)
        assert (result.bugs, result.tests, result.ending.kind) == (found.bugs, found.tests, EndingKind.STOPPED)
        assert "it was stopped" in result.program.notes[-1]


def test_a_struct_that_the_unit_shows_to_nobody_is_what_its_functions_make(tmp_path: Path) -> None:
    """Callers of path_of() never have a `struct path`: no two texts, however long, bring the fault in add() about."""
    found = [bug for bug in _bugs(tmp_path, PRIVATE, "add") if "p->" not in str(bug.needs)]
    assert {bug.judgement.broken[0].cause for bug in found} == {"not-built struct path"}
    text = "\n".join(f'    path_of("{"a" * one}", "{"b" * other}");' for one in range(12) for other in range(12))
    assert _sanitized(tmp_path, PRIVATE, text) == ""


def test_what_a_function_tests_itself_and_misses_is_its_own_error(tmp_path: Path) -> None:
    """The calls that show it are too long to be found; that `kind` is given nothing is said of its callers."""
    assert [bug.severity for bug in _bugs(tmp_path, PRIVATE, "push")] == [Severity.ERROR]
    assert "out of bounds" in _sanitized(tmp_path, PRIVATE, f'    all("{"a" * 17}");')
    (bug,) = _bugs(tmp_path, PRIVATE, "step")
    assert "make such a `struct task`" in bug.needs[0], "`left > 0` is no test of `run`"
    (bug,) = _bugs(tmp_path, PRIVATE, "kind")
    assert "that give it an empty `s`" in bug.needs[0]


def test_what_is_read_behind_a_text_may_be_the_nul_that_callers_have_there(tmp_path: Path) -> None:
    (bug,) = _bugs(tmp_path, TEXTS, "lines")
    assert (bug.severity, bug.reached_by) == (Severity.CONTRACT, ())
    assert "that give it a `s` with no NUL behind it" in bug.needs[0]
    texts = "\n".join(f'    lines_of("{"".join(each)}");' for each in itertools.product(["a", "n", r"\\"], repeat=4))
    assert _sanitized(tmp_path, TEXTS, texts) == ""
    (bug,) = _bugs(tmp_path, TEXTS, "ends")
    assert (bug.severity, bug.outcome.key) == (Severity.ERROR, "out-of-bounds-read") and bug.reached_by
    assert "overflow" in _sanitized(tmp_path, TEXTS, "    char s[1] = {13};\n    ends_of(s, 1);")


def test_a_static_function_is_given_what_some_caller_gives_it(tmp_path: Path) -> None:
    """`share` is never given 0, and `part` is; that `each` takes a callback, which is no object, ends no search."""
    (bug,) = (each for each in _bugs(tmp_path, HELPERS, "share") if each.outcome is Outcome.DIVISION)
    assert bug.severity is Severity.CONTRACT and "make such a call of the static `share`" in bug.needs[0]
    (bug,) = (each for each in _bugs(tmp_path, HELPERS, "part") if each.outcome is Outcome.DIVISION)
    assert bug.severity is Severity.UNDEFINED and bug.reached_by == ("one(0, 0)",)
    assert "division by zero" in _sanitized(tmp_path, HELPERS, "    one(0, 0);")


def test_a_function_that_no_header_names_has_callers_in_the_unit_alone(tmp_path: Path) -> None:
    """`share` is never given 0 by `one`, which the header names; without a header anybody may call it."""
    (tmp_path / "unit.h").write_text("unsigned one(unsigned all, unsigned by);\n")
    text = """
unsigned share(unsigned all, unsigned by) { return all % by; }
unsigned one(unsigned all, unsigned by) { return by > 2 ? share(all, by) : 0; }
"""
    (bug,) = _bugs(tmp_path, f'#include "unit.h"{text}', "share")
    assert bug.severity is Severity.CONTRACT and "which the internal `share` never checks" in bug.needs[0]
    (bug,) = _bugs(tmp_path, text, "share")
    assert bug.severity is Severity.UNDEFINED
