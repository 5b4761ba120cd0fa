"""What a search asks that explores its inputs block by block (veer.search.partitioned is one)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from veer.execution.protocol import Executor, Work
from veer.search.strategies.protocol import Ids


class Division(Protocol):
    """Decides which open nodes may be negated now; the others are HELD until it says otherwise."""

    @property
    def restarts(self) -> int:
        """How often a look has begun again with an empty tree."""
        ...

    def begin(self) -> Work:
        """The first runs."""
        ...

    def look(self) -> Ids:
        """Takes what the last runs showed; the nodes that were HELD and are OPEN from now on."""
        ...

    def fresh(self, number: int) -> Work:
        """Runs random values of one part's inputs, the others held; `number` counts these runs from 1."""
        ...

    def settle(self) -> bool:
        """Nothing waits. Whether something may wait after another look."""
        ...

    def state(self) -> dict[str, Any]:
        """What it knows outside of the shared memory, as JSON knows it."""
        ...

    def restore(self, state: Mapping[str, Any]) -> None:
        """Takes up what `state` told in an earlier process; instead of `begin`."""
        ...


Divide = Callable[[Executor, float], Division]
"""Makes the division of a search: its executor, its deadline in time.monotonic → the division."""
