"""Which functions a run of the entry can enter, by the static call graph, and the sites within them.

A function is entered from a reachable one that calls it, or that takes its address (whoever calls it then); from data
(tables of functions) once anything reachable calls what is not known. So too many are counted, never too few; what a
run has entered all the same (constructors, say) is told by the edges that it covered.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from veer.model.program import Program, Site, SiteKind
from veer.search.distinct import distinct
from veer.search.program_graph import graph_of
from veer.search.remembered import remembered


def reachable_functions(program: Program, edge_seen: npt.NDArray[Any] | None = None) -> frozenset[str]:
    """The names of the functions that the entry may lead to; `edge_seen` marks the edges that runs took."""
    known = {function.name for function in program.functions}
    if program.uninstrumented or program.entry not in known:
        return frozenset(known)  # what uninstrumented code calls is not known
    found = set(_entered(program))
    if edge_seen is not None:
        calls = _call_graph(program)
        # Predicates and calls before the entry: what they alone run is no part of what is tested.
        first = (*program.preconditions, *(program.state.functions if program.state is not None else ()))
        before = _closure(program, known.intersection(first), calls)
        found |= _closure(program, (seen_functions(program, edge_seen) & known) - before, calls)
    return frozenset(found)


@remembered
def _entered(program: Program) -> frozenset[str]:
    """The functions that the entry leads to by the call graph."""
    return frozenset(_closure(program, [program.entry], _call_graph(program)))


def _closure(program: Program, start: Iterable[str], calls: tuple[dict[str, set[str]], set[str]]) -> set[str]:
    """The functions that those may lead to, themselves included."""
    leads_to, calls_unknown = calls
    waiting, unknown = list(start), leads_to.keys() & program.addresses
    found: set[str] = set()
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        waiting.extend(leads_to[name])
        if name in calls_unknown and unknown:
            waiting.extend(unknown)
            unknown = set()
    return found


@remembered
def _call_graph(program: Program) -> tuple[dict[str, set[str]], set[str]]:
    """Which functions each calls or names, and which call something that is not known. Namesakes are one."""
    graph, known = graph_of(program), {function.name for function in program.functions}
    leads_to: dict[str, set[str]] = defaultdict(set)
    calls_unknown: set[str] = set()
    for function in program.functions:
        leads_to[function.name].update(known.intersection((*function.calls, *function.takes)))
    for site in program.sites:
        if site.kind is not SiteKind.CALL:
            continue
        if site.text in known:
            leads_to[site.function].add(site.text)
        elif graph.callees(site):
            calls_unknown.add(site.function)
    return leads_to, calls_unknown


def seen_functions(program: Program, edge_seen: npt.NDArray[Any]) -> frozenset[str]:
    """The functions in which a run took a branch (the counters build numbers nothing but branches as the tree does)."""
    sites = distinct(np.flatnonzero(edge_seen[: 2 * len(program.sites)]) // 2)
    taken = (program.sites[site] for site in sites.tolist())
    return frozenset(site.function for site in taken if max(site.items) >= 0)


def counted_sites(program: Program, functions: frozenset[str]) -> tuple[Site, ...]:
    """The sites within these functions; those outside of all functions that are known count too."""
    known = {function.name for function in program.functions}
    return tuple(site for site in program.sites if site.function in functions or site.function not in known)


def told_sites(program: Program) -> tuple[Site, ...]:
    """The sites that tests cover: all, but for what only calls before the entry run."""
    if program.state is None or not program.state.functions:
        return program.sites
    known = {function.name for function in program.functions}
    before = _closure(program, known.intersection(program.state.functions), _call_graph(program))
    return counted_sites(program, reachable_functions(program) | (known - before))


NEVER_CALLED = "never calls; not counted"
"""How that sentence ends: where every function is an entry, nobody need be told."""


def left_out(program: Program, counted: tuple[Site, ...]) -> str:
    """The sentence on the branches that are not counted, or an empty string."""
    within = {site.id for site in counted}
    outside = [site for site in program.sites if site.id not in within and max(site.items) >= 0]
    items = {item for site in outside for item in site.items if item >= 0}
    if not items:
        return ""
    functions = len({(site.function, site.file) for site in outside})
    branches = "1 branch lies" if len(items) == 1 else f"{len(items)} branches lie"
    where = "a function" if functions == 1 else f"{functions} functions"
    return f"{branches} in {where} that {program.entry} {NEVER_CALLED}"
