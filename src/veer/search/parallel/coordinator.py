"""One search by several workers: each open node is in the hands of one of them, until all is searched.

    one search ─► many open nodes ─► a part each ─► workers ─► one is done: merge, take half of the largest part ─┐
                                                       ▲                                                          │
                                                       └──────────────────────────────────────────────────────────┘

When a worker dies, its part is searched by another one. A part that is not searched to its end stays whole until all is
over, so that it can be saved and gone on with.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from veer.model.ending import EndingKind
from veer.model.errors import ExecutorError
from veer.search.cost import FEWEST_IN_VAIN, SECOND, cost_of
from veer.search.distinct import distinct
from veer.search.node_counts import NodeCounts
from veer.search.parallel.checkpoint import Checkpoints, SearchState, WorkersState
from veer.search.parallel.findings import Findings, Hashes, findings_of, new_paths
from veer.search.parallel.hands import Bounds, FoundTogether, InHand, Unfinished, kind_of
from veer.search.parallel.merge import merge
from veer.search.parallel.part import Part, Status, give, here, waiting
from veer.search.parallel.protocol import NOTHING, Errand, Workers
from veer.search.parallel.rounds import dealt, runs_of_each, shares
from veer.wire.forgotten import Forgotten
from veer.wire.shared import Shared

_TICK = 0.05
_SILENCE = 5.0  # seconds after which a worker that was asked for half of its part is slow
_SECONDS_TO_STOP = 3.0  # for a worker that was told to; else it is ended
_SHORTEST_WORK = 0.1  # seconds that a part is worked on before it is halved


class Coordinator:
    """Searches `main`, whose open nodes it hands out; `explore` once."""

    def __init__(
        self,
        main: Shared,
        workers: Workers,
        errand: Callable[[int], Errand],
        edge_count: int,
        bounds: Bounds,
        *,
        state: SearchState,
        checkpoints: Checkpoints | None = None,
        earlier: WorkersState | None = None,
        on_tick: Callable[[int, int], None] = lambda runs, paths: None,
        on_reports: Callable[[npt.NDArray[np.void]], None] = lambda reports: None,
    ) -> None:
        """`errand`: what a worker is told whose part may have so many runs (0 = no limit); `state`: of the search of
        `main` before; `earlier`: what was saved of its workers. `on_tick` is told of runs and paths, `on_reports` of
        reports of workers, each again and again."""
        self._main = main
        self._workers = workers
        self._errand = errand
        self._bounds = bounds
        self._edge_count = edge_count
        self._state = state
        self._checkpoints = checkpoints
        self._on_tick = on_tick
        self._on_reports = on_reports
        self._in_hand: list[InHand] = []
        self._searched: list[InHand] = []  # to their ends, and not merged yet
        self._unfinished = [Unfinished(part) for part in earlier.parts] if earlier is not None else []
        self._finished: list[SearchState] = [*earlier.states] if earlier is not None else []
        self._counts = earlier.counts if earlier is not None else NodeCounts.empty(edge_count)
        self._hashes: list[Hashes] = [new_paths(main), *([] if earlier is None else [earlier.hashes])]
        self._allowance = max(0, bounds.max_runs - self._runs(self._statuses()))
        self._merged_news = self._news = 0
        statuses = self._statuses()
        self._runs_at_news, self._cost_at_news = self._runs(statuses), self._cost(statuses)
        self._reports_told: list[tuple[object, int]] = []  # how many of each part
        self._starts = 0
        self._ending: EndingKind | None = None
        self._stopped_at = math.inf

    def explore(self) -> FoundTogether:
        """Until every part is searched or an ending. Raises ExecutorError when workers die again and again."""
        try:
            for ids in shares(waiting(self._main), self._bounds.jobs):
                self._unfinished.append(Unfinished(give(self._main, ids, self._edge_count)))
            self._hand_out()
            while self._in_hand or self._can_go_on():
                ready = self._ready()
                self._take_deliveries()
                for each in ready:
                    if each in self._in_hand:
                        self._finish(each)
                self._tick()
                if self._ending is None:
                    self._hand_out()
                else:
                    self._end_late()
                self._merge_searched()
                if self._checkpoints is not None and self._checkpoints.is_due():
                    self._save(self._checkpoints)
            kind = kind_of(self._ending, self._unfinished)
            if self._unfinished and self._checkpoints is not None:
                self._save(self._checkpoints)
            for unfinished in self._unfinished:
                self._merge_part(unfinished.part)
        finally:
            for each in self._in_hand:
                each.worker.close()
            self._workers.close()
        self._counts += here(NodeCounts.of(self._main, self._edge_count))
        dropped = self._main.control(Forgotten).dropped_paths
        return FoundTogether(kind, self._counts, len(self._paths()) + dropped, tuple(self._finished))

    # -- handing out ------------------------------------------------------------------------------------------

    def _hand_out(self) -> None:
        """Work for each worker that has none: parts that wait, else half of the largest one."""
        if self._bounds.in_rounds:
            if not self._in_hand:
                self._begin_round()
            return
        for each in [each for each in self._unfinished if each.may_go_on]:
            if not self._may_start():
                return
            self._unfinished.remove(each)
            self._start(each.part, each.deaths)
        self._share_work()

    def _begin_round(self) -> None:
        """Gives each worker a part and so many runs, once all have made theirs."""
        self._merge_searched()
        self._share_coverage(self._statuses())
        over = [each for each in self._unfinished if not each.may_go_on]
        parts = dealt([each for each in self._unfinished if each.may_go_on], self._bounds.jobs, self._edge_count)
        now = parts[: min(self._bounds.jobs, self._allowance)]
        runs = runs_of_each(self._allowance, max(1, len(now)))
        self._unfinished = [*over, *parts[len(now) :]]
        for each in now:
            self._start(each.part, each.deaths, runs)

    def _may_start(self) -> bool:
        is_free = len(self._in_hand) < self._bounds.jobs and self._workers.room() > 0
        return is_free and self._has_allowance()

    def _has_allowance(self) -> bool:
        return not (self._bounds.max_runs and not self._allowance)

    def _can_go_on(self) -> bool:
        """Whether a part waits for nothing but a worker that is there."""
        waits = any(each.may_go_on for each in self._unfinished)
        return self._ending is None and waits and self._has_allowance()

    def _start(self, part: Part, deaths: int = 0, runs: int = 0) -> None:
        """`runs`: how many it may make, 0: its share of those that are left."""
        part.settle()
        part.shared.options.start_nanoseconds = self._main.options.start_nanoseconds
        last = 0
        if self._bounds.max_runs:
            allowance = runs or max(1, self._allowance // max(1, self._bounds.jobs - len(self._in_hand)))
            self._allowance -= allowance
            last = part.shared.counts.runs + allowance
        self._starts += 1
        worker = self._workers.submit(part, self._errand(last))
        self._in_hand.append(InHand(worker, last, deaths, number=self._starts))

    def _share_work(self) -> None:
        """Halves the largest part for a worker that has none, unless a half is under way for it."""
        under_way = sum(each.worker.is_splitting for each in self._in_hand)
        if not self._may_start():
            return
        now = time.monotonic()
        if under_way >= min(self._workers.room(), self._bounds.jobs - len(self._in_hand)):
            self._start_rival(now)
            return
        old = [
            each
            for each in self._in_hand
            if not each.is_over and not each.worker.is_splitting and now - each.since > _SHORTEST_WORK
        ]
        if not old:
            return
        sizes = [each.worker.open_branches() for each in old]
        largest = old[int(np.argmax(sizes))]
        if max(sizes) < 2:
            return
        if (half := largest.worker.split()) is not None:
            self._start(half)
        largest.since = largest.asked = time.monotonic()

    def _start_rival(self, now: float) -> None:
        """Another worker at the part of one that has been asked for half of it and is silent: it may be slow, or at one
        long query. What either tells first counts; the other one is ended then."""
        slow = next((each for each in self._in_hand if self._is_slow(each, now)), None)
        if slow is None:
            return
        copy = Part(slow.worker.part.shared.copy(), slow.worker.part.baseline)
        copy.settle()
        slow.rival = InHand(self._workers.submit(copy, self._errand(slow.last)), slow.last, is_rival=True)
        self._in_hand.append(slow.rival)

    def _is_slow(self, each: InHand, now: float) -> bool:
        is_alone = each.rival is None and not each.is_rival
        return is_alone and each.worker.is_splitting and now - each.asked > _SILENCE

    # -- taking back ------------------------------------------------------------------------------------------

    def _ready(self) -> list[InHand]:
        """Workers that have ended, or died."""
        ready = self._workers.wait([each.worker for each in self._in_hand], _TICK)
        return [each for each in self._in_hand if each.worker in ready]

    def _take_deliveries(self) -> None:
        """Merges what is final of parts that are searched on: from now on it is not the workers' any more."""
        for each in list(self._in_hand):
            delivery = each.worker.deliver() if each in self._in_hand else NOTHING
            if delivery.findings:
                self._end_rivalry(each)
                each.deaths = 0  # it is another part now
            for findings in delivery.findings:
                self._merge(findings)
            self._unfinished += [Unfinished(part) for part in delivery.parts]

    def _end_rivalry(self, first: InHand) -> None:
        """Of two at the same part this one was first: the other one never was."""
        pairs = [(each, each.rival) for each in self._in_hand if each.rival is not None]
        for slow, rival in pairs:
            if first in (slow, rival):
                other = rival if first is slow else slow
                slow.rival, rival.is_rival = None, False
                self._in_hand.remove(other)
                other.worker.close()
                other.worker.part.shared.close()

    def _finish(self, done: InHand) -> None:
        """Takes what a worker has found; when it has died, another goes on with its part."""
        worker, ended = done.worker, done.worker.ended
        worker.close()
        self._in_hand.remove(done)
        self._finished.append(worker.state)
        if ended is None:
            self._replace(done)
            return
        if done.last:
            self._allowance += max(0, done.last - worker.runs)
        if ended.kind is EndingKind.EXHAUSTED:
            self._searched.append(done)
        else:
            self._unfinished.append(Unfinished(worker.part, ended.kind, number=done.number))

    def _replace(self, died: InHand) -> None:
        """The part of one that has died waits for another one, unless there is one at it."""
        if died.is_rival or died.rival is not None:
            for each in self._in_hand:
                if died in (each, each.rival) or each is died.rival:
                    each.rival, each.is_rival = None, False
            died.worker.part.shared.close()
            return
        if died.deaths >= self._workers.most_deaths:
            raise ExecutorError(f"workers died {died.deaths + 1} times at the same part of the search")
        if died.last:
            self._allowance += max(0, died.last - died.worker.runs)
        self._unfinished.append(Unfinished(died.worker.part, None, died.deaths + 1, died.number))

    def _end_late(self) -> None:
        """Ends workers that have not stopped for long: each is within a query that does not end. Their parts wait."""
        now = time.monotonic()
        self._stopped_at = min(self._stopped_at, now)
        if now - self._stopped_at < _SECONDS_TO_STOP:
            return
        for each in self._in_hand:
            each.worker.close()
            if each.is_rival:
                each.worker.part.shared.close()
            else:
                self._unfinished.append(Unfinished(each.worker.part, self._ending, each.deaths))
                self._finished.append(each.worker.state)
        self._in_hand.clear()

    def _merge_searched(self) -> None:
        """While others search, but for rounds: there the order is that of the starts."""
        if self._bounds.in_rounds and self._in_hand:
            return
        for each in sorted(self._searched, key=lambda done: done.number) if self._bounds.in_rounds else self._searched:
            for findings in each.worker.findings():
                self._merge(findings)
            each.worker.part.shared.close()
        self._searched.clear()

    def _merge_part(self, part: Part) -> None:
        for findings in findings_of(part, self._edge_count, all_paths=self._bounds.all_paths):
            self._merge(findings)
        part.shared.close()

    def _merge(self, findings: Findings) -> None:
        if findings.totals is not None:
            self._counts += findings.totals.counts
            self._merged_news += findings.totals.news
        self._hashes.append(findings.hashes)
        merge(self._main, findings)
        most = self._bounds.identities
        if sum(map(len, self._hashes)) > most and len(self._paths()) > most // 2:
            self._main.control(Forgotten).dropped_paths += len(self._paths())
            self._hashes = [np.empty(0, np.uint64)]

    # -- all together -----------------------------------------------------------------------------------------

    def _statuses(self) -> list[Status]:
        """Of all parts that are not merged."""
        workers = [each.worker.status() for each in self._all_in_hand()]
        return [*workers, *(each.part.status() for each in self._unfinished)]

    def _all_in_hand(self) -> list[InHand]:
        """Those that are not merged, each part once."""
        return [each for each in (*self._in_hand, *self._searched) if not each.is_rival]

    def _paths(self) -> Hashes:
        """The identities of all paths that are merged."""
        self._hashes = [distinct(np.concatenate(self._hashes))]
        return self._hashes[0]

    def _runs(self, statuses: list[Status]) -> int:
        return self._main.counts.runs + sum(status.runs for status in statuses)

    def _cost(self, statuses: list[Status]) -> float:
        return cost_of(self._main) + sum(status.cost for status in statuses)

    def _save(self, checkpoints: Checkpoints) -> None:
        """One generation: every worker writes its part between two rounds, nothing is handed out meanwhile."""
        checkpoints.begin()
        in_hand = [each for each in self._in_hand if not each.is_rival]
        parts = [*(each.worker.part for each in in_hand), *(each.part for each in self._unfinished)]
        asked = [number for number, each in enumerate(in_hand) if not each.is_over]
        for number in asked:
            in_hand[number].worker.save(checkpoints.writer(number + 1))
        files: list[Any] = [None] * len(parts)
        for number in asked:
            files[number] = in_hand[number].worker.saved()
        if any(files[number] is None and not in_hand[number].is_over for number in asked):
            return  # one has died: the next generation is with the one that takes its place
        for number, part in enumerate(parts):
            if files[number] is None:
                files[number] = checkpoints.writer(number + 1)(part.shared)
        states = [*(each.worker.state for each in in_hand), *({} for _ in self._unfinished)]
        workers = WorkersState(tuple(parts), tuple(self._finished), self._counts, self._paths())
        checkpoints.commit(self._main, self._state, workers, files, states)

    def _tick(self) -> None:
        """Coverage of one is coverage of all; endings that apply to all."""
        statuses = self._statuses()
        runs = self._runs(statuses)
        if not self._bounds.in_rounds:
            self._share_coverage(statuses)
        self._learn(statuses)
        known = sum(map(len, self._hashes)) + self._main.control(Forgotten).dropped_paths
        self._on_tick(runs, known + sum(status.paths for status in statuses))
        self._note_news(runs, statuses)
        if self._ending is None:
            self._ending = self._forced(runs)
        if self._ending is None and self._is_on_plateau(runs, self._cost(statuses)):
            self._ending = EndingKind.PLATEAU
        if self._ending is not None:
            for each in self._in_hand:
                each.worker.stop()

    def _learn(self, statuses: list[Status]) -> None:
        """Tells of reports, but not again and again: a part has the same ones for long."""
        parts = [*(each.worker for each in self._all_in_hand()), *(each.part for each in self._unfinished)]
        told = [(part, len(status.reports)) for part, status in zip(parts, statuses, strict=True)]
        if told == self._reports_told:
            return
        self._reports_told = told
        for status in statuses:
            self._on_reports(status.reports)

    def _forced(self, runs: int) -> EndingKind | None:
        forced = self._bounds.must_end(runs)
        if forced is EndingKind.MAX_RUNS and self._bounds.in_rounds:
            forced = None  # each worker ends by itself
        return forced or (EndingKind.STOPPED if self._main.command.stop else None)  # a deadline stops executors, too

    def _share_coverage(self, statuses: list[Status]) -> None:
        edges = self._main.published("edge_seen")
        for status in statuses:
            edges |= status.edges
        for each in (*self._in_hand, *self._searched):
            each.worker.tell(edges)
        for unfinished in self._unfinished:
            unfinished.part.tell(edges)

    def _note_news(self, runs: int, statuses: list[Status]) -> None:
        """Remembers when an edge, an outcome or a bug was last new to a worker."""
        news = int(np.count_nonzero(self._main.published("edge_seen"))) + self._merged_news
        news += sum(status.news for status in statuses)
        if news > self._news:
            self._news, self._runs_at_news, self._cost_at_news = news, runs, self._cost(statuses)

    def _is_on_plateau(self, runs: int, cost: float) -> bool:
        bounds = self._bounds
        in_vain = runs - self._runs_at_news
        is_late = 0 < SECOND * bounds.patience * bounds.jobs <= cost - self._cost_at_news
        return (is_late and in_vain >= FEWEST_IN_VAIN) or 0 < bounds.plateau <= in_vain
