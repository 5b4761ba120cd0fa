"""Call sequences (CUTE section 3.6): every sequence within the bound is made once, and bugs that need several calls are
found, each shown by a test that reads as the calls."""

from __future__ import annotations

import subprocess
from itertools import product
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.inputs import Scalar
from veer.model.outcome import Outcome
from veer.model.result import Result, Test
from veer.model.searchoptions import SearchOptions
from veer.model.sequence import Step, parse

STACK = """
#include <stdlib.h>
struct cell { int value; struct cell *below; };
struct stack;
struct stack { struct cell *top; int size; };
struct stack *stack_new(void) { return calloc(1, sizeof(struct stack)); }
void stack_push(struct stack *s, int value)
{
    struct cell *c = malloc(sizeof *c);
    c->value = value; c->below = s->top; s->top = c; s->size++;
}
int stack_pop(struct stack *s)
{
    if (!s->top) return -1;
    struct cell *c = s->top;
    int value = c->value;
    s->top = c->below;
    if (value != LEAKS) free(c);
    s->size--;
    return value;
}
void stack_free(struct stack *s) { while (s->top) stack_pop(s); free(s); }
"""
BOUNDED = """
struct ring { int count, items[3]; };
void ring_init(struct ring *r) { r->count = 0; }
int ring_put(struct ring *r, int item)
{
    if (r->count > 3) return 0;      /* one too many */
    r->items[r->count++] = item;
    return r->count;
}
"""
PERSISTENT = """
#include <stdlib.h>
struct node { int key; struct node *left, *right; };
struct node *tree_insert(struct node *root, int key)
{
    if (!root) { root = calloc(1, sizeof *root); root->key = key; return root; }
    if (key < root->key) root->left = tree_insert(root->left, key);
    else if (key > root->key) root->right = tree_insert(root->right, key);
    return root;
}
int tree_size(const struct node *root) { return root ? 1 + tree_size(root->left) + tree_size(root->right) : 0; }
"""


def _tested(tmp_path: Path, text: str, sequence: str, most: int, *checks: str, criterion: str = "path") -> Result:
    source = tmp_path / "unit.c"
    source.write_text(text)
    build = BuildOptions((source,), "sequence", sequence=sequence, max_calls=most, checks=checks)
    result = campaign.run(build, SearchOptions(budget=60.0, criterion=criterion))
    deliver(result, tmp_path / "out").checked()
    return result


def _calls(result: Result, test: Test) -> tuple[str, ...]:
    assert result.program.sequence is not None
    return tuple(result.program.sequence.callees[call.callee].function for call in test.inputs.calls)


def test_every_sequence_within_the_bound_is_made_once(tmp_path: Path) -> None:
    text = STACK.replace("value != LEAKS", "1")
    result = _tested(tmp_path, text, "stack_new,{stack_push,stack_pop},stack_free", 5)
    expected = {
        ("stack_new", *between, "stack_free")
        for count in range(4)
        for between in product(("stack_push", "stack_pop"), repeat=count)
    }
    made = [_calls(result, test) for test in result.tests]
    assert (result.ending.claim, set(made), len(made)) == ("paths", expected, len(expected))
    assert {test.replayed for test in result.tests} == {"same"}
    assert not result.bugs


def test_a_leak_that_takes_four_calls_is_found_and_a_clean_unit_has_none(tmp_path: Path) -> None:
    sequence = "stack_new,{stack_push,stack_pop},stack_free"
    seeded = _tested(tmp_path, STACK.replace("LEAKS", "13"), sequence, 4, "leak", criterion="branch")
    assert [(bug.outcome, bug.function) for bug in seeded.bugs] == [(Outcome.LEAK, "stack_push")]
    values = [
        cell.value.number
        for test in seeded.tests
        if test.name == seeded.bugs[0].test
        for root in test.inputs.roots
        if root.name == "stack_push.value"
        for cell in root.cells
        if isinstance(cell.value, Scalar)
    ]
    assert 13 in values
    assert not _tested(tmp_path, STACK.replace("value != LEAKS", "1"), sequence, 4, "leak").bugs


