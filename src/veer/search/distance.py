"""How far each edge of the program is from the nearest branch that is still to be covered, in control-flow edges."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from veer.model.program import Site, SiteKind
from veer.search.coverage import Items
from veer.search.program_graph import UNKNOWN, ProgramGraph, targets
from veer.search.remembered import remembered

FAR = 1 << 20
"""No control flow leads there."""
_CALLS, _RETURNS, _ENDS = -1, -2, -3  # in the place of a procedure: places between procedures
_BLOCKS_A_LOOK = 1000  # a program of n blocks is measured again every n / 1000 looks at most

Place = tuple[int, int]
"""A procedure and its block, or a place between procedures."""


class ControlFlow:
    """The control flow of all procedures, backwards."""

    def __init__(self, graph: ProgramGraph) -> None:
        self._graph = graph
        self._before: dict[Place, list[Place]] = defaultdict(list)
        self._joined: dict[Place, list[Place]] = defaultdict(list)
        self._note_predecessors()

    def distances(self, places: Iterable[Place]) -> dict[Place, int]:
        """How far each place is from the nearest of these, breadth first; those that none leads to are left out."""
        blocks = dict.fromkeys(sorted({*places}), 0)
        queue = deque((place, 0) for place in blocks)
        while queue:
            place, distance = queue.popleft()
            if blocks[place] < distance:
                continue
            for before in self._joined.get(place, ()):
                if blocks.get(before, FAR) > distance:
                    blocks[before] = distance
                    queue.appendleft((before, distance))
            for before in self._before.get(place, ()):
                if blocks.get(before, FAR) > distance + 1:
                    blocks[before] = distance + 1
                    queue.append((before, distance + 1))
        return blocks

    def beyond(self, edge: int, blocks: Mapping[Place, int]) -> int:
        """How far what follows an edge is, by such distances; where nothing is known, 1."""
        if edge // 2 not in self._graph:
            return 1
        site = self._graph.site(edge // 2)
        procedure = self._graph.procedure_of(site.id)
        if procedure == UNKNOWN:
            return 1
        body = self._graph.procedures[procedure]
        if site.kind in (SiteKind.BRANCH, SiteKind.CASE):
            following = targets(site, body.decisions[site.block], body.successors[site.block], edge & 1)
            return 1 + min((blocks.get((procedure, block), FAR) for block in following), default=FAR)
        return 1 + blocks.get((procedure, site.block), FAR)

    def _note_predecessors(self) -> None:
        """What comes before each block: `_before` one step, `_joined` none.

        Functions that one call may reach have two places of their own, so that n calls of m functions are n + m edges
        and not n * m: (CALLS, number) between the calls and the entries, (RETURNS, number) between the ends and the
        calls, and (ENDS, function) for the ends of a function.
        """
        procedures = self._graph.procedures
        groups: dict[tuple[int, ...], int] = {}
        for index, body in enumerate(procedures):
            for block, following in enumerate(body.successors):
                for target in following:
                    self._before[index, target].append((index, block))
                for _, callees in body.calls[block]:
                    group = groups.setdefault(tuple(callees), len(groups))
                    self._before[_CALLS, group].append((index, block))
                    self._before[index, block].append((_RETURNS, group))
                if not following:
                    self._joined[_ENDS, index].append((index, block))
        for callees, group in groups.items():
            for callee in callees:
                self._joined[callee, 0].append((_CALLS, group))
                self._joined[_RETURNS, group].append((_ENDS, callee))


control_flow = remembered(ControlFlow)
"""The control flow of a graph."""


class DistanceToUncovered:
    """A function from edges to distances (strategies.scene.Distances); measured anew when coverage has grown.

    Contexts do not matter here (a ranking may be wrong): a function's end leads to all of its callers. An edge within
    code that has no graph, such as veer's library, counts as near: what a caller tests hangs on it.
    """

    def __init__(self, graph: ProgramGraph, sites: tuple[Site, ...], edge_seen: Callable[[], npt.NDArray[Any]]) -> None:
        """`sites` are those whose items are to be covered."""
        self._graph = graph
        self._items = Items(sites)
        self._edge_seen = edge_seen
        self._goals = {2 * s.id + side: item for s in sites for side, item in enumerate(s.items) if item >= 0}
        self._covered = frozenset[int]()
        self._looks = 0
        self._goal_edges = np.array(sorted(self._goals), np.int64)
        self._seen = -1
        self._known = np.empty(0, np.int64)  # by edge; -1 = not asked for yet
        self._blocks: dict[tuple[int, int], int] = {}
        self._flow = control_flow(graph)
        self._patience = sum(len(p.successors) for p in graph.procedures) // _BLOCKS_A_LOOK

    def __call__(self, edges: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """The distance of each edge."""
        self._look()
        edges = np.asarray(edges, np.int64)
        if len(edges) and int(edges.max()) >= len(self._known):
            grown = np.full(2 * (int(edges.max()) + 1), -1, np.int64)
            grown[: len(self._known)] = self._known
            self._known = grown
        new = edges[self._known[edges] < 0]
        self._known[new] = [self._find(edge) for edge in new.tolist()]
        found: npt.NDArray[np.int64] = self._known[edges]
        return found

    def _look(self) -> None:
        self._looks += 1
        if self._seen >= 0 and self._looks <= self._patience:
            return
        edge_seen = self._edge_seen()
        seen = int(np.count_nonzero(edge_seen[self._goal_edges[self._goal_edges < len(edge_seen)]]))
        if seen != self._seen:
            self._looks = 0
            self._seen = seen
            self._covered = self._items.covered(edge_seen)
            self._known[:] = -1
            self._measure()

    def _find(self, edge: int) -> int:
        return 0 if self._is_uncovered(edge) else self._flow.beyond(edge, self._blocks)

    def _is_uncovered(self, edge: int) -> bool:
        item = self._goals.get(edge)
        return item is not None and item not in self._covered

    def _measure(self) -> None:
        """From the blocks whose own decision has an uncovered side."""
        self._blocks = self._flow.distances(
            (self._graph.procedure_of(edge // 2), self._graph.site(edge // 2).block)
            for edge in self._goals
            if self._is_uncovered(edge)
        )
