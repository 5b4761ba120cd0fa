"""Runs by values in order: which values a run takes for its inputs, and which leaves a recorded run asked for.

draws   0  1  7        the run asks for n, p, p->v in this order:     drawn   n  p  p->v
"""

from __future__ import annotations

from veer.wire.fields import Fields, Number, Region, Section


class Draws(Fields):
    """What a drawn run is given, and how many leaves the last recorded run asked for."""

    __slots__ = ()

    is_drawn = Number("u4")  # 1 = the k-th leaf that the run asks for is draws[k], whatever the input says
    draw_count = Number("u4")  # values in `draws`; the leaves behind them are 0
    drawn_count = Number("u4")


SECTION = Section(
    (Draws,),
    regions=(
        Region("draws", "u8", 1 << 16),
        Region("drawn", "u4", 1 << 16, Draws.drawn_count),  # leaves, in the order in which they were asked for
    ),
)
