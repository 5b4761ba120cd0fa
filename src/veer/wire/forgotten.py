"""What was forgotten of the tree and of the paths, so that a campaign stays within its memory (docs/decisions/0113)."""

from __future__ import annotations

from veer.wire.control import Counts
from veer.wire.fields import Fields, Number, Region, Section


class Forgotten(Fields):
    """How much was forgotten, and where a worker's own work begins in what it was begun with."""

    __slots__ = ()

    forgotten_paths = Number("u4")  # how many identities of paths `forgotten_paths` holds
    # a worker's part: the paths, and the forgotten ones, that it was begun with, are not its own
    first_own_path = Number("u4")
    first_own_forgotten = Number("u4")
    # distinct paths whose identities are in no table any more, for want of memory; of those, a worker's own
    dropped_paths = Number("u4")
    dropped_own_paths = Number("u4")


SECTION = Section(
    (Forgotten,),
    regions=(
        Region("forgotten", "u8", 128),  # counts by State, then by Outcome, then cut branches
        Region("forgotten_edges", "u8", 1 << 28),  # nodes by edge and State
        Region("forgotten_below", "u4", 1 << 25, Counts.tree_count),  # nodes below each node of the tree
        Region("forgotten_paths", "u8", 1 << 25, Forgotten.forgotten_paths),  # identities of paths
    ),
)
