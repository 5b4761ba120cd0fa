"""FlowTest's flow map (--partitioned): sets of inputs, what runs wrote under branches, what decided each path's end."""

from __future__ import annotations

import numpy as np

from veer.wire.constants import MAX_ARGUMENTS
from veer.wire.control import Counts
from veer.wire.fields import Fields, Number, Region, Section

# A set of input leaves: `count` ascending ids from flow_members[first] on. It was first made of the sets `left` and
# `right` at `site`, in the variable whose name lies at names[name - 1] (0 = unknown), at a byte offset. Set 0 is empty.
FLOW_SET = np.dtype(
    [
        ("first", "u4"),
        ("count", "u4"),
        ("left", "u4"),
        ("right", "u4"),
        ("site", "u4"),
        ("kind", "u4"),
        ("name", "u4"),
        ("offset", "u4"),
    ]
)
# An instance of a join of branches (`key`) and bytes that some run wrote before it: those of `granule` (address / 8) in
# `mask`; `next` is the slot of the key's next entry. The entry with granule NONE is the head of a key's list. The join
# around it whose key is `told` knows of the bytes in `told_mask`.
FLOW_FACT = np.dtype(
    [("key", "u8"), ("granule", "u4"), ("mask", "u4"), ("told", "u8"), ("next", "u4"), ("told_mask", "u4")]
)

FLOWS = np.dtype(
    [
        ("callee", "u8"),  # address of the function that `arguments` are meant for
        ("returner", "u8"),  # address of the function that wrote `returned`
        ("returned", "u4"),  # flow of the return value
        ("count", "u4"),  # arguments of the call under way
        ("arguments", "u4", (MAX_ARGUMENTS,)),  # the last stands for all from there on
    ]
)


class Flows(Fields):
    """The flow build: whether it is one, and what its runs learned."""

    __slots__ = ()

    partitioned = Number("u4")
    flow_set_count = Number("u4")
    flow_member_count = Number("u4")
    flow_fact_count = Number("u4")
    flow_index_size = Number("u4")
    flow_frees = Number("u4")  # whether any block is freed that inputs decide about
    flow_changes = Number("u8")  # how often a fact that outlives the run was learned
    flow_jumps = Number("u4")  # set of what decided any longjmp, of all runs
    flow_end = Number("u4")  # set of what decided how the last run ended


SECTION = Section(
    (Flows,),
    {"veer_flow_set": FLOW_SET, "veer_flow_fact": FLOW_FACT, "veer_flows": FLOWS},
    (
        Region("flow_sets", FLOW_SET, 1 << 20, Flows.flow_set_count),
        Region("flow_members", "u4", 1 << 24, Flows.flow_member_count),
        Region("flow_table", "u4", 1 << 21),
        Region("flow_facts", FLOW_FACT, 1 << 22),
        Region("flow_index", "u4", 1 << 24),
        Region("flow_filter", "u1", 1 << 17),
        Region("path_flows", "u4", 1 << 24, Counts.path_count),
        Region("path_knew", "u4", 1 << 24, Counts.path_count),  # `flow_changes` when the path's last run began
    ),
)
