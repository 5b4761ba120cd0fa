"""How far each edge of the program is from an event that specifications see, and which edges are violations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from veer.model.program import Program, Site, SiteKind
from veer.search.distance import FAR, Place, control_flow
from veer.search.program_graph import ProgramGraph, graph_of

HANDLER, CHECK = "veer_watch_", "veer_specification_check"
"""What the code of monitors calls: at an event, and where it asks whether a specification holds."""


class DistanceToEvents:
    """A function from edges to distances (strategies.scene.Distances); 0 = it is the violation of a specification.

    What no event follows is FAR. The calls of handlers are sites of the program, as all calls are.
    """

    def __init__(self, graph: ProgramGraph, program: Program) -> None:
        self._flow = control_flow(graph)
        events = [each for each in program.sites if each.kind is SiteKind.CALL and each.text.startswith(HANDLER)]
        places = [(graph.procedure_of(each.id), each.block) for each in events]
        if program.watching is not None and program.watching.has_end:  # what is asked then may be broken there
            places += _ends(graph, program)
        self._blocks = self._flow.distances(places)
        self._violations = frozenset(each.id for each in program.sites if each.text == CHECK)
        self._known: dict[int, int] = {}

    def __call__(self, edges: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
        """The distance of each edge."""
        return np.array([self._of(edge) for edge in np.asarray(edges, np.int64).tolist()], np.int64)

    def _of(self, edge: int) -> int:
        known = self._known.get(edge)
        if known is None:
            is_violation = edge // 2 in self._violations
            known = self._known[edge] = 0 if is_violation else min(self._flow.beyond(edge, self._blocks), FAR)
        return known


def _ends(graph: ProgramGraph, program: Program) -> list[Place]:
    """Where the functions that the harness calls return."""
    return [
        (index, block)
        for index, body in enumerate(graph.procedures)
        for block, following in enumerate(body.successors)
        if body.name in program.starts and not following
    ]


def towards_events(program: Program, sites: Sequence[Site]) -> tuple[Site, ...]:
    """The sites from which an event may follow."""
    distance = DistanceToEvents(graph_of(program), program)
    edges = np.array([2 * site.id + side for site in sites for side in (0, 1)], np.int64)
    distances = distance(edges).reshape(-1, 2).min(axis=1).tolist()
    return tuple(site for site, steps in zip(sites, distances, strict=True) if steps < FAR)
