"""What the memory of a search within larger bounds begins with, and when no such search is made."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from veer.model.ending import EndingKind
from veer.model.growth import Doublings
from veer.model.program import HarnessKind, Program, Site, SiteKind
from veer.model.searchoptions import SearchOptions
from veer.model.types import BoundKind
from veer.search.growing import Growing, Step, take_over
from veer.search.inputbounds import meet_all
from veer.search.protocol import Searched
from veer.search.query_counts import QueryCounts
from veer.search.scene import Scene
from veer.search.stages import FAR_SHARE, STAGES, share_behind
from veer.search.tools import LocalTools
from veer.wire.bounds import Bounds
from veer.wire.layout import Bound, LeafKind
from veer.wire.shared import Shared

_KINDS = frozenset({BoundKind.LENGTH, BoundKind.ARRAY})


def test_leaves_keep_their_places_and_lengths_get_larger_bounds() -> None:
    with Shared() as old, Shared() as new:
        old.region("leaves")[0] = (0, 0, 0, 32, int(LeafKind.SIGNED), int(Bound.LENGTH), 0, 8)
        old.region("leaves")[1] = (0, 4, 4, 8, int(LeafKind.SIGNED), int(Bound.LENGTH), 0, 64)
        old.region("leaves")[2] = (0, 5, 5, 32, int(LeafKind.SIGNED), int(Bound.NONE), 0, 8)
        old.counts.leaf_count, old.counts.leaf_bytes = 3, 9
        old.statistics.symbolic_operations = 7
        new.control(Bounds).doublings = 2 << 4 * Bound.LENGTH
        take_over(old, new)
        leaves = new.published("leaves")
        assert leaves["maximum"].tolist() == [32, 127, 8]
        assert leaves["input_offset"].tolist() == [0, 4, 5]
        assert (new.counts.leaf_bytes, new.statistics.symbolic_operations) == (9, 7)


@pytest.mark.parametrize(
    ("kind", "kinds", "deadline", "are_met"),
    [
        (EndingKind.BUDGET, frozenset({BoundKind.DEPTH}), math.inf, True),  # it was not finished
        (EndingKind.STOPPED, _KINDS, math.inf, True),
        (EndingKind.EXHAUSTED, frozenset[BoundKind](), math.inf, True),  # all bounds are given
        (EndingKind.EXHAUSTED, _KINDS, -math.inf, True),  # the time is up
        (EndingKind.EXHAUSTED, _KINDS, math.inf, False),  # no run came to a bound
    ],
)
def test_no_other_search_is_made(
    kind: EndingKind, kinds: frozenset[BoundKind], deadline: float, *, are_met: bool
) -> None:
    program = Program("toy", HarnessKind.FUNCTION, (), Path("toy"), (), (), (), bounds=("max-length 8",))
    options = SearchOptions()

    def begin(doublings: Doublings) -> Shared:
        raise AssertionError(f"a search within {dict(doublings)}")

    with Shared() as shared:
        if are_met:
            meet_all(shared)
        shared.counts.runs = 5
        step = Step(
            Scene(shared, program, options, LocalTools(program, options)), Searched(kind, None, 5, QueryCounts(), 0.0)
        )
        found = Growing(step, kinds, deadline, begin).searches()
        assert found.last is step
        assert (found.runs, found.growth, found.claimed) == (5, None, None)


def test_searches_leave_time_for_those_within_far_larger_bounds() -> None:
    shares = [share_behind(stage) for stage in STAGES]
    assert shares == sorted(shares, reverse=True)
    assert (shares[0], shares[-2], shares[-1]) == (FAR_SHARE, FAR_SHARE / 2, 0)


class _BegunError(Exception):
    """A search begins within these bounds."""


def _begun(doublings: Doublings) -> Shared:
    raise _BegunError(dict(doublings))


_CALLS, _STATE = BoundKind.CALLS, BoundKind.STATE
_OPEN = Site(0, SiteKind.BRANCH, "f.c", 1, 1, "f", items=(0, 1))


@pytest.mark.parametrize(
    ("kind", "kinds", "sites", "larger"),
    [
        (EndingKind.EXHAUSTED, {BoundKind.LENGTH, _CALLS, _STATE}, (_OPEN,), {BoundKind.LENGTH: 1}),
        (EndingKind.EXHAUSTED, {_CALLS, _STATE}, (_OPEN,), {_CALLS: 1}),
        (EndingKind.EXHAUSTED, {_CALLS, _STATE}, (), {_CALLS: 1}),  # for bugs, though all is covered
        (EndingKind.EXHAUSTED, {_STATE}, (_OPEN,), {_STATE: 1}),
        (EndingKind.PLATEAU, {BoundKind.LENGTH, _CALLS}, (_OPEN,), {_CALLS: 1}),  # patience was lost: no larger inputs
        (EndingKind.EXHAUSTED, {_STATE}, (), None),  # all is covered
        (EndingKind.BUDGET, {_CALLS, _STATE}, (_OPEN,), None),
        (EndingKind.BUDGET, {BoundKind.LENGTH, BoundKind.DEPTH}, (), {BoundKind.LENGTH: 1}),  # larger, briefly
        (EndingKind.STOPPED, {_CALLS, _STATE}, (_OPEN,), None),
    ],
)
def test_larger_inputs_come_before_calls_and_calls_before_free_values(
    kind: EndingKind, kinds: set[BoundKind], sites: tuple[Site, ...], larger: Doublings | None
) -> None:
    program = Program("f", HarnessKind.FUNCTION, (), Path("f"), (), (), sites)
    options = SearchOptions()
    with Shared() as shared:
        meet_all(shared)
        scene = Scene(shared, program, options, LocalTools(program, options))
        step = Step(scene, Searched(kind, None, 5, QueryCounts(), 0.0))
        growing = Growing(step, frozenset(kinds), math.inf, _begun)
        if larger is None:
            assert growing.searches().growth is None
        else:
            with pytest.raises(_BegunError) as begun:
                growing.searches()
            assert begun.value.args == (larger,)
