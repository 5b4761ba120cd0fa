"""A trial: another search over the same program, in a memory and a build of its own, for so much cost at a time.

    plain search ─► pauses ─► trial ─► its inputs that showed something are run in the plain search's memory ─► goes on

So all that is told of are runs of the plain build, whatever the trial did. A search that can go on where it was keeps
its memory from one time to the next; another one begins anew, with more.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence

import numpy as np
from msgspec import Struct, field

from veer.model.ending import Claim, Ending, EndingKind
from veer.model.errors import ExecutorError, ToolchainError, UsageError
from veer.model.progress import Progress
from veer.model.values import replace
from veer.search.auto.sites import are_alike, moved, shown_at
from veer.search.cost import RUN, cost_of
from veer.search.ending import doubted, ending
from veer.search.history import History
from veer.search.inputbounds import meet_all
from veer.search.node_counts import NodeCounts
from veer.search.parallel.checkpoint import Checkpoint, SearchState, WorkersState
from veer.search.parallel.findings import InputTables
from veer.search.parallel.merge import Translation
from veer.search.parallel.protocol import Write
from veer.search.protocol import Ability, Refusal, Search, Searched
from veer.search.query_counts import QueryCounts
from veer.search.scene import Scene
from veer.search.selection import told_of
from veer.wire.shared import Shared

_BETWEEN = 10
"""Runs that a search may make between two looks at how many it may make."""
_BROKEN = (ExecutorError, ToolchainError, UsageError)


class Saved(Struct):
    """Keeps the state of a search that has paused, in the place of files. See Checkpoints."""

    state: SearchState | None = None

    def is_due(self) -> bool:
        """Only once it pauses."""
        return False

    def save(self, main: Shared, state: SearchState) -> None:
        """Takes the state; the memory stays."""
        self.state = state

    def begin(self) -> None:
        """A trial has no workers."""

    def writer(self, number: int) -> Write:
        """A trial has no workers."""
        raise NotImplementedError

    def commit(
        self,
        main: Shared,
        state: SearchState,
        workers: WorkersState,
        files: Sequence[object],
        states: Sequence[SearchState],
    ) -> None:
        """A trial has no workers."""
        raise NotImplementedError


class Claimed(Struct, frozen=True):
    """What a trial that is spent claims. `counts`: of its own memory; `aside`: what its claim leaves out."""

    found: Searched
    counts: NodeCounts
    claim: Claim
    aside: tuple[str, ...]


class Trial(Struct, eq=False):
    """The trials of one search: what they `spent`, how many in a row showed nothing (`in_vain`), `runs` of all.

    `told`: so many paths of its memory were looked at. `note`: why it is over.
    """

    name: str
    search: Search
    spent: float = 0.0
    in_vain: int = 0
    runs: int = 0
    is_over: bool = False
    claimed: Claimed | None = None
    queries: QueryCounts = field(default_factory=QueryCounts)
    note: str = ""
    scene: Scene | None = None
    saved: Saved = field(default_factory=Saved)
    told: int = 0

    def go(self, main: Scene, most_cost: float, deadline: float) -> bool:
        """Searches for so much cost, until `deadline` (time.monotonic); whether it showed anything new.

        `main`: the plain search, which has paused and has no executor now.
        """
        try:
            is_new = self._searched(main, most_cost, deadline)
        except _BROKEN as error:
            self._end(f"{self.name} ended with an error: {error}")
            is_new = False
        self.in_vain = 0 if is_new else self.in_vain + 1
        return is_new

    def close(self) -> None:
        """Gives up the memory."""
        if self.scene is not None:
            self.scene.shared.close()
        self.scene = None

    def _end(self, note: str = "") -> None:
        self.is_over, self.note = True, note
        self.close()

    def _searched(self, main: Scene, most_cost: float, deadline: float) -> bool:
        most_runs = main.options.max_runs - _BETWEEN if main.options.max_runs else 0
        if 0 < most_runs <= main.shared.counts.runs:
            return False
        scene = self._prepared(main)
        if scene is None:
            self._end(f"{self.name} was not tried: its build counts other branches")
            return False
        shared, first = scene.shared, main.shared.counts.runs
        shared.counts.runs = first
        began = cost_of(shared)
        left = max(0.001, deadline - time.monotonic())
        options = replace(scene.options, most_cost=most_cost, budget=left, max_runs=most_runs)
        main.tools.release()
        earlier = Checkpoint(self.saved.state) if self.saved.state is not None else None
        self.saved.state = None
        found = self.search.run(replace(scene, options=options, earlier=earlier))
        scene.tools.release()
        self.spent += cost_of(shared) - began
        self.runs += shared.counts.runs - first
        main.shared.counts.runs = shared.counts.runs
        if isinstance(found, Refusal):
            self._end(f"not {self.name}: {found.sentence}")
            return False
        self.queries.add_state(found.queries.state())
        before = shown_at(main)
        self._plant(scene, main)
        is_new = bool(shown_at(main) - before)
        if found.kind is EndingKind.EXHAUSTED:
            self.claimed = self._claim(found, scene, main)
            self._end()
        elif found.kind not in (EndingKind.BUDGET, EndingKind.COVERED, EndingKind.MAX_BUGS):
            self._end()
        elif self.saved.state is None:
            self.close()  # it begins anew
        return is_new

    def _prepared(self, main: Scene) -> Scene | None:
        """The scene to go on in, or a new one; None: what it counts cannot be compared."""
        if self.scene is not None:
            return self.scene
        assert main.beside is not None
        scene = main.beside.scene(self.name, main)
        if not are_alike(scene.program, main.program, main.options.goal):
            scene.shared.close()
            return None
        meet_all(scene.shared)
        self.told = 0

        def report(_: Progress) -> None:
            scene.shared.command.stop |= main.shared.command.stop

        can_go_on = Ability.RESUME in self.search.abilities
        self.scene = replace(
            scene,
            report=report,
            history=History(),
            checkpoints=self.saved if can_go_on else None,
            earlier=None,
            beside=None,
        )
        return self.scene

    def _plant(self, scene: Scene, main: Scene) -> None:
        """Runs in the plain search's memory the inputs that showed something in the trial's."""
        paths, reports = scene.shared.published("paths"), scene.shared.published("reports")
        told = np.flatnonzero(told_of(paths, reports, all_paths=False))
        new = told[told >= self.told].tolist()
        self.told = len(paths)
        if not new:
            return
        translate = Translation(main.shared, InputTables.of(scene.shared))
        inputs = [translate(scene.shared.input_of(path)) for path in new]
        most = main.options.max_runs
        with contextlib.closing(main.executor()) as executor:
            for each in inputs:
                if 0 < most <= main.shared.counts.runs or main.shared.command.stop:
                    return
                before = main.shared.counts.runs
                executor.run(each)
                self.spent += RUN * (main.shared.counts.runs - before)

    def _claim(self, found: Searched, scene: Scene, main: Scene) -> Claimed | None:
        """What may be claimed of a trial that is spent: nothing, where the plain build did not show all that it did."""
        counts = found.counts or NodeCounts.of(scene.shared, scene.edge_count)
        own = doubted(ending(found.kind, scene.shared, scene.program, scene.options, counts), found.doubts)
        if own.claim is Claim.NONE or not shown_at(scene) <= shown_at(main):
            return None
        missing = [check for check in main.program.checks if check not in scene.program.checks]
        aside = (f"all checks but {', '.join(missing)}",) if missing else ()
        return Claimed(found, moved(counts, scene.program, main.program), own.claim, aside)


def ending_by(claimed: Claimed, main: Scene) -> Ending:
    """The ending of the plain search's memory, as the trial's claim holds for it."""
    return ending(EndingKind.EXHAUSTED, main.shared, main.program, main.options, claimed.counts)
