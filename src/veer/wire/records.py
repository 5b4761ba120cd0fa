"""The records that lie in shared memory, as numpy's dtypes, and the execution tree as parallel arrays of them."""

from __future__ import annotations

import numpy as np

from veer.wire.constants import MAX_ARGUMENTS, MAX_STACK_SHOWN

NODE = np.dtype(
    [
        ("op", "u1"),
        ("width", "u1"),
        ("flags", "u2"),
        ("a", "u4"),
        ("b", "u4"),
        ("c", "u4"),
        ("value", "u8"),
        # 0 none; bit 31 clear: leaf index + 1; set: index into `supports` (count, then sorted leaf indices)
        ("support", "u4"),
        ("spare", "u4"),
    ]
)
LEAF = np.dtype(
    [
        ("object", "u4"),  # index into objects
        ("offset", "u4"),  # byte offset within the object
        ("input_offset", "u4"),  # where its value lies in an input (little endian, width / 8 bytes)
        ("width", "u1"),
        ("kind", "u1"),
        ("flags", "u2"),
        # inclusive bounds of its value as an unsigned integer, if minimum <= maximum; signed if kind is SIGNED
        ("minimum", "u8"),
        ("maximum", "u8"),
    ]
)
OBJECT = np.dtype(
    [
        ("via", "u4"),  # the pointer leaf (kind CHOICE) through which it was reached, or NONE for a root
        ("name", "u4"),  # offset of its NUL-terminated name in `names` (roots)
        ("occurrence", "u4"),  # how many roots of that name came before it in the run
        ("type", "u4"),  # the id of its veer_type, NONE if made from raw bytes
    ]
)
CONTEXT = np.dtype([("parent", "u4"), ("site", "u4")])
EVENT = np.dtype(
    [
        ("kind", "u1"),
        ("flags", "u1"),
        ("alternatives", "u2"),  # CHOICE: how many there are
        ("alternative", "u4"),  # the one taken
        ("literal", "u4"),  # expression of width 1, or the leaf of a choice
        ("site", "u4"),
        ("context", "u4"),
        ("spare", "u4"),
    ]
)
PATH = np.dtype(
    [
        ("hash", "u8"),
        ("input_offset", "u8"),
        ("input_length", "u4"),
        ("node", "u4"),  # last node, or NONE
        ("report", "u4"),  # index into reports, or NONE
        ("outcome", "u1"),
        ("flags", "u1"),
        ("spare", "u2"),
    ]
)
REPORT = np.dtype(
    [
        ("path", "u4"),
        ("outcome", "u4"),
        ("site", "u4"),  # where: the innermost site of user code that is known
        ("depth", "u4"),  # how many of `stack` are used
        ("stack", "u4", (MAX_STACK_SHOWN,)),  # call sites, innermost first
        ("address", "u8"),
        ("object_base", "u8"),
        ("object_size", "u8"),
        ("value", "u8"),
        ("run", "u8"),
        ("nanoseconds", "u8"),  # since the campaign's start
        ("message", "S128"),
    ]
)
LEDGER = np.dtype([("kind", "u4"), ("site", "u4"), ("count", "u8")])
TABLE = np.dtype([("count", "u4"), ("entry_bytes", "u4")])  # entry_bytes: 1, 2, 4 or 8
OUTPUT = np.dtype([("kind", "u4"), ("number", "u4"), ("address", "u8"), ("size", "u4"), ("spare", "u4")])
# What crossed a boundary: `slot` stands for it on the inner side (ENTER's) or the outer side (LEAVE's), an expression,
# 0 = it stayed as it was; `inner`: what it is on the other side, 0 = `value`.
CROSSING = np.dtype(
    [
        ("kind", "u1"),
        ("width", "u1"),  # bits
        ("level", "u2"),  # how many activations are around it
        ("function", "u4"),  # its site
        ("number", "u4"),
        ("event", "u4"),  # decisions that the run had made before
        ("slot", "u4"),
        ("inner", "u4"),
        ("address", "u8"),
        ("value", "u8"),
    ]
)
SLOT = np.dtype(
    [
        ("function", "u4"),
        ("recursion", "u2"),
        ("kind", "u1"),  # Crossing
        ("width", "u1"),
        ("number", "u4"),
        ("ordinal", "u4"),
        ("address", "u8"),
        ("value", "u8"),  # in the run under way
    ]
)
# Memory that a function is known to use: a global (argument NONE), or the object that an argument points into.
DECLARED = np.dtype(
    [
        ("function", "u4"),
        ("argument", "u4"),
        ("base", "u8"),
        ("is_guess", "u4"),  # read off the program's text (instrument/uses.py); no run has shown it
        ("unit", "u2"),  # bytes of a cell
        ("written", "u2"),
    ]
)
# A link of the chain that starts at `pin_first[expression]`; pins[0].next = count.
PIN = np.dtype([("value", "u8"), ("next", "u4"), ("spare", "u4")])
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
RUNG = np.dtype([("asked", "u8"), ("sat", "u8"), ("unsat", "u8"), ("nanoseconds", "u8")])

