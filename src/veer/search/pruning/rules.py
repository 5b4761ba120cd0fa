"""The rules that prune: look-ahead (sound: coverage only grows) and max-call-depth (not sound) of OSMOSE."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from veer.model.program import Program
from veer.search.coverage import Items
from veer.search.distance import FAR
from veer.search.goal import goal_sites
from veer.search.program_graph import ProgramGraph
from veer.search.pruning.reach import Reach
from veer.search.tree import Tree
from veer.wire.layout import NONE, Kind

_FEW = 32  # nodes: fewer are looked at one by one

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
    check is kept until some run took it. Looked up once a (context, edge), when a node is about to be expanded.
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
        self._missing = np.array(sorted(bits), np.int64)  # edges of the goal that no run has taken yet
        self._covered = frozenset[int]()
        self._uncovered = (1 << len(numbers)) - 1
        self._reached: dict[int, int] = {}

    def prunes(self, tree: Tree, ids: Array) -> Flags:
        """See Rule."""
        self._look()
        if len(ids) <= _FEW:
            return np.array([self._is_useless(tree, node) for node in ids.tolist()], np.bool_)
        edges = tree.edges(ids)
        sites = tree.site[ids].astype(np.uint64)
        # Nodes without a site have a place of their own: for tree.edges they are all on edge 0.
        places = np.where(sites == NONE, NONE, 2 * sites + (tree.alternative[ids] != 0))
        keys = tree.context[ids].astype(np.uint64) << np.uint64(32) | places.astype(np.uint64)
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        useless = np.array([self._reaches_nothing(tree, node) for node in ids[first].tolist()], np.bool_)
        is_new_bug = (tree.kind[ids] == int(Kind.CHECK)) & (tree.alternative[ids] == 0) & (tree.taken(edges) == 0)
        result: Flags = useless[inverse] & ~is_new_bug
        return result

    def _is_useless(self, tree: Tree, node: int) -> bool:
        """One node alone: arrays of a few elements cost more than the question."""
        if not self._reaches_nothing(tree, node):
            return False
        is_bug = int(tree.kind[node]) == Kind.CHECK and not int(tree.alternative[node])
        return not is_bug or bool(tree.taken(tree.edges(np.array([node])))[0])

    def _reaches_nothing(self, tree: Tree, node: int) -> bool:
        """Whether no uncovered item can be reached from there; its site and context, but for bugs, say it all."""
        site, side, context = int(tree.site[node]), min(int(tree.alternative[node]), 1), int(tree.context[node])
        if site == NONE:
            return False
        key = context << 32 | 2 * site + side
        reached = self._reached.get(key)
        if reached is None:
            reached = self._reached[key] = self._reach.from_side(site, side, context)
        return not reached & self._uncovered

    def _look(self) -> None:
        """Takes note of what was covered since the last look: only what is missing is looked at."""
        edge_seen = self._edge_seen()
        is_seen = self._missing < len(edge_seen)
        is_seen[is_seen] = edge_seen[self._missing[is_seen]] != 0
        if is_seen.any():
            covered = self._items.covered(edge_seen)
            for item in covered - self._covered:
                self._uncovered &= ~(1 << self._bit_of[item])
            self._covered = covered
            self._missing = self._missing[~is_seen]


class NoEvents:
    """Prunes a side behind which no event of a specification can come: look-ahead for violations.

    Nothing that violates a specification is lost. The bug side of a check is kept until some run took it.
    """

    def __init__(self, to_events: Callable[[Array], Array]) -> None:
        """`to_events`: how far edges are from events (search/events.py)."""
        self._to_events = to_events

    def prunes(self, tree: Tree, ids: Array) -> Flags:
        """See Rule."""
        edges = tree.edges(ids)
        is_new_bug = (tree.kind[ids] == int(Kind.CHECK)) & (tree.alternative[ids] == 0) & (tree.taken(edges) == 0)
        # Nodes without a site are all on edge 0 for tree.edges.
        result: Flags = (self._to_events(edges) >= FAR) & ~is_new_bug & (tree.site[ids] != NONE)
        return result


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
