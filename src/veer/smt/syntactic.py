"""What a query's text alone decides by integer compares (CUTE section 3.5, "fast unsatisfiability check").

The arena is hash-consed, so the same condition has the same id: a target that occurs in the prefix with the other
polarity is unsatisfiable. Literals are brought to one form (no NOT, no constants), which later links rely on; what is
said twice is said once (its "common sub-constraints elimination": what literals have in common is one node anyhow).

Successive queries share most of their prefix: what is known of a prefix is kept, and only what differs is looked at.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress, count
from operator import ne

from veer.model.values import replace
from veer.smt.arena import Arena
from veer.smt.protocol import Answer, Eliminated, Literal, Query, Sat, Solver, Unsat
from veer.wire.layout import Op


def common_length(old: Sequence[Literal], new: Sequence[Literal]) -> int:
    """How many literals two prefixes have in common."""
    return next(compress(count(), map(ne, old, new)), min(len(old), len(new)))


class NormalPrefix:
    """A prefix in normal form; moves from prefix to prefix.

    `literals` holds each literal without NOT, once unless `repeats`, constants that hold left out; `conflicts` each
    literal that contradicts an earlier one or is a false constant, as the core of literals that cannot hold together.
    """

    def __init__(self, arena: Arena, *, repeats: bool = False) -> None:
        self._arena = arena
        self._repeats = repeats
        self._given: list[Literal] = []
        self._lengths: list[int] = []  # of `literals`, before each given literal
        self._first: dict[int, tuple[int, bool]] = {}  # expression → where it occurs first in `literals`, its polarity
        self.literals: list[Literal] = []
        self.conflicts: list[tuple[int, frozenset[Literal]]] = []  # with the position of the given literal

    def move_to(self, prefix: Sequence[Literal]) -> None:
        """Makes this the prefix."""
        common = common_length(self._given, prefix)
        if common < len(self._given):
            self._cut(common)
        for literal in prefix[common:]:
            self._push(literal)

    def stripped(self, literal: Literal) -> Literal:
        """The literal without NOT in front."""
        expression, holds = literal
        node = self._arena.node(expression)
        while node.op == Op.NOT:
            expression, holds = node.a, not holds
            node = self._arena.node(expression)
        return expression, holds

    def constant(self, expression: int) -> bool | None:
        """The value of a constant, None for everything else."""
        node = self._arena.node(expression)
        return bool(node.value) if node.op == Op.CONST else None

    def polarity(self, expression: int) -> bool | None:
        """What the prefix says of an expression, None if nothing."""
        found = self._first.get(expression)
        return None if found is None else found[1]

    def _cut(self, length: int) -> None:
        kept = self._lengths[length]
        for position in range(len(self.literals) - 1, kept - 1, -1):
            expression = self.literals[position][0]
            if self._first[expression][0] == position:
                del self._first[expression]
        del self.literals[kept:], self._lengths[length:], self._given[length:]
        while self.conflicts and self.conflicts[-1][0] >= length:
            self.conflicts.pop()

    def _push(self, literal: Literal) -> None:
        expression, holds = self.stripped(literal)
        value = self.constant(expression)
        self._lengths.append(len(self.literals))
        if value is None:
            position, before = self._first.setdefault(expression, (len(self.literals), holds))
            if position == len(self.literals) or (self._repeats and before == holds):
                self.literals.append((expression, holds))
            elif before != holds:
                self.conflicts.append((len(self._given), frozenset(((expression, True), (expression, False)))))
        elif value != holds:
            self.conflicts.append((len(self._given), frozenset()))
        self._given.append(literal)


class SyntacticSolver:
    """Decides contradictions and constants, and normalises what it passes on.

    `without`: "syntactic" leaves contradictions between the target and the prefix to the next links, "common" leaves
    repeated literals in.
    """

    name = "syntactic"

    def __init__(
        self, arena: Arena, inner: Solver, eliminated: Eliminated, without: frozenset[str] = frozenset()
    ) -> None:
        self._prefix = NormalPrefix(arena, repeats="common" in without)
        self._looks = "syntactic" not in without
        self._eliminated = eliminated
        self._inner = inner

    def solve(self, query: Query) -> Answer:
        """Unsat for a contradiction, Sat(parent) for a query of nothing but true constants, else the inner answer."""
        prefix = self._prefix
        prefix.move_to(query.literals[:-1])
        expression, holds = prefix.stripped(query.literals[-1])
        value, before = prefix.constant(expression), prefix.polarity(expression)
        if prefix.conflicts:
            return Unsat(self.name, prefix.conflicts[0][1])
        if self._looks and before is not None and before != holds:
            return Unsat(self.name, frozenset(((expression, True), (expression, False))))
        if value is not None and value != holds:
            return Unsat(self.name)
        literals = tuple(prefix.literals)
        target = (expression, holds)
        if before is not None:
            literals = tuple(literal for literal in literals if literal != target)
        if value is None:
            literals += (target,)
        if not literals:
            return Sat(query.parent, self.name)
        self._eliminated.given += len(query.literals)
        self._eliminated.repeated += len(query.literals) - len(literals)
        return self._inner.solve(replace(query, literals=literals))
