"""What a search is to cover: the places of --find; else all branches that the entry leads to, its own alone (OSMOSE's
unit testing), or those from which an event of a specification may follow."""

from __future__ import annotations

from veer.model.program import REACHED, Program, Site
from veer.model.values import replace
from veer.search.coverage import Items
from veer.search.events import towards_events
from veer.search.reachable import counted_sites, reachable_functions
from veer.search.remembered import remembered


@remembered
def goal_sites(program: Program, goal: str) -> tuple[Site, ...]:
    """The sites whose items the goal asks for."""
    if sought := places(program):
        return sought
    if goal != "entry":
        sites = counted_sites(program, reachable_functions(program))
        return towards_events(program, sites) if goal == "specification" else sites
    files = {(function.name, function.file) for function in program.functions if function.name in program.starts}
    if not files:
        return program.sites
    return tuple(site for site in program.sites if (site.function, site.file) in files)


@remembered
def goal_items(program: Program, goal: str) -> Items:
    """The items that the goal asks for."""
    return Items(goal_sites(program, goal))


def places(program: Program) -> tuple[Site, ...]:
    """Where the places that --find names are reached. One is enough: they are one item."""
    found = [site for site in program.sites if site.sides[1] == REACHED]
    return tuple(replace(site, items=(-1, found[0].items[1])) for site in found)
