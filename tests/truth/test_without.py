"""The optimisations change no verdict: with each of them switched off veer finds the paths that brute force finds."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import brute_force
import brute_header
import pytest
from brute_force import Row
from brute_header import Expectation
from test_paths import check_completeness, check_each_test
from veer_side import BUDGET, build_options, explore, losses, replay_tests

from veer.model.options import WITHOUT, SearchOptions
from veer.model.result import Queries, Result
from veer.wire.layout import RUNGS

PROGRAMS = ("shared_node", "string_search", "sort_three", "quadratic", "symbolic_buckets", "sized_index")
LINKS = tuple(name for name in WITHOUT if name not in ("ladder", "events"))
COMBINATIONS = (
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
    return expectation, executable, tuple(row for row in brute_force.run_all(executable) if row.outcome != "assumption")


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


def answers(without: tuple[str, ...]) -> Queries:
    """Who answered what about a program that asks about the same thing again."""
    return explored(enumerated("sort_three")[0], without).queries


def test_each_switch_switches_something_off() -> None:
    assert set(answers(()).answered_by) & set(RUNGS)
    all_on = answers(("ladder", "events"))
    assert not set(all_on.answered_by) & set(RUNGS) - {"choice"}
    assert all_on.answered_by["syntactic"] > 0
    assert "syntactic" not in answers(("ladder",)).answered_by, "no decision was logged twice"
    assert "syntactic" not in answers(("ladder", "events", "syntactic")).answered_by
    assert all_on.constraints.repeated > 0
    assert answers(("ladder", "events", "common")).constraints.repeated == 0
    assert answers(("ladder", "events", "slice")).constraints.independent == 0
    assert "core_cache" not in answers(("ladder", "events", "cores")).answered_by
    assert "model_cache" not in answers(("ladder", "events", "models")).answered_by