RUNGS = (
    *("domain", "interval", "recent", "invert", "order", "enumerate", "choice"),
    *("ranges", "linear", "pairs"),
)
"""Names of the ladder's rungs, in the order of `control.rungs` (not that in which they are asked: engine/ladder.c)."""

TREE = (
    # (name, dtype): the execution tree as parallel arrays. A node is one side of a decision.
    #
    #      node 0 (the root: state TAKEN, no literal)
    #        └ child ─► side ─ sibling ─► side            one decision: all its sides share `site`, `literal`, `kind`
    #                    └ child ─► ...                  `alternative` tells them apart
    #
    # An open node has no path of its own: `path` is the path whose run created it (its inputs are the parent inputs).
    ("parent", "u4"),
    ("child", "u4"),  # first side of the next decision, 0 = none yet, NONE = finished and forgotten
    ("sibling", "u4"),  # next side of the same decision, 0 = last
    ("literal", "u4"),
    ("site", "u4"),
    ("context", "u4"),
    ("path", "u4"),
    ("depth", "u4"),
    ("alternative", "u2"),
    ("kind", "u1"),
    ("state", "u1"),
)

CONTROL = np.dtype(
    [
        ("magic", "u4"),
        ("version", "u4"),
        # counts, published last by native code
        ("node_count", "u4"),  # arena
        ("node_table_size", "u4"),
        ("support_count", "u4"),
        ("leaf_count", "u4"),
        ("object_count", "u4"),
        ("name_bytes", "u4"),
        ("context_count", "u4"),
        ("trace_count", "u4"),  # of the last run
        ("tree_count", "u4"),
        ("path_count", "u4"),
        ("distinct_paths", "u4"),
        ("queue_count", "u4"),
        ("interesting_count", "u4"),
        ("report_count", "u4"),
        ("ledger_count", "u4"),
        ("edge_count", "u4"),
        ("input_bytes", "u8"),
        ("leaf_bytes", "u4"),  # length of an input that holds every leaf
        # command arguments
        ("id_count", "u4"),
        ("ids_done", "u4"),
        ("inbox_length", "u4"),
        ("max_depth", "u4"),  # nodes deeper than this are CUT (0 = no bound)
        ("guard_siblings", "u4"),  # explored values of one symbolic address
        # 1 = the trace keeps every decision and the leaves that were made; 2 = so, too, but nothing goes into the tree
        ("record", "u4"),
        ("current_length", "u4"),  # bytes of the input of the run under way; they lie at inputs[input_bytes:]
        ("max_runs", "u8"),
        ("max_steps", "u8"),
        ("heap_limit", "u8"),
        ("stack_limit", "u8"),
        ("seed", "u8"),
        ("filler", "u4"),  # 0: a new leaf is 0; n > 0: a pseudo-random value of (seed, n, leaf)
        ("check_leaks", "u4"),
        # state
        ("stop", "u4"),  # Python sets it: stop after the current run
        ("current_node", "u4"),  # target of the run under way, NONE between runs
        ("running", "u4"),  # 1 while user code runs
        ("crash_outcome", "u4"),
        ("result_length", "u4"),
        ("result_count", "u4"),
        ("exit_code", "i4"),
        ("last_path", "u4"),  # path id of the last run
        ("last_outcome", "u4"),
        ("last_report", "u4"),  # report of the last run or NONE
        ("run_leaf_count", "u4"),  # recorded leaves of the last RUN with record = 1, in `ids`, in order of creation
        ("pad1", "u4"),
        ("answer", "u8"),
        ("runs", "u8"),
        ("diverged", "u8"),
        ("infeasible", "u8"),
        ("left_to_smt", "u8"),
        ("start_nanoseconds", "u8"),
        ("execute_nanoseconds", "u8"),
        ("solve_nanoseconds", "u8"),
        ("explore_nanoseconds", "u8"),
        ("symbolic_operations", "u8"),
        ("concretised_operations", "u8"),
        ("current_hash", "u8"),
        ("rungs", RUNG, (16,)),
        ("output_length", "u4"),  # bytes of `outputs`
        ("pad2", "u4"),
        # operations with a symbolic operand whose value was fixed, one value after the other explored; beside
        # `symbolic_operations` (kept exactly) and `concretised_operations` (lost)
        ("pinned_operations", "u8"),
        ("table_words", "u8"),  # of `tables`, in units of 8 bytes
        ("executor", "u4"),  # process id of the executor that was started last; Python writes it
        ("forgotten_paths", "u4"),  # how many identities of paths `forgotten_paths` holds
        # a worker's part: the paths, and the forgotten ones, that it was begun with, are not its own
        ("first_own_path", "u4"),
        ("first_own_forgotten", "u4"),
        ("switched_off", "u4"),  # bits of Switch
        ("rungs_off", "u4"),  # a bit for each of RUNGS that is left out
        # the flow build (--partitioned)
        ("partitioned", "u4"),
        ("flow_set_count", "u4"),
        ("flow_member_count", "u4"),
        ("flow_fact_count", "u4"),
        ("flow_index_size", "u4"),
        ("flow_frees", "u4"),  # whether any block is freed that inputs decide about
        ("flow_changes", "u8"),  # how often a fact that outlives the run was learned
        ("flow_jumps", "u4"),  # set of what decided any longjmp, of all runs
        ("flow_end", "u4"),  # set of what decided how the last run ended
        ("compositional", "u4"),  # 1 = runs record what crosses boundaries, and leave the tree alone
        ("crossing_count", "u4"),
        ("slot_count", "u4"),
        ("declared_count", "u4"),
        ("boundary_changes", "u4"),  # how often a run found that a function was declared wrongly: its record is void
        # the blocks that inputs are searched in (engine/blocks.c)
        ("holds_blocks", "u4"),  # 1 = nodes that are not of one block are HELD
        ("held_leaves", "u4"),  # leaves whose place in `held_input` is known
        ("labelled_leaves", "u4"),  # and whose place in `leaf_blocks` is
        ("changed_words", "u4"),  # of `changed`
        ("doubt_count", "u4"),
        ("freed_count", "u4"),
        ("pad4", "u4"),
    ]
)

FRAME = np.dtype([("site", "u4"), ("context", "u4")])

HOT = np.dtype(
    [
        ("steps", "i8"),  # left; negative = hang
        ("path_hash", "u8"),  # h = (h ^ (edge + 1)) * HASH_MULTIPLIER at each source branch
        ("stack_pointer", "u8"),  # of the unit's addressable locals
        ("callee", "u8"),  # address of the function that `arguments` are meant for; 0 = all concrete
        ("returner", "u8"),  # address of the function that wrote `returned`
        ("depth", "u4"),  # call depth = number of frames in use
        ("returned", "u4"),  # shadow of the return value
        ("arguments", "u4", (MAX_ARGUMENTS,)),
        ("values", "u8", (MAX_ARGUMENTS,)),  # concrete arguments of an external call
        ("frames", FRAME, (65536,)),
        ("variadic", "u8"),  # table of the places of the arguments behind `...` (instrument/variadic.py), 0 = none
    ]
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
