"""The search of a campaign: the one that the options name, or the plain one where that refuses."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

from veer import plugins
from veer.model.options import BuildOptions, SearchOptions
from veer.search.inputbounds import meet_all
from veer.search.plain import PLAIN
from veer.search.protocol import GROUP, Refusal, Search, Searched
from veer.search.scene import Scene


def search_of(options: SearchOptions) -> Search:
    """The search that the options name. Raises UsageError when there is none of that name."""
    return cast(Search, plugins.find(GROUP, options.search))


def instrumented(build: BuildOptions, search: SearchOptions) -> BuildOptions:
    """The options of the build with what the search needs of it. Raises UsageError as `search_of` does."""
    needed = search_of(search).instrumentation
    return replace(build, partitioned=needed.flow_map, compositional=needed.boundaries)


def searched(scene: Scene) -> Searched:
    """What the search found; of a search that refused a note tells why. Raises what Search.run raises."""
    search = search_of(scene.options)
    if search is not PLAIN:
        meet_all(scene.shared)
    found = search.run(scene)
    if not isinstance(found, Refusal):
        return found
    plainly = PLAIN.run(scene)
    return replace(plainly, notes=(f"not {scene.options.search}: {found.sentence}", *plainly.notes))
