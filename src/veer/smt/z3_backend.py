"""The z3 back end: a query → terms → model, near the parent input. A fresh solver for every query.

    marker_i → literal_i        check(markers)                  unsat → Unsat with the literals of the unsat core
    bounds, definitions           sat → keep the model
    pin_j → leaf == old value     check(markers, pins)          as in bitwuzla_backend, a few times

The logic is QF_BV only for a query without floats: asked for it with floats, z3 gives wrong models without a word. With
floats there are neither markers nor pins nor a core.
z3 can count no CPU time, so its limit is of wall-clock time.
"""

from __future__ import annotations

from time import monotonic
from typing import Any

import z3
from bitwuzla import Kind

from veer.smt.arena import Arena, Leaf, MalformedExpressionError
from veer.smt.back_end import TermPool, leaves_of, most_bits, patched, time_limit
from veer.smt.protocol import Answer, Literal, Query, Sat, SmtOptions, Unknown, Unsat
from veer.smt.terms import Term, TermBuilder
from veer.smt.weight import weigh
from veer.smt.z3_terms import Z3Manager
from veer.wire.layout import Op

_NAME = "z3"
_PIN_CHECKS = 3


def z3_solver(arena: Arena, options: SmtOptions) -> Z3Solver:
    """The back end with terms of its own."""
    return Z3Solver(arena, TermPool(arena, Z3Manager, options.terms_per_manager), options)


class _Session:
    """One z3 solver. Conditions are added behind markers, so that an unsat core can name them."""

    def __init__(self, manager: Z3Manager, logic: str, milliseconds: int, mebibytes: int) -> None:
        self._manager = manager
        context = manager.context
        self.solver = z3.SolverFor(logic, ctx=context)
        # Ctrl-C is the campaign's.
        self.solver.set(timeout=milliseconds, max_memory=mebibytes, ctrl_c=False)
        self._count = 0

    def add(self, condition: Term) -> None:
        """Assumes a condition for good."""
        self.solver.add(self._manager.condition(condition))

    def marked(self, condition: Term) -> Any:
        """A marker; to check with it is to assume the condition."""
        marker = z3.Bool(f"marker{self._count}", self._manager.context)
        self._count += 1
        make = self._manager.mk_term
        self.add(make(Kind.OR, [make(Kind.NOT, [marker.as_ast()]), condition]))
        return marker

    def core(self) -> set[str]:
        """Names of the markers that cannot hold together."""
        return {str(marker) for marker in self.solver.unsat_core()}

    def values(self, concatenation: Term, leaves: list[Leaf]) -> dict[Leaf, int]:
        """Unsigned value by leaf in the current model; the first leaf is the most significant."""
        term = z3.BitVecRef(concatenation, self._manager.context)
        rest = self.solver.model().eval(term, model_completion=True).as_long()
        values: dict[Leaf, int] = {}
        for leaf in reversed(leaves):
            values[leaf] = rest & ((1 << leaf.width) - 1)
            rest >>= leaf.width
        return values


class Z3Solver:
    """Solves queries with z3. Its models are near the parent, but not yet verified."""

    def __init__(self, arena: Arena, pool: TermPool, limits: SmtOptions) -> None:
        self._arena = arena
        self._pool = pool
        self._limits = limits

    def solve(self, query: Query) -> Answer:
        """Answer a query; Unknown for a limit and for whatever z3 refuses."""
        try:
            return self._solve(query, self._pool.builder())
        except (z3.Z3Exception, MalformedExpressionError) as error:
            return Unknown(f"{_NAME}: {error}", _NAME)

    def _solve(self, query: Query, builder: TermBuilder) -> Answer:
        milliseconds = time_limit(query, self._limits)
        expressions = [expression for expression, _ in query.literals]
        cone: set[int] = set()
        most = most_bits(milliseconds, self._limits)
        if weigh(self._arena, expressions, cone, most) > most:
            return Unknown("the formula is too large for the time limit", _NAME, by_limit=True)
        if any(self._arena.node(expression).op >= Op.FADD for expression in cone):
            return self._solve_floats(query, builder, milliseconds)
        session = self._session(builder, "QF_BV", milliseconds)
        literals: dict[str, Literal] = {}
        markers = []
        for expression, holds in query.literals:
            markers.append(session.marked(builder.literal(expression, holds=holds)))
            literals[str(markers[-1])] = (expression, holds)
        leaves = leaves_of(self._arena, expressions)
        for bound in (bound for leaf in leaves for bound in builder.bounds(leaf)):
            session.add(bound)
        result = session.solver.check(*markers)
        if result == z3.unsat:
            return Unsat(_NAME, frozenset(literals[name] for name in session.core()))
        if result != z3.sat:
            return self._unknown(session, milliseconds)
        if not leaves:
            return Sat(query.parent, _NAME)
        concatenation = builder.concatenation(leaves)
        values = session.values(concatenation, leaves)
        if self._pin(session, markers, leaves, query, builder):
            values = session.values(concatenation, leaves)
        return Sat(patched(query.parent, values), _NAME)

    def _pin(
        self, session: _Session, assumed: list[Any], leaves: list[Leaf], query: Query, builder: TermBuilder
    ) -> bool:
        """Whether a model was found that keeps as many leaves as the unsat cores allow."""
        target = self._arena.support(query.literals[-1][0])
        values = ((leaf, leaf.read(query.parent)) for leaf in leaves if leaf.index not in target)
        pins = [session.marked(builder.equals(leaf, value)) for leaf, value in values if leaf.allows(value)]
        for _ in range(_PIN_CHECKS):
            if not pins or monotonic() >= query.deadline:
                return False
            result = session.solver.check(*assumed, *pins)
            if result != z3.unsat:
                return bool(result == z3.sat)
            core = session.core()
            if core.isdisjoint(map(str, pins)):
                return False
            pins = [pin for pin in pins if str(pin) not in core]
        return False

    def _solve_floats(self, query: Query, builder: TermBuilder, milliseconds: int) -> Answer:
        """Asserts all: behind markers z3 simplifies nothing, and floats take it a hundred times longer."""
        expressions = [expression for expression, _ in query.literals]
        conditions = [builder.literal(expression, holds=holds) for expression, holds in query.literals]
        leaves = leaves_of(self._arena, expressions)
        conditions += [bound for leaf in leaves for bound in builder.bounds(leaf)]
        conditions += builder.definitions(expressions)
        preferences = builder.preferences(expressions)
        for wishes in ([preferences] if preferences else []) + [[]]:
            session = self._session(builder, "QF_FPBV", milliseconds)
            for condition in (*conditions, *wishes):
                session.add(condition)
            result = session.solver.check()
            if result != z3.unsat:
                break
        if result == z3.unsat:
            return Unsat(_NAME)
        if result != z3.sat:
            return self._unknown(session, milliseconds)
        values = session.values(builder.concatenation(leaves), leaves) if leaves else {}
        return Sat(patched(query.parent, values), _NAME)

    def _session(self, builder: TermBuilder, logic: str, milliseconds: int) -> _Session:
        return _Session(builder.manager, logic, milliseconds, self._limits.memory_limit)

    def _unknown(self, session: _Session, milliseconds: int) -> Unknown:
        reason = session.solver.reason_unknown()
        if reason in ("timeout", "canceled"):
            return Unknown(f"time limit of {milliseconds} ms", _NAME, by_limit=True)
        return Unknown(f"{_NAME}: {reason}", _NAME, by_limit=True)
