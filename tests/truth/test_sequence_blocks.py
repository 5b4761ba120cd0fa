"""Suites of call sequences notice what no call returns: fields of objects, blocks that are not freed, static data.

M(k, right, wrong) of the programs is `right`, and `wrong` where MUTANT is k: each mutant fails the suite.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from made_programs import CHOSEN, RIGHT
from msgspec import Struct
from suite_builds import compiler_command, zig_command

from veer import plugins
from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

_HEAD = "#include <stdlib.h>\n#include <string.h>\n"


class Unit(Struct, frozen=True):
    """`text`: a source without M, with so many mutants; `calls`: its sequence, of `most` calls."""

    text: str
    mutants: int
    calls: str
    most: int


STACK = Unit(
    """
struct cell { int value; short spare; struct cell *below; };
struct stack { struct cell *top; int size; char *name; };
static int made;
struct stack *stack_new(void)
{
    struct stack *s = calloc(1, sizeof *s);
    made += M(1, 1, 2);
    s->name = strdup(M(2, "stack", "stock"));
    return s;
}
void stack_push(struct stack *s, int value)
{
    struct cell *c = malloc(sizeof *c);
    c->value = M(3, value, value + 1);
    c->spare = M(4, 7, 8);
    c->below = M(5, s->top, NULL);
    s->top = c;
    s->size += M(6, 1, 2);
}
void stack_pop(struct stack *s)
{
    struct cell *c = s->top;
    if (!c) return;
    s->top = M(7, c->below, NULL);
    if (M(8, 1, 0)) free(c);
    s->size--;
}
const struct cell *stack_top(const struct stack *s) { return M(9, s->top, s->top ? s->top->below : NULL); }
void stack_free(struct stack *s)
{
    while (s->top) stack_pop(s);
    if (M(10, 1, 0)) free(s->name);
    if (M(11, 1, 0)) free(s);
}
""",
    11,
    "stack_new,{stack_push,stack_pop,stack_top},stack_free*",
    4,
)
RING = Unit(
    """
struct ring { unsigned char in, out; short items[4]; struct ring *self; };
unsigned lost;
void ring_init(struct ring *r)
{
    memset(r, 0, sizeof *r);
    r->out = M(1, 0, 1);
    r->self = M(2, r, NULL);
}
void ring_put(struct ring *r, short item)
{
    if ((unsigned char)(r->in - r->out) == 4) { lost += M(3, 1, 2); return; }
    r->items[r->in++ % 4] = M(4, item, item & 1);
}
""",
    4,
    "ring_init,ring_put*",
    6,
)
TREE = Unit(
    """
struct node { int key, count; struct node *left, *right; };
struct node *tree_insert(struct node *root, int key)
{
    if (!root) {
        root = calloc(1, sizeof *root);
        root->key = M(1, key, -key);
        root->count = M(2, 1, 0);
        return root;
    }
    if (key == root->key) root->count += M(3, 1, 2);
    else if (key < root->key) root->left = tree_insert(root->left, key);
    else root->right = tree_insert(M(4, root->right, NULL), key);
    return root;
}
""",
    4,
    "tree_insert*",
    4,
)


def suite_of(folder: Path, unit: Unit, format: str = "plain") -> Result:
    source = folder / "unit.c"
    source.write_text(_HEAD + RIGHT + unit.text)
    build = BuildOptions((source,), "calls", sequence=unit.calls, max_calls=unit.most)
    result = campaign.run(build, SearchOptions(budget=30.0))
    for file, data in plugins.find("veer.suites", format).files(result).items():
        (folder / file).write_bytes(data)
    source.write_text(_HEAD + CHOSEN + unit.text)
    return result


def compiled(folder: Path, name: str, command: tuple[str, ...]) -> Path:
    words = [*command, "-std=gnu11", "-Wall", "-Wextra", "test_calls.c", "-lm", "-o", name]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return folder / name


def passes(suite: Path, mutant: int) -> bool:
    environment = dict(os.environ, MUTANT=str(mutant), ASAN_OPTIONS="detect_leaks=1")
    return subprocess.run([suite], cwd=suite.parent, capture_output=True, env=environment, timeout=60).returncode == 0


@pytest.mark.parametrize("unit", [STACK, RING, TREE], ids=["stack", "ring", "tree"])
def test_each_mutant_is_noticed(tmp_path: Path, unit: Unit) -> None:
    result = suite_of(tmp_path, unit)
    assert not result.bugs and {test.replayed for test in result.tests} == {"same"}
    assert all(test.left.is_confirmed for test in result.tests)
    suite = compiled(tmp_path, "suite", compiler_command())
    assert passes(suite, 0)
    assert [number for number in range(1, unit.mutants + 1) if passes(suite, number)] == []


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc: the sanitizers of the pinned compiler are not there")
def test_the_suite_passes_with_each_compiler_and_with_sanitizers(tmp_path: Path) -> None:
    """What the calls leave is no leak: the test's own variables are gone when the sanitizer looks."""
    suite_of(tmp_path, STACK)
    for number, command in enumerate(((*zig_command(), "-O2"), ("gcc", "-O2"), ("gcc", "-g", "-fsanitize=address"))):
        assert passes(compiled(tmp_path, f"suite_{number}", command), 0), command


def test_each_pair_of_calls_is_in_a_test(tmp_path: Path) -> None:
    """Though no branch needs it: nothing else would notice a changed function without branches."""
    result = suite_of(tmp_path, STACK)
    assert result.program.sequence is not None
    names = [callee.function for callee in result.program.sequence.callees]
    pairs = {
        (names[one.callee], names[other.callee])
        for test in result.tests
        for one, other in zip(test.inputs.calls, test.inputs.calls[1:], strict=False)
    }
    between = ("stack_push", "stack_pop", "stack_top")
    assert pairs >= {(one, other) for one in ("stack_new", *between) for other in (*between, "stack_free")}


TEMPORARY = """
int longest(const char *text)
{
    char *copy = malloc(4);
    if (!copy) return -1;
    strncpy(copy, text ? text : "", 3);
    copy[3] = 0;
    int n = (int)strlen(copy);
    char *grown = realloc(copy, 8);
    if (!grown) { if (M(1, 1, 0)) free(copy); return -2; }
    if (M(2, 1, 0)) free(grown);
    return n;
}
"""


def test_a_block_of_its_own_that_one_function_frees_no_more_is_noticed(tmp_path: Path) -> None:
    """Where its allocations may fail, too: then they have other names."""
    source = tmp_path / "unit.c"
    source.write_text(_HEAD + RIGHT + TEMPORARY)
    result = campaign.run(BuildOptions((source,), "longest", fail=("malloc",)), SearchOptions(budget=20.0))
    for file, data in plugins.find("veer.suites", "plain").files(result).items():
        (tmp_path / file.replace("longest", "calls")).write_bytes(data)
    source.write_text(_HEAD + CHOSEN + TEMPORARY)
    suite = compiled(tmp_path, "suite", (*compiler_command(), "-Dmalloc=veer_may_fail_malloc"))
    assert passes(suite, 0) and not passes(suite, 1) and not passes(suite, 2)
