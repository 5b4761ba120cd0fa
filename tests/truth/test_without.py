"""The optimisations change no verdict: with each of them switched off veer finds the paths that brute force finds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import brute_force
import brute_header
import pytest
from brute_force import Row
from brute_header import Expectation
from sampling import sampled
from test_paths import check_completeness, check_each_test
from veer_side import BUDGET, build_options, explore, losses, replay_tests

from veer.model.result import Queries, Result
from veer.model.searchoptions import LADDER_RUNGS, WITHOUT, SearchOptions
from veer.wire.layout import RUNGS

PROGRAMS = sampled(
    ["shared_node", "string_search", "sort_three", "quadratic", "symbolic_buckets", "sized_index"],
    lambda name: name == "shared_node",
)
LINKS = tuple(name for name in WITHOUT if name not in ("ladder", *LADDER_RUNGS, "events", "copies", "loops"))
COMBINATIONS = (
    LADDER_RUNGS,
    ("events",),
    ("ladder",),
    ("ladder", "events"),
    *(("ladder", "events", name) for name in LINKS),
    WITHOUT,
)


@cache
def enumerated(name: str) -> tuple[Expectation, Path, tuple[Row, ...]]:
    """A program of tests/programs, its executable and all that it does."""
    expectation = brute_header.read(Path(__file__).parent.parent / "programs" / f"{name}.c")
    executable = brute_force.build(expectation)
    return expectation, executable, tuple(brute_force.feasible(executable))


def explored(expectation: Expectation, without: tuple[str, ...]) -> Result:
    """Every path, with some optimisations switched off."""
    search = SearchOptions(criterion="path", budget=BUDGET, max_steps=200_000, without=without)
    return explore(build_options(expectation), search)


@pytest.mark.parametrize("without", COMBINATIONS, ids="-".join)
@pytest.mark.parametrize("name", PROGRAMS)
def test_paths_are_those_of_brute_force(name: str, without: tuple[str, ...]) -> None:
    expectation, executable, rows = enumerated(name)
    result = explored(expectation, without)
    replayed = replay_tests(executable, result.tests)
    check_each_test(expectation, replayed, list(rows))
    assert not losses(result)
    assert result.ending.claim == "paths", result.ending
    check_completeness(result, replayed, list(rows))


def answers(name: str, *without: str) -> Queries:
    """Who answered what about a program."""
    return explored(enumerated(name)[0], without).queries


def test_ladder_and_events_leave_the_rest_to_smt() -> None:
    assert set(answers("sort_three").answered_by) <= set(RUNGS)
    no_ladder, neither = answers("sort_three", "ladder"), answers("sort_three", "ladder", "events")
    assert not set(no_ladder.answered_by) & set(RUNGS)
    assert "syntactic" not in no_ladder.answered_by, "no decision is logged twice"
    assert neither.answered_by["syntactic"] == neither.total - no_ladder.total > 0
    assert no_ladder.constraints.repeated == 0 < neither.constraints.repeated


@pytest.mark.parametrize(("switch", "link"), [("syntactic",) * 2, ("cores", "core_cache"), ("models", "model_cache")])
def test_a_link_that_is_left_out_answers_nothing(switch: str, link: str) -> None:
    assert answers("sort_three", "ladder", "events").answered_by[link] > 0
    assert link not in answers("sort_three", "ladder", "events", switch).answered_by


def test_every_rung_but_choice_has_a_switch() -> None:
    assert set(LADDER_RUNGS) == set(RUNGS) - {"choice"} <= set(WITHOUT)


@pytest.mark.parametrize("rung", ["domain", "invert", "order"])
def test_a_rung_that_is_left_out_answers_nothing(rung: str) -> None:
    program = {"domain": "string_search", "invert": "sort_three", "order": "sort_three"}[rung]
    assert answers(program).answered_by[rung] > 0
    assert rung not in answers(program, rung).answered_by


def test_common_and_slice_eliminate_constraints() -> None:
    whole = answers("symbolic_buckets", "ladder", "events").constraints
    assert 0 < whole.repeated + whole.independent < whole.given
    assert min(whole.repeated, whole.independent) > 0
    assert answers("symbolic_buckets", "ladder", "events", "common").constraints.repeated == 0
    assert answers("symbolic_buckets", "ladder", "events", "slice").constraints.independent == 0
