"""Loops of graphs made by hand, and which of them a hang is in."""

from __future__ import annotations

import pytest

from veer.model.program import Function, Site, SiteKind
from veer.oracles.hangs import LoopFinder, loop_headers


@pytest.mark.parametrize(
    ("successors", "headers"),
    [
        ((), ()),
        (((1, 2), (2,), ()), (-1, -1, -1)),  # an if
        (((0,),), (0,)),  # a block that is a loop
        (((1,), (2, 3), (1,), ()), (-1, 1, 1, -1)),  # while
        (((1,), (2, 5), (3, 4), (2,), (1,), ()), (-1, 1, 2, 2, 1, -1)),  # a loop within a loop
        (((1,), (2, 3), (1,), (4,), (3, 5), ()), (-1, 1, 1, 3, 3, -1)),  # one behind the other
        (((1,), (2, 4), (1, 3), (1,), ()), (-1, 1, 1, 1, -1)),  # two edges back to one target: continue
    ],
)
def test_the_smallest_loop_around_each_block(successors: tuple[tuple[int, ...], ...], headers: tuple[int, ...]) -> None:
    assert loop_headers(successors) == headers


def site(function: str, block: int) -> Site:
    return Site(block, SiteKind.ACCESS, "a.c", 10 + block, 1, function, block=block)


FINDER = LoopFinder(
    [
        Function("loops", "a.c", 1, (), -1, is_static=False, successors=((1,), (2, 3), (1,), ())),
        Function("helper", "a.c", 1, (), -1, is_static=False, successors=((1, 2), (2,), ())),
    ]
)


def test_places_of_one_loop_are_one_hang() -> None:
    inside = [(site("loops", 2),), (site("loops", 1),), (site("helper", 1), site("loops", 2))]
    assert {FINDER.around(stack) for stack in inside} == {("loops", "a.c", 1)}


def test_a_place_in_no_loop_is_in_none() -> None:
    assert FINDER.around((site("helper", 0), site("loops", 0))) is None
    assert FINDER.around((site("unknown", 0),)) is None
    assert FINDER.around(()) is None
