"""Strategies by name."""

from __future__ import annotations

from collections.abc import Callable

from veer.exploration.strategies.depth_first import DepthFirst
from veer.exploration.strategies.protocol import Strategy
from veer.exploration.strategies.rarest import Rarest
from veer.model.errors import UsageError
from veer.wire.layout import State

STRATEGIES: dict[str, Callable[[State, int], Strategy]] = {"rarest": Rarest, "dfs": DepthFirst}


def strategy(name: str, state: State = State.OPEN, seed: int = 0) -> Strategy:
    """A new strategy over the nodes in `state`; raises UsageError for a name that is not known."""
    make = STRATEGIES.get(name)
    if make is None:
        raise UsageError(f"there is no strategy `{name}`; choose one of {', '.join(sorted(STRATEGIES))}")
    return make(state, seed)
