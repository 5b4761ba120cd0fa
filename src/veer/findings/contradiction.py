"""Why a side cannot be taken, in the source's words: few conditions of a path that contradict it (CUTE section 3.3).

    path       n > 0   m == 3   n < 9   m < n      side, proved infeasible      n > 20
    contradiction                n < 9

The constraints of a path to the side are left out, half of them first, then ever fewer, while a solver still says that
nothing satisfies what is left. Each of those that stay is needed.
"""

from __future__ import annotations

import numpy as np

from veer.findings.deadline import NEVER, Deadline
from veer.model.errors import ExecutorError
from veer.model.program import Program
from veer.search.constraints import PathConstraints
from veer.search.snapshot import side_text
from veer.search.tree import Tree
from veer.smt.protocol import Literal, Query, Solver, Unsat
from veer.wire.layout import Kind, State
from veer.wire.shared import Shared

MOST_SECONDS = 2.0  # for all sides together
_MOST_QUERIES = 100  # for each side
_MOST_SHOWN = 4
_ANSWERS = "veer_input_"
"""Prefix of the functions that answer for the machine (--inputs)."""
_LONGEST_PATH = 2000


class Contradictions:
    """Explains sides that were proved infeasible, from the tree as it is; `solver` decides over its expressions.

    `deadline`: when it ends at the latest, if it has not taken MOST_SECONDS from now on.
    """

    def __init__(self, shared: Shared, program: Program, solver: Solver, deadline: Deadline = NEVER) -> None:
        self._shared = shared
        self._program = program
        self._solver = solver
        self._tree = Tree.of(shared)
        self._constraints = PathConstraints(self._tree)
        self._deadline = deadline.usually(MOST_SECONDS)

    def of(self, edge: int) -> str:
        """What contradicts this edge on the shortest path to it, e.g. "`n < 9` is true (line 3)".

        Empty where that is not known: its nodes were forgotten or are a worker's, no solver says so in time, or more
        than a few conditions are needed. Of an edge that contradicts the inputs' own types and bounds it says that.
        """
        nodes = self._tree.in_state(State.INFEASIBLE)
        nodes = nodes[self._tree.edges(nodes) == edge]
        if not len(nodes):
            return ""
        node = int(nodes[np.argmin(self._tree.depth[nodes])])
        try:
            literals = self._constraints.of(node)
        except ExecutorError:  # damaged: no reason to fail now
            return ""
        path = self._path(node)
        if len(literals) > _LONGEST_PATH or len(path) != len(literals):
            return ""
        needed = self._needed(literals, self._input(node))
        return "" if needed is None else self._told([path[place] for place in needed])

    def _path(self, node: int) -> list[int]:
        """The nodes of the literals that lead to a node, its own last."""
        found: list[int] = []
        while node and len(found) <= _LONGEST_PATH:
            if self._tree.kind[node] != Kind.CHOICE:
                found.append(node)
            node = int(self._tree.parent[node])
        return found[::-1]

    def _input(self, node: int) -> bytes:
        """The input whose run made a node; empty where it was forgotten."""
        path = int(self._tree.path[node])
        return self._shared.input_of(path) if path < self._shared.count("paths") else b""

    def _needed(self, literals: tuple[Literal, ...], parent: bytes) -> list[int] | None:
        """Places of literals that contradict the last one, none of which can be spared; None if that is not known."""
        asked = 0

        def contradict(places: list[int]) -> bool:
            nonlocal asked
            asked += 1
            chosen = (*(literals[place] for place in places), literals[-1])
            return isinstance(self._solver.solve(Query(chosen, parent, self._deadline.end)), Unsat)

        needed = list(range(len(literals) - 1))
        if not contradict(needed):
            return None
        size = max(1, len(needed) // 2)
        while needed:
            first = 0
            while first < len(needed):
                if asked >= _MOST_QUERIES or self._deadline.is_over:
                    return None
                fewer = needed[:first] + needed[first + size :]
                if contradict(fewer):
                    needed = fewer
                else:
                    first += size
            if size == 1:
                break
            size = max(1, size // 2)
        return needed

    def _told(self, nodes: list[int]) -> str:
        """The decisions of these nodes in the source's words; each once, however often a loop came by."""
        if not nodes:
            return "no value that the inputs' types and bounds allow gives it"
        said = dict.fromkeys(self._decision(node) for node in nodes)
        return "" if len(said) > _MOST_SHOWN or "" in said else f"it contradicts {' and '.join(said)}"

    def _decision(self, node: int) -> str:
        """`n < 9` is true (line 3); empty where the source has no words for it."""
        number, kind = int(self._tree.site[node]), int(self._tree.kind[node])
        site = self._program.sites[number] if number < len(self._program.sites) else None
        if site is None or not site.text or not site.line:
            return ""
        if kind == Kind.ASSUME and site.function.startswith(_ANSWERS):
            return f"what {site.function.removeprefix(_ANSWERS)} may answer"
        side = side_text(kind, site, int(self._tree.alternative[node]))
        verb = "" if kind in (Kind.CHECK, Kind.ASSUME) else "is "
        return f"`{site.text}` {verb}{side} (line {site.line})"
