"""Which bounds grow: all that veer set itself, where the plain search covers branches."""

from __future__ import annotations

import pytest

from veer.campaign.keywords import Options
from veer.campaign.requests import build_options, search_options
from veer.campaign.session import growing_bounds
from veer.model.options import BuildOptions, SearchOptions
from veer.model.program import BoundKind

_ALL = frozenset(BoundKind)


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
    assert growing_bounds(build_options((), "", given), search_options(given)) == bounds


def test_options_as_values_say_themselves_what_grows() -> None:
    build = BuildOptions((), "")
    assert growing_bounds(build, SearchOptions()) == frozenset()
    assert growing_bounds(build, SearchOptions(growing=("max-array",))) == {BoundKind.ARRAY}
