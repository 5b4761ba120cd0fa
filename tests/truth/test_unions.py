"""Unions with pointers among their members: what is read first is held, a copy may hold each (decision 0172)."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from veer_side import explore

from veer.campaign.deliver import export
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

TYPES = """
enum tag { NUMBER, TEXT, ADD };
struct node { enum tag tag; union { long number; const char *text; struct { struct node *left, *right; } add; } u; };
"""
TAGGED = """
int entry(const struct node *n) {
    if (!n) return -1;
    switch (n->tag) {
    case NUMBER: return n->u.number == 77 ? 1 : 2;
    case TEXT: return n->u.text && n->u.text[0] == 'x' ? 3 : 4;
    case ADD:
        if (!n->u.add.left || !n->u.add.right || n->u.add.left->tag != NUMBER) return 6;
        return n->u.add.left->u.number == 5 ? 5 : 6;
    }
    return 0;
}
"""
NUMBER_FIRST = """
int entry(struct node *n) {
    if (!n || n->u.number < 0) return 0;
    return n->u.add.left ? 1 : 2;
}
"""
COPIED = """
int entry(struct node *n) {
    if (!n) return 0;
    struct node copy = *n;
    if (copy.tag == NUMBER) return copy.u.number == 9 ? 1 : 2;
    if (copy.tag != ADD || !copy.u.add.left) return 3;
    return copy.u.add.left->tag == TEXT ? 4 : 5;
}
"""
BY_VALUE = """
union either { int number; struct node *node; };
static int look(union either e, int is_node) { return is_node ? e.node != 0 : e.number == 4321; }
int entry(union either e, int is_node) { return look(e, is_node) ? 1 : 0; }
"""
ONLY_POINTERS = """
union link { char *text; struct node *node; };
struct box { int is_node; union link link; };
int entry(struct box *b) {
    if (!b) return 0;
    if (b->is_node) return b->link.node && b->link.node->tag == ADD ? 1 : 2;
    return b->link.text && b->link.text[0] == 'q' ? 3 : 4;
}
"""
OVERWRITTEN = """
int entry(struct node *n) {
    if (!n) return 0;
    n->u.number = 0;
    return n->u.add.left ? 1 : 2;
}
"""


CALLED = """
struct call { int is_function; union { double number; int (*function)(int); } u; };
int entry(struct call *c) {
    if (!c) return 0;
    if (!c->is_function) return c->u.number > 0.5 ? 1 : 0;
    return c->u.function && c->u.function(3) == 9 ? 3 : 2;
}
"""
WRITTEN = """
static int twice(int x) { return 2 * x; }
static double table[4] = {1, 2, 3, 4};
static union { long number; const void *place; } last;
struct found { int type; union { double value; const double *bound; const void *function; }; };
int entry(struct found *f, int what) {
    if (!f) return 0;
    f->type = what;
    switch (what) {
    case 1: f->function = (const void *)twice; last.place = table; return 1;
    case 2: f->bound = &table[2]; last.place = f; return 2;
    case 3: f->value = 2.5; last.number = 7; return 3;
    }
    return 4;
}
"""


def explored(tmp_path: Path, text: str, *, eager: bool = False) -> Result:
    """The campaign on `entry`; every test runs the same on the plain build."""
    source = tmp_path / "unions.c"
    source.write_text(TYPES + text)
    build = BuildOptions((source,), "entry", graph_depth=2, eager=eager)
    result = explore(build, SearchOptions(criterion="path", budget=60.0, max_runs=2000))
    assert not result.diverged
    assert {test.replayed for test in result.tests} == {"same"}
    return result


def returned(result: Result) -> Counter[int]:
    """How many paths return each number."""
    values = (test.returned for test in result.tests)
    return Counter(int.from_bytes(value, "little", signed=True) for value in values if value is not None)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        # 4: text NULL, or another character. 6: left NULL; right NULL; left the node itself; not a number; not 5.
        (TAGGED, {-1: 1, 0: 1, 1: 1, 2: 1, 3: 1, 4: 2, 5: 1, 6: 5}),
        (ONLY_POINTERS, {0: 1, 1: 1, 2: 2, 3: 1, 4: 2}),
        (OVERWRITTEN, {0: 1, 2: 1}),
        (CALLED, {0: 2, 1: 1, 2: 2, 3: 1}),
    ],
)
def test_the_member_that_is_named_is_held(tmp_path: Path, text: str, expected: dict[int, int]) -> None:
    result = explored(tmp_path, text)
    assert returned(result) == expected
    assert result.bugs == ()
    assert result.ending.claim == "paths"
    assert any("holds the member that is read first" in bound for bound in result.ending.within)


def test_eagerly_too(tmp_path: Path) -> None:
    result = explored(tmp_path, TAGGED, eager=True)
    assert set(returned(result)) == {-1, 0, 1, 2, 3, 4, 5, 6}
    assert result.bugs == ()
    assert result.ending.claim == "paths"


def test_a_number_that_was_read_is_no_pointer(tmp_path: Path) -> None:
    result = explored(tmp_path, NUMBER_FIRST)
    assert returned(result) == {0: 2, 1: 1, 2: 1}
    assert all(item.number == 1 for test in result.tests for item in test.inputs.objects)


@pytest.mark.parametrize(("text", "expected"), [(COPIED, {0, 1, 2, 3, 4, 5}), (BY_VALUE, {0, 1})])
def test_a_copy_may_hold_each(tmp_path: Path, text: str, expected: set[int]) -> None:
    result = explored(tmp_path, text)
    assert set(returned(result)) == expected
    assert {branch.state for branch in result.branches} == {"covered"}


def test_an_address_that_is_written_into_a_union_is_no_number(tmp_path: Path) -> None:
    """Functions and static data have other addresses in each build; a number is compared."""
    result = explored(tmp_path, WRITTEN)
    assert returned(result) == {0: 1, 1: 1, 2: 1, 3: 1, 4: 1}
    suite, *_ = export(result, "plain", tmp_path / "suite")
    text = suite.read_text()
    assert "f->value, 2.5)" in text and "last.number, 7)" in text
    compiler = shutil.which("gcc") or pytest.skip("gcc is not here")
    subprocess.run([compiler, "-w", suite, "-o", tmp_path / "suite" / "run", "-lm"], check=True)
    subprocess.run([tmp_path / "suite" / "run"], check=True, stdout=subprocess.DEVNULL)
