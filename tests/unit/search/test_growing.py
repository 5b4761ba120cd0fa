"""What the memory of a search within larger bounds begins with, and when no such search is made."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from veer.model.ending import EndingKind
from veer.model.growth import Doublings
from veer.model.options import SearchOptions
from veer.model.program import BoundKind, HarnessKind, Program
from veer.search.growing import Growing, Step, take_over
from veer.search.inputbounds import meet_all
from veer.search.protocol import Searched
from veer.search.query_counts import QueryCounts
from veer.search.scene import Scene
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
        (EndingKind.BUDGET, _KINDS, math.inf, True),  # it was not finished
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
