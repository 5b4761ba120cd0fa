"""Which bounds grow: all that veer set itself, where the plain search covers branches."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign.keywords import Options
from veer.campaign.requests import build_options, search_options
from veer.campaign.session import growing_bounds, leaving_time
from veer.model.buildoptions import BuildOptions
from veer.model.growth import CLOCKS_OF_THEIR_OWN
from veer.model.program import HarnessKind, Program
from veer.model.searchoptions import SearchOptions
from veer.model.state import StateBefore
from veer.model.types import BoundKind, ExtentKind, Type, TypeKind
from veer.model.values import replace

_ALL = frozenset(BoundKind)
_STATE = {BoundKind.CALLS, BoundKind.STATE}


def _program(state: StateBefore | None, bounds: tuple[str, ...] = (CLOCKS_OF_THEIR_OWN,)) -> Program:
    guessed = Type(0, TypeKind.POINTER, "int *", 8, extent=ExtentKind.LENGTH, length="n", is_guess=True)
    return Program("f", HarnessKind.FUNCTION, (), Path("f"), (), (guessed,), (), state=state, bounds=bounds)


_WITH_STATE = _program(StateBefore(("set",), ("level",), "static data as it begins (level)"))


@pytest.mark.parametrize(
    ("given", "bounds"),
    [
        (Options(), _ALL),
        (Options(jobs=2), _ALL),
        (Options(grow=True), _ALL),
        (Options(grow=False), frozenset()),
        (Options(max_length=8), _ALL - {BoundKind.LENGTH}),
        (Options(max_length="s=20"), _ALL - {BoundKind.LENGTH}),
        (Options(max_array=4, argv_size=8), _ALL - {BoundKind.ARRAY, BoundKind.ARGUMENT}),
        (Options(graph_depth="p=5"), _ALL - {BoundKind.DEPTH}),
        (Options(stdin_size=8), _ALL - {BoundKind.INPUT}),
        (Options(symbolic_file=["stdin=8"]), _ALL - {BoundKind.INPUT}),
        (Options(symbolic_file=["settings=8"]), _ALL),
        (Options(criterion="path"), frozenset()),
        (Options(criterion="mcdc"), frozenset()),
        (Options(partitioned=True), frozenset()),
        (Options(compositional=True), frozenset()),
    ],
)
def test_what_is_given_stays(given: Options, bounds: frozenset[BoundKind]) -> None:
    assert growing_bounds(build_options((), "", given), search_options(given), _WITH_STATE) == bounds


def test_options_as_values_say_themselves_what_grows() -> None:
    build = BuildOptions((), "")
    assert growing_bounds(build, SearchOptions(), _WITH_STATE) == frozenset()
    assert growing_bounds(build, SearchOptions(growing=("max-array",)), _WITH_STATE) == {BoundKind.ARRAY}


@pytest.mark.parametrize(
    ("state", "left_out"),
    [
        (None, _STATE),
        (StateBefore((), ("level",), ""), {BoundKind.CALLS}),
        (StateBefore(("set",), (), ""), {BoundKind.STATE}),
    ],
)
def test_static_data_that_nothing_changes_is_no_bound(state: StateBefore | None, left_out: set[BoundKind]) -> None:
    options = Options()
    build, search = build_options((), "", options), search_options(options)
    assert growing_bounds(build, search, _program(state)) == _ALL - left_out


def test_clocks_that_nothing_looks_at_are_no_bound() -> None:
    build, search = build_options((), "", Options()), search_options(Options())
    assert growing_bounds(build, search, _program(_WITH_STATE.state, ())) == _ALL - {BoundKind.CLOCKS}


def test_lengths_that_are_written_down_are_no_bound() -> None:
    program = _program(_WITH_STATE.state)
    written = replace(program, types=tuple(replace(row, is_guess=False) for row in program.types))
    build, search = build_options((), "", Options()), search_options(Options())
    assert growing_bounds(build, search, written) == _ALL - {BoundKind.LONGER}


def test_the_first_search_leaves_time_where_static_data_may_be_something_else() -> None:
    options, program = SearchOptions(budget=60.0), _program(_WITH_STATE.state)
    assert leaving_time(options, frozenset({BoundKind.DEPTH}), program) == options
    assert leaving_time(options, frozenset({BoundKind.CALLS}), program).patience == 15.0


def test_the_first_search_leaves_time_for_far_larger_inputs() -> None:
    options = SearchOptions(budget=60.0)
    for words, budget in (("max-length 8", 55.0), ("graph-depth 3", 60.0)):
        program = replace(_program(_WITH_STATE.state), bounds=(words,))
        kinds = frozenset({BoundKind.LENGTH, BoundKind.DEPTH})
        assert leaving_time(options, kinds, program) == replace(options, budget=budget)
