"""Structs with a flexible array member, against what a reader finds by hand: lengths, ends, links, aliases."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from veer_side import explore

from veer.frontends.c.listing import input_shape
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

UNIT = """
struct message { int length; char kind; int data[]; };
struct bag { struct bag *next; int data[]; };
struct text { unsigned short used; unsigned size; char bytes[]; };
struct tree { int n; struct tree *kids[]; };

int sum(struct message *m) {
    int total = 0;
    if (!m)
        return -1;
    for (int i = 0; i < m->length; i++)
        total += m->data[i] & 255;
    return total == 2 * 255 ? 1 : 0;
}
int at(struct message *m, unsigned i) {
    if (!m || m->length < 0 || i >= (unsigned)m->length)
        return -1;
    if (m->data[i] == 7)
        return 1;
    return 0;
}
int behind(struct message *m) {
    if (!m || m->length != 1)
        return -1;
    return m->data[1];
}
int second(struct bag *b) {
    if (!b)
        return -1;
    if (b->data[1] == 7)
        return 1;
    return 0;
}
int beyond(struct bag *b) {
    if (!b)
        return -1;
    return b->data[9];
}
int ends(struct text *t) {
    if (!t || t->size < 3)
        return -1;
    if (t->bytes[0] != 'a' || t->bytes[t->size - 1] != 'z')
        return 0;
    t->bytes[1] = 'q';
    return 1;
}
int parsed(struct message *m, unsigned long size) {
    if (!m || m->length < 2 || size < 900)
        return -1;
    if (m->data[1] == 7)
        return 1;
    return 0;
}
int linked(struct tree *t) {
    if (!t || t->n != 2)
        return -1;
    if (t->kids[0] == t)
        return 1;
    if (t->kids[1] && t->kids[1] == t->kids[0])
        return 2;
    return 0;
}
"""


def explored(tmp_path: Path, entry: str) -> Result:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    build = BuildOptions(sources=(source,), entry=entry, max_length=4, max_array=2, graph_depth=2)
    result = explore(build, SearchOptions(criterion="path", budget=30.0))
    assert {test.replayed for test in result.tests} == {"same"}
    return result


def returned(result: Result) -> Counter[int]:
    """What the tests that are no bugs return, and how many."""
    kept = [test.returned or b"" for test in result.tests if not test.outcome.is_bug]
    return Counter(int.from_bytes(each, "little", signed=True) for each in kept)


@pytest.mark.parametrize(
    ("entry", "values"),
    [
        ("sum", {-1, 0, 1}),
        ("at", {-1, 0, 1}),
        ("second", {-1, 0, 1}),
        ("ends", {-1, 0, 1}),
        ("parsed", {-1, 0, 1}),
        ("linked", {-1, 0, 1, 2}),
    ],
)
def test_all_results_and_no_bug(tmp_path: Path, entry: str, values: set[int]) -> None:
    result = explored(tmp_path, entry)
    assert result.ending.claim == "paths"
    assert set(returned(result)) == values
    assert not result.bugs


def test_one_path_for_each_length(tmp_path: Path) -> None:
    """NULL; lengths below 1, of 1 and of 2; the branch on the total splits nothing but the last: a choice of values."""
    result = explored(tmp_path, "sum")
    assert returned(result)[-1] == 1
    lengths = {test.inputs.objects[0].cells[0].value.number for test in result.tests if test.inputs.objects}
    assert max(lengths) == 2
    assert {0, 1, 2} <= {max(0, each) for each in lengths}


def test_an_access_behind_a_length_that_is_named_so_is_a_bug(tmp_path: Path) -> None:
    result = explored(tmp_path, "behind")
    assert [bug.outcome for bug in result.bugs] == [Outcome.BOUNDS_READ]
    assert "object of 12 bytes" in result.bugs[0].message


@pytest.mark.parametrize(
    ("entry", "words"),
    [("at", "a struct with length elements behind it"), ("second", "a struct with 0 to 2 elements behind it")],
)
def test_veer_list_says_what_is_made(tmp_path: Path, entry: str, words: str) -> None:
    program = explored(tmp_path, entry).program
    function = program.function(entry)
    assert function is not None
    assert input_shape(program.types[function.parameters[0].type]) == f"NULL, or {words}"


def test_beyond_a_bound_of_veers_own_is_no_bug_and_no_claim(tmp_path: Path) -> None:
    result = explored(tmp_path, "beyond")
    assert not result.bugs
    assert result.ending.claim == "none"
    assert set(returned(result)) == {-1}
