"""veer's own strategies, as its entry points of the group `veer.strategies` name them: (state, scene) → Strategy."""

from __future__ import annotations

from veer.search.strategies.coverage_guided import CoverageGuided
from veer.search.strategies.depth_first import DepthFirst
from veer.search.strategies.mixed import Mixed
from veer.search.strategies.protocol import Strategy
from veer.search.strategies.random_picks import Random, RandomPath
from veer.search.strategies.ranked import ByNewCoverage, Ranked, by_depth
from veer.search.strategies.rarest import Rarest
from veer.search.strategies.scene import Scene
from veer.search.strategies.solve_first import SolveFirst
from veer.search.strategies.violation import Violation
from veer.wire.layout import State

coverage = CoverageGuided


def breadth_first(state: State, _: Scene) -> Strategy:
    """`bfs`: the open node that is nearest to the root."""
    return Ranked(state, by_depth)


def depth_first(state: State, scene: Scene) -> Strategy:
    """`dfs`: the deepest of the latest path; with `--solve-first` every branch of a path once before."""
    return SolveFirst(state) if scene.is_solve_first else DepthFirst(state)


def generational(state: State, _: Scene) -> Strategy:
    """`generational`: what the runs that covered most made."""
    return Ranked(state, ByNewCoverage())


def priority(state: State, scene: Scene) -> Strategy:
    """`priority`: the nearest to an uncovered branch, mixed with random picks."""
    nearest = Ranked(state, lambda tree, ids: scene.distances(tree.edges(ids)))
    return Mixed(nearest, Random(state, scene.seed), scene.random_share)


def specification(state: State, scene: Scene) -> Strategy:
    """`specification`: the nearest to the violation of a specification, mixed with random picks."""
    return Mixed(Violation(state, scene), Random(state, scene.seed), scene.random_share)


def random_node(state: State, scene: Scene) -> Strategy:
    """`random`: any open node."""
    return Random(state, scene.seed)


def random_path(state: State, scene: Scene) -> Strategy:
    """`random-path`: a random walk from the root."""
    return RandomPath(state, scene.seed)


def rarest(state: State, scene: Scene) -> Strategy:
    """`rarest`: the branch that was taken least."""
    return Rarest(state, scene.seed)
