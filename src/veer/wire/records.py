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
        ("watched", "u4"),  # what monitors of specifications held then (tracer/specifications.h)
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
# A link of the chain that starts at `pin_first[expression]`; pins[0].next = count.
PIN = np.dtype([("value", "u8"), ("next", "u4"), ("spare", "u4")])
RUNG = np.dtype([("asked", "u8"), ("sat", "u8"), ("unsat", "u8"), ("nanoseconds", "u8")])

RUNGS = (
    *("domain", "interval", "recent", "invert", "order", "enumerate", "choice"),
    *("ranges", "linear", "pairs", "frontier"),
)
"""Names of the ladder's rungs, in the order of `Statistics.rungs`; they are asked in that of engine/ladder.c."""

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
    ("watched", "u2"),  # what monitors of specifications held when it was made (tracer/specifications.h)
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
        ("placed_base", "u8"),  # pointers into [placed_base, placed_base + placed_size] are compared without a word
        ("placed_size", "u8"),  # all of memory once a run asked how objects lie (instrument/placement.py)
    ]
)
