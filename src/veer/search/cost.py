"""What a search has cost, in runs, operations and queries: about microseconds, but never by the clock.

What a search decides by its cost it decides in the same way on a slow or busy machine (docs/decisions/0445).
"""

from __future__ import annotations

from veer.wire.costs import Costs
from veer.wire.shared import Shared

RUN, OPERATION = 5.0, 0.1
FEWEST_IN_VAIN = 8
"""So many runs without news are made at least before patience is lost: one that uses up its steps costs a second."""
SECOND = 500_000.0
"""The cost of about a second of a calm machine, where half of the time goes into what is not counted."""


def cost_of(shared: Shared) -> float:
    """Of all that was searched in this memory and in those that were merged into it."""
    return cost(shared.counts.runs, shared.statistics.symbolic_operations, shared.control(Costs).query_cost)


def cost(runs: int, operations: int, queries: int) -> float:
    """Of so many runs and symbolic operations, and of queries that cost so much."""
    return RUN * runs + OPERATION * operations + queries