def test_an_object_that_is_not_freed_is_no_leak_as_long_as_the_caller_has_it(tmp_path: Path) -> None:
    text = STACK.replace("value != LEAKS", "1")
    assert not _tested(tmp_path, text, "stack_new,stack_push*", 4, "leak").bugs


def test_a_freed_object_is_no_receiver_any_more(tmp_path: Path) -> None:
    text = STACK.replace("value != LEAKS", "1")
    result = _tested(tmp_path, text, "{stack_new,stack_push,stack_free}", 4)
    assert not result.bugs
    for test in result.tests:
        alive = 0
        for name in _calls(result, test):
            assert alive > 0 or name == "stack_new"
            alive += {"stack_new": 1, "stack_free": -1}.get(name, 0)


def test_the_first_function_initialises_objects_that_nobody_returns(tmp_path: Path) -> None:
    result = _tested(tmp_path, BOUNDED, "ring_init,ring_put*", 6, criterion="branch")
    assert [(bug.outcome, bug.message) for bug in result.bugs] == [
        (Outcome.UNDEFINED, "an array index is out of bounds")
    ]
    shown = next(test for test in result.tests if test.name == result.bugs[0].test)
    assert _calls(result, shown) == ("ring_init", *["ring_put"] * 4)


def test_a_returned_pointer_takes_the_place_of_the_one_that_was_given(tmp_path: Path) -> None:
    result = _tested(tmp_path, PERSISTENT, "tree_insert*,tree_size", 4)
    # Orders of up to three keys, equal ones included: 1, 1, 3 and 13 weak orders.
    assert (result.ending.claim, len(result.tests)) == ("paths", 1 + 1 + 3 + 13)
    assert {test.replayed for test in result.tests} == {"same"}
    suite = (tmp_path / "out" / "suite" / "test_sequence.c").read_text()
    assert "struct node *node_1 = NULL;" in suite
    assert "node_1 = tree_insert(node_1, " in suite


def test_the_suite_reads_as_the_calls_and_passes(tmp_path: Path) -> None:
    _tested(tmp_path, STACK.replace("value != LEAKS", "1"), "stack_new,{stack_push,stack_pop},stack_free", 4)
    suite = tmp_path / "out" / "suite" / "test_sequence.c"
    text = suite.read_text()
    assert "struct stack *stack_1 = stack_new();" in text
    assert "stack_push(stack_1, " in text
    built = ["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", str(suite), "-o", str(tmp_path / "suite")]
    subprocess.run(built, check=True, timeout=60)
    subprocess.run([str(tmp_path / "suite")], check=True, timeout=60, stdout=subprocess.DEVNULL)


def test_what_a_user_may_write() -> None:
    assert parse("init, add*,{remove, member}") == (
        Step(("init",), repeats=False),
        Step(("add",), repeats=True),
        Step(("remove", "member"), repeats=True),
    )


@pytest.mark.parametrize("text", ["", "a b", "a,,b", "{a,}", "a+", "{a"])
def test_what_is_no_sequence_is_said_in_one_sentence(text: str) -> None:
    with pytest.raises(UsageError, match="is no step"):
        parse(text)


@pytest.mark.parametrize(
    ("sequence", "most", "sentence"),
    [
        ("stack_new,stack_psh*", 4, "did you mean stack_push"),
        ("stack_new,stack_free", 1, "makes 2 calls at least"),
    ],
)
def test_a_sequence_that_cannot_be_made_is_said_in_one_sentence(
    tmp_path: Path, sequence: str, most: int, sentence: str
) -> None:
    with pytest.raises(UsageError, match=sentence):
        _tested(tmp_path, STACK.replace("LEAKS", "13"), sequence, most)


def test_a_buffer_is_as_long_as_the_call_says_that_it_is_given_to(tmp_path: Path) -> None:
    text = """
    static int sum;
    void add(const unsigned char *bytes, unsigned long len)
    {
        for (unsigned long k = 0; bytes && k < len; k++) sum += bytes[k] > 9;
    }
    int total(void) { return sum; }
    """
    result = _tested(tmp_path, text, "add,add,total", 3, criterion="branch")
    assert not result.bugs
    assert {test.replayed for test in result.tests} == {"same"}
