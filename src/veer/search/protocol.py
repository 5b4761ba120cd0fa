"""What a search is: it is given a scene, and tells what it found, or why it cannot serve the program.

    build(options of the search's `instrumentation`) ─► Scene ─► Search.run ─┬─► Searched ─► tests, bugs, ending
                                                                             └─► Refusal ─► the plain search instead

Searches are registered by entry points of the group `veer.searches`; the object that one names has this protocol:

    [project.entry-points."veer.searches"]
    plain = "veer.search.plain:PLAIN"
"""

from __future__ import annotations

from enum import Enum, StrEnum
from typing import Protocol

from msgspec import Struct

from veer.model.ending import EndingKind
from veer.model.partition import Partitioning
from veer.model.summaries import Summaries
from veer.model.values import replace
from veer.search.node_counts import NodeCounts
from veer.search.query_counts import QueryCounts
from veer.search.scene import Scene

GROUP = "veer.searches"
PLAIN, AUTO = "plain", "auto"
"""The name of the search that goes on where another one refuses, and of the one that tries others beside it."""


class Ability(Enum):
    """What not every search can do; the value is what is said of one that cannot."""

    WORKERS = "searches in one process: leave --jobs out"
    EVERY_PATH = "does not run every path: leave --criterion at branch"
    PRUNING = "has its own order: leave --look-ahead, --max-call-depth and --solve-first out"
    SEEDS = "begins with inputs of its own: leave --seeds out"
    RESUME = "does not go on with a saved search: the plain one does"


class Instrumentation(Struct, frozen=True):
    """What the build of a search needs beside what every build has: FlowTest's flow map, functions' boundaries."""

    flow_map: bool = False
    boundaries: bool = False


class Refusal(Struct, frozen=True):
    """Why a search does not serve a program. `reason`: a member of the search's own enumeration of reasons, whose value
    is the sentence, with `{place}` where the place in the program belongs."""

    reason: StrEnum
    place: str = ""

    @property
    def sentence(self) -> str:
        """What the user reads."""
        return self.reason.value.format(place=self.place)


class Searched(Struct, frozen=True):
    """What the rest of a campaign needs of a search that is over. `seconds` on the wall; `paths` that are distinct.

    `counts`: the nodes of all memories that it searched in; None: the campaign's own memory has them all.
    `notes`: what the user should know. `doubts`: why nothing may be claimed, whatever the counts say.
    `has_run_every_path`: a claim of all paths means that each was run, not put together from parts.
    `partition`, `summaries`: its part of the result. `within`: what bounds its claim beside the bounds of the inputs.
    """

    kind: EndingKind
    counts: NodeCounts | None
    paths: int
    queries: QueryCounts
    seconds: float
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    has_run_every_path: bool = True
    partition: Partitioning | None = None
    summaries: Summaries | None = None
    within: tuple[str, ...] = ()

    def behind(self, before: Searched) -> Searched:
        """What this search and the one before it did, with what this one found."""
        counts = QueryCounts()
        for each in (before, self):
            counts.add_state(each.queries.state())
        return replace(self, queries=counts, seconds=before.seconds + self.seconds)


class Search(Protocol):
    """One kind of search."""

    @property
    def instrumentation(self) -> Instrumentation:
        """What its build needs."""
        ...

    @property
    def abilities(self) -> frozenset[Ability]:
        """What it can do that not every search can."""
        ...

    def run(self, scene: Scene) -> Searched | Refusal:
        """Searches until an ending. What could be gone on with is saved then, if the scene has checkpoints.

        After a refusal the plain search takes up the same memory.

        Raises:
            ExecutorError: no executor can be kept alive; `ToolchainError`: the engine's library cannot be built.
        """
        ...
