"""Compositional runs (docs/compositional.md): what crosses the boundaries of functions."""

from __future__ import annotations

import numpy as np

from veer.wire.fields import Fields, Number, Region, Section

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


class Boundaries(Fields):
    """Whether runs record what crosses boundaries, and how much they did."""

    __slots__ = ()

    compositional = Number("u4")  # 1 = runs record what crosses boundaries, and leave the tree alone
    crossing_count = Number("u4")
    slot_count = Number("u4")
    declared_count = Number("u4")
    boundary_changes = Number("u4")  # how often a run found that a function was declared wrongly: its record is void


SECTION = Section(
    (Boundaries,),
    {"veer_crossed": CROSSING, "veer_slot": SLOT, "veer_declared": DECLARED},
    (
        Region("crossings", CROSSING, 1 << 20, Boundaries.crossing_count),  # of the last run
        Region("slots", SLOT, 1 << 20, Boundaries.slot_count),  # of the campaign, as what follows
        Region("declared", DECLARED, 1 << 12, Boundaries.declared_count),
        Region("refusals", "u1", 1 << 20),  # Refusal by a function's site
    ),
)
