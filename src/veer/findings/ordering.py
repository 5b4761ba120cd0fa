"""The tests of a suite in the order of the execution tree, each with the branch that decides it.

Two tests go the same way up to a decision. The one for which its condition is true comes first, as its code does; of a
choice the first alternative. So the order hangs on the tests alone, not on when the search found them, and a change of
the code moves few of them. What decides a test is the branch at which it leaves the test that goes on with it longest.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from veer.model.program import Program
from veer.model.result import Bug, Test
from veer.model.values import replace
from veer.search.distinct import distinct
from veer.search.distinct import repeated as repeated_steps
from veer.wire.layout import Kind
from veer.wire.shared import Shared

MOST_DECISIONS = 1000  # of a run that are looked at
NO_BRANCH = -1
_STEP = np.dtype([("site", ">u4"), ("rank", ">u4")])  # so that bytes compare as the steps do


def trail(shared: Shared) -> bytes:
    """The branches and choices of the last run that hang on inputs, in their order: site, and the place of the side."""
    events = shared.published("trace")
    events = events[np.isin(events["kind"], (Kind.BRANCH, Kind.CHOICE))][:MOST_DECISIONS]
    steps = np.empty(len(events), _STEP)
    steps["site"] = events["site"]
    steps["rank"] = np.where(
        events["kind"] == Kind.BRANCH, 1 - np.minimum(events["alternative"], 1), events["alternative"]
    )
    return steps.tobytes()


def repeated(way: bytes, program: Program) -> frozenset[int]:
    """The sites of the source that this trail takes the same side of twice: of loops, those with a second round."""
    found = distinct(repeated_steps(np.frombuffer(way, np.uint64)).view(_STEP)["site"]).tolist()
    return frozenset(site for site in found if site < len(program.sites) and max(program.sites[site].items) >= 0)


def in_order(
    program: Program, tests: Sequence[tuple[Test, bytes]], bugs: Sequence[Bug]
) -> tuple[tuple[Test, ...], tuple[Bug, ...]]:
    """The tests, each given with its trail, in that order and numbered anew; the bugs with the names of their tests."""
    ordered = sorted(tests, key=lambda each: each[1])
    names = {test.name: f"test_{number:03d}" for number, (test, _) in enumerate(ordered, 1)}
    ways = sorted({way for _, way in tests})
    common = [_shared(one, other) for one, other in pairwise((b"", *ways, b""))]  # no other goes on with it longer
    leaves = {way: max(both) for way, both in zip(ways, pairwise(common), strict=True)}
    told = (
        replace(test, name=names[test.name], decides=_branch(program, test, way, leaves[way])) for test, way in ordered
    )
    return tuple(told), tuple(replace(bug, test=names.get(bug.test, "")) for bug in bugs)


def _shared(one: bytes, other: bytes) -> int:
    """How many steps two trails have in common from the first on."""
    steps = min(len(one), len(other)) // _STEP.itemsize
    differs = np.frombuffer(one, np.uint64, steps) != np.frombuffer(other, np.uint64, steps)
    return int(np.argmax(differs)) if differs.any() else steps


def _branch(program: Program, test: Test, way: bytes, step: int) -> int:
    """The coverage item of that step of the test; NO_BRANCH where there is none, or it is a choice among inputs."""
    steps = np.frombuffer(way, _STEP)
    if step >= len(steps):
        return NO_BRANCH
    site, rank = int(steps["site"][step]), int(steps["rank"][step])
    if site >= len(program.sites) or rank > 1:
        return NO_BRANCH
    item = program.sites[site].items[1 - rank]
    return item if item in test.covers else NO_BRANCH
