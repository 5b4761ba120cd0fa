"""The plain search: an explorer within its memory, alone at first, with workers once there is enough to do."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from veer import plugins
from veer.model.ending import EndingKind
from veer.model.searchoptions import ALL_PATHS, SearchOptions
from veer.model.values import replace
from veer.search.budget import Budget
from veer.search.compaction import notes_on_paths
from veer.search.cost import SECOND, cost_of
from veer.search.explorer import Pause
from veer.search.memory import BoundedSearch
from veer.search.parallel import protocol as workers
from veer.search.parallel.coordinator import Coordinator
from veer.search.parallel.hands import Bounds
from veer.search.protocol import Ability, Instrumentation, Searched
from veer.search.query_counts import QueryCounts
from veer.search.restarts import OF_A_WORKER, notes_of_workers
from veer.search.scene import Scene
from veer.search.stopping import Stopping

_BRANCHES_A_WORKER = 4
_COST_BEFORE_JOINING = 2 * SECOND  # to join a cluster takes as long
_WORTH_JOINING = 10.0  # seconds that must be left for that
_MEMORY_AN_IDENTITY = 64  # bytes: eight, of an eighth of the memory
_USUAL, _OF_A_CLUSTER = "processes", "ray"


class PlainSearch:
    """See Search. Never refuses."""

    instrumentation = Instrumentation()
    abilities = frozenset(Ability)

    def run(self, scene: Scene) -> Searched:
        """See Search."""
        began = time.monotonic()
        with contextlib.closing(BoundedSearch(scene)) as search:
            earlier = scene.earlier
            if earlier is not None:
                search.restore(earlier.state)
            if earlier is None or earlier.workers is None:
                kind = search_alone(scene, search, enough_for_workers(scene))
                if kind is not None:
                    return searched(scene, kind, search, time.monotonic() - began)
        return search_together(scene, search, began)


PLAIN = PlainSearch()


def search_alone(scene: Scene, search: BoundedSearch, pause: Pause) -> EndingKind | None:
    """Searches in this process, with checkpoints, until an ending, or None: until the pause."""

    def between_rounds(open_branches: int) -> bool:
        if scene.checkpoints is not None and scene.checkpoints.is_due():
            scene.checkpoints.save(scene.shared, search.state())
        return pause(open_branches)

    kind = search.search(between_rounds)
    if scene.checkpoints is not None and kind not in (None, EndingKind.EXHAUSTED):
        scene.checkpoints.save(scene.shared, search.state())
    return kind


def searched(scene: Scene, kind: EndingKind, search: BoundedSearch, seconds: float) -> Searched:
    """What a search in this process found."""
    paths = scene.shared.counts.distinct_paths
    notes = (*search.explorer.notes, *notes_on_paths(scene.shared))
    return Searched(kind, None, paths, search.explorer.queries.counts, seconds, notes)


def enough_for_workers(scene: Scene) -> Pause:
    """Whether so much waits, after so much work, that workers are worth it."""
    options, began = scene.options, cost_of(scene.shared)
    deadline = time.monotonic() + options.budget

    def pause(open_branches: int) -> bool:
        cost = cost_of(scene.shared) - began
        is_long = cost >= scene.alone_cost
        if options.joins_late:
            is_long = cost >= _COST_BEFORE_JOINING and deadline - time.monotonic() >= _WORTH_JOINING
        return takes_workers(options) and is_long and open_branches >= _BRANCHES_A_WORKER * max(1, options.jobs)

    return pause


def takes_workers(options: SearchOptions) -> bool:
    """Whether a search that is long enough has workers."""
    return options.jobs != 1 or bool(options.cluster)


def kind_of_workers(options: SearchOptions) -> str:
    """The name of the entry point: --cluster without --workers means Ray."""
    return _OF_A_CLUSTER if options.cluster and options.workers == _USUAL else options.workers


def search_together(scene: Scene, alone: BoundedSearch, began: float) -> Searched:
    """Goes on with workers where `alone` has paused."""
    scene.tools.release()  # the engine's library is for the workers now
    options = scene.options
    make: Callable[[SearchOptions], workers.Workers] = plugins.find(workers.GROUP, kind_of_workers(options))
    team = make(options)
    deadline = began + options.budget
    # This process sees neither the deadline of a part nor when one was full; runs are shared out beforehand.
    stopping = Stopping(scene.shared, scene.program, options, Budget(deadline, options.max_runs))
    reporter = scene.reporter()

    def learn(reports: npt.NDArray[np.void]) -> None:
        stopping.note(reports)
        reporter.note(reports)

    coordinator = Coordinator(
        scene.shared,
        team,
        errands(scene, deadline, team.most),
        scene.edge_count,
        Bounds(
            team.most,
            options.max_runs,
            options.plateau,
            options.patience,
            options.criterion in ALL_PATHS,
            stopping.must_end,
            options.campaign_memory // _MEMORY_AN_IDENTITY,
            in_rounds=options.max_runs > 0 and kind_of_workers(options) == _USUAL,
        ),
        state=alone.state(),
        checkpoints=scene.checkpoints,
        earlier=scene.earlier.workers if scene.earlier is not None else None,
        on_tick=reporter.on_tick,
        on_reports=learn,
    )
    found = coordinator.explore()
    counts = QueryCounts()
    states = (alone.state(), *found.states)
    for state in states:
        counts.add_state(state.get("queries", {}))
    notes = (*team.notes(), *notes_of_workers(states), *notes_on_paths(scene.shared))
    return Searched(found.kind, found.counts, found.paths, counts, time.monotonic() - began, notes)


def errands(scene: Scene, deadline: float, most: int) -> Callable[[int], workers.Errand]:
    """What each of so many workers is told, given the runs that its part may have; `deadline` in time.monotonic."""
    engine = scene.tools.engine_path()  # it is built beside: workers are forked, and nothing else may run here then
    memory = scene.options.campaign_memory // most

    def errand(max_runs: int) -> workers.Errand:
        left = max(0.001, deadline - time.monotonic())
        own = replace(scene.options, restarts_in_all=OF_A_WORKER, campaign_memory=memory, hybrid=False)
        options = replace(own, max_runs=max_runs, budget=left, plateau=0, patience=0.0)
        return workers.Errand(scene.program, options, engine)

    return errand
