"""FlowTest's algorithm 1 around a search: block by block with the rest held, merge what interferes, until stable.

    a base: a run with random values that returns
      │
      ▼
    expand nodes whose condition and whose path belong to one block ─► new sets of the flow map ─► merges ─► more nodes
      │  nothing waits                                                                                ▲
      ▼                                                                                               │
    facts that outlive runs are new? ─► every path is run once more, for its flows alone ─────────────┘

All blocks' searches share one tree: a node is negated only for the block that its condition asks about, on a path that
changed nothing but that block (and shared inputs); the others are HELD. So what was explored before a merge is a part
of the merged block's tree. A merge is made as soon as it is known, whatever block is in hand: no order matters.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veer.execution.executor import Executor, Work
from veer.exploration.strategies.protocol import Ids, Strategy
from veer.exploration.tree import Tree
from veer.partitions.base import find_base
from veer.partitions.differences import NOTHING, SEVERAL, Differences
from veer.partitions.flowmap import FlowMap, Witness
from veer.partitions.guard import Flags, Guarded
from veer.partitions.partition import SHARED, Partition
from veer.partitions.supports import Supports
from veer.wire.layout import NONE, FlowKind, Kind, LeafKind, Outcome, State
from veer.wire.shared import Shared

_CHUNK = 1 << 18


class PartitionedSearch:
    """A Division of one search."""

    def __init__(self, shared: Shared, executor: Executor, *, merges: bool = True) -> None:
        self._shared = shared
        self._executor = executor
        self._merges = merges
        self._tree = Tree.of(shared)
        self.partition = Partition()
        self.flows = FlowMap(shared)
        self._supports = Supports(shared)
        self._differences: Differences | None = None
        self._known_leaves = 0
        self._known_nodes = 0
        self._stable_at = 0  # control.flow_changes when all paths had been run with all facts
        self._checked = 0  # paths whose end has been looked at
        self._held_at = -1
        self.witnesses: list[Witness] = []
        self.reruns = 0
        self.base = b""

    # -- Division -------------------------------------------------------------------------------------------------

    def guard(self, strategy: Strategy) -> Strategy:
        """See Division."""
        return Guarded(strategy, self._may_be_negated)

    def begin(self) -> Work:
        """See Division. The first path of the tree is the base; without one all is searched together."""
        base = find_base(self._shared, self._executor)
        work = self._executor.run(base or b"")
        if base is not None and self._shared.count("paths"):
            self.base = base
            self._differences = Differences(self._shared, base, self._shared.count("paths") - 1)
        return work

    def look(self) -> Ids:
        """See Division."""
        self._take_leaves()
        self._note(self.flows.read(self.partition))
        self._take_literals()
        if self._differences is None:
            return np.empty(0, np.int64)
        self._take_paths(self._differences)
        if self._held_at == self.partition.version:
            return np.empty(0, np.int64)
        self._held_at = self.partition.version
        return self._freed()

    def settle(self) -> bool:
        """See Division."""
        control = self._shared.control
        if self._differences is None or control["flow_changes"] == self._stable_at:
            return False
        before, version = control["flow_changes"], self.partition.version
        self._run_again()
        if control["flow_changes"] == before:
            self._stable_at = before
        self._note(self.flows.read(self.partition))
        return self._stable_at != before or version != self.partition.version

    # -- what runs showed -----------------------------------------------------------------------------------------

    def _take_leaves(self) -> None:
        count = self._shared.count("leaves")
        if count == self._known_leaves:
            return
        kinds = self._shared.published("leaves")["kind"][self._known_leaves :]
        self.partition.grow(count)
        self.partition.share((np.flatnonzero(kinds == int(LeafKind.CHOICE)) + self._known_leaves).tolist())
        self._known_leaves = count

    def _take_literals(self) -> None:
        """The inputs of one condition are one block, whatever the flow map says."""
        count = self._tree.count
        for first in range(self._known_nodes, count, _CHUNK):
            ids = np.arange(first, min(first + _CHUNK, count))
            ids = ids[self._tree.kind[ids] != int(Kind.CHOICE)]
            for support in np.unique(self._supports.of(self._tree, ids)).tolist():
                self._merge(self._supports.leaves(support), FlowKind.LITERAL, NONE)
        self._known_nodes = count

    def _take_paths(self, differences: Differences) -> None:
        """Paths that ended early, or changed several blocks, are no path of one block: a doubt merges."""
        differences.update()
        count = self._shared.count("paths")
        self._checked = max(self._checked, differences.first)
        if count <= self._checked:
            return
        blocks = differences.blocks(self.partition.labels, self._checked)
        ends = self._shared.region("path_flows")[self._checked : count]
        outcomes = self._shared.published("paths")["outcome"][self._checked :]
        for number in np.flatnonzero((blocks == SEVERAL) | (outcomes != int(Outcome.RETURNED))).tolist():
            self._take_end(differences, self._checked + number, int(ends[number]), int(blocks[number]))
        self._checked = count

    def _take_end(self, differences: Differences, path: int, flow: int, block: int) -> None:
        """The end of a run is no control edge; so it must not depend on inputs that the path did not change."""
        changed = differences.leaves(path)
        record = self._shared.published("paths")[path]
        ended_by = self._end_of(record, flow) if record["outcome"] != int(Outcome.RETURNED) else ()
        if block == NOTHING:
            # A value of the shared inputs ends it, for the values at which others are held: these are shared, too.
            self._share_blocks(ended_by)
        else:
            self._merge((*changed, *ended_by), FlowKind.END, NONE, changed, ended_by)

    def _end_of(self, record: np.void, flow: int) -> tuple[int, ...]:
        leaves = self.flows.leaves(flow)
        node = int(record["node"])
        if node != NONE and node < self._tree.count and self._tree.kind[node] in (Kind.CHECK, Kind.ASSUME):
            ids = np.array([node], np.int64)
            leaves += self._supports.leaves(int(self._supports.of(self._tree, ids)[0]))
        return leaves

    def _share_blocks(self, leaves: Sequence[int]) -> None:
        labels = self.partition.labels
        wanted = {int(labels[leaf]) for leaf in leaves} - {SHARED}
        if wanted:
            self.partition.share(np.flatnonzero(np.isin(labels, list(wanted))).tolist())

    def _merge(
        self,
        leaves: Sequence[int],
        kind: FlowKind,
        site: int,
        left: Sequence[int] = (),
        right: Sequence[int] = (),
    ) -> None:
        if len(leaves) > 1 and self.partition.merge(leaves):
            self.witnesses.append(Witness(tuple(left or leaves[:1]), tuple(right or leaves[1:]), site, kind))

    def _note(self, witnesses: list[Witness]) -> None:
        self.witnesses += witnesses

    # -- nodes ----------------------------------------------------------------------------------------------------

    def _may_be_negated(self, tree: Tree, ids: Ids) -> Flags:
        """Whether condition and path belong to one block."""
        if self._differences is None:
            return np.ones(len(ids), np.bool_)
        labels = self.partition.labels
        asked = self._supports.blocks(self._supports.of(tree, ids), labels)
        changed = self._differences.blocks(labels)[tree.path[ids] - self._differences.first]
        result: Flags = (changed != SEVERAL) & ((asked == SHARED) | (changed == NOTHING) | (asked == changed))
        return result

    def _freed(self) -> Ids:
        """The HELD nodes that may be negated since the last merge: OPEN again."""
        tree, found = self._tree, []
        for first in range(0, tree.count, _CHUNK):
            held = np.flatnonzero(tree.state[first : min(first + _CHUNK, tree.count)] == int(State.HELD)) + first
            if len(held):
                found.append(held[self._may_be_negated(tree, held)])
        freed = np.concatenate(found) if found else np.empty(0, np.int64)
        tree.state[freed] = int(State.OPEN)
        return freed

    def _run_again(self) -> None:
        """Every path once more: what earlier ones taught is in the flow map now. Nothing of it goes into the tree."""
        ends = self._shared.region("path_flows")
        first = self._differences.first if self._differences is not None else 0
        for path in range(first, self._shared.count("paths")):
            if self._shared.control["stop"]:
                return
            self.reruns += 1
            if self._executor.probe(self._shared.input_of(path)):
                ends[path] = self._shared.control["flow_end"]
        self._checked = 0
