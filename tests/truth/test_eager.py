"""Eager initialisation (CUTE) and lazy initialisation (LCT) take the same branches, on every program with pointers.

Compared are the directions of branches alone: which of two objects that are never compared is the other's alias is said
in other words by each.
"""

from __future__ import annotations

import os
from pathlib import Path

import brute_force
import brute_header
import pytest
from brute_header import Expectation, Target
from random_pointers import program
from veer_side import BUDGET, build_options, explore, losses, replay_tests

from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.inputs import Pointer, Scalar
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace

PROGRAMS = sorted((Path(__file__).parent.parent / "programs").glob("*.c"))
SHORT = ("graph_two", "graph_doubly", "shared_node", "buckets", "pointer_to_pointer", "two_strings")
SEEDS = range(40) if os.environ.get("VEER_LONG") else (11,)  # 11 needs what existence implies
MORE_WITHIN_BOUNDS = ("tree_depth",)
"""The deepest objects of a graph are further from the roots by the way on which the program comes to them first."""
UNSEEN = """
struct node { struct node *next; int v; };
int f(struct node *p) { return p ? 1 : 0; }
"""


def has_pointers(expectation: Expectation) -> bool:
    """Whether inputs lead to objects."""
    return any(isinstance(content, Target) for given in expectation.inputs for _, content in given.cells)


CHOSEN = [
    each
    for each in PROGRAMS
    if (os.environ.get("VEER_LONG") or each.stem in SHORT)
    and has_pointers(brute_header.read(each))
    and brute_header.read(each).claim == "paths"
]


def eagerly(expectation: Expectation) -> Result:
    """Every path of a program, its memory graphs made before the call."""
    search = SearchOptions(criterion="path", budget=BUDGET, max_steps=200_000)
    return explore(replace(build_options(expectation), eager=True), search)


def compare(expectation: Expectation) -> None:
    """The same directions and outcomes, each test as in the independent executable."""
    executable = brute_force.build(expectation)
    rows = [row for row in brute_force.run_all(executable, directions=True) if row.outcome != "assumption"]
    result = eagerly(expectation)
    assert result.ending.claim == "paths", result.ending
    assert not losses(result)
    assert not result.diverged
    found = set()
    for case in replay_tests(executable, result.tests, directions=True):
        assert (case.missing, case.row.outcome) == (0, case.test.outcome.key)
        assert case.test.outcome.key != "returned" or case.row.result == case.test.returned
        found.add((case.row.path, case.row.outcome))
    expected = {(row.path, row.outcome) for row in rows}
    assert expected <= found
    if expectation.path.stem not in MORE_WITHIN_BOUNDS:
        assert found == expected


@pytest.mark.parametrize("path", CHOSEN, ids=lambda path: path.stem)
def test_both_ways_take_the_same_branches(path: Path) -> None:
    compare(brute_header.read(path))


@pytest.mark.parametrize("seed", SEEDS)
def test_random_programs_of_pointers(seed: int, tmp_path: Path) -> None:
    source = tmp_path / f"pointers_{seed}.c"
    source.write_text(program(seed))
    compare(brute_header.read(source))


def test_what_is_never_looked_at_is_input_all_the_same(tmp_path: Path) -> None:
    source = tmp_path / "unseen.c"
    source.write_text(UNSEEN)
    build = BuildOptions((source,), "f", graph_depth=1)
    lazy, eager = (explore(replace(build, eager=way), SearchOptions(budget=20.0)) for way in (False, True))
    assert lazy.paths == eager.paths == 2
    (made,) = [test.inputs.objects for test in eager.tests if test.returned == b"\1\0\0\0"]
    (following, value) = [cell.value for cell in made[0].cells]
    assert isinstance(following, Pointer)
    assert isinstance(value, Scalar)
    assert following.decided
    assert value.used


def test_sequences_are_not_made_eagerly(tmp_path: Path) -> None:
    source = tmp_path / "unseen.c"
    source.write_text(UNSEEN)
    with pytest.raises(UsageError, match="--eager makes the parameters of --entry"):
        explore(BuildOptions((source,), "s", sequence="f", eager=True), SearchOptions())
