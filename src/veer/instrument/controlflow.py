"""The control flow graph of a function: where branches join, and its loops (FlowTest, section 2).

The immediate post-dominator of a branch is where its sides meet, whatever they do in between. It is computed as if
every loop ended, and as if nothing led to blocks that only end the run (`abort`, a failed check): exits by an oracle
are no control edges, else all that follows an `assert` would depend on what it asserts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

Graph = Sequence[Sequence[int]]
"""Successors by block; block 0 is the entry."""
_LEAVING = frozenset(("ret", "resume"))


@dataclass(frozen=True, slots=True)
class ControlFlow:
    """`join` of each block with several successors: the block where they meet, or -1 for the end of the function.

    `loop` of each block: the header of the innermost natural loop that it lies in, or -1; `outer` of each header: that
    of the loop around its own. `headers` with the blocks from which their back edges come.
    """

    successors: Graph
    join: dict[int, int]
    loop: tuple[int, ...]
    outer: dict[int, int]
    headers: dict[int, frozenset[int]]
    bodies: dict[int, frozenset[int]] = field(repr=False)

    def common_loop(self, block: int, other: int) -> int:
        """The innermost loop around both blocks, or -1."""
        header = self.loop[block]
        while header >= 0 and other not in self.bodies[header]:
            header = self.outer[header]
        return header

    def region(self, branch: int) -> frozenset[int]:
        """The blocks that a branch controls, and its join: all that is reached from it without passing the join."""
        end = self.join[branch]
        found: set[int] = set()
        work = list(self.successors[branch])
        while work:
            block = work.pop()
            if block not in found:
                found.add(block)
                if block != end:
                    work.extend(self.successors[block])
        return frozenset(found)


def control_flow(successors: Graph, terminators: Sequence[str]) -> ControlFlow:
    """The analysis of a function; `terminators`: the opcode that each block ends with."""
    forward = dominators(successors)
    joins = _joins(successors, terminators, forward)
    headers: dict[int, set[int]] = {}
    for block, targets in enumerate(successors):
        for target in targets:
            if forward[block] is not None and dominates(forward, target, block):
                headers.setdefault(target, set()).add(block)
    predecessors = _reversed(successors)
    bodies = {header: _natural_loop(predecessors, header, sources) for header, sources in headers.items()}
    by_size = sorted(bodies, key=lambda header: len(bodies[header]))
    loop = tuple(next((h for h in by_size if block in bodies[h]), -1) for block in range(len(successors)))
    outer = {h: next((o for o in by_size if o != h and h in bodies[o]), -1) for h in by_size}
    return ControlFlow(
        successors, joins, loop, outer, {h: frozenset(sources) for h, sources in headers.items()}, bodies
    )


def dominators(successors: Graph, root: int = 0) -> list[int | None]:
    """The immediate dominator of each block (of the root: itself), None if it is not reached.

    Cooper, Harvey and Kennedy, A simple, fast dominance algorithm (2001).
    """
    order = _postorder(successors, root)
    number = {block: index for index, block in enumerate(order)}
    predecessors = _reversed(successors)
    found: list[int | None] = [None] * len(successors)
    found[root] = root
    changed = True
    while changed:
        changed = False
        for block in reversed(order[:-1]):
            best: int | None = None
            for source in predecessors[block]:
                if source in number and found[source] is not None:
                    best = source if best is None else _meet(found, number, best, source)
            if best is not None and found[block] != best:
                found[block] = best
                changed = True
    return found


def dominates(found: Sequence[int | None], one: int, other: int, _: Graph = ()) -> bool:
    """Whether every way to `other` leads through `one`; `found` by `dominators`."""
    while one != other:
        above = found[other]
        if above is None or above == other:
            return False
        other = above
    return True


def _meet(found: Sequence[int | None], number: dict[int, int], one: int, other: int) -> int:
    while one != other:
        while number[one] < number[other]:
            above = found[one]
            assert above is not None
            one = above
        while number[other] < number[one]:
            above = found[other]
            assert above is not None
            other = above
    return one


def _postorder(successors: Graph, root: int) -> list[int]:
    order: list[int] = []
    seen = {root}
    work = [(root, iter(successors[root]))]
    while work:
        block, rest = work[-1]
        following = next((target for target in rest if target not in seen), None)
        if following is None:
            order.append(block)
            work.pop()
        else:
            seen.add(following)
            work.append((following, iter(successors[following])))
    return order


def _reversed(successors: Graph) -> list[list[int]]:
    found: list[list[int]] = [[] for _ in successors]
    for block, targets in enumerate(successors):
        for target in dict.fromkeys(targets):
            found[target].append(block)
    return found


def _natural_loop(predecessors: Graph, header: int, sources: set[int]) -> frozenset[int]:
    found = {header}
    work = list(sources)
    while work:
        block = work.pop()
        if block not in found:
            found.add(block)
            work.extend(predecessors[block])
    return frozenset(found)


def _reaching(predecessors: Graph, targets: set[int]) -> set[int]:
    found = set(targets)
    work = list(targets)
    while work:
        for source in predecessors[work.pop()]:
            if source not in found:
                found.add(source)
                work.append(source)
    return found


def _joins(successors: Graph, terminators: Sequence[str], forward: Sequence[int | None]) -> dict[int, int]:
    """Immediate post-dominators of the blocks with several successors: dominators of the reversed graph."""
    predecessors = _reversed(successors)
    exits = {block for block, opcode in enumerate(terminators) if opcode in _LEAVING}
    alive = _reaching(predecessors, exits)
    for is_end in (dominates, _leads_back):  # a loop that never ends is taken to end where it goes back
        for block, targets in enumerate(successors):
            for target in targets:
                if target not in alive and forward[block] is not None and is_end(forward, target, block, successors):
                    exits.add(block)
                    alive = _reaching(predecessors, exits)
    end = len(successors)
    backwards: list[list[int]] = [[] for _ in range(end + 1)]
    for block, targets in enumerate(successors):
        for target in dict.fromkeys(targets):
            if target in alive:
                backwards[target].append(block)
    backwards[end] = sorted(exits)
    found = dominators(backwards, end)
    several = [block for block, targets in enumerate(successors) if len(set(targets)) > 1]
    return {block: -1 if found[block] in (None, end) else int(found[block] or 0) for block in several}


def _leads_back(_: Sequence[int | None], start: int, end: int, successors: Graph) -> bool:
    """Whether `start` leads to `end`, so that an edge from `end` to it closes a loop (of several entries, perhaps)."""
    found = {start}
    work = [start]
    while work:
        for target in successors[work.pop()]:
            if target not in found:
                found.add(target)
                work.append(target)
    return end in found
