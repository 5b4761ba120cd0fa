"""The search of a campaign: the one that the options name, or the plain one where that refuses."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import cast

from veer import plugins
from veer.model.buildoptions import BuildOptions
from veer.model.growth import CLOCKS_OF_THEIR_OWN
from veer.model.program import STANDARD_INPUT, Program
from veer.model.searchoptions import ALL_PATHS, SearchOptions
from veer.model.types import BoundKind
from veer.model.values import replace
from veer.search.growing import Step
from veer.search.inputbounds import meet_all
from veer.search.plain import PLAIN
from veer.search.protocol import GROUP, Refusal, Search, Searched
from veer.search.scene import Scene
from veer.search.stages import FAR_SHARE, may_be_far

_CLUSTER = "veer.search.cluster.workers"
SHORTEST = 0.2
"""Seconds that must be left for a search behind another one."""
_PATIENCE = 1 / 4
"""Share of the budget without anything new, after which static data gets its turn."""


def search_of(options: SearchOptions) -> Search:
    """The search that the options name. Raises UsageError when there is none of that name."""
    return search_named(options.search)


def search_named(name: str) -> Search:
    """The search of this name. Raises UsageError when there is none."""
    return cast(Search, plugins.find(GROUP, name))


def gathering(options: SearchOptions) -> Callable[[], None]:
    """Begins to join the cluster where the options name one; what comes back waits for it.

    It is loaded by its name, as searches are: most campaigns have none. Raises UsageError, as what comes back does.
    """
    if not options.cluster:
        return lambda: None
    return cast(Callable[[], None], import_module(_CLUSTER).gather(options))


def growing_bounds(build: BuildOptions, search: SearchOptions, program: Program) -> frozenset[BoundKind]:
    """The bounds that grow: where the plain search covers branches, for it alone begins with inputs of another search,
    and criteria that keep a test of each path mean those within the bounds.

    A bound of one parameter's own ends the growth of graphs: what is deeper for one root is so for all.
    """
    if not search.is_whole or search.criterion in ALL_PATHS:
        return frozenset()
    own = {option for option, _, _ in build.own_bounds} & {BoundKind.DEPTH.value}
    if any(text.rpartition("=")[0] == STANDARD_INPUT for text in build.files):
        own.add(BoundKind.INPUT.value)
    if program.state is None or not program.state.functions:
        own.add(BoundKind.CALLS.value)
    if program.state is None or not program.state.free:
        own.add(BoundKind.STATE.value)
    if CLOCKS_OF_THEIR_OWN not in program.bounds:
        own.add(BoundKind.CLOCKS.value)
    if not any(row.is_guess for row in program.types):
        own.add(BoundKind.LONGER.value)
    return frozenset(BoundKind(name) for name in search.growing if name not in own)


def leaving_time(options: SearchOptions, kinds: frozenset[BoundKind], program: Program) -> SearchOptions:
    """The options of the first search: where clocks and static data may tell something else than at first, it gives
    up in time; where inputs may be far larger, it leaves time for them."""
    if may_be_far(kinds, program):
        options = replace(options, budget=options.budget * (1 - FAR_SHARE))
    if options.patience or not kinds & {BoundKind.CALLS, BoundKind.STATE, BoundKind.CLOCKS}:
        return options
    return replace(options, patience=options.budget * _PATIENCE)


def instrumented(build: BuildOptions, search: SearchOptions) -> BuildOptions:
    """The options of the build with what the search needs of it. Raises UsageError as `search_of` does."""
    needed = search_of(search).instrumentation
    return replace(build, partitioned=needed.flow_map, compositional=needed.boundaries)


def searched(scene: Scene) -> Searched:
    """What the search found; of a search that refused a note tells why. Raises what Search.run raises."""
    return first_step(scene, lambda: scene).searched


def first_step(scene: Scene, again: Callable[[], Scene]) -> Step:
    """The same, with the scene that it was found in.

    Behind a search that refused, the plain one goes on in the scene that `again` makes, where anything was run: inputs
    of such runs may mean something else to it (decision 0473).
    """
    search, runs = search_of(scene.options), scene.shared.counts.runs
    if not scene.options.is_whole:
        meet_all(scene.shared)
    found = search.run(scene)
    if not isinstance(found, Refusal):
        return Step(scene, found)
    where = again() if scene.shared.counts.runs != runs else scene
    plainly = PLAIN.run(where)
    return Step(where, replace(plainly, notes=(f"not {scene.options.search}: {found.sentence}", *plainly.notes)))
