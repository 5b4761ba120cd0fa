"""What a query's text alone decides by integer compares (CUTE section 3.3, "fast unsatisfiability check").

The arena is hash-consed, so the same condition has the same id: a target that occurs in the prefix with the other
polarity is unsatisfiable. Literals are brought to one form (no NOT, no repetition), which later links rely on.
"""

from __future__ import annotations

from veer.smt.arena import Arena
from veer.smt.protocol import Answer, Literal, Query, Sat, Solver, Unsat
from veer.wire.layout import Op


class SyntacticSolver:
    """Decides contradictions and constants, and normalises what it passes on."""

    name = "syntactic"

    def __init__(self, arena: Arena, inner: Solver) -> None:
        self._arena = arena
        self._inner = inner

    def solve(self, query: Query) -> Answer:
        """Unsat for a contradiction, Sat(parent) for a query of nothing but true constants, else the inner answer."""
        polarity: dict[int, bool] = {}
        for literal in reversed(query.literals):
            expression, holds = self._stripped(literal)
            if polarity.setdefault(expression, holds) != holds:
                return Unsat(self.name, frozenset(((expression, True), (expression, False))))
        literals = self._without_constants(polarity)
        if literals is None:
            return Unsat(self.name)
        if not literals:
            return Sat(query.parent, self.name)
        return self._inner.solve(Query(literals, query.parent))

    def _stripped(self, literal: Literal) -> Literal:
        """The literal without NOT in front."""
        expression, holds = literal
        node = self._arena.node(expression)
        while node.op == Op.NOT:
            expression, holds = node.a, not holds
            node = self._arena.node(expression)
        return expression, holds

    def _without_constants(self, polarity: dict[int, bool]) -> tuple[Literal, ...] | None:
        """Literals in the order of the path, the target last; None if a constant has the wrong polarity."""
        kept: list[Literal] = []
        for expression, holds in reversed(polarity.items()):
            node = self._arena.node(expression)
            if node.op != Op.CONST:
                kept.append((expression, holds))
            elif bool(node.value) != holds:
                return None
        return tuple(kept)
