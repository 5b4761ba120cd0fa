"""A link of the chain around a solver: a query → terms → checks → an input near the parent's.

    check(literals)                              Refuted → Unsat with the literals of the core
      Model → keep it
      check(literals, leaf == old value, ...)    pins; those in the core are dropped, a few times
      Model → one in which only the unpinned leaves differ from the parent

Bounds and definitions of the leaves are facts. Preferences (formulas.py) are tried first and dropped if need be.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import monotonic

from veer.model.values import replace
from veer.smt.arena import Arena, Leaf, MalformedExpressionError
from veer.smt.formulas import Formulas, SharedFormulas
from veer.smt.protocol import Answer, Query, Sat, SmtOptions, Unknown, Unsat
from veer.smt.term_solver import LEAST_MILLISECONDS, Model, Problem, Refuted, Session, TermSolver, Undecided
from veer.smt.weight import weigh

_PIN_CHECKS = 3
"""More cost more than the few leaves that they would keep (docs/decisions/0003-smt-chain.md)."""


class BackEnd:
    """Answers queries with a solver. Its models are near the parent, but not yet verified."""

    def __init__(self, arena: Arena, pool: SharedFormulas, solver: TermSolver, limits: SmtOptions) -> None:
        self._arena = arena
        self._pool = pool
        self._solver = solver
        self._limits = limits

    def solve(self, query: Query) -> Answer:
        """Answer a query; Unknown for a limit and for whatever the solver refuses."""
        try:
            return self._solve(query, self._pool.formulas())
        except MalformedExpressionError as error:
            return self._unknown(str(error))

    def _solve(self, query: Query, formulas: Formulas) -> Answer:
        milliseconds = time_limit(query, self._limits)
        expressions = [expression for expression, _ in query.literals]
        session = self._solver.session(formulas.terms)
        most = most_bits(milliseconds, self._limits)
        if weigh(self._arena, expressions, session.taken_in, most) > most:
            return Unknown("the formula is too large for the time limit", self._solver.name, by_limit=True)
        literals = {formulas.literal(each, holds=holds): (each, holds) for each, holds in query.literals}
        leaves = leaves_of(self._arena, expressions)
        facts = [bound for leaf in leaves for bound in formulas.bounds(leaf)]
        facts += formulas.definitions(expressions)
        preferences = formulas.preferences(expressions)
        variables = tuple([formulas.leaf(leaf) for leaf in leaves])
        assumed = (*literals, *preferences)
        problem = Problem(tuple(facts), assumed, variables, milliseconds, query.deadline, query.is_stopped)
        checked = session.check(problem)
        if isinstance(checked, Refuted) and preferences:
            problem = replace(problem, assumed=tuple(literals))
            checked = session.check(problem)
        if isinstance(checked, Refuted):
            core = frozenset([literals[number] for number in checked.core if number in literals])
            return Unsat(self._solver.name, core)
        if isinstance(checked, Undecided):
            return self._unknown(checked.reason, by_limit=checked.by_limit)
        if session.pins and "pins" not in self._limits.without:
            checked = self._pinned(session, problem, leaves, query, formulas) or checked
        return Sat(patched(query.parent, leaves, checked.values), self._solver.name)

    def _unknown(self, reason: str, *, by_limit: bool = False) -> Unknown:
        name = self._solver.name
        return Unknown(reason if by_limit else f"{name}: {reason}", name, by_limit)

    def _pinned(
        self, session: Session, problem: Problem, leaves: list[Leaf], query: Query, formulas: Formulas
    ) -> Model | None:
        """A model that keeps as many leaves as the unsat cores allow, or None if a few checks found none."""
        target = self._arena.support(query.literals[-1][0])
        values = ((leaf, leaf.read(query.parent)) for leaf in leaves if leaf.index not in target)
        pins = [formulas.equals(leaf, value) for leaf, value in values if leaf.allows(value)]
        for _ in range(_PIN_CHECKS):
            if not pins or query.is_late:
                return None
            milliseconds = time_limit(query, self._limits)
            pinned = replace(problem, assumed=(*problem.assumed, *pins), milliseconds=milliseconds)
            checked = session.check(pinned)
            if isinstance(checked, Model):
                return checked
            if isinstance(checked, Undecided) or checked.core.isdisjoint(pins):
                return None
            pins = [pin for pin in pins if pin not in checked.core]
        return None


def time_limit(query: Query, limits: SmtOptions) -> int:
    """The time limit of a check in milliseconds, no more than is left."""
    left = min((query.deadline - monotonic()) * 1000, limits.time_limit * query.patience)
    return max(int(left), LEAST_MILLISECONDS)


def most_bits(milliseconds: int, limits: SmtOptions) -> int:
    """How large a formula may be that is taken in for a check of that time: no limit interrupts a solver in that."""
    return limits.bits_per_millisecond * limits.patience * milliseconds


def leaves_of(arena: Arena, expressions: list[int]) -> list[Leaf]:
    """The leaves that expressions depend on, by ascending index."""
    indices: set[int] = set()
    for expression in expressions:
        indices |= arena.support(expression)
    return [arena.leaf(index) for index in sorted(indices)]


def patched(parent: bytes, leaves: Sequence[Leaf], values: Sequence[int]) -> bytes:
    """The parent input with the leaves that got another value replaced."""
    data = bytearray(parent)
    for leaf, value in zip(leaves, values, strict=True):
        if leaf.read(data) != value:
            leaf.write(data, value)
    return bytes(data)
