"""The one definition of everything that Python and native code share, and where each region of it lies.

The constants are in `constants.py`, the enumerations in `enumerations.py`, the records in `records.py`; all can be had
from here. `header.py` turns it into `runtime/include/veer_wire.h` (a test fails when the committed header differs),
`shared.py` turns it into numpy views of the shared memory. Nothing else may know an offset.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import numpy as np

from veer.wire.constants import *  # noqa: F403  every name, once more for those who import from here
from veer.wire.constants import PAGE, VERSION
from veer.wire.enumerations import *  # noqa: F403
from veer.wire.enumerations import FlowKind, Kind, LeafKind, Loss, Op, Outcome, PathFlag, State, Table
from veer.wire.records import *  # noqa: F403
from veer.wire.records import (
    CONTEXT,
    CONTROL,
    CROSSING,
    DECLARED,
    EVENT,
    FLOW_FACT,
    FLOW_SET,
    LEAF,
    LEDGER,
    NODE,
    OBJECT,
    PATH,
    PIN,
    REPORT,
    SLOT,
    TREE,
)


@dataclass(frozen=True, slots=True)
class Region:
    """A region of the shared memory: `capacity` records of `dtype`, page aligned, a guard page behind it."""

    name: str
    dtype: np.dtype[np.void] | str
    capacity: int


REGIONS: tuple[Region, ...] = (
    Region("nodes", NODE, 1 << 24),
    Region("node_table", "u4", 1 << 25),
    Region("supports", "u4", 1 << 22),
    Region("leaves", LEAF, 1 << 18),
    Region("objects", OBJECT, 1 << 16),
    Region("names", "u1", 1 << 20),
    Region("contexts", CONTEXT, 1 << 20),
    Region("context_table", "u4", 1 << 21),
    Region("trace", EVENT, 1 << 21),
    *(Region(f"tree_{name}", dtype, 1 << 25) for name, dtype in TREE),
    Region("paths", PATH, 1 << 24),
    Region("inputs", "u1", 1 << 31),
    Region("path_table", "u8", 1 << 25),
    Region("edge_taken", "u4", 1 << 24),  # how many tree sides with this edge were taken
    Region("edge_seen", "u1", 1 << 24),  # 1 = some run covered this edge, concretely or not
    Region("run_edges", "u1", 1 << 24),  # the edges of the last run that had control.record set
    Region("queue", "u4", 1 << 22),  # node ids that the ladder left, appended; Python keeps its own read position
    Region("interesting", "u4", 1 << 20),  # path ids with a NEW_EDGE, NEW_BUG, NEW_OUTCOME or DIVERGED flag, appended
    Region("reports", REPORT, 1 << 14),
    Region("ledger", LEDGER, 1 << 12),
    Region("ids", "u4", 1 << 16),  # arguments of a command
    Region("inbox", "u1", 1 << 20),  # an input from Python
    Region("result", "u1", 1 << 16),  # bytes recorded by veer_result in the last RUN
    # The values that a symbolic address was pinned to, per expression, in the order of discovery: a run emits "not the
    # first, not the second, ..., the k-th", so that the GUARD chain below a tree node has the same shape in every run.
    Region("pin_first", "u4", 1 << 24),  # by expression: index into `pins`, 0 = none
    Region("pins", PIN, 1 << 20),
    Region("outputs", "u1", 1 << 20),  # veer_output records of the last recorded run, each followed by its bytes
    # Contents of memory that LOOKUP reads, each once: TABLE, then its entries, filled up to 8 bytes; a table's number
    # is its offset in units of 8 bytes, from 1 on.
    Region("tables", "u8", 1 << 23),
    # FlowTest's flow map (--partitioned): sets of inputs, what runs wrote under branches, what decided each path's end.
    Region("flow_sets", FLOW_SET, 1 << 20),
    Region("flow_members", "u4", 1 << 24),
    Region("flow_table", "u4", 1 << 21),
    Region("flow_facts", FLOW_FACT, 1 << 22),
    Region("flow_index", "u4", 1 << 24),
    Region("flow_filter", "u1", 1 << 17),
    Region("path_flows", "u4", 1 << 24),
    Region("path_knew", "u4", 1 << 24),  # control.flow_changes when the path's last run began
    # The blocks of inputs that are searched apart: of each leaf its block, NONE = of every block; the input that the
    # others are held at; of each path what it changed of that, as supports are written, in lists of `changed`; paths
    # that changed several blocks or ended early, appended; HELD nodes in lists by leaf; those that RELEASE opened.
    Region("leaf_blocks", "u4", 1 << 18),
    Region("held_input", "u1", 1 << 21),
    Region("path_changed", "u4", 1 << 24),
    Region("changed", "u4", 1 << 27),
    Region("doubts", "u4", 1 << 24),
    Region("held_first", "u4", 1 << 18),
    Region("held_next", "u4", 1 << 25),
    Region("freed", "u4", 1 << 25),
    # What was forgotten of the tree and of the paths, so that a campaign stays within its memory (docs/decisions/0113):
    # counts by State, then by Outcome, then cut branches; nodes by edge and State; nodes below each node of the tree;
    # identities of paths.
    Region("forgotten", "u8", 128),
    Region("forgotten_edges", "u8", 1 << 28),
    Region("forgotten_below", "u4", 1 << 25),
    Region("forgotten_paths", "u8", 1 << 25),
    # Compositional runs (docs/compositional.md): of the last run; of the campaign; Refusal by a function's site.
    Region("crossings", CROSSING, 1 << 20),
    Region("slots", SLOT, 1 << 20),
    Region("declared", DECLARED, 1 << 12),
    Region("refusals", "u1", 1 << 20),
)


def region_offsets() -> tuple[dict[str, int], int]:
    """Byte offset of each region in the shared memory, and its total size; the control block is at 0."""
    offsets: dict[str, int] = {}
    position = _pages(CONTROL.itemsize) + PAGE
    for region in REGIONS:
        offsets[region.name] = position
        position += _pages(np.dtype(region.dtype).itemsize * region.capacity) + PAGE
    return offsets, position


def fingerprint() -> str:
    """Sixteen hexadecimal digits that differ when anything here that shared memory depends on does."""
    enumerations = [
        list(each.__members__.items()) for each in (Op, Kind, State, Outcome, Loss, Table, FlowKind, LeafKind, PathFlag)
    ]
    regions = [(region.name, np.dtype(region.dtype).descr, region.capacity) for region in REGIONS]
    text = repr((VERSION, CONTROL.descr, regions, enumerations))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _pages(size: int) -> int:
    return (size + PAGE - 1) // PAGE * PAGE
