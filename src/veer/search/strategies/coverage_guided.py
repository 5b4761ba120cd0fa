"""The strategy `coverage`: towards the nearest uncovered branch; rarest and random-path take turns when that stalls.

    covered something lately   nearest
    nothing for 16 picks       16 others, 32 nearest, 32 others, 64 nearest, 64 others, ...
    covered something          from the top
    nothing uncovered in reach rarest alone

Whole turns, because going for a goal means going on from the latest node again and again, which single picks from
elsewhere in between would break off; longer and longer ones, so that whichever of them leads on, at most twice its
picks are spent. Random-path has a share of the first picks of a turn alone. Turns follow counts of picks: the same seed
gives the same search.
"""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from veer.search.strategies.mixed import Mixed
from veer.search.strategies.nearest import Nearest
from veer.search.strategies.protocol import Ids
from veer.search.strategies.random_picks import RandomPath
from veer.search.strategies.rarest import Rarest
from veer.search.strategies.scene import Scene
from veer.search.tree import Tree
from veer.wire.layout import State

TURN = 16  # picks of the first turn (measured: docs/decisions/0030)
SHARE_OF_RANDOM_PATH = 0.25  # of the others' picks
RANDOM_PICKS = 1024  # with which the others' turn begins; walks are dear, and turns grow (decision 0175)


class CoverageGuided:
    """Nearest, in turns with rarest and random-path while it finds nothing."""

    def __init__(self, state: State, scene: Scene) -> None:
        self._nearest = Nearest(state, scene)
        self._others = Mixed(Rarest(state, scene.seed), RandomPath(state, scene.seed), SHARE_OF_RANDOM_PATH)
        self._mixed = Mixed(self._nearest, self._others, 0.0)
        self._fruitless, self._turn_ends = 0, TURN  # picks since something was last covered
        self._start()

    def __len__(self) -> int:
        return len(self._mixed)

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """See Strategy."""
        self._mixed.add(tree, ids)

    def pick(self, tree: Tree, k: int) -> Ids:
        """See Strategy."""
        if self._nearest.has_moved():
            self._start()
        while self._fruitless >= self._turn_ends:
            self._turn += 1
            self._turn_began = self._turn_ends
            self._turn_ends += TURN << (self._turn // 2)
        is_blind = not self._nearest.sees_something()
        self._mixed.share = 1.0 if is_blind else float(self._turn % 2)
        is_walking = not is_blind and self._fruitless < self._turn_began + RANDOM_PICKS
        self._others.share = SHARE_OF_RANDOM_PATH if is_walking else 0.0
        self._fruitless += k
        return self._mixed.pick(tree, k)

    def _start(self) -> None:
        self._fruitless = 0
        self._turn = 0  # even: nearest
        self._turn_began, self._turn_ends = 0, TURN
