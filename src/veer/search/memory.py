"""A search that stays within its memory: it is compacted, and goes on with another executor, as often as it must be.

While what waits takes much of the memory even then, the deepest open branches come first, whatever the strategy: depth
first, a search finishes subtrees, and holds no more open branches than its paths are long.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Protocol

from veer.execution.executor import PersistentExecutor
from veer.model.options import SearchOptions
from veer.search.compaction import compact, is_nearly_full, memory_of
from veer.search.explorer import Explorer
from veer.wire.shared import Shared

_DUE = 0.45  # of the limit: compacting takes memory, too, and so do executors
_TIGHT = 0.3
_GROWTH = 1.25


class Maker(Protocol):
    """What makes the parts of a search."""

    def executor(self) -> PersistentExecutor:
        """A process that runs the program."""
        ...

    def explorer(self, executor: PersistentExecutor, search: SearchOptions) -> Explorer:
        """The search, ready to start; its budget runs from now."""
        ...


class LastingSearch:
    """Searches like an Explorer (`search`, `state`, `restore`, `must_end`, `queries`); close it afterwards."""

    def __init__(self, shared: Shared, maker: Maker, search: SearchOptions, edge_count: int) -> None:
        """Starts the first executor."""
        self._shared = shared
        self._maker = maker
        self._search = search
        self._edge_count = edge_count
        self._deadline = time.monotonic() + search.budget
        self._due = _DUE * search.campaign_memory
        self._executor = maker.executor()
        self._explorer = maker.explorer(self._executor, search)

    @property
    def explorer(self) -> Explorer:
        """The search as it is now."""
        return self._explorer

    def search(self, pause: Callable[[int], bool]) -> str:
        """See Explorer.search."""
        while True:
            kind = self._explorer.search(lambda open_branches: self._is_due() or pause(open_branches))
            is_full = kind == "budget" and self._explorer.is_full and not self._search.partitioned
            if (kind and not is_full) or not (is_full or self._is_due()):
                return kind
            before = memory_of(self._shared)
            self._renew()
            if is_full and memory_of(self._shared) * _GROWTH > before:
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
        if self._search.partitioned:
            return False  # each block's tree is a part of every other's: nothing is finished before all is
        return memory_of(self._shared) > self._due or is_nearly_full(self._shared)

    def _renew(self) -> None:
        """Compacts, and goes on from there."""
        state = self._explorer.state()
        self._executor.close()
        compact(self._shared, self._edge_count, all_paths=self._search.criterion != "branch")
        used, limit = memory_of(self._shared), self._search.campaign_memory
        self._due = max(_DUE * limit, _GROWTH * used)
        search = replace(self._search, budget=max(0.001, self._deadline - time.monotonic()))
        if used > _TIGHT * limit:
            search = replace(search, strategy="dfs", solve_first=False)
        self._executor = self._maker.executor()
        self._explorer = self._maker.explorer(self._executor, search)
        self._explorer.restore(state)
