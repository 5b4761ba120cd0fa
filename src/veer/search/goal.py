"""What a search is to cover: all branches that the entry leads to, or its own alone (OSMOSE's unit testing)."""

from __future__ import annotations

from veer.model.program import Program, Site
from veer.search.reachable import counted_sites, reachable_functions


def goal_sites(program: Program, goal: str) -> tuple[Site, ...]:
    """The sites whose items the goal asks for."""
    if goal != "entry":
        return counted_sites(program, reachable_functions(program))
    files = {(function.name, function.file) for function in program.functions if function.name in program.starts}
    if not files:
        return program.sites
    return tuple(site for site in program.sites if (site.function, site.file) in files)
