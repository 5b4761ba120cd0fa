"""Pointers to a part of a larger object (docs/decisions/0575): against the same function with a pointer to that object;
lists in a circle through a member, whose head lies in another struct."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite_builds import build_suite, compilations

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.ending import BranchState
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity
from veer.suite.c.plain import render

TYPES = r"""
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
struct hook { struct hook *next; };
struct item { int key; struct hook hook; short weight; };
struct head { long size; short tag; };
struct shape { int kind; int x; };
struct circle { struct shape base; int radius; };
#define owner(p) ((struct item *)((char *)(p) - offsetof(struct item, hook)))
#define typed(ptr, type, member) ({ const __typeof__(((type *)0)->member) *m = (ptr); \
    (type *)((char *)m - offsetof(type, member)); })
static struct item *owner_of(struct hook *h) { return owner(h); }
static struct head *head_of(void *p) { return (struct head *)p - 1; }
"""
PAIRS = {
    "a macro": (
        "int f(struct hook *h) { if (!h) return 9; if (owner(h)->key > 30) return 1; return owner(h)->weight == 5; }",
        "int f(struct item *i) { if (!i) return 9; if (i->key > 30) return 1; return i->weight == 5; }",
    ),
    "a macro with a variable of its own": (
        "int f(const struct hook *h) { if (!h) return 9; struct item *i = typed(h, struct item, hook); "
        "return i->key > 3; }",
        "int f(const struct item *h) { if (!h) return 9; const struct item *i = h; return i->key > 3; }",
    ),
    "a choice": (
        "int f(struct hook *h) { struct item *i = h ? owner(h) : NULL; return i ? i->key > 3 : 9; }",
        "int f(struct item *h) { struct item *i = h ? h : NULL; return i ? i->key > 3 : 9; }",
    ),
    "a helper": (
        "int f(struct hook *h) { if (!h) return 9; return owner_of(h)->key > 3 && owner_of(h)->weight < 2; }",
        "int f(struct item *i) { if (!i) return 9; return i->key > 3 && i->weight < 2; }",
    ),
    "what is linked": (
        "int f(struct item *a) { if (!a || !a->hook.next) return 9; struct item *b = owner(a->hook.next); "
        "if (a == b) return 8; return b->key == a->key ? b->weight > 4 : 2; }",
        "struct node { int key; struct node *next; short weight; }; "
        "int f(struct node *a) { if (!a || !a->next) return 9; struct node *b = a->next; "
        "if (a == b) return 8; return b->key == a->key ? b->weight > 4 : 2; }",
    ),
    "a member of a member": (
        "struct outer { long id; struct item item; }; int f(struct hook *h) { if (!h) return 9; "
        "return typed(h, struct outer, item.hook)->id == 7; }",
        "struct outer { long id; struct item item; }; int f(struct outer *o) { if (!o) return 9; return o->id == 7; }",
    ),
    "behind a header": (
        "int f(void *p) { if (!p) return 9; if (((struct head *)p - 1)->tag == 7) return 1; "
        "return head_of(p)->size > 100; }",
        "int f(struct head *p) { if (!p) return 9; if (p->tag == 7) return 1; return p->size > 100; }",
    ),
    "the first member": (
        "int f(const struct shape *s) { if (!s) return 9; if (s->kind != 1) return 2; "
        "return ((const struct circle *)s)->radius > 10; }",
        "int f(const struct circle *s) { if (!s) return 9; if (s->base.kind != 1) return 2; return s->radius > 10; }",
    ),
}
LISTS = """
#include <stddef.h>
#include <stdlib.h>
struct link { struct link *next, *prev; };
struct task { int id; struct link run; };
struct queue { int count; struct link tasks; };
#define task_of(p) ((struct task *)((char *)(p) - offsetof(struct task, run)))
int find(struct queue *q, int id)
{
    int at = 0;
    if (!q) return -2;
    for (struct link *l = q->tasks.next; l != &q->tasks; l = l->next, at++)
        if (task_of(l)->id == id)
            return at;
    return at == 2 ? -3 : -1;
}
struct worker { char name[3]; struct queue queue; };
int waiting(struct worker *w)
{
    int n = 0;
    for (struct link *l = w->queue.tasks.next; l != &w->queue.tasks; l = l->next)
        n += task_of(l)->id > 3;
    return n > 1 ? 1 : 0;
}
struct task *taken(struct queue *q)
{
    struct link *l = q->tasks.next;
    if (l == &q->tasks) return NULL;
    q->tasks.next = l->next;
    l->next->prev = &q->tasks;
    q->count--;
    return task_of(l);
}
"""


def explored(folder: Path, text: str, entry: str = "f") -> Result:
    source = folder / "unit.c"
    source.write_text(text)
    return campaign.run(BuildOptions((source,), entry), SearchOptions(budget=20))


def returned(result: Result) -> set[int]:
    return {int.from_bytes(test.returned, "little", signed=True) for test in result.tests if test.returned}


@pytest.mark.parametrize("name", PAIRS)
def test_a_part_is_as_good_as_the_whole(name: str, tmp_path: Path) -> None:
    by_part, by_whole = (explored(tmp_path, TYPES + text) for text in PAIRS[name])
    assert returned(by_part) == returned(by_whole)
    assert by_part.paths == by_whole.paths and by_part.ending.claim == by_whole.ending.claim
    assert [each.state for each in by_part.branches] == [each.state for each in by_whole.branches]
    assert by_part.diverged == 0 and not by_part.bugs and not by_whole.bugs
    assert any("where the code takes it for a part of one" in each for each in by_part.ending.within)


def test_lists_end_at_a_head_in_another_struct(tmp_path: Path) -> None:
    found = explored(tmp_path, LISTS, "find")
    assert {-3, -2, -1, 0} <= returned(found)
    assert all(each.state is BranchState.COVERED for each in found.branches if each.function == "find")
    assert not [each.message for each in found.bugs if each.severity is Severity.ERROR]


def test_the_head_may_lie_deeper(tmp_path: Path) -> None:
    found = explored(tmp_path, LISTS, "waiting")
    assert returned(found) == {0, 1}
    assert all(each.state is BranchState.COVERED for each in found.branches if each.function == "waiting")


@pytest.mark.parametrize("compiler", compilations(), ids=" ".join)
@pytest.mark.parametrize(
    ("entry", "text"),
    [("find", LISTS), ("f", TYPES + PAIRS["behind a header"][0]), ("f", TYPES + PAIRS["a member of a member"][0])],
)
def test_suites_lead_to_the_part(entry: str, text: str, compiler: tuple[str, ...], tmp_path: Path) -> None:
    found = explored(tmp_path, text, entry)
    written = render(found.program, tuple(found.tests))
    parts = ("->run;", "&q->tasks;") if entry == "find" else ("->item.hook",) if "outer" in text else ("[1]",)
    assert all(each in written for each in parts), written
    assert "is not written" not in written
    done = build_suite(tmp_path, f"{entry}.c", written, (*compiler, "-Wall", "-Wextra", "-Werror")).run()
    assert done.returncode == 0, done.stdout


TWO = """
#include <stddef.h>
struct shape { int kind; int x; };
struct circle { struct shape base; int radius; };
struct square { struct shape base; int side; };
int area(const struct shape *s)
{
    if (!s) return 9;
    if (s->kind == 0) return ((const struct circle *)s)->radius > 3;
    if (s->kind == 1) return ((const struct square *)s)->side > 3;
    return 2;
}
"""


def test_bytes_are_no_part_of_what_they_are_read_as(tmp_path: Path) -> None:
    text = """struct packet { unsigned char kind; unsigned char flags; };
    int f(const unsigned char *buf) { const struct packet *p = (const struct packet *)buf;
        return p->kind == 3 ? buf[2] : p->flags; }"""
    assert not any("takes it for a part" in each for each in explored(tmp_path, text).ending.within)


def test_two_larger_objects_say_nothing(tmp_path: Path) -> None:
    found = explored(tmp_path, TWO, "area")
    assert not any("takes it for a part" in each for each in found.ending.within)
    assert {each.severity for each in found.bugs} == {Severity.CONTRACT}
