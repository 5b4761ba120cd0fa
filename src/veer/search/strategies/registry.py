"""Strategies by name: veer's own, and those that installed packages offer (entry points, group `veer.strategies`).

An entry point names a callable of (State, Scene) that gives a Strategy; its name is what `--strategy` takes.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib.metadata import entry_points

from veer.model.errors import UsageError
from veer.search.strategies.coverage_guided import CoverageGuided
from veer.search.strategies.depth_first import DepthFirst
from veer.search.strategies.mixed import Mixed
from veer.search.strategies.protocol import Strategy
from veer.search.strategies.random_picks import Random, RandomPath
from veer.search.strategies.ranked import ByNewCoverage, Ranked, by_depth
from veer.search.strategies.rarest import Rarest
from veer.search.strategies.scene import Scene
from veer.search.strategies.solve_first import SolveFirst
from veer.wire.layout import State

GROUP = "veer.strategies"

Make = Callable[[State, Scene], Strategy]


def _priority(state: State, scene: Scene) -> Strategy:
    nearest = Ranked(state, lambda tree, ids: scene.distances(tree.edges(ids)))
    return Mixed(nearest, Random(state, scene.seed), scene.random_share)


STRATEGIES: dict[str, Make] = {
    "bfs": lambda state, _: Ranked(state, by_depth),
    "coverage": CoverageGuided,
    "dfs": lambda state, scene: SolveFirst(state) if scene.is_solve_first else DepthFirst(state),
    "generational": lambda state, _: Ranked(state, ByNewCoverage()),
    "priority": _priority,
    "random": lambda state, scene: Random(state, scene.seed),
    "random-path": lambda state, scene: RandomPath(state, scene.seed),
    "rarest": lambda state, scene: Rarest(state, scene.seed),
}


def names() -> tuple[str, ...]:
    """All strategies that there are, veer's own first."""
    own = sorted(STRATEGIES)
    return (*own, *sorted({point.name for point in entry_points(group=GROUP)} - set(own)))


def strategy(name: str, state: State = State.OPEN, scene: Scene | None = None) -> Strategy:
    """A new strategy over the nodes in `state`.

    Raises:
        UsageError: there is none of that name, or the package that offers it cannot be loaded.
    """
    make = STRATEGIES.get(name) or _from_outside(name)
    if make is None:
        raise UsageError(f"there is no strategy `{name}`; choose one of {', '.join(names())}")
    return make(state, scene or Scene())


def _from_outside(name: str) -> Make | None:
    for point in entry_points(group=GROUP, name=name):
        try:
            make: Make = point.load()
        except Exception as error:  # whatever the package raises
            raise UsageError(f"the strategy `{name}` of {point.value} cannot be loaded: {error}") from error
        return make
    return None
