"""FlowTest's algorithm 1 around a search: block by block with the rest held, merge what interferes, until stable.

    a base: a run with random values that returns
      │
      ▼
    expand nodes whose condition and whose path belong to one block ─► new sets of the flow map ─► merges ─► more
      │  nothing waits                                                                                ▲     nodes
      ▼                                                                                               │
    facts that outlive runs are new? ─► paths from before them are run once more, for their flows ────┘

All blocks' searches share one tree: a node is negated only for the block that its condition asks about, on a path that
changed nothing but that block (and shared inputs); the others are HELD. So what was explored before a merge is a part
of the merged block's tree. A merge is made as soon as it is known, whatever block is in hand: no order matters.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct

from veer.execution.protocol import Executor, Work
from veer.search.partitioned.base import clear_tree, find_base, random_input
from veer.search.partitioned.differences import NOTHING, Array, Differences
from veer.search.partitioned.flowmap import FlowMap, Witness
from veer.search.partitioned.given import Blocks, block_of, covers
from veer.search.partitioned.holding import Holding
from veer.search.partitioned.hubs import SMALLEST, hubs
from veer.search.partitioned.partition import SHARED, Partition
from veer.search.partitioned.supports import Supports
from veer.search.strategies.protocol import Ids
from veer.search.tree import Tree
from veer.wire.flows import Flows
from veer.wire.layout import NONE, FlowKind, LeafKind, Outcome, State
from veer.wire.shared import Shared

_MOST_RESTARTS = 6
_MOST_SETS = 20_000


class Wishes(Struct, frozen=True):
    """What the user wants of the partition: blocks to begin with; `only_checks`: to be told where these interfere."""

    given: Blocks = ()
    only_checks: bool = False


NO_WISHES = Wishes()


class BlockDivision:
    """A Division of one search. `partition`: what the flow map says; `searched`: whose blocks are searched, the same
    but where a given partition is only checked (section 5.1)."""

    def __init__(
        self,
        shared: Shared,
        executor: Executor,
        wishes: Wishes = NO_WISHES,
        name_of: Callable[[int], str] = str,
        deadline: float = math.inf,
        most_runs: int = 0,
    ) -> None:
        """`name_of` a leaf; after `deadline` (time.monotonic) no path is run again. `most_runs`: of the campaign."""
        self._most_runs = most_runs
        self._shared = shared
        self._executor = executor
        self._wishes = wishes
        self._name_of = name_of
        self._deadline = deadline
        self._tree = Tree.of(shared)
        self._holding = Holding(shared, executor)
        self.partition = Partition()
        self.searched = Partition() if wishes.only_checks else self.partition
        self.flows = FlowMap(shared)
        self.differences: Differences | None = None
        self._supports = Supports(shared)
        self._first_of: dict[int, int] = {}  # by given block: its first leaf
        self._known_leaves = 0
        self._known_nodes = 0
        self._stable_at = 0  # `flow_changes` when all paths had been run with all facts
        self._checked = 0  # doubts that have been looked at
        self._settled: set[tuple[int, int, int]] = set()  # ends of runs that need no second look
        self._held_at = -1
        self.witnesses: list[Witness] = []
        self.reruns = 0
        self.restarts = 0
        self._looked_at = -1  # version of the partition whose blocks were last looked at for hubs

    # -- Division -------------------------------------------------------------------------------------------------

    @property
    def only_checks(self) -> bool:
        """Whether a given partition is only checked: what interferes is a witness, and is not merged."""
        return self._wishes.only_checks

    def unknown_names(self) -> tuple[str, ...]:
        """What the given blocks name that no run has as an input."""
        leaves = [self._name_of(leaf) for leaf in range(self._known_leaves)]
        names = (name for block in self._wishes.given for name in block)
        return tuple(name for name in names if not any(covers(name, leaf) for leaf in leaves))

    def begin(self) -> Work:
        """See Division. The first path of the tree is the base; without one all is searched together."""
        base = find_base(self._shared, self._executor, self._most_runs)
        if base is None:
            return self._executor.run(b"")
        self._holding.begin(base)
        first = self._shared.count("paths")
        work = self._executor.run(base)
        self.differences = Differences(self._shared, base, first)
        return work

    def look(self) -> Ids:
        """See Division."""
        self._take_leaves()
        self.witnesses += self.flows.read(self.partition)
        self._take_literals()
        if self.differences is None:
            return np.empty(0, np.int64)
        if self._finds_hubs():
            self._begin_again(self.differences.base)
            return np.empty(0, np.int64)
        doubts = self._shared.published("doubts")[self._checked :].astype(np.int64)
        self._checked += len(doubts)
        self._take_doubts(self.differences, doubts)
        if self._held_at == self.searched.version:
            return np.empty(0, np.int64)
        self._held_at = self.searched.version
        return self._holding.show(self.searched)

    def fresh(self, number: int) -> Work:
        """See Division. The values of shared inputs are random, too: a path may change them with any block."""
        if self.differences is None:
            return self._executor.run(b"", filler=number)
        blocks = self.searched.blocks()
        random = random_input(self._shared, self._executor, number)
        if not blocks or random is None:
            return Work()
        input = bytearray(self.differences.base)
        leaves = self._shared.published("leaves")
        for leaf in (*blocks[number % len(blocks)], *self.searched.shared):
            first = int(leaves["input_offset"][leaf])
            end = first + int(leaves["width"][leaf]) // 8
            input.extend(bytes(max(0, end - len(input))))
            input[first:end] = random[first:end].ljust(end - first, b"\0")
        return self._executor.run(bytes(input))

    def settle(self) -> bool:
        """See Division."""
        if self.differences is None or self._shared.control(Flows).flow_changes == self._stable_at:
            return False
        if not self.only_checks and not len(self._tree.in_state(State.HELD)):
            return False  # every path was run: no merge could add one
        before, version = self._shared.control(Flows).flow_changes, self.partition.version
        self._run_again()
        if self._is_late():
            return True
        if self._shared.control(Flows).flow_changes == before:
            self._stable_at = before
        self.witnesses += self.flows.read(self.partition)
        return self._stable_at != before or version != self.partition.version

    # -- inputs that everything depends on --------------------------------------------------------------------------

    def _finds_hubs(self) -> bool:
        """Whether a block has grown that a few shared inputs would split; they are shared from now on."""
        if self._wishes.given or self._looked_at == self.partition.version or self.restarts >= _MOST_RESTARTS:
            return False
        self._looked_at = self.partition.version
        large = [block for block in self.partition.blocks() if len(block) >= SMALLEST]
        if not large or self._shared.count("flow_sets") > _MOST_SETS:
            return False
        sets = self.flows.sets_by_block(self.partition)
        found = [leaf for block in large for leaf in hubs(block, sets.get(block[0], ()))]
        return self.partition.share(found)

    def _begin_again(self, base: bytes) -> None:
        """The same flow map, read with more shared inputs, and an empty tree: what is in it was searched in blocks that
        are too large, on paths that changed inputs of several of the new ones."""
        shared = self.partition.shared
        self.partition = self.searched = Partition()
        self.partition.grow(self._known_leaves)
        self.partition.share(shared)
        self.flows = FlowMap(self._shared)
        self.witnesses = self.flows.read(self.partition)
        self._looked_at = self.partition.version
        clear_tree(self._shared)
        self._known_nodes = self._checked = 0
        self._settled.clear()
        self.restarts += 1
        self._holding.show(self.searched)
        self.differences = Differences(self._shared, base, self._shared.count("paths"))
        self._executor.run(base)
        self._held_at = -1
        self.look()

    def state(self) -> dict[str, Any]:
        """See Division."""
        if self.differences is None:
            return {}
        shared = sorted(self.partition.shared)
        return {
            "base": self.differences.base.hex(),
            "first": self.differences.first,
            "reruns": self.reruns,
            "shared": shared,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """See Division. The flow map itself is in the shared memory; every path is run once more before the end."""
        if "base" not in state:
            return
        self.differences = Differences(self._shared, bytes.fromhex(state["base"]), int(state["first"]))
        self.reruns = int(state["reruns"])
        self._take_leaves()
        self.partition.share(state["shared"])
        self.searched.share(state["shared"])
        self.witnesses += self.flows.read(self.partition)
        self._looked_at = self.partition.version
        self.look()

    # -- what runs showed -----------------------------------------------------------------------------------------

    def _take_leaves(self) -> None:
        count = self._shared.count("leaves")
        if count == self._known_leaves:
            return
        kinds = self._shared.published("leaves")["kind"][self._known_leaves :]
        choices = (np.flatnonzero(kinds == int(LeafKind.CHOICE)) + self._known_leaves).tolist()
        for partition in (self.partition, self.searched):
            partition.grow(count)
            partition.share(choices)
        if self._wishes.given:
            self._take_given(range(self._known_leaves, count))
        self._known_leaves = count

    def _take_given(self, leaves: Iterable[int]) -> None:
        for leaf in leaves:
            number = block_of(self._wishes.given, self._name_of(leaf))
            if number >= 0:
                first = self._first_of.setdefault(number, leaf)
                self.partition.merge((first, leaf))
                self.searched.merge((first, leaf))

    def _take_literals(self) -> None:
        """The inputs of one condition are one block, whatever the flow map says."""
        for support in self._supports.lists(self._tree, self._known_nodes).tolist():
            self._merge(self._supports.leaves(support), FlowKind.LITERAL, NONE)
        self._known_nodes = self._tree.count

    def _take_doubts(self, differences: Differences, paths: Array) -> None:
        """Paths that ended early, or changed several blocks, are no path of one block: a doubt merges."""
        records = self._shared.published("paths")[paths]
        changed = self._shared.region("path_changed")[paths]
        ends = np.where(records["outcome"] == int(Outcome.RETURNED), 0, self._shared.region("path_flows")[paths])
        asked = self._supports.of_ends(self._tree, records)
        keys = zip(changed.tolist(), ends.tolist(), asked.tolist(), strict=True)
        for path, end in zip(paths.tolist(), keys, strict=True):
            if end not in self._settled:
                self._settled.add(end)
                self._take_end(differences, path, (*self.flows.leaves(end[1]), *self._supports.leaves(end[2])))

    def _take_end(self, differences: Differences, path: int, ended_by: Sequence[int]) -> None:
        """The end of a run is no control edge; so it must not depend on inputs that the path did not change."""
        if differences.block(path, self.searched.labels) == NOTHING:
            # A value of the shared inputs ends it, for the values at which others are held: these are shared, too.
            self._share_blocks(ended_by)
        else:
            changed = differences.leaves(path)
            self._merge((*changed, *ended_by), FlowKind.END, NONE, changed, ended_by)

    def _share_blocks(self, leaves: Sequence[int]) -> None:
        labels = self.searched.labels
        wanted = {int(labels[leaf]) for leaf in leaves} - {SHARED}
        if wanted:
            self._settled.clear()
            found = np.flatnonzero(np.isin(labels, list(wanted))).tolist()
            self.partition.share(found)
            self.searched.share(found)

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

    def _run_again(self) -> None:
        """Once more the paths that ran before all facts were known. Nothing of it goes into the tree."""
        if self.differences is None:
            return
        first, count = self.differences.first, self._shared.count("paths")
        deadline = self._deadline if self._deadline < math.inf else None
        knew = self._shared.published("path_knew")[first:count]
        behind = np.flatnonzero(knew != self._shared.control(Flows).flow_changes & 0xFFFFFFFF) + first
        self.reruns += self._executor.again(behind.tolist(), deadline=deadline)
        outcomes = self._shared.published("paths")["outcome"][first:count]
        self._take_doubts(self.differences, np.flatnonzero(outcomes != int(Outcome.RETURNED)) + first)

    def _is_late(self) -> bool:
        return bool(self._shared.command.stop) or time.monotonic() >= self._deadline
