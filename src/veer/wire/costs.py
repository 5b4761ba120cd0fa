"""What a search cost beside its runs, counted so that it is the same on every machine."""

from __future__ import annotations

from veer.wire.fields import Fields, Number, Section


class Costs(Fields):
    """Kept by Python alone."""

    __slots__ = ()

    query_cost = Number("u8")  # of answered queries, about microseconds (search/queries.py)


SECTION = Section((Costs,))
