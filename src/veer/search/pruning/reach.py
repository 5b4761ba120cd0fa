"""Which coverage items can still be reached from a place in the program, given who called (OSMOSE, look-ahead).

A set of items is a whole number: bit k stands for the k-th item. As in the paper the cache is a map from *node* to set,
filled when a node is first asked for; a function's set is the union over the call graph; and the calling context is
walked on top of that, here memoised by context, since call strings are hash-consed:

    reach(node, context) = within the function from node, and what that calls
                         | if a return is among it: reach(behind the call site, the rest of the context)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy.typing as npt

from veer.model.program import Site, SiteKind
from veer.search.program_graph import UNKNOWN, ProgramGraph, targets
from veer.wire.layout import NONE

_OWN_END = (SiteKind.BRANCH, SiteKind.CASE, SiteKind.SELECT)


class Reach:
    """Reachable items, as bits; `bits` gives the bit of each edge (2 * site + side) that is an item of the goal."""

    def __init__(self, graph: ProgramGraph, bits: Mapping[int, int], contexts: Callable[[], npt.NDArray[Any]]) -> None:
        """`contexts` gives the published call strings (layout.CONTEXT)."""
        self._graph = graph
        self._bits = bits
        self._contexts = contexts
        self._returns = 1 << (max(bits.values(), default=-1) + 1)  # one more bit: a return is reachable
        self._everything = 2 * self._returns - 1
        self._blocks: dict[tuple[int, int], int] = {}
        self._procedures: dict[int, int] = {}
        self._own: dict[int, tuple[int, frozenset[int]]] = {}
        self._behind: dict[int, int] = {0: 0}
        self._is_blind = not graph.is_known or any(
            graph.procedure_of(edge // 2) == UNKNOWN for edge in bits
        )  # an item that lies in no graph can be reached from anywhere

    def from_side(self, site: int, side: int, context: int) -> int:
        """The items that a run may cover which takes this side of a decision under this context, its own included."""
        if self._is_blind or site not in self._graph or context == NONE:
            return self._everything
        place = self._graph.site(site)
        procedure = self._graph.procedure_of(site)
        if procedure == UNKNOWN:
            if self._graph.may_call_back(place):
                return self._everything
            return self._behind_context(context)
        found = self._bit(2 * site + side) | self._onward(place, procedure, side)
        return self._close(found, context)

    def _close(self, found: int, context: int) -> int:
        if found & self._returns:
            found |= self._behind_context(context)
        return found & ~self._returns

    def _onward(self, site: Site, procedure: int, side: int) -> int:
        block = site.block
        if site.kind not in _OWN_END or not 0 <= block < len(self._graph.procedures[procedure].successors):
            return self._from_block(procedure, block)
        body = self._graph.procedures[procedure]
        following = targets(site, body.decisions[block], body.successors[block], side)
        found = 0
        if site.kind is SiteKind.SELECT:
            found |= self._in_block(procedure, block)
        elif site.kind is SiteKind.CASE and side == 0:
            found |= self._later_links(site, procedure)
        for target in following:
            found |= self._from_block(procedure, target)
        return found if following else found | self._returns

    def _later_links(self, site: Site, procedure: int) -> int:
        found = 0
        for link in self._graph.procedures[procedure].decisions[site.block]:
            if link.kind is SiteKind.CASE and link.id > site.id:
                found |= self._bit(2 * link.id) | self._bit(2 * link.id + 1)
        return found

    def _behind_context(self, context: int) -> int:
        """What can be reached once the innermost function of a context has returned."""
        pending: list[tuple[int, Site]] = []
        contexts = self._contexts()
        while context not in self._behind:
            if context >= len(contexts):
                return self._everything
            number = int(contexts[context]["site"])
            if number not in self._graph:
                return self._everything
            pending.append((context, self._graph.site(number)))
            context = int(contexts[context]["parent"])
        found = self._behind[context]
        for inner, site in reversed(pending):
            found = self._behind[inner] = self._behind_call(site, found)
        return found

    def _behind_call(self, site: Site, behind_caller: int) -> int:
        graph = self._graph
        procedure = graph.procedure_of(site.id)
        if graph.is_last_call(site):
            return 0
        if procedure == UNKNOWN:
            return behind_caller if not graph.may_call_back(site) else self._everything
        body = graph.procedures[procedure]
        if not 0 <= site.block < len(body.successors):
            return self._everything
        found = self._in_block(procedure, site.block, after=site.id)
        if len(graph.callees(site)) != 1:  # code without a graph may call again before it returns
            found |= self._called(graph.callees(site))
        for target in body.successors[site.block]:
            found |= self._from_block(procedure, target)
        if not body.successors[site.block] or found & self._returns:
            found |= behind_caller
        return found & ~self._returns

    def _from_block(self, procedure: int, block: int) -> int:
        """From the beginning of a block, the return bit included."""
        known = self._blocks.get((procedure, block))
        if known is not None:
            return known
        body = self._graph.procedures[procedure]
        if not 0 <= block < len(body.successors):
            return self._everything
        found, seen, stack = 0, {block}, [block]
        while stack:
            current = stack.pop()
            known = self._blocks.get((procedure, current))
            if known is not None:
                found |= known
                continue
            found |= self._in_block(procedure, current)
            if not body.successors[current]:
                found |= self._returns
            for target in body.successors[current]:
                if target not in seen:
                    seen.add(target)
                    stack.append(target)
        self._blocks[procedure, block] = found
        return found

    def _in_block(self, procedure: int, block: int, after: int = -1) -> int:
        """A block's own items and those of what it calls, from the site `after` on (calls are numbered in order)."""
        body = self._graph.procedures[procedure]
        found = 0
        for site in body.decisions[block]:
            found |= self._bit(2 * site.id) | self._bit(2 * site.id + 1)
        for site_id, callees in body.calls[block]:
            if site_id > after:
                found |= self._called(callees)
        return found

    def _called(self, callees: tuple[int, ...]) -> int:
        found = 0
        for callee in callees:
            found |= self._procedure(callee)
        return found

    def _procedure(self, procedure: int) -> int:
        """The items of a procedure and of all that it may call, over the call graph."""
        known = self._procedures.get(procedure)
        if known is not None:
            return known
        found, seen, stack = 0, {procedure}, [procedure]
        while stack:
            items, callees = self._alone(stack.pop())
            found |= items
            stack += sorted(callees - seen)
            seen |= callees
        self._procedures[procedure] = found
        return found

    def _alone(self, procedure: int) -> tuple[int, frozenset[int]]:
        """A procedure's own items and its callees; all of its blocks are reachable from its entry."""
        known = self._own.get(procedure)
        if known is None:
            body = self._graph.procedures[procedure]
            items = 0
            for site in (site for block in body.decisions for site in block):
                items |= self._bit(2 * site.id) | self._bit(2 * site.id + 1)
            known = items, frozenset(c for block in body.calls for _, callees in block for c in callees)
            self._own[procedure] = known
        return known

    def _bit(self, edge: int) -> int:
        bit = self._bits.get(edge)
        return 0 if bit is None else 1 << bit
