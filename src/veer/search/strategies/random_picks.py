"""Random strategies: uniform over the open nodes, and uniform at each fork of the way down (KLEE's random path).

Both draw from PCG64's raw stream, which numpy promises never to change: the same seed gives the same picks everywhere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from veer.search.distinct import distinct, first_places
from veer.search.strategies.nodebag import appended
from veer.search.strategies.pcg64 import Pcg64
from veer.search.strategies.protocol import Ids
from veer.search.tree import Tree
from veer.wire.layout import NONE, State


class Draws:
    """Random numbers by seed."""

    def __init__(self, seed: int) -> None:
        self._stream = Pcg64(seed)

    def below(self, limits: npt.NDArray[Any] | int, count: int) -> npt.NDArray[np.int64]:
        """`count` numbers, each at least 0 and less than its limit."""
        raw = self._stream.raw(count) >> np.uint64(32)
        return (raw * np.asarray(limits, np.uint64) >> np.uint64(32)).astype(np.int64)


class Random:
    """The strategy `random` (LCT section 4.1): each open node is as likely as any other."""

    def __init__(self, state: State = State.OPEN, seed: int = 0) -> None:
        self._state = int(state)
        self._draws = Draws(seed)
        self._ids = np.empty(64, np.int64)
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """See Strategy."""
        self._ids = appended(self._ids, self._size, ids)
        self._size += len(ids)

    def pick(self, tree: Tree, k: int) -> Ids:
        """See Strategy."""
        picked: list[Ids] = []
        wanted = k
        while wanted and self._size:
            ids = self._take(wanted)
            ids = ids[tree.state[ids] == self._state]
            picked.append(ids)
            wanted -= len(ids)
        return np.concatenate(picked) if picked else np.empty(0, np.int64)

    def _take(self, wanted: int) -> Ids:
        places = self._places(min(wanted, self._size))
        taken = self._ids[places]
        left = self._size - len(places)
        is_taken = np.zeros(self._size - left, np.bool_)  # of the places that fall away
        is_taken[places[places >= left] - left] = True
        self._ids[places[places < left]] = self._ids[left : self._size][~is_taken]
        self._size = left
        return taken

    def _places(self, wanted: int) -> Ids:
        """That many different places, in random order."""
        size = self._size
        if 2 * wanted >= size:
            return np.argsort(self._draws.below(1 << 31, size), kind="stable")[:wanted]
        places = np.empty(0, np.int64)
        while len(places) < wanted:
            drawn = np.concatenate([places, self._draws.below(size, wanted - len(places))])
            first = first_places(drawn)
            places = drawn[np.sort(first)]
        return places


class RandomPath:
    """The strategy `random-path`: from the root down, at each decision any side below which something waits.

    Favours nodes high in the tree, and is not caught in loops as uniform picks are. Walkers go down side by side, as
    arrays. A side is *worth* a walk from when a node below it is told of until a walker finds that nothing waits there;
    what is worth a walk has ancestors that are. So nothing is kept up to date but what walkers meet.
    """

    def __init__(self, state: State = State.OPEN, seed: int = 0) -> None:
        self._state = int(state)
        self._draws = Draws(seed)
        self._worth = np.zeros(0, np.bool_)
        self._waiting = 0

    def __len__(self) -> int:
        return self._waiting

    def add(self, tree: Tree, ids: npt.NDArray[Any]) -> None:
        """See Strategy."""
        if not len(self._worth):
            self._worth = np.zeros(len(tree.parent), np.bool_)  # touched page by page as the tree grows
        self._waiting += len(ids)
        while len(ids):
            self._worth[ids] = True
            ids = ids[ids != 0]
            parents = distinct(tree.parent[ids])
            ids = parents[~self._worth[parents]]

    def pick(self, tree: Tree, k: int) -> Ids:
        """See Strategy."""
        picked: list[Ids] = []
        wanted = k
        while wanted and len(self._worth) and self._worth[0]:
            ids = self._walk(tree, wanted)
            self._worth[ids] = False
            picked.append(ids)
            wanted -= len(ids)
        if len(self._worth) and not self._worth[0]:
            self._waiting = 0
        found = np.concatenate(picked) if picked else np.empty(0, np.int64)
        self._waiting = max(0, self._waiting - len(found))
        return found

    def _walk(self, tree: Tree, walkers: int) -> Ids:
        """Sends so many down from the root; where they arrive, each node once."""
        at = np.zeros(walkers, np.int64)
        arrived: list[Ids] = []
        while len(at):
            onward, is_stuck = self._step(tree, at)
            self._worth[at[is_stuck]] = False
            if not self._worth[0]:
                break
            at = np.where(is_stuck, tree.parent[at], onward).astype(np.int64)  # back up, not to the root again
            is_there = (tree.state[at] == self._state) & ~is_stuck
            arrived.append(at[is_there])
            at = at[~is_there]
        ids = np.concatenate([np.empty(0, np.int64), *arrived])
        first = first_places(ids)
        return ids[np.sort(first)]

    def _step(self, tree: Tree, at: Ids) -> tuple[Ids, npt.NDArray[np.bool_]]:
        """One side for each walker, and who has none."""
        side = tree.child[at].astype(np.int64)
        side[side == NONE] = 0  # finished and forgotten
        chosen = np.zeros(len(at), np.int64)
        choices = np.zeros(len(at), np.int64)
        while side.any():
            is_alive = (side != 0) & self._worth[side]
            state = tree.state[side]
            is_alive &= (state == self._state) | (state == int(State.TAKEN))
            choices += is_alive
            takes_it = is_alive & (self._draws.below(np.maximum(choices, 1), len(at)) == 0)
            chosen[takes_it] = side[takes_it]
            side = np.where(side != 0, tree.sibling[side], 0).astype(np.int64)
        return chosen, choices == 0
