"""The flow map as the runs left it in shared memory: sets of inputs, and which merge each of them is the witness of.

A set was made of two others, which are known: so one merge of a leaf of each says all that the set says. A leaf that is
shared by all blocks brings nothing together; sets are read again when the shared leaves change.
"""

from __future__ import annotations

from msgspec import Struct

from veer.search.partitioned.partition import Partition
from veer.wire.layout import FlowKind
from veer.wire.shared import Shared


class Witness(Struct, frozen=True):
    """Why two blocks became one: flows `left` and `right` (leaves) met at `site`, in `variable` ("" = unknown)."""

    left: tuple[int, ...]
    right: tuple[int, ...]
    site: int
    kind: FlowKind
    variable: str = ""


class FlowMap:
    """Reads sets as they come."""

    def __init__(self, shared: Shared) -> None:
        self._shared = shared
        self._one: list[int] = [-1]  # by set: a leaf of it that is in one block only, -1 = none
        self._sharing: frozenset[int] = frozenset()

    def leaves(self, flow: int) -> tuple[int, ...]:
        """The leaves of a set."""
        sets = self._shared.published("flow_sets")
        if not 0 < flow < len(sets):
            return ()
        record = sets[flow]
        first, count = int(record["first"]), int(record["count"])
        return tuple(self._shared.published("flow_members")[first : first + count].tolist())

    def sets_by_block(self, partition: Partition) -> dict[int, list[tuple[int, ...]]]:
        """The sets of each block, by its label, shared leaves left out."""
        labels, shared = partition.labels.tolist(), partition.shared
        found: dict[int, list[tuple[int, ...]]] = {}
        for flow in range(1, len(self._shared.published("flow_sets"))):
            leaves = tuple(leaf for leaf in self.leaves(flow) if leaf not in shared)
            if len(leaves) > 1:
                found.setdefault(labels[leaves[0]], []).append(leaves)
        return found

    def read(self, partition: Partition) -> list[Witness]:
        """Merges what the sets that are new say; the witnesses of merges."""
        if self._sharing != partition.shared:
            self._sharing = partition.shared
            del self._one[1:]
        sets = self._shared.published("flow_sets")
        known = len(self._one)
        if len(sets) <= known:
            return []
        partition.grow(self._shared.count("leaves"))
        members = self._shared.published("flow_members")
        found: list[Witness] = []
        fields = ("first", "count", "left", "right", "site", "kind", "name", "offset")
        for row in zip(*(sets[name][known:].tolist() for name in fields), strict=True):
            first, _, left, right, site, kind, name, offset = row
            if kind == FlowKind.INPUT:
                leaf = int(members[first])
                self._one.append(-1 if leaf in self._sharing else leaf)
                continue
            one, other = self._one[left], self._one[right]
            self._one.append(one if one >= 0 else other)
            if one >= 0 and other >= 0 and partition.merge((one, other)):
                variable = self._variable(name, offset)
                found.append(Witness(self.leaves(left), self.leaves(right), site, FlowKind(kind), variable))
        return found

    def _variable(self, name: int, offset: int) -> str:
        if not name:
            return ""
        return self._shared.name_at(name - 1) + (f" (byte {offset})" if offset else "")
