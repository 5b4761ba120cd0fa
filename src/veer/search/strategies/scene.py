"""What a strategy may look at beside the tree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from msgspec import Struct

Distances = Callable[[npt.NDArray[Any]], npt.NDArray[np.int64]]
"""From edges to how far each is from the nearest uncovered branch, in control-flow edges; 0 = it is one itself."""


def no_distances(edges: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    """Where no control flow is known everything is equally near."""
    return np.zeros(len(edges), np.int64)


class Scene(Struct, frozen=True):
    """`seed` decides every random pick; `random_share` of the picks of `priority` and `specification` are random (LCT
    section 5). `to_events`: how far edges are from events that specifications see, 0 = it is a violation."""

    seed: int = 0
    random_share: float = 0.1
    distances: Distances = no_distances
    to_events: Distances = no_distances
    is_solve_first: bool = False  # `dfs` tries every branch of a run before it goes deeper (OSMOSE)
