"""A part of a campaign: a shared memory of its own, begun as a copy, in which the open nodes of others lie elsewhere.

    source   ... ─ open ─ open ─ open          a part of two   ... ─ open ─ elsewhere ─ open
                    └─ given away: ELSEWHERE ─┘

So a part is a whole, valid campaign: leaves, expressions and decisions have the numbers that the source gave them, and
each open node is worked on in one place. What a part found is what it has beyond its baseline.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from veer.model.values import replace
from veer.search.cost import cost, cost_of
from veer.search.node_counts import NodeCounts
from veer.wire.control import Counts, Statistics
from veer.wire.costs import Costs
from veer.wire.forgotten import Forgotten
from veer.wire.layout import NONE, State
from veer.wire.shared import Shared

Ids = npt.NDArray[np.int64]

SUMMED = (
    Counts.runs,
    Counts.diverged,
    Counts.infeasible,
    Counts.left_to_smt,
    Statistics.execute_nanoseconds,
    Statistics.solve_nanoseconds,
    Statistics.explore_nanoseconds,
    Statistics.symbolic_operations,
    Statistics.concretised_operations,
    Statistics.pinned_operations,
    Costs.query_cost,
)
"""Fields of the control block that count work, so that a campaign's are the sum over its parts."""


class Baseline(Struct, frozen=True):
    """What a part had when it was made, none of which is its own work."""

    reports: int
    news: int
    counters: dict[str, int]
    rungs: npt.NDArray[np.void]
    ledger: dict[tuple[int, int], int]
    counts: NodeCounts

    def state(self) -> dict[str, Any]:
        """As JSON knows it, for a campaign that is saved."""
        return {
            "reports": self.reports,
            "news": self.news,
            "counters": self.counters,
            "rungs": [list(rung) for rung in self.rungs.tolist()],
            "ledger": [[kind, site, count] for (kind, site), count in self.ledger.items()],
            "counts": self.counts.state(),
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any], rung: np.dtype[np.void]) -> Baseline:
        """What `state` told of one; `rung`: the record of a rung's statistics."""
        return cls(
            reports=state["reports"],
            news=state["news"],
            counters=dict(state["counters"]),
            rungs=np.array([tuple(each) for each in state["rungs"]], rung),
            ledger={(kind, site): count for kind, site, count in state["ledger"]},
            counts=NodeCounts.of_state(state["counts"]),
        )


class Status(Struct, frozen=True):
    """How far the search of a part is: runs, paths and finds (`news`) of its own, the edges that it knows as
    covered, the reports that it knows; what its own work cost (search/cost.py)."""

    runs: int
    paths: int
    news: int
    edges: npt.NDArray[np.uint8]
    reports: npt.NDArray[np.void]
    cost: float = 0.0


class Part(Struct, frozen=True, eq=False):
    """One part and its baseline."""

    shared: Shared
    baseline: Baseline

    def runs(self) -> int:
        """The runs of its own."""
        return self.shared.counts.runs - self.baseline.counters["runs"]

    def paths(self) -> int:
        """The new paths of its own; another part may have some of them, too."""
        return self.shared.counts.distinct_paths - self.baseline.counters["distinct_paths"]

    def news(self) -> int:
        """Its own runs that found something new, as it knew the campaign."""
        return self.shared.count("interesting") - self.baseline.news

    def cost(self) -> float:
        """What its own work cost."""
        before = self.baseline.counters
        spent = cost(before["runs"], before["symbolic_operations"], before["query_cost"])
        return cost_of(self.shared) - spent

    def open_branches(self) -> int:
        """How many of its nodes wait to be tried or answered."""
        states = self.shared.tree("state")
        return int(np.count_nonzero((states == State.OPEN) | (states == State.QUEUED)))

    def status(self) -> Status:
        """What it has so far; also while it is worked on."""
        shared = self.shared
        edges, reports = shared.published("edge_seen"), shared.published("reports")
        return Status(self.runs(), self.paths(), self.news(), edges, reports, self.cost())

    def tell(self, edges: npt.NDArray[np.uint8]) -> None:
        """Marks the edges that are covered elsewhere, byte by byte: who works on it writes to the others meanwhile."""
        own = self.shared.published("edge_seen")
        own[np.flatnonzero(edges > own)] = 1

    def settle(self) -> None:
        """Forgets the process that worked on it: it is not there any more."""
        command, run = self.shared.command, self.shared.run
        command.stop = command.executor = run.running = run.crash_outcome = 0
        run.current_node = NONE


def waiting(shared: Shared) -> Ids:
    """The nodes that wait to be tried or answered, those nearest to the root first."""
    states = shared.tree("state")
    ids = np.flatnonzero((states == State.OPEN) | (states == State.QUEUED))
    return ids[np.argsort(shared.tree("depth")[ids], kind="stable")]


def give(source: Shared, ids: Ids, edge_count: int) -> Part:
    """Makes a part that works on these nodes of the source, which lie elsewhere from now on.

    Only while no executor is at work on the source.
    """
    twin = source.copy()
    state = twin.tree("state")
    own = state[ids].copy()
    state[waiting(twin)] = State.ELSEWHERE
    baseline = baseline_of(twin, edge_count)
    state[ids] = own
    twin.control(Forgotten).first_own_path = twin.count("paths")
    twin.control(Forgotten).first_own_forgotten = twin.count("forgotten_paths")
    twin.control(Forgotten).dropped_own_paths = 0
    source.tree("state")[ids] = State.ELSEWHERE
    part = Part(twin, baseline)
    part.settle()
    return part


def baseline_of(shared: Shared, edge_count: int) -> Baseline:
    """What a part has that begins now: the nodes that wait count for it once they are its own."""
    return Baseline(
        reports=shared.count("reports"),
        news=shared.count("interesting"),
        counters={field.name: shared.value(field) for field in (*SUMMED, Counts.distinct_paths)},
        rungs=shared.statistics.rungs.copy(),
        ledger=ledger_of(shared),
        counts=here(NodeCounts.of(shared, edge_count)),
    )


def ledger_of(shared: Shared) -> dict[tuple[int, int], int]:
    """The ledger: (kind, site) → count."""
    return {(kind, site): count for kind, site, count in shared.published("ledger").tolist()}


def here(counts: NodeCounts) -> NodeCounts:
    """Without the nodes that lie elsewhere."""
    states, table = counts.states.copy(), counts.table.copy()
    states[State.ELSEWHERE] = 0
    table[:, State.ELSEWHERE] = 0
    return replace(counts, states=states, table=table)
