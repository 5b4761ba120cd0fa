"""What a coordinator keeps account of: what the search may do, parts in hand and parts that nobody works on."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from msgspec import Struct, field

from veer.model.ending import EndingKind
from veer.search.node_counts import NodeCounts
from veer.search.parallel.checkpoint import SearchState
from veer.search.parallel.part import Part
from veer.search.parallel.protocol import Worker


class Bounds(Struct, frozen=True):
    """What a search by several workers may do. `max_runs`, `plateau`, `patience` (seconds): 0 = no limit.

    `must_end(runs)`: an ending that applies to all; `all_paths`: the run of each new path is kept; `identities`: of so
    many paths they are kept; `in_rounds`: it is shared out by counts alone (rounds.py).
    """

    jobs: int
    max_runs: int = 0
    plateau: int = 0
    patience: float = 0.0
    all_paths: bool = False
    must_end: Callable[[int], EndingKind | None] = lambda runs: None
    identities: int = 1 << 25
    in_rounds: bool = False


class FoundTogether(Struct, frozen=True):
    """How the search ended, the counts of its nodes, how many distinct paths there are, the states of the workers'
    searches."""

    kind: EndingKind
    counts: NodeCounts
    paths: int
    states: tuple[SearchState, ...]


class Unfinished(Struct, frozen=True):
    """A part that nobody works on, and how its last worker ended; None, when it has had none, or it died; `deaths`: of
    workers at this part; `number`: of its last start, 0: it had none."""

    part: Part
    kind: EndingKind | None = None
    deaths: int = 0
    number: int = 0

    @property
    def may_go_on(self) -> bool:
        """Whether another worker may take it up."""
        return self.kind in (None, EndingKind.MAX_RUNS)


class InHand(Struct, eq=False):
    """A worker at its part since `since`. `last`: the number of the part's runs after which it ends (0 = none);
    `deaths`: of workers at this part; `asked`: since when it is to give a part away, 0: it is not; `number`: of starts.

    `rival`: another one at the same part, begun since this one does not answer; `is_rival`: it is that other one.
    """

    worker: Worker
    last: int
    deaths: int = 0
    since: float = field(default_factory=time.monotonic)
    asked: float = 0.0
    number: int = 0
    rival: InHand | None = None
    is_rival: bool = False

    @property
    def is_over(self) -> bool:
        """Whether its search has come to an ending."""
        return self.worker.ended is not None


def kind_of(ending: EndingKind | None, unfinished: Sequence[Unfinished]) -> EndingKind:
    """How a search by workers ended that had this ending, None: nothing ended it, and left these parts."""
    if not unfinished and ending not in (EndingKind.COVERED, EndingKind.FOUND):
        return EndingKind.EXHAUSTED  # also when a limit struck just then
    if ending is not None:
        return ending
    kinds = {each.kind for each in unfinished}
    order = (
        EndingKind.FOUND,
        EndingKind.COVERED,
        EndingKind.BUDGET,
        EndingKind.MAX_BUGS,
        EndingKind.MAX_RUNS,
        EndingKind.STOPPED,
    )
    return next((kind for kind in order if kind in kinds), EndingKind.MAX_RUNS)
