"""A search that stays within its memory: it is compacted, and goes on with another executor, as often as it must be.

While what waits takes much of the memory even then, the deepest open branches come first, whatever the strategy: depth
first, a search finishes subtrees, and holds no more open branches than its paths are long.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from veer.model.ending import EndingKind
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.compaction import compact, drop_identities, is_nearly_full, memory_of, tree_memory
from veer.search.division import Divide
from veer.search.explorer import Explorer, Pause
from veer.search.scene import Scene

_BESIDES = 150 << 20  # bytes: the interpreter, the keeper, the executor's own, and what compacting takes for a moment
_LEAST_SHARE = 0.5  # of the limit, however small it is
_DUE = 0.45  # of what is left of the limit: compacting takes as much again
_TIGHT = 0.3
_GROWTH = 1.25
_WORTH_DROPPING = 1 << 18  # identities of paths: some 8 MiB
_LOOSE = 2  # times `waiting_memory` that a tree may have before it is looked at


def deepest_first(options: SearchOptions) -> SearchOptions:
    """The options of a search that holds no more open branches than it must."""
    return replace(options, strategy="dfs", solve_first=False, waiting_memory=0)


class BoundedSearch:
    """Searches like an Explorer (`search`, `state`, `restore`); close it afterwards."""

    def __init__(self, scene: Scene, divide: Divide | None = None) -> None:
        """Starts the first executor. `divide`: what the search is divided by; it cannot be compacted then, for each
        block's tree is a part of every other's: nothing is finished before all is."""
        self._scene = scene
        self._divide = divide
        self._deadline = time.monotonic() + scene.options.budget
        self._limit = max(scene.options.campaign_memory - _BESIDES, _LEAST_SHARE * scene.options.campaign_memory)
        self._due = _DUE * self._limit
        self._tree_due: float = _LOOSE * scene.options.waiting_memory  # 0: the tree alone is no reason
        self._executor = scene.executor()
        self._explorer = Explorer.of(scene, self._executor, divide=divide)

    @property
    def explorer(self) -> Explorer:
        """The search as it is now."""
        return self._explorer

    def search(self, pause: Pause) -> EndingKind | None:
        """See Explorer.search."""
        while True:
            kind = self._explorer.search(lambda open_branches: self._is_due() or pause(open_branches))
            is_full = kind is EndingKind.BUDGET and self._explorer.is_full and self._divide is None
            if (kind and not is_full) or not (is_full or self._is_due()):
                return kind
            if kind and time.monotonic() >= self._deadline:
                return kind
            before = memory_of(self._scene.shared)
            self._renew()
            if is_full and memory_of(self._scene.shared) * _GROWTH > before:
                return kind  # what waits alone fills the tables

    def state(self) -> dict[str, Any]:
        """See Explorer.state."""
        return self._explorer.state()

    def restore(self, state: Mapping[str, Any]) -> None:
        """See Explorer.restore."""
        self._explorer.restore(state)

    def close(self) -> None:
        """Ends the executor."""
        self._executor.close()

    def _is_due(self) -> bool:
        if self._divide is not None:
            return False
        shared = self._scene.shared
        is_large = 0 < self._tree_due < tree_memory(shared)
        return is_large or memory_of(shared) > self._due or is_nearly_full(shared)

    def _renew(self) -> None:
        """Compacts, and goes on from there."""
        scene, state, limit = self._scene, self._explorer.state(), self._limit
        self._executor.close()
        compact(scene.shared, scene.edge_count, all_paths=scene.options.criterion != "branch")
        used = memory_of(scene.shared)
        if used * _GROWTH > _DUE * limit and scene.shared.count("forgotten_paths") > _WORTH_DROPPING:
            drop_identities(scene.shared)
            used = memory_of(scene.shared)
        self._due = max(_DUE * limit, _GROWTH * used)
        options = replace(scene.options, budget=max(0.001, self._deadline - time.monotonic()))
        waits, allowed = tree_memory(scene.shared), scene.options.waiting_memory
        if waits > allowed if allowed else used > _TIGHT * limit:
            options, self._tree_due = deepest_first(options), 0
        elif allowed:
            self._tree_due = max(_LOOSE * allowed, _GROWTH * waits)
        self._executor = scene.executor()
        self._explorer = Explorer.of(replace(scene, options=options), self._executor)
        self._explorer.restore(state)
