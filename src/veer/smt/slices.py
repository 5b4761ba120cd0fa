"""The independence slice: of a prefix, only what shares leaves, transitively, with the target (CUTE section 3.5).

    prefix   a<b   c=d   b<e   f=1        target  e<9
    parts    {a b e}: a<b, b<e   {c d}: c=d   {f}: f=1        slice: a<b, b<e, e<9

Successive queries share most of their prefix, so the partition of the leaves is a union-find with an undo trail: going
from one prefix to the next costs what differs between them.
"""

from __future__ import annotations

from msgspec import Struct, field

from veer.model.values import replace
from veer.smt.arena import Arena
from veer.smt.checking import Checker
from veer.smt.protocol import Answer, Eliminated, Literal, Query, Sat, Solver
from veer.smt.syntactic import common_length


class _Part(Struct):
    """A class of leaves with the positions of the literals over them; `above` is the class that it was merged into."""

    above: _Part | None = None
    size: int = 1
    positions: list[int] = field(default_factory=list)


class _Undo(Struct, frozen=True):
    """How to take back one literal: parts that were hung below `root`, in order, and leaves that it mentioned first."""

    root: _Part | None
    merged: tuple[_Part, ...]
    new_leaves: tuple[int, ...]


class PrefixPartition:
    """The literals of one prefix, partitioned by shared leaves; moves from prefix to prefix."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._literals: list[Literal] = []
        self._undo: list[_Undo] = []
        self._parts: dict[int, _Part] = {}

    def move_to(self, prefix: tuple[Literal, ...]) -> None:
        """Make this the prefix of `slice_of`."""
        common = common_length(self._literals, prefix)
        while len(self._literals) > common:
            self._pop()
        for literal in prefix[common:]:
            self._push(literal)

    def slice_of(self, target: Literal) -> tuple[Literal, ...]:
        """The literals of the prefix that share leaves with the target, in order, the target itself once, last."""
        roots: dict[int, _Part] = {}
        for leaf in self._arena.support(target[0]):
            part = self._parts.get(leaf)
            if part is not None:
                root = _root(part)
                roots[id(root)] = root
        positions = sorted(position for root in roots.values() for position in root.positions)
        chosen = (self._literals[position] for position in positions)
        return (*(literal for literal in chosen if literal != target), target)

    def _push(self, literal: Literal) -> None:
        support = self._arena.support(literal[0])
        new_leaves = tuple(leaf for leaf in support if leaf not in self._parts)
        for leaf in new_leaves:
            self._parts[leaf] = _Part()
        roots = list({id(root): root for root in (_root(self._parts[leaf]) for leaf in support)}.values())
        merged: tuple[_Part, ...] = ()
        largest = None
        if roots:
            largest = max(roots, key=lambda part: part.size)
            merged = tuple(part for part in roots if part is not largest)
            for part in merged:
                part.above = largest
                largest.size += part.size
                largest.positions.extend(part.positions)
            largest.positions.append(len(self._literals))
        self._literals.append(literal)
        self._undo.append(_Undo(largest, merged, new_leaves))

    def _pop(self) -> None:
        self._literals.pop()
        undo = self._undo.pop()
        if undo.root is not None:
            undo.root.positions.pop()
            for part in reversed(undo.merged):
                part.above = None
                undo.root.size -= part.size
                del undo.root.positions[len(undo.root.positions) - len(part.positions) :]
        for leaf in undo.new_leaves:
            del self._parts[leaf]


def _root(part: _Part) -> _Part:
    """No path compression: it could not be undone. Union by size keeps chains logarithmic."""
    while part.above is not None:
        part = part.above
    return part


class SlicedSolver:
    """Asks the next link about the slice only; the other literals hold under the parent input, and are checked to.

    Should one not hold (the parent is not what it is said to be), the next link gets the whole query.
    """

    def __init__(self, arena: Arena, checker: Checker, inner: Solver, eliminated: Eliminated) -> None:
        self._partition = PrefixPartition(arena)
        self._checker = checker
        self._eliminated = eliminated
        self._inner = inner

    def solve(self, query: Query) -> Answer:
        """The answer of the next link to the slice; a model is checked against the whole query."""
        self._partition.move_to(query.literals[:-1])
        literals = self._partition.slice_of(query.literals[-1])
        self._eliminated.independent += len(query.literals) - len(literals)
        answer = self._inner.solve(replace(query, literals=literals))
        if not isinstance(answer, Sat) or self._checker.holds(query.literals, answer.input):
            return answer
        return self._inner.solve(query)
