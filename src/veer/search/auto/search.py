"""The plain search with trials of others beside it: what a trial finds is run, what it claims is claimed at the end.

    plain search ──cost 1──► trial ──cost 2──► trial ──cost 4──► trial ... ─► its own ending, and where that claims
                                                                              nothing the claim of a trial that is spent

What plain search, trials and claims cost is counted, never timed: the same command makes the same runs. All trials
together cost at most a tenth of what the plain search has cost; one that shows something new may have as much as that
search itself, until it shows nothing any more (docs/decisions/0474).
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct, field

from veer.model.ending import Claim, EndingKind
from veer.model.searchoptions import ALL_PATHS, SearchOptions
from veer.model.values import replace
from veer.search.auto.evidence import speaks_for_blocks, speaks_for_summaries
from veer.search.auto.trial import Claimed, Trial, ending_by
from veer.search.compaction import notes_on_paths
from veer.search.compositional.search import COMPOSITIONAL
from veer.search.cost import SECOND, cost_of
from veer.search.ending import ending
from veer.search.inputbounds import meet_all
from veer.search.memory import BoundedSearch
from veer.search.partitioned.search import PARTITIONED
from veer.search.plain import PLAIN, search_alone, takes_workers
from veer.search.protocol import Ability, Instrumentation, Search, Searched
from veer.search.query_counts import QueryCounts
from veer.search.scene import Scene


class Pace(Struct, frozen=True):
    """When trials are due, and what they may cost (search/cost.py).

    `builds_at`: a program is built for a trial once the plain search has cost so much, and `a_site` for each of its
    sites, since large programs take long to build; twice that, and it is tried. `share` of the plain search's cost is
    what all trials together have while none shows anything new.
    """

    builds_at: float = 1 * SECOND
    a_site: float = SECOND / 1000
    share: float = 0.1


_MOST_IN_VAIN = 3
_REPLACED = (EndingKind.BUDGET, EndingKind.MAX_RUNS, EndingKind.PLATEAU, EndingKind.EXHAUSTED)
"""Endings of the plain search in whose place a trial's may stand, where that may claim something."""

Evidence = Callable[[Scene], bool]
METHODS: tuple[tuple[str, Search, Evidence], ...] = (
    ("partitioned", PARTITIONED, speaks_for_blocks),
    ("compositional", COMPOSITIONAL, speaks_for_summaries),
)


class AutoSearch:
    """See Search. Never refuses. What it finds is found by runs of the plain build."""

    instrumentation = Instrumentation()
    abilities = frozenset(Ability)

    def run(self, scene: Scene) -> Searched:
        """See Search."""
        if scene.beside is None or is_plain(scene):
            return PLAIN.run(scene)
        with Turns(scene) as turns:
            return turns.searched()


AUTO = AutoSearch()


def is_plain(scene: Scene) -> bool:
    """Whether an option asks for what the plain search alone does, or nobody gains by a trial."""
    options = scene.options
    if takes_workers(options) or scene.earlier is not None or scene.exchange is not None:
        return True
    return not _is_usual(options)


def _is_usual(options: SearchOptions) -> bool:
    usual = SearchOptions()
    named = ("strategy", "max_call_depth", "solve_first", "look_ahead", "max_branches", "goal")
    is_named = any(getattr(options, name) != getattr(usual, name) for name in named)
    return not (is_named or options.criterion in ALL_PATHS or options.sought)


