"""What every campaign shares with native code: expressions, leaves, the trace, the execution tree, paths, reports."""

from __future__ import annotations

from veer.wire.control import CommandArguments, Counts, Header, RunOptions, RunState, Statistics
from veer.wire.fields import Region, Section
from veer.wire.records import (
    CONTEXT,
    EVENT,
    FRAME,
    HOT,
    LEAF,
    LEDGER,
    NODE,
    OBJECT,
    OUTPUT,
    PATH,
    PIN,
    REPORT,
    RUNG,
    TABLE,
    TREE,
)

SECTION = Section(
    (Header, Counts, CommandArguments, RunOptions, RunState, Statistics),
    {
        "veer_frame": FRAME,
        "veer_rung": RUNG,
        "veer_node": NODE,
        "veer_leaf": LEAF,
        "veer_object": OBJECT,
        "veer_context": CONTEXT,
        "veer_event": EVENT,
        "veer_path": PATH,
        "veer_report": REPORT,
        "veer_ledger_entry": LEDGER,
        "veer_pin_link": PIN,
        "veer_lookup_table": TABLE,
        "veer_output": OUTPUT,
        "veer_hot": HOT,
    },
    (
        Region("nodes", NODE, 1 << 24, Counts.node_count),
        Region("node_table", "u4", 1 << 25),
        Region("supports", "u4", 1 << 22, Counts.support_count),
        Region("leaves", LEAF, 1 << 18, Counts.leaf_count),
        Region("objects", OBJECT, 1 << 16, Counts.object_count),
        Region("names", "u1", 1 << 20, Counts.name_bytes),
        Region("contexts", CONTEXT, 1 << 20, Counts.context_count),
        Region("context_table", "u4", 1 << 21),
        Region("trace", EVENT, 1 << 21, Counts.trace_count),
        *(Region(f"tree_{name}", dtype, 1 << 25, Counts.tree_count) for name, dtype in TREE),
        Region("paths", PATH, 1 << 24, Counts.path_count),
        Region("inputs", "u1", 1 << 31, Counts.input_bytes),
        Region("path_table", "u8", 1 << 25),
        Region("edge_taken", "u4", 1 << 24, Counts.edge_count),  # how many tree sides with this edge were taken
        Region("edge_seen", "u1", 1 << 24, Counts.edge_count),  # 1 = some run covered this edge, concretely or not
        Region("run_edges", "u1", 1 << 24, Counts.edge_count),  # the edges of the last run that had `record` set
        # node ids that the ladder left, appended; Python keeps its own read position
        Region("queue", "u4", 1 << 22, Counts.queue_count),
        # path ids with a NEW_EDGE, NEW_BUG, NEW_OUTCOME or DIVERGED flag, appended
        Region("interesting", "u4", 1 << 20, Counts.interesting_count),
        Region("reports", REPORT, 1 << 14, Counts.report_count),
        Region("ledger", LEDGER, 1 << 12, Counts.ledger_count),
        Region("ids", "u4", 1 << 16),  # arguments of a command
        Region("inbox", "u1", 1 << 20),  # an input from Python
        Region("result", "u1", 1 << 16, Counts.result_length),  # bytes recorded by veer_result in the last RUN
        # The values that a symbolic address was pinned to, per expression, in the order of discovery: a run emits "not
        # the first, not the second, ..., the k-th", so that the GUARD chain below a tree node is the same in every run.
        Region("pin_first", "u4", 1 << 24),  # by expression: index into `pins`, 0 = none
        Region("pins", PIN, 1 << 20),
        # veer_output records of the last recorded run, each followed by its bytes
        Region("outputs", "u1", 1 << 20, Counts.output_length),
        # Contents of memory that LOOKUP reads, each once: TABLE, then its entries, filled up to 8 bytes; a table's
        # number is its offset in units of 8 bytes, from 1 on.
        Region("tables", "u8", 1 << 23, Counts.table_words),
    ),
)
