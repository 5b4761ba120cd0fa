"""Bounds that grow: where the runs of a finished search came to a bound, another search goes on with twice of it.

    8 ─► finished, max-length was met ─► 16: first the inputs that the search before keeps ─► finished, new ─► 32 ...

Each search has a tree of its own: what was the end of a string is a character in the next one, so that paths differ.
Leaves keep their places in an input, so that inputs are the same bytes in all of them. A search that shows no new
branch, outcome or bug is the last, unless a branch is open: `if (strlen(s) != 40)` is settled the same way within 8, 16
and 32. Once everything is covered it may make as many runs as all before it, or some more; before that, it ends with
the budget, or when it has shown nothing new for long. What shows no more without an end is dropped.

Clocks are such a bound, too: they tell times of their own, then any. So are lengths that nobody wrote down: at first a
buffer ends where they say, then there may be more elements (docs/decisions/0436). So is static data, in stages of its
own behind the inputs': no call before the entry, 1, 2, 4, ..., and at last any value (docs/state.md).

The last searches are brief, within larger and far larger bounds, whatever came of those before them: a buffer of 64
bytes that a text is copied to needs no path but that of a long text, a number that overflows one of ten digits
(docs/decisions/0525, 0527).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection

import numpy as np
from msgspec import Struct, field

from veer.model.ending import Claim, Ending, EndingKind
from veer.model.growth import ARGUMENT_DOUBLINGS, NOT_GROWN, Doublings, Growth, GrowthEnd, grown, growth_words
from veer.model.types import BoundKind
from veer.model.values import replace
from veer.oracles.bugs import BUGS
from veer.search.distinct import distinct
from veer.search.ending import doubted, ending
from veer.search.goal import goal_items
from veer.search.inputbounds import met
from veer.search.plain import PLAIN
from veer.search.protocol import Searched
from veer.search.scene import Scene
from veer.search.seeds import Seed
from veer.search.selection import NO_TEST, told_of
from veer.search.stages import SIZES, STAGES, Stage, may_be_far, share_behind
from veer.wire.bounds import Bounds
from veer.wire.control import Statistics
from veer.wire.layout import Bound, Outcome
from veer.wire.mutations import Mutations
from veer.wire.shared import Shared

_LEAST_RUNS = 1000
"""A search may make so many runs, even if those before it needed fewer."""
_PATIENCE = 1 / 12
"""Share of the budget without anything new, after which a search ends."""
_BRIEF_PATIENCE = 1 / 60
"""The same share of a brief search."""
_MOST_DOUBLINGS = {BoundKind.ARGUMENTS: ARGUMENT_DOUBLINGS}
"""Of those that may double less often than their stage says."""
_TABLES = ("leaves", "objects", "names")
_FOR_ALL = frozenset(
    {
        EndingKind.STOPPED,
        EndingKind.COVERED,
        EndingKind.FOUND,
        EndingKind.MAX_BUGS,
        EndingKind.FAILED,
        EndingKind.NEW_CODE,
    }
)
"""Endings of a search behind which there is no other."""


class Step(Struct, frozen=True):
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
        if self.searched.kind in (EndingKind.COVERED, EndingKind.FOUND, EndingKind.MAX_BUGS):
            return None
        is_no_less = self.is_finished and (own.claim is not Claim.NONE or best.claim is Claim.NONE)
        return None if is_no_less else best

    def last(self, *, shows_more: bool, is_stubborn: bool) -> GrowthEnd | None:
        """Why it is the last search, or None: one that showed something new, and then nothing for long, is not.

        `is_stubborn`: one that was finished and showed nothing new is not, either.
        """
        if self.is_finished:
            return None if shows_more or is_stubborn else GrowthEnd.NOTHING_NEW
        return None if self.lost_patience else GrowthEnd.UNFINISHED

    @property
    def lost_patience(self) -> bool:
        """Whether it ended because it showed nothing new for long, which the user did not ask for."""
        return self.searched.kind is EndingKind.PLATEAU and not self.scene.options.plateau

    @property
    def runs(self) -> int:
        """Of this search and all before it."""
        return self.scene.shared.counts.runs

    def ending(self) -> Ending:
        """Its ending, and what may be claimed, as it is now: a test that is run again may show a divergence."""
        scene, found = self.scene, self.searched
        ended = ending(found.kind, scene.shared, scene.program, scene.options, found.counts)
        if ended.claim is not Claim.NONE:
            ended = replace(ended, within=(*ended.within, *found.within))
        return doubted(ended, found.doubts)


class Searches(Struct, frozen=True):
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


class _Reached(Struct):
    """How far the searches have come.

    `kept`: the last one that shows all that was found; `doublings`: its bounds; `best`: the ending that may be claimed,
    None: that of `kept`; `is_over`: something ended a search that ends all of them.
    """

    kept: Step
    runs: int
    best: Ending | None = None
    doublings: Doublings = field(default_factory=dict)
    finished: Doublings = field(default_factory=dict)
    begun: Doublings = field(default_factory=dict)
    count: int = 1
    end: GrowthEnd = GrowthEnd.NOT_MET
    is_over: bool = False

    def take(self, step: Step, larger: Doublings) -> None:
        """Goes on from a search that shows no less than the one before."""
        before = self.best or self.kept.ending()
        self.kept.scene.shared.close()
        self.kept, self.doublings = step, larger
        self.begun = NOT_GROWN if step.is_finished else larger
        self.finished = larger if step.is_finished else self.finished
        self.best = step.better(before)

    def drop(self, step: Step, begun: Doublings) -> None:
        """Leaves a search that shows less, or was not finished and shows no more. Its time was spent all the same.

        `begun`: the bounds that are told of as begun.
        """
        self.begun = begun
        spent = replace(self.kept.searched, seconds=step.searched.seconds, queries=step.searched.queries)
        self.kept = replace(self.kept, searched=spent)
        step.scene.shared.close()


class Growing(Struct, frozen=True):
    """What goes on where the search `first` is over. The memories of searches that are not the last are closed.

    `kinds`: the bounds that may grow. `deadline`: of all searches, in time.monotonic.
    """

    first: Step
    kinds: frozenset[BoundKind]
    deadline: float
    begin: Begin

    def searches(self) -> Searches:
        """Searches within larger and larger bounds, until one shows nothing new; one stage after the other.

        Raises what Search.run raises.
        """
        at = _Reached(self.first, self.first.runs)
        for stage in STAGES:
            if self._may_begin(stage, at):
                self._grow(stage, at)
        if at.count == 1:
            return Searches(at.kept, at.runs)
        program = self.first.scene.program
        growth = Growth(growth_words(program, at.finished), growth_words(program, at.begun), at.count, at.end)
        return Searches(at.kept, at.runs, growth, at.best)

    def _may_begin(self, stage: Stage, at: _Reached) -> bool:
        """Whether there is a reason for the searches of a stage, and nothing against them."""
        first = self.first
        is_ready = first.is_finished or (first.lost_patience and stage.follows_any)
        is_late = stage.is_brief and first.searched.kind is EndingKind.BUDGET
        if at.is_over or not (is_ready or is_late) or not self.kinds & stage.kinds:
            return False
        if stage.is_brief:
            return not (stage.needs_endless and first.is_finished)
        if stage.needs_calls and BoundKind.CALLS not in at.doublings:
            return False
        if any(at.begun.get(kind, 0) > at.doublings.get(kind, 0) for kind in stage.kinds):
            return False  # its next search was dropped
        return not (stage.needs_open_branch and _is_covered(at.kept.scene))

    def _grow(self, stage: Stage, at: _Reached) -> None:
        """The searches of one stage. `in_vain`: why the first one of those since the last news may be the last."""
        tried, reached, in_vain = at.doublings, met(at.kept.scene.shared), None
        while True:
            larger = self._larger(stage, tried, reached)
            left = self._seconds_left(stage)
            if forbidden := self._forbids(stage, at, tried, larger, left):
                break
            step = self._next(stage, at.kept, larger, at.runs, left)
            at.count, at.runs = at.count + 1, step.runs
            at.is_over = step.searched.kind in _FOR_ALL
            tried, reached = larger, met(step.scene.shared)
            shows_more, shows_less = _differs(at.kept.scene, step.scene, is_brief=stage.is_brief)
            if stage.is_brief and (shows_less or not shows_more):
                at.drop(step, at.begun)
                return
            if stage.needs_news and step.is_finished and not (shows_more or shows_less):
                at.drop(step, at.begun)
                in_vain = GrowthEnd.NOTHING_NEW
            elif shows_less or not (step.is_finished or shows_more):
                at.drop(step, at.begun if in_vain else larger)
                in_vain = in_vain or GrowthEnd.UNFINISHED
            else:
                at.take(step, larger)
                in_vain = step.last(shows_more=shows_more, is_stubborn=stage.is_stubborn)
            if in_vain and (shows_less or not self._goes_on(stage, at.kept, step)):
                break
        end = in_vain or forbidden
        if end and end is not GrowthEnd.NOT_MET:
            at.end = end

    def _goes_on(self, stage: Stage, kept: Step, step: Step) -> bool:
        """Whether there may be news behind a search that showed none: larger inputs where a branch is open.

        Where calls may be made before the entry, these are tried first.
        """
        has_calls_first = BoundKind.CALLS in self.kinds and not stage.needs_calls
        if stage.kinds != SIZES or has_calls_first or _is_covered(kept.scene):
            return False
        return step.is_finished or step.lost_patience

    def _larger(self, stage: Stage, tried: Doublings, reached: Collection[BoundKind]) -> Doublings:
        """The doublings behind those that were tried: only what was reached grows."""
        wanted = self.kinds & stage.kinds & frozenset(reached)
        wanted -= {kind for kind, most in _MOST_DOUBLINGS.items() if tried.get(kind, 0) >= most}
        if stage.is_brief:
            return {**tried, **{kind: max(stage.most, tried.get(kind, 0)) for kind in sorted(wanted)}}
        return {kind: tried.get(kind, 0) + (kind in wanted) for kind in sorted({*tried, *wanted})}

    def _seconds_left(self, stage: Stage) -> float:
        """Of the budget, for the searches of a stage: they leave time for far larger inputs."""
        scene = self.first.scene
        share = share_behind(stage) if may_be_far(self.kinds, scene.program) else 0.0
        return self.deadline - time.monotonic() - share * scene.options.budget

    def _forbids(
        self, stage: Stage, at: _Reached, tried: Doublings, larger: Doublings, left: float
    ) -> GrowthEnd | None:
        """Why there is no next search, or None. `left`: seconds."""
        most = self.first.scene.options.max_runs
        if at.is_over or left <= 0 or 0 < most <= at.runs:
            return GrowthEnd.UNFINISHED
        if larger == tried:
            return GrowthEnd.NOT_MET
        grew = max(larger[kind] for kind in stage.kinds & larger.keys())
        return GrowthEnd.LARGEST if grew > stage.most else None

    def _next(self, stage: Stage, before: Step, doublings: Doublings, runs: int, seconds: float) -> Step:
        """The next search; its memory counts on from the one before."""
        old, asked = before.scene, self.first.scene.options
        shared = self.begin(doublings)
        take_over(old.shared, shared)
        shared.counts.runs = runs
        shared.control(Mutations).mutated_runs = old.shared.control(Mutations).mutated_runs
        seeds = seeds_of(old)
        most = runs + max(runs, _LEAST_RUNS) if _is_covered(old) else 0
        if stage.is_brief:
            most = runs + stage.runs + len(seeds)
        options = replace(
            asked,
            budget=max(0.001, seconds),
            max_runs=min(filter(None, (most, asked.max_runs)), default=0),
            patience=(_BRIEF_PATIENCE if stage.is_brief else _PATIENCE) * asked.budget,
        )
        old.tools.release()  # the engine's library serves one memory at a time
        program = grown(self.first.scene.program, doublings)
        scene = replace(old, shared=shared, program=program, options=options, seeds=seeds, is_brief=stage.is_brief)
        scene = replace(scene, checkpoints=None, earlier=None)
        found = PLAIN.run(scene)
        return Step(replace(scene, options=asked), found.behind(before.searched))


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
    for each in Statistics.declared:
        new.statistics.cells[each.name][...] = old.statistics.cells[each.name]


def _doublings(shared: Shared, bound: Bound) -> int:
    return shared.control(Bounds).doublings >> 4 * bound & 15


def seeds_of(scene: Scene) -> tuple[Seed, ...]:
    """The first input, and those that the campaign may tell of, in the order in which they were run."""
    paths, reports = scene.shared.published("paths"), scene.shared.published("reports")
    is_told = told_of(paths, reports, all_paths=False)
    is_told[:1] = True
    found = []
    for path in np.flatnonzero(is_told).tolist():
        report = int(paths[path]["report"])
        first = (int(reports[report]["run"]), int(reports[report]["nanoseconds"])) if report < len(reports) else (0, 0)
        found.append(Seed(scene.shared.input_of(path), *first))
    return tuple(found)


def _is_covered(scene: Scene) -> bool:
    items = goal_items(scene.program, scene.options.goal)
    return len(items.covered(scene.shared.published("edge_seen"))) == items.total


def _differs(old: Scene, new: Scene, *, is_brief: bool) -> tuple[bool, bool]:
    """Whether the new search shows something that the old one does not, and the other way round.

    `is_brief`: that a run of the new one uses up its steps says no more than that its input is long.
    """
    before, after = _shown(old), _shown(new)
    of_steps = {each for each in after if is_brief and each[0] != "branch" and each[1] == Outcome.HANG}
    return bool(after - before - of_steps), bool(before - after)


def _shown(scene: Scene) -> frozenset[tuple[str, int, int]]:
    """Branches, outcomes and bugs, each by a name and numbers."""
    shared = scene.shared
    items = goal_items(scene.program, scene.options.goal).covered(shared.published("edge_seen"))
    outcomes = distinct(shared.published("paths")["outcome"]).tolist()
    reports = shared.published("reports")[["outcome", "site"]].tolist()
    return frozenset(
        [
            *(("branch", item, 0) for item in items),
            *(("outcome", outcome, 0) for outcome in outcomes if outcome not in NO_TEST),
            *(("bug", outcome, site) for outcome, site in reports if outcome in BUGS),
        ]
    )
