"""Which function each indirect call reached: an edge of the call graph, to be covered as those of the code are."""

from __future__ import annotations

from veer.wire.fields import Fields, Number, Region, Section


class Callees(Fields):
    """How many different pairs of a call and its target the last run had."""

    __slots__ = ()

    run_callee_count = Number("u4")


SECTION = Section(
    (Callees,),
    regions=(
        Region("run_callees", "u8", 1 << 8, Callees.run_callee_count),  # those pairs, as one number each
        Region("callees", "u8", 1 << 16),  # those of all runs: a hash table, 0 = an empty slot
    ),
)
