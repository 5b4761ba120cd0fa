"""How far the bounds of inputs have grown in this campaign's memory, and which of them its runs came to."""

from __future__ import annotations

from veer.wire.fields import Fields, Number, Section


class Bounds(Fields):
    """Each of the kinds of `Bound` has its bits: `met_bounds` bit k, `doublings` the four bits from 4 * k on."""

    __slots__ = ()

    met_bounds = Number("u4")  # a run depended on where this bound lies; bit MET_PLACES: on how objects lie in memory
    doublings = Number("u8")  # how often it was doubled; Python writes it


SECTION = Section((Bounds,))