class Turns(Struct, eq=False):
    """The turns of the plain search and of its trials. `elsewhere`: the cost of runs that trials have made, which are
    counted as runs of the campaign; `next`: the cost of the plain search at which trials have their turn."""

    scene: Scene
    pace: Pace = Pace()
    trials: list[Trial] | None = None
    deadline: float = 0.0
    elsewhere: float = 0.0
    next: float = 0.0
    began: float = 0.0
    claims: list[Claimed] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def __enter__(self) -> Turns:
        return self

    def __exit__(self, *_: object) -> None:
        for trial in self.trials or ():
            trial.close()

    def searched(self) -> Searched:
        """All turns, until an ending."""
        scene, began = self.scene, time.monotonic()
        self.deadline = began + scene.options.budget
        self.began = cost_of(scene.shared)
        self.next = self.pace.builds_at + self.pace.a_site * len(scene.program.sites)
        state: dict[str, Any] | None = None
        while True:
            left = max(0.001, self.deadline - time.monotonic())
            within = replace(scene, options=replace(scene.options, budget=left))
            with contextlib.closing(BoundedSearch(within)) as search:
                if state is not None:
                    search.restore(state)
                kind = search_alone(scene, search, lambda _: self._is_due())
                state = {**search.state(), "cost_at_news": search.explorer.cost_at_news}
                self.notes += search.explorer.notes
            if kind is not None:
                return self._ended(kind, state, time.monotonic() - began)
            scene = replace(scene, existing=(), seeds=())  # they have been run
            before = self.elsewhere
            self._tried()
            if self._is_settled():
                return self._ended(EndingKind.EXHAUSTED, state, time.monotonic() - began)
            state["cost_at_news"] += self.elsewhere - before

    def _is_due(self) -> bool:
        """Whether a trial has its turn; before the first one the program is built for it, while the search goes on."""
        if self._own_cost() < self.next:
            return False
        if self.trials is not None:
            return True
        self.trials = self._begun()
        self.next = 2 * self.next if self.trials else float("inf")
        return False

    def _own_cost(self) -> float:
        return cost_of(self.scene.shared) - self.began - self.elsewhere

    def _begun(self) -> list[Trial]:
        """The trials that something speaks for; the program is built for the first one from now on."""
        beside = self.scene.beside
        assert beside is not None
        found = [
            Trial(name, search)
            for name, search, speaks_for in METHODS
            if beside.can_build(name) and speaks_for(self.scene)
        ]
        if found:
            beside.begin(found[0].name)
        return found

    def _tried(self) -> None:
        """One turn of each trial that is due; the next turn comes when the plain search has cost half as much again
        where one showed something new, else twice as much."""
        assert self.trials is not None
        waiting = [trial for trial in self.trials if not trial.is_over and trial.in_vain < _MOST_IN_VAIN]
        is_new, own = False, self._own_cost()
        for trial in sorted(waiting, key=lambda each: each.spent)[:1]:
            spent = sum(each.spent for each in self.trials)
            has_gained = trial.spent > 0 and trial.in_vain == 0
            allowed = own - trial.spent if has_gained else self.pace.share * own - spent
            if allowed <= 0 or time.monotonic() >= self.deadline:
                continue
            before = cost_of(self.scene.shared)
            is_new |= trial.go(self.scene, allowed, self.deadline)
            self.elsewhere += cost_of(self.scene.shared) - before
            if trial.claimed is not None:
                self.claims.append(trial.claimed)
            if trial.note:
                self.notes.append(trial.note)
            self._build_next()
        self.next = own * (1.5 if is_new else 2.0)
        if not [each for each in self.trials if not each.is_over and each.in_vain < _MOST_IN_VAIN]:
            self.next = float("inf")

    def _is_settled(self) -> bool:
        """Whether a trial claims all that the plain search could: every path, with all its checks."""
        return any(
            claimed.claim is Claim.PATHS and not claimed.aside and ending_by(claimed, self.scene).claim is Claim.PATHS
            for claimed in self.claims
        )

    def _build_next(self) -> None:
        """Builds the program for the next trial, once the one before is over."""
        assert self.trials is not None and self.scene.beside is not None
        waiting = [trial for trial in self.trials if not trial.is_over and trial.in_vain < _MOST_IN_VAIN]
        if waiting:
            self.scene.beside.begin(min(waiting, key=lambda each: each.spent).name)

    def _ended(self, kind: EndingKind, state: Mapping[str, Any], seconds: float) -> Searched:
        """What the plain search found, with the claim of a trial where it has none of its own."""
        scene, counts = self.scene, QueryCounts()
        counts.add_state(state.get("queries", {}))
        for trial in self.trials or ():
            counts.add_state(trial.queries.state())
        told = (*dict.fromkeys(self.notes), *self._told(), *notes_on_paths(scene.shared))
        paths = scene.shared.counts.distinct_paths
        own = Searched(kind, None, paths, counts, seconds, told)
        if kind not in _REPLACED or ending(kind, scene.shared, scene.program, scene.options).claim is not Claim.NONE:
            return own
        for claimed in sorted(self.claims, key=lambda each: each.claim is not Claim.PATHS):
            if ending_by(claimed, scene).claim is not Claim.NONE:
                found = claimed.found
                meet_all(scene.shared)  # parts that were never put together in a run may meet any bound
                return replace(
                    own,
                    kind=EndingKind.EXHAUSTED,
                    counts=claimed.counts,
                    has_run_every_path=False,
                    partition=found.partition,
                    summaries=found.summaries,
                    within=claimed.aside,
                    notes=(*told, *found.notes),
                )
        return own

    def _told(self) -> list[str]:
        """A sentence for each search that was tried."""
        return [f"auto: {trial.name} was tried in {trial.runs:,} runs" for trial in self.trials or () if trial.spent]
