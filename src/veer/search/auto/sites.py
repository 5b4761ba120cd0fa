"""The sites of two builds of one program: those that stand at the same place of its sources are the same.

The harness may differ (only the plain search calls functions before the entry), so that numbers do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence

import numpy as np

from veer.model.program import Program, Site
from veer.model.values import replace
from veer.oracles.bugs import BUGS
from veer.search.coverage import Items
from veer.search.distinct import distinct
from veer.search.goal import goal_sites
from veer.search.node_counts import NodeCounts
from veer.search.scene import Scene
from veer.search.selection import NO_TEST

Place = tuple[Hashable, ...]


def are_alike(one: Program, other: Program, goal: str) -> bool:
    """Whether both count the same branches, and inputs of the same types mean the same."""
    return one.types == other.types and _counted(one, goal) == _counted(other, goal)


def shown_at(scene: Scene) -> frozenset[Place]:
    """Branches, outcomes and bugs that runs of this memory have shown, by where they stand."""
    shared, sites = scene.shared, scene.program.sites
    goal = goal_sites(scene.program, scene.options.goal)
    covered = Items(goal).covered(shared.published("edge_seen"))
    outcomes = distinct(shared.published("paths")["outcome"]).tolist()
    reports = shared.published("reports")[["outcome", "site"]].tolist()
    return frozenset(
        [
            *((*_place(site), side) for site in goal for side, item in enumerate(site.items) if item in covered),
            *(("outcome", outcome) for outcome in outcomes if outcome not in NO_TEST),
            *(
                ("bug", outcome, *(_place(sites[site]) if site < len(sites) else ()))
                for outcome, site in reports
                if outcome in BUGS
            ),
        ]
    )


def moved(counts: NodeCounts, source: Program, target: Program) -> NodeCounts:
    """The counts of one build, with the edges as another build numbers them; edges that it has not are left out."""
    numbers = {place: site.id for place, site in _numbered(target.sites)}
    table = np.zeros((2 * len(target.sites), counts.table.shape[1]), np.int64)
    for place, site in _numbered(source.sites):
        number = numbers.get(place)
        if number is not None:
            table[2 * number : 2 * number + 2] = counts.table[2 * site.id : 2 * site.id + 2]
    return replace(counts, table=table)


def _counted(program: Program, goal: str) -> Counter[Place]:
    counted = (site for site in goal_sites(program, goal) if any(item >= 0 for item in site.items))
    return Counter((*_place(site), *site.sides) for site in counted)


def _numbered(sites: Sequence[Site]) -> list[tuple[Place, Site]]:
    """Each site with its place, and which one of those at this place it is."""
    seen: Counter[Place] = Counter()
    found = []
    for site in sites:
        place = (*_place(site), *site.sides)
        found.append(((*place, seen[place]), site))
        seen[place] += 1
    return found


def _place(site: Site) -> Place:
    return (site.kind, site.file, site.function, site.line, site.column, site.text)
