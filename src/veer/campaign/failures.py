"""Allocations that fail where a branch is open: the program is built again, and searched again.

search ─► `!p` behind a malloc is never true ─► the program, whose allocations may fail ─► search ─► kept, if that
covers more and shows all that the one before does ─► searches within larger bounds

Each search has a tree of its own. The later one begins with the inputs that the one before keeps: in them no allocation
fails. A search that its budget ends leaves some of it for the other one, which needs little: it runs what is known.
"""

from __future__ import annotations

import time

import numpy as np
from msgspec import Struct

from veer.campaign.session import SHORTEST
from veer.frontends.protocol import Language
from veer.model.buildoptions import FAIL, MEMORY, BuildOptions
from veer.model.ending import Claim, Ending, EndingKind
from veer.model.program import HarnessKind, Program
from veer.model.searchoptions import ALL_PATHS, SearchOptions
from veer.model.values import replace
from veer.oracles.bugs import BUGS
from veer.search.coverage import Items
from veer.search.environment import allocators
from veer.search.goal import goal_sites
from veer.search.growing import Searches, Step
from veer.search.node_counts import NodeCounts
from veer.search.scene import Scene

_PATIENCE = 1 / 12
"""Share of the budget without anything new, after which it ends."""
_SHARE = 1 / 12
"""Share of the budget that a search leaves for it,"""
_LEAST, _MOST_SHARE = 0.4, 1 / 4
"""at least so many seconds, up to that share."""
_HARNESSES = (HarnessKind.FUNCTION, HarnessKind.SEQUENCE, HarnessKind.PROGRAM)
NOTE = "allocations may fail, since a branch was open without: `malloc() fails` = 1 in a test says that one did"


class Tried(Struct, frozen=True):
    """The search that goes on; `earlier`: the ending of the one that was left for it, None: it is the first.

    `building`: seconds that the second build took.
    """

    step: Step
    earlier: Ending | None = None
    building: float = 0.0


def may_be(options: SearchOptions, program: Program, build: BuildOptions, language: Language) -> bool:
    """Whether the program may be built again so: it allocates, and nobody has said whether that fails."""
    is_plain = options.is_whole and options.criterion not in ALL_PATHS and not options.sought
    if not (is_plain and options.growing and not options.plateau) or "unasked_failures" not in language.takes:
        return False
    if build.against or build.unasked_failures or MEMORY in build.fail or program.harness not in _HARNESSES:
        return False
    return bool(allocators(program) & {*FAIL[MEMORY]})


def leaving_time(options: SearchOptions) -> SearchOptions:
    """The options of the first search of such a program."""
    return replace(options, budget=options.budget - _left(options.budget))


def end_of(first: Step, deadline: float) -> float:
    """When the search of the other build is to end: one whose budget was over has left so much time for it."""
    if first.searched.kind is not EndingKind.BUDGET:
        return deadline
    return min(deadline, time.monotonic() + _left(first.scene.options.budget))


def _left(budget: float) -> float:
    return min(max(_SHARE * budget, _LEAST), _MOST_SHARE * budget)


def is_worth_it(first: Step, build: BuildOptions, language: Language, deadline: float) -> bool:
    """Whether the program is to be built again, and time is left to search it."""
    options, program = first.scene.options, first.scene.program
    is_over = first.searched.kind in (EndingKind.EXHAUSTED, EndingKind.PLATEAU, EndingKind.BUDGET)
    if not is_over or not may_be(options, program, build, language) or 0 < options.max_runs <= first.runs:
        return False
    return time.monotonic() + SHORTEST < deadline and _has_settled_branch(first)


def with_failures(build: BuildOptions) -> BuildOptions:
    """What decides the program whose allocations may fail."""
    return replace(build, unasked_failures=True)


def builds(build: BuildOptions) -> tuple[BuildOptions, ...]:
    """What decided the programs of a campaign that ended with this one, the one that was asked for first."""
    return (replace(build, unasked_failures=False), build) if build.unasked_failures else (build,)


def briefly(options: SearchOptions) -> SearchOptions:
    """The options of its search, which ends when it shows nothing new for long."""
    return replace(options, patience=options.patience or _PATIENCE * options.budget)


def is_better(before: Step, after: Step) -> bool:
    """Whether the later search covers more, and shows all that the one before does."""
    old, new = before.scene, after.scene
    return _covered(old) < _covered(new) and _bugs(old) <= _bugs(new)


def joined(before: Step, after: Step) -> Step:
    """What both did, with what the later one found; where the first had no time left, neither had the other one."""
    searched = after.searched.behind(before.searched)
    kinds = before.searched.kind, searched.kind
    is_cut = kinds == (EndingKind.BUDGET, EndingKind.PLATEAU)
    return replace(after, searched=replace(searched, kind=EndingKind.BUDGET) if is_cut else searched)


def claimed(searches: Searches, tried: Tried) -> Searches:
    """The searches, with the claim of the one that was left, where nothing can be claimed of them."""
    best = searches.claimed or searches.last.ending()
    is_lost = tried.earlier is not None and best.claim is Claim.NONE and tried.earlier.claim is not Claim.NONE
    return replace(searches, claimed=tried.earlier) if is_lost else searches


def _has_settled_branch(first: Step) -> bool:
    """Whether a branch is open on whose condition no input ever had a say."""
    scene = first.scene
    seen = scene.shared.published("edge_seen")
    sites = goal_sites(scene.program, scene.options.goal)
    counts = first.searched.counts or NodeCounts.of(scene.shared, 2 * len(scene.program.sites))
    covered = Items(sites).covered(seen)
    return any(
        item >= 0
        and item not in covered
        and seen[2 * site.id + 1 - side]
        and not np.any(counts.table[2 * site.id + side])
        for site in sites
        for side, item in enumerate(site.items)
    )


def _covered(scene: Scene) -> set[tuple[str, int, int, str, str]]:
    """The branches of the goal that runs took, by where they stand."""
    sites = goal_sites(scene.program, scene.options.goal)
    covered = Items(sites).covered(scene.shared.published("edge_seen"))
    return {
        (site.file, site.line, site.column, site.text, site.sides[side])
        for site in sites
        for side, item in enumerate(site.items)
        if item in covered
    }


def _bugs(scene: Scene) -> set[tuple[int, str, int, int]]:
    """The bugs that were reported, by where they stand."""
    reports, sites = scene.shared.published("reports"), scene.program.sites
    places = [
        (outcome, sites[site] if site < len(sites) else None) for outcome, site in reports[["outcome", "site"]].tolist()
    ]
    return {
        (outcome, site.file if site else "", site.line if site else 0, site.column if site else 0)
        for outcome, site in places
        if outcome in BUGS
    }
