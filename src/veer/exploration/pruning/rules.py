"""The rules that prune: look-ahead (sound: coverage only grows) and max-call-depth (not sound) of OSMOSE."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from veer.exploration.coverage import Items
from veer.exploration.goal import goal_sites
from veer.exploration.program_graph import ProgramGraph
from veer.exploration.pruning.reach import Reach
from veer.exploration.tree import Tree
from veer.model.program import Program
from veer.wire.layout import NONE, Kind

Array = npt.NDArray[Any]
Flags = npt.NDArray[np.bool_]


class Rule(Protocol):
    """Says which nodes need no visit. What it once said of a node it would say for ever."""

    def prunes(self, tree: Tree, ids: Array) -> Flags:
        """One flag a node."""
        ...


class LookAhead:
    """Prunes a side from which no uncovered item of the goal can be reached in the program's graph.

    Coverage only grows, so that what is useless stays useless: nothing that BP would cover is lost. The bug side of a
    check is kept until some run took it. Looked up once a (context, edge, kind), when a node is about to be expanded.
    """

    def __init__(
        self,
        graph: ProgramGraph,
        program: Program,
        goal: str,
        contexts: Callable[[], Array],
        edge_seen: Callable[[], Array],
    ) -> None:
        sites = goal_sites(program, goal)
        self._items = Items(sites)
        numbers = sorted({item for site in sites for item in site.items if item >= 0})
        bit_of = {item: bit for bit, item in enumerate(numbers)}
        bits = {2 * s.id + side: bit_of[item] for s in sites for side, item in enumerate(s.items) if item >= 0}
        self._bit_of = bit_of
        self._reach = Reach(graph, bits, contexts)
        self._edge_seen = edge_seen
        self._edges = np.array(sorted(bits), np.int64)
        self._seen = 0
        self._covered = frozenset[int]()
        self._uncovered = (1 << len(numbers)) - 1
        self._reached: dict[int, int] = {}

    def prunes(self, tree: Tree, ids: Array) -> Flags:
        """See Rule."""
        self._look()
        edges = tree.edges(ids)
        kinds = tree.kind[ids].astype(np.int64)
        sites = tree.site[ids]
        contexts = tree.context[ids].astype(np.int64)
        keys, first, inverse = np.unique(contexts << 32 | edges << 3 | kinds, return_index=True, return_inverse=True)
        useless = np.empty(len(keys), np.bool_)
        for index, (key, at) in enumerate(zip(keys.tolist(), first.tolist(), strict=True)):
            reached = self._reached.get(key)
            if reached is None:
                side = int(edges[at]) & 1
                reached = self._reached[key] = self._reach.from_side(int(sites[at]), side, int(contexts[at]))
            useless[index] = not reached & self._uncovered
        is_new_bug = (kinds == int(Kind.CHECK)) & (tree.alternative[ids] == 0) & (tree.taken(edges) == 0)
        result: Flags = useless[inverse] & ~is_new_bug & (sites != NONE)
        return result

    def _look(self) -> None:
        edge_seen = self._edge_seen()
        seen = int(np.count_nonzero(edge_seen[self._edges[self._edges < len(edge_seen)]]))
        if seen > self._seen:
            self._seen = seen
            covered = self._items.covered(edge_seen)
            for item in covered - self._covered:
                self._uncovered &= ~(1 << self._bit_of[item])
            self._covered = covered


class MaxCallDepth:
    """Prunes decisions more than `limit` calls below the entry. Not sound: a branch may hang on a deep decision."""

    def __init__(self, graph: ProgramGraph, limit: int, contexts: Callable[[], Array]) -> None:
        self._graph = graph
        self._limit = limit
        self._contexts = contexts
        self._depths = np.zeros(1, np.int64)  # by context: calls below the entry

    def prunes(self, tree: Tree, ids: Array) -> Flags:
        """See Rule."""
        self._measure()
        contexts = tree.context[ids]
        known = contexts < len(self._depths)
        result: Flags = np.zeros(len(ids), np.bool_)
        result[known] = self._depths[contexts[known]] > self._limit
        return result

    def _measure(self) -> None:
        contexts = self._contexts()
        done = len(self._depths)
        if len(contexts) <= done:
            return
        depths = [*self._depths.tolist()]
        for parent, site in contexts[done:].tolist():
            deeper = site in self._graph and self._graph.counts_as_call(self._graph.site(site))
            depths.append((depths[parent] if parent < len(depths) else 0) + deeper)
        self._depths = np.array(depths, np.int64)
