"""The blocks of inputs that are searched apart (--partitioned; engine/blocks.c)."""

from __future__ import annotations

from veer.wire.control import Counts
from veer.wire.fields import Fields, Number, Region, Section


class Blocks(Fields):
    """Whether nodes are held back, and how much of the regions below is used."""

    __slots__ = ()

    holds_blocks = Number("u4")  # 1 = nodes that are not of one block are HELD
    held_leaves = Number("u4")  # leaves whose place in `held_input` is known
    labelled_leaves = Number("u4")  # and whose place in `leaf_blocks` is
    changed_words = Number("u4")  # of `changed`
    doubt_count = Number("u4")
    freed_count = Number("u4")


SECTION = Section(
    (Blocks,),
    regions=(
        Region("leaf_blocks", "u4", 1 << 18),  # of each leaf its block, NONE = of every block
        Region("held_input", "u1", 1 << 21),  # the input that the others are held at
        # of each path what it changed of that, as supports are written, in lists of `changed`
        Region("path_changed", "u4", 1 << 24, Counts.path_count),
        Region("changed", "u4", 1 << 27),
        Region("doubts", "u4", 1 << 24, Blocks.doubt_count),  # paths that changed several blocks or ended early
        Region("held_first", "u4", 1 << 18),  # HELD nodes in lists by leaf
        Region("held_next", "u4", 1 << 25),
        Region("freed", "u4", 1 << 25, Blocks.freed_count),  # those that RELEASE opened
    ),
)
