"""Rounds: how a search with a limit of runs shares out its parts, by counts alone (docs/decisions/0445).

    parts ─► one for each worker, with so many runs each ─► all have made theirs ─► merge, in order ─► the next round

Who is faster decides nothing: the same limit and the same number of workers give the same search. Workers that are done
wait for the others, so a search without such a limit has no rounds.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veer.search.parallel.hands import Unfinished
from veer.search.parallel.part import Ids, give, waiting

_ROUNDS = 3
"""A round makes at most this part of the runs that are left."""
_LEAST = 200
"""Runs of a worker in a round, if so many are left."""


def shares(ids: Ids, count: int) -> list[Ids]:
    """Nodes dealt out like cards, so that each share has some near the root; none is empty."""
    return [ids[first::count] for first in range(min(count, len(ids)))]


def dealt(parts: Sequence[Unfinished], jobs: int, edge_count: int) -> list[Unfinished]:
    """As many parts as there are workers, or more: the largest are halved. Those that waited longest come first."""
    found = sorted(parts, key=lambda each: each.number)
    while found and len(found) < jobs:
        sizes = [each.part.open_branches() for each in found]
        largest = int(np.argmax(sizes))
        if sizes[largest] < 2:
            break
        source = found[largest].part.shared
        found.append(Unfinished(give(source, waiting(source)[1::2], edge_count)))
    return found


def runs_of_each(allowance: int, workers: int) -> int:
    """How many runs each of so many workers makes in the next round."""
    return max(1, min(allowance // workers, max(_LEAST, allowance // (_ROUNDS * workers))))
