"""How many nodes and runs a campaign has of each kind: what endings, claims and reasons are made of.

A worker's nodes are counted where they were worked on, so that the counts of a campaign is the sum over its shared
memories: a node that lies elsewhere is not counted here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from veer.search.tree import Tree
from veer.wire.layout import Outcome, State
from veer.wire.shared import Shared

Numbers = npt.NDArray[np.int64]
_OUTCOMES = 16  # places in the region `forgotten`
_CUT_BRANCHES = 64
_COLUMNS = 16


def forgotten_edges(shared: Shared, edge_count: int) -> npt.NDArray[np.uint64]:
    """The forgotten nodes of each edge (row) in each state (column): a view."""
    table = shared.region("forgotten_edges")[: edge_count * _COLUMNS].reshape(edge_count, _COLUMNS)
    return table[:, : len(State)]


def at_bound(shared: Shared, depths: npt.NDArray[np.uint32]) -> int:
    """How many nodes of these depths lie behind the last decision that is negated, taken or not, settled or not."""
    most = shared.options.max_depth
    return int((depths > most).sum()) if most else 0


class NodeCounts(Struct, frozen=True):
    """`states` by State; `table`: nodes of each edge (row) in each state (column); `outcomes`: stored runs by Outcome.

    `cut_branches`: sides of the last decision that a path may have (`max-branches`): behind them nothing is told apart.
    """

    states: Numbers
    table: Numbers
    outcomes: Numbers
    cut_branches: int = 0

    @classmethod
    def empty(cls, edge_count: int) -> NodeCounts:
        """Of nothing."""
        return cls(
            np.zeros(len(State), np.int64),
            np.zeros((edge_count, len(State)), np.int64),
            np.zeros(len(Outcome), np.int64),
        )

    @classmethod
    def of(cls, shared: Shared, edge_count: int) -> NodeCounts:
        """Of all nodes and stored runs of a shared memory, forgotten ones included."""
        tree, forgotten = Tree.of(shared), shared.region("forgotten").astype(np.int64)
        outcomes = np.bincount(shared.published("paths")["outcome"], minlength=len(Outcome))
        return cls(
            np.bincount(tree.state[: tree.count], minlength=len(State)) + forgotten[: len(State)],
            tree.states_by_edge(edge_count) + forgotten_edges(shared, edge_count).astype(np.int64),
            outcomes.astype(np.int64) + forgotten[_OUTCOMES : _OUTCOMES + len(Outcome)],
            at_bound(shared, tree.depth[: tree.count]) + int(forgotten[_CUT_BRANCHES]),
        )

    def forget(self, shared: Shared) -> None:
        """Adds this, which counts what is taken out of the shared memory, to what is forgotten there."""
        forgotten = shared.region("forgotten")
        forgotten[: len(State)] += self.states.astype(np.uint64)
        forgotten[_OUTCOMES : _OUTCOMES + len(Outcome)] += self.outcomes.astype(np.uint64)
        forgotten[_CUT_BRANCHES] += np.uint64(self.cut_branches)
        edges = forgotten_edges(shared, len(self.table))
        edges += self.table.astype(np.uint64)

    def __add__(self, other: NodeCounts) -> NodeCounts:
        return NodeCounts(
            self.states + other.states,
            self.table + other.table,
            self.outcomes + other.outcomes,
            self.cut_branches + other.cut_branches,
        )

    def __sub__(self, other: NodeCounts) -> NodeCounts:
        return NodeCounts(
            self.states - other.states,
            self.table - other.table,
            self.outcomes - other.outcomes,
            self.cut_branches - other.cut_branches,
        )

    def state(self) -> dict[str, Any]:
        """As JSON knows it: rows of the table without a node are left out."""
        rows = np.flatnonzero(self.table.any(axis=1))
        return {
            "states": self.states.tolist(),
            "edges": len(self.table),
            "table": [[row, *self.table[row].tolist()] for row in rows.tolist()],
            "outcomes": self.outcomes.tolist(),
            "cut_branches": self.cut_branches,
        }

    @classmethod
    def of_state(cls, state: Mapping[str, Any]) -> NodeCounts:
        """What `state` told of one."""
        counts = cls.empty(state["edges"])
        for row, *numbers in state["table"]:
            counts.table[row] = numbers
        return cls(
            np.array(state["states"], np.int64),
            counts.table,
            np.array(state["outcomes"], np.int64),
            state["cut_branches"],
        )

    @property
    def open_branches(self) -> int:
        """Nodes that wait to be tried or answered."""
        return int(self.states[State.OPEN] + self.states[State.QUEUED])
