"""Pointers to functions: NULL or a stub, against what a reader finds by hand (each value is one path)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.inputs import Pointer
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

CALLED_TWICE = """
#include <stdlib.h>
int entry(int (*ask)(int)) {
    if (!ask)
        return -1;
    if (ask(1) == 77)
        return ask(2) > 5 ? 1 : 2;
    return 3;
}
"""
TABLE_OF_OPERATIONS = """
struct cell { int v; struct cell *next; };
struct wide { long a, b, c; };
struct operations { struct cell *(*first)(void); void (*done)(int); struct wide (*measure)(void); };
int entry(struct operations *o) {
    if (!o || !o->first || !o->done || !o->measure)
        return 0;
    struct cell *c = o->first();
    o->done(1);
    if (!c)
        return 1;
    if (c->next == c)
        return 2;
    return o->measure().c == 99 ? 3 : 4;
}
"""
NEVER_MADE = """
int entry(long double (*ask)(void), int x) { return ask ? 1 : x > 0 ? 2 : 3; }
"""


def explored(tmp_path: Path, source: str) -> Result:
    """The campaign on `entry`, each path a test."""
    path = tmp_path / "program.c"
    path.write_text(source)
    return explore(BuildOptions(sources=(path,), entry="entry"), SearchOptions(criterion="path", budget=30.0))


def returned(result: Result) -> Counter[int]:
    """How many paths return each number."""
    return Counter(int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (CALLED_TWICE, {-1: 1, 1: 1, 2: 1, 3: 1}),
        # NULL o, or one of three pointers NULL; first() NULL; next the cell itself, or not.
        (TABLE_OF_OPERATIONS, {0: 4, 1: 1, 2: 1, 3: 1, 4: 1}),
        (NEVER_MADE, {2: 1, 3: 1}),
    ],
)
def test_every_path_is_found_once(tmp_path: Path, source: str, expected: dict[int, int]) -> None:
    result = explored(tmp_path, source)
    assert returned(result) == expected
    assert result.ending.claim == "paths"
    assert not result.diverged


def test_claim_says_what_a_pointer_to_a_function_may_be(tmp_path: Path) -> None:
    assert "pointers to functions are NULL or one stub" in explored(tmp_path, CALLED_TWICE).ending.within
    assert any("cannot be made, are NULL" in bound for bound in explored(tmp_path, NEVER_MADE).ending.within)


def test_input_map_names_the_stub(tmp_path: Path) -> None:
    tests = explored(tmp_path, CALLED_TWICE).tests
    values = [root.cells[0].value for test in tests for root in test.inputs.roots if root.name == "ask"]
    assert {value.function for value in values if isinstance(value, Pointer)} == {"", "veer_callback_1"}
