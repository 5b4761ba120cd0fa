"""Strategies by the names that `--strategy` takes: plug-ins of the group `veer.strategies`, veer's own in own.py.

An entry point names a callable of (State, Scene) that gives a Strategy.
"""

from __future__ import annotations

from collections.abc import Callable

from veer import plugins
from veer.search.strategies.protocol import Strategy
from veer.search.strategies.scene import Scene
from veer.wire.layout import State

GROUP = "veer.strategies"

Make = Callable[[State, Scene], Strategy]


def names() -> tuple[str, ...]:
    """All strategies that there are, veer's own first."""
    return plugins.names(GROUP)


def require(name: str) -> None:
    """Loads it, before anything that takes long is begun. Raises UsageError as `strategy` does."""
    plugins.find(GROUP, name)


def strategy(name: str, state: State = State.OPEN, scene: Scene | None = None) -> Strategy:
    """A new strategy over the nodes in `state`.

    Raises:
        UsageError: there is none of that name, or the package that offers it cannot be loaded.
    """
    make: Make = plugins.find(GROUP, name)
    return make(state, scene or Scene())
