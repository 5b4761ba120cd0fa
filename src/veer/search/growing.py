"""Bounds that grow: where the runs of a finished search came to a bound, another search goes on with twice of it.

    8 ─► finished, max-length was met ─► 16: first the inputs that the search before keeps ─► finished, new ─► 32 ...

Each search has a tree of its own: what was the end of a string is a character in the next one, so that paths differ.
Leaves keep their places in an input, so that inputs are the same bytes in all of them. A search that shows no new
branch, outcome or bug is the last. Once everything is covered it may make as many runs as all before it, or some more;
before that, it ends with the budget, or when it has shown nothing new for long: then the next one goes on if it has
shown anything.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

import numpy as np

from veer.model.ending import Claim, Ending, EndingKind
from veer.model.growth import NOT_GROWN, Doublings, Growth, GrowthEnd, grown, grown_words
from veer.model.program import BoundKind
from veer.oracles.bugs import BUGS
from veer.search.coverage import Items
from veer.search.ending import doubted, ending
from veer.search.goal import goal_sites
from veer.search.inputbounds import met
from veer.search.plain import PLAIN
from veer.search.protocol import Searched
from veer.search.query_counts import QueryCounts
from veer.search.scene import Scene
from veer.search.seeds import Seed
from veer.search.selection import NO_TEST, told_of
from veer.wire.bounds import Bounds
from veer.wire.control import Statistics
from veer.wire.layout import Bound
from veer.wire.shared import Shared

_MOST_DOUBLINGS = 4
"""8 becomes 128 at most."""
_LEAST_RUNS = 1000
"""A search may make so many runs, even if those before it needed fewer."""
_PATIENCE = 1 / 12
"""Share of the budget without anything new, after which a search ends."""
_TABLES = ("leaves", "objects", "names")


@dataclass(frozen=True, slots=True)
class Step:
    """One search: its scene, with the options of the campaign, and what it found."""

    scene: Scene
    searched: Searched

    @property
    def is_finished(self) -> bool:
        """Whether nothing waits."""
        return self.searched.kind is EndingKind.EXHAUSTED

    def better(self, best: Ending) -> Ending | None:
        """The ending of those before it that holds for all, if more may be claimed of it; None: its own does."""
        own = self.ending()
        if self.searched.kind in (EndingKind.COVERED, EndingKind.MAX_BUGS):
            return None
        is_no_less = self.is_finished and (own.claim is not Claim.NONE or best.claim is Claim.NONE)
        return None if is_no_less else best

    def last(self, *, shows_more: bool) -> GrowthEnd | None:
        """Why it is the last search, or None: one that showed something new, and then nothing for long, is not."""
        if self.is_finished:
            return None if shows_more else GrowthEnd.NOTHING_NEW
        is_patience = self.searched.kind is EndingKind.PLATEAU and not self.scene.options.plateau
        return None if is_patience else GrowthEnd.UNFINISHED

    @property
    def runs(self) -> int:
        """Of this search and all before it."""
        return self.scene.shared.counts.runs

    def ending(self) -> Ending:
        """Its ending, and what may be claimed, as it is now: a test that is run again may show a divergence."""
        scene, found = self.scene, self.searched
        ended = ending(found.kind, scene.shared, scene.program, scene.options, found.counts)
        return doubted(ended, found.doubts)


@dataclass(frozen=True, slots=True)
class Searches:
    """What came of all searches, which made so many `runs`: `last` has all that was found.

    `claimed`: the ending of an earlier one, of which more may be claimed; None: that of `last` holds.
    """

    last: Step
    runs: int
    growth: Growth | None = None
    claimed: Ending | None = None

    def ending(self, diverged: int) -> Ending:
        """The ending of the campaign, of which so many runs had diverged when the searches were over.

        One that diverges when it is run again tells of the program, whatever the bounds are: it ends every claim.
        """
        now = self.last.ending()
        if self.claimed is None:
            return now
        is_new = self.last.scene.shared.counts.diverged > diverged
        return doubted(self.claimed, now.lost_by) if is_new else self.claimed


Begin = Callable[[Doublings], Shared]
"""Makes the memory of a search, with what decides its runs; the bounds are doubled so often."""


@dataclass(frozen=True, slots=True)
class Growing:
    """What goes on where the search `first` is over. The memories of searches that are not the last are closed.

    `kinds`: the bounds that may grow. `deadline`: of all searches, in time.monotonic.
    """

    first: Step
    kinds: frozenset[BoundKind]
    deadline: float
    begin: Begin

    def searches(self) -> Searches:
        """Searches within larger and larger bounds, until one shows nothing new. Raises what Search.run raises."""
        kept, best = self.first, None  # None: the ending of `kept` holds
        doublings = finished = begun = NOT_GROWN
        count, runs, end = 1, kept.runs, None
        while end is None:
            larger = self._larger(kept, doublings)
            if end := self._forbids(kept, larger, doublings):
                break
            before = best or kept.ending()
            step = self._next(kept, larger, runs)
            count, runs = count + 1, step.runs
            shows_more, shows_less = _differs(kept.scene, step.scene)
            if shows_less or not (step.is_finished or shows_more):
                begun, end = larger, GrowthEnd.UNFINISHED
                step.scene.shared.close()
                break
            kept.scene.shared.close()
            kept, doublings, begun = step, larger, NOT_GROWN if step.is_finished else larger
            finished = larger if step.is_finished else finished
            best = step.better(before)
            end = step.last(shows_more=shows_more)
        if count == 1:
            return Searches(kept, runs)
        bounds = self.first.scene.program.bounds
        growth = Growth(_words(bounds, finished), _words(bounds, begun), count, end)
        return Searches(kept, runs, growth, best)

    def _larger(self, step: Step, doublings: Doublings) -> Doublings:
        """The doublings of the next search: only what was met grows."""
        wanted = self.kinds & met(step.scene.shared)
        return {kind: doublings.get(kind, 0) + (kind in wanted) for kind in sorted({*doublings, *wanted})}

    def _forbids(self, step: Step, larger: Doublings, doublings: Doublings) -> GrowthEnd | None:
        """Why there is no next search, or None."""
        is_over = step is self.first and not step.is_finished
        if is_over or time.monotonic() >= self.deadline:
            return GrowthEnd.UNFINISHED
        if larger == doublings:
            return GrowthEnd.NOT_MET
        return GrowthEnd.LARGEST if max(larger.values()) > _MOST_DOUBLINGS else None

    def _next(self, before: Step, doublings: Doublings, runs: int) -> Step:
        """The next search; its memory counts on from the one before."""
        old, asked = before.scene, self.first.scene.options
        shared = self.begin(doublings)
        take_over(old.shared, shared)
        shared.counts.runs = runs
        most = runs + max(runs, _LEAST_RUNS) if _is_covered(old) else 0
        options = replace(
            asked,
            budget=max(0.001, self.deadline - time.monotonic()),
            max_runs=min(filter(None, (most, asked.max_runs)), default=0),
            patience=_PATIENCE * asked.budget,
        )
        old.tools.release()  # the engine's library serves one memory at a time
        program = grown(self.first.scene.program, doublings)
        scene = replace(old, shared=shared, program=program, options=options, seeds=_seeds(old))
        scene = replace(scene, checkpoints=None, earlier=None)
        found = PLAIN.run(scene)
        counts = QueryCounts()
        for each in (before.searched.queries, found.queries):
            counts.add_state(each.state())
        found = replace(found, queries=counts, seconds=before.searched.seconds + found.seconds)
        return Step(replace(scene, options=asked), found)


def _words(bounds: Iterable[str], doublings: Doublings) -> tuple[str, ...]:
    """The bounds that were doubled."""
    return tuple(larger for words in bounds if (larger := grown_words(words, doublings)) != words)


def take_over(old: Shared, new: Shared) -> None:
    """Gives a memory the leaves of another one, as they are within its own bounds, and its statistics."""
    for name in _TABLES:
        records = old.published(name)
        new.region(name)[: len(records)] = records
    for count in ("leaf_count", "object_count", "name_bytes", "leaf_bytes"):
        setattr(new.counts, count, getattr(old.counts, count))
    leaves = new.published("leaves")
    for bound in Bound:
        times = _doublings(new, bound) - _doublings(old, bound)
        own = np.flatnonzero((leaves["flags"] == int(bound)) & (bound is not Bound.NONE))
        widest = (np.uint64(1) << (leaves["width"][own].astype(np.uint64) - np.uint64(1))) - np.uint64(1)
        leaves["maximum"][own] = np.minimum(leaves["maximum"][own] << np.uint64(times), widest)
    for field in Statistics.declared:
        new.statistics.cells[field.name][...] = old.statistics.cells[field.name]


def _doublings(shared: Shared, bound: Bound) -> int:
    return shared.control(Bounds).doublings >> 4 * bound & 15


def _seeds(scene: Scene) -> tuple[Seed, ...]:
    """The first input, and those that the campaign may tell of, in the order in which they were run."""
    paths, reports = scene.shared.published("paths"), scene.shared.published("reports")
    is_told = told_of(paths, all_paths=False)
    is_told[:1] = True
    found = []
    for path in np.flatnonzero(is_told).tolist():
        report = int(paths[path]["report"])
        first = (int(reports[report]["run"]), int(reports[report]["nanoseconds"])) if report < len(reports) else (0, 0)
        found.append(Seed(scene.shared.input_of(path), *first))
    return tuple(found)


def _is_covered(scene: Scene) -> bool:
    items = Items(goal_sites(scene.program, scene.options.goal))
    return len(items.covered(scene.shared.published("edge_seen"))) == items.total


def _differs(old: Scene, new: Scene) -> tuple[bool, bool]:
    """Whether the new search shows something that the old one does not, and the other way round."""
    before, after = _shown(old), _shown(new)
    return bool(after - before), bool(before - after)


def _shown(scene: Scene) -> frozenset[tuple[str, int, int]]:
    """Branches, outcomes and bugs, each by a name and numbers."""
    shared = scene.shared
    items = Items(goal_sites(scene.program, scene.options.goal)).covered(shared.published("edge_seen"))
    outcomes = np.unique(shared.published("paths")["outcome"]).tolist()
    reports = shared.published("reports")[["outcome", "site"]].tolist()
    return frozenset(
        [
            *(("branch", item, 0) for item in items),
            *(("outcome", outcome, 0) for outcome in outcomes if outcome not in NO_TEST),
            *(("bug", outcome, site) for outcome, site in reports if outcome in BUGS),
        ]
    )
