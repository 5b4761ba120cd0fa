"""The bitwuzla back end: a query → terms → model, near the parent input.

    check_sat(literals, bounds, definitions)       unsat → Unsat with the literals of the unsat core
      sat → keep the model
      check_sat(..., leaf == old value, ...)       pins; those in the unsat core are dropped, a few times
      sat → a model in which only the unpinned leaves differ from the parent

Terms live as long as their term manager, which is renewed to bound memory; a solver instance for some twenty queries
only, because it slows down. A time limit, and whatever bitwuzla refuses, is Unknown. Time is the CPU's, so that a
loaded machine makes veer slower, not less sure.
"""

from __future__ import annotations

import math
import resource
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic, thread_time
from typing import Any

import bitwuzla
from bitwuzla import Option, Result

from veer.smt.arena import Arena, Leaf, MalformedExpressionError
from veer.smt.back_end import LEAST_MILLISECONDS, TermPool, leaves_of, most_bits, patched, time_limit
from veer.smt.protocol import Answer, Query, Sat, SmtOptions, Unknown, Unsat
from veer.smt.terms import Term, TermBuilder
from veer.smt.weight import weigh


@dataclass(frozen=True, slots=True)
class Settings:
    """One way to run bitwuzla. `engine`: bitblast, prop or preprop."""

    name: str
    engine: str = "bitblast"
    preprocess: bool = False
    abstraction: bool = True  # of multiplication and division
    fresh: bool = False  # a new solver for every query, and no pins


STANDARD = Settings("bitwuzla")
FALL_BACKS = (
    Settings("bitwuzla-fresh", fresh=True),
    Settings("bitwuzla-preprop", engine="preprop", preprocess=True, abstraction=False, fresh=True),
)
"""In this order: a fresh instance often answers what a used one did not; local search helps in long arithmetic."""


def _options(settings: Settings, limits: SmtOptions) -> bitwuzla.Options:
    values: Mapping[Any, object] = {
        Option.PRODUCE_MODELS: True,
        Option.PRODUCE_UNSAT_ASSUMPTIONS: True,
        Option.PREPROCESS: settings.preprocess,
        Option.ABSTRACTION: settings.abstraction,
        Option.BV_SOLVER: settings.engine,
        Option.MEMORY_LIMIT: _peak_memory() + limits.memory_limit,
    }
    options = bitwuzla.Options()
    for option, value in values.items():
        options.set(option, value)
    return options


def _peak_memory() -> int:
    """MiB that this process used at most: bitwuzla's memory limit counts the whole process, shared memory too."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


_PIN_CHECKS = 3
"""More cost more than the few leaves that they would keep (docs/decisions/0003-smt-chain.md)."""


class Stopwatch:
    """bitwuzla's terminator, which it calls some ten thousand times a second: true once a limit struck.

    Counts the CPU time of this thread; the deadline is in time.monotonic.
    """

    def __init__(self) -> None:
        self._end = math.inf
        self._deadline = math.inf
        self.struck = False

    def start(self, milliseconds: int, deadline: float) -> None:
        """Before each check."""
        self._end = thread_time() + milliseconds / 1000
        self._deadline = max(deadline, monotonic() + LEAST_MILLISECONDS / 1000)
        self.struck = False

    def __call__(self) -> bool:
        self.struck = self.struck or thread_time() >= self._end or monotonic() >= self._deadline
        return self.struck


@dataclass(frozen=True, slots=True)
class _Model:
    """Reads the values of some leaves from the solver's current model, in one call."""

    solver: Any
    concatenation: Term
    leaves: list[Leaf]

    def read(self) -> dict[Leaf, int]:
        """Unsigned value by leaf."""
        rest = int(self.solver.get_value(self.concatenation).value(16), 16)
        values: dict[Leaf, int] = {}
        for leaf in reversed(self.leaves):
            values[leaf] = rest & ((1 << leaf.width) - 1)
            rest >>= leaf.width
        return values


class BitwuzlaSolver:
    """Solves queries with one setting of bitwuzla. Its models are near the parent, but not yet verified."""

    def __init__(self, arena: Arena, pool: TermPool, settings: Settings, limits: SmtOptions) -> None:
        self._arena = arena
        self._pool = pool
        self._settings = settings
        self._limits = limits
        self._solver: Any = None
        self._builder: TermBuilder | None = None
        self._asked = 0
        self._stopwatch = Stopwatch()
        self._known: set[int] = set()  # expressions that it has taken in

    def solve(self, query: Query) -> Answer:
        """Answer a query; Unknown for a time limit and for whatever bitwuzla refuses."""
        try:
            return self._solve(query, self._pool.builder())
        except (bitwuzla.BitwuzlaException, MalformedExpressionError) as error:
            self._solver = None
            return Unknown(f"{self._settings.name}: {error}", self._settings.name)

    def _solve(self, query: Query, builder: TermBuilder) -> Answer:
        milliseconds = time_limit(query, self._limits)
        expressions = [expression for expression, _ in query.literals]
        self._prepare(builder)
        most = most_bits(milliseconds, self._limits)
        if weigh(self._arena, expressions, self._known, most) > most:
            return Unknown("the formula is too large for the time limit", self._settings.name, by_limit=True)
        literals = {
            builder.literal(expression, holds=holds): (expression, holds) for expression, holds in query.literals
        }
        leaves = leaves_of(self._arena, expressions)
        facts = [bound for leaf in leaves for bound in builder.bounds(leaf)]
        facts += builder.definitions(expressions)
        preferences = builder.preferences(expressions)
        solver = self._renewed_solver(builder)
        self._stopwatch.start(milliseconds, query.deadline)
        result = self._check(solver, [*literals, *facts, *preferences])
        if result == Result.UNSAT and preferences:
            preferences = []
            self._prepare(builder)
            solver = self._renewed_solver(builder)
            self._stopwatch.start(milliseconds, query.deadline)
            result = self._check(solver, [*literals, *facts])
        if result == Result.UNSAT and self._settings.fresh:
            return Unsat(self._settings.name)
        if result == Result.UNSAT:
            core = frozenset(literals[term] for term in solver.get_unsat_assumptions() if term in literals)
            return Unsat(self._settings.name, core)
        if result != Result.SAT:
            self._solver = None
            return Unknown(self._limit_struck(milliseconds), self._settings.name, by_limit=True)
        if not leaves:
            return Sat(query.parent, self._settings.name)
        model = _Model(solver, builder.concatenation(leaves), leaves)
        values = model.read()
        if not self._settings.fresh and "pins" not in self._limits.without:
            values = self._pinned(model, [*literals, *facts, *preferences], query, builder) or values
        return Sat(patched(query.parent, values), self._settings.name)

    def _limit_struck(self, milliseconds: int) -> str:
        """Which of the limits the last check ran into."""
        if self._stopwatch.struck:
            return f"time limit of {milliseconds} ms"
        return f"memory limit of {self._limits.memory_limit} MiB"

    def _check(self, solver: Any, terms: list[Term]) -> Result:
        """Assumptions keep the solver usable for the next query; a fresh one preprocesses assertions better."""
        if not self._settings.fresh:
            return solver.check_sat(*terms)
        for term in terms:
            solver.assert_formula(term)
        return solver.check_sat()

    def _pinned(
        self, model: _Model, assumptions: list[Term], query: Query, builder: TermBuilder
    ) -> dict[Leaf, int] | None:
        """A model that keeps as many leaves as the unsat cores allow, or None if a few checks found none."""
        target = self._arena.support(query.literals[-1][0])
        values = ((leaf, leaf.read(query.parent)) for leaf in model.leaves if leaf.index not in target)
        pins = [builder.equals(leaf, value) for leaf, value in values if leaf.allows(value)]
        for _ in range(_PIN_CHECKS):
            if not pins or monotonic() >= query.deadline:
                return None
            self._stopwatch.start(time_limit(query, self._limits), query.deadline)
            result = model.solver.check_sat(*assumptions, *pins)
            if result == Result.SAT:
                return model.read()
            if result != Result.UNSAT:
                self._solver = None
                return None
            core = set(model.solver.get_unsat_assumptions())
            if core.isdisjoint(pins):
                return None
            pins = [pin for pin in pins if pin not in core]
        return None

    def _prepare(self, builder: TermBuilder) -> None:
        """Drops the solver if it is worn out or of other terms; else counts the query."""
        self._asked += 1
        worn = self._settings.fresh or self._asked > self._limits.queries_per_solver
        if self._builder is not builder or worn:
            self._solver = None
        if self._solver is None:
            self._builder = builder
            self._asked = 1
            self._known.clear()

    def _renewed_solver(self, builder: TermBuilder) -> Any:
        if self._solver is None:
            self._solver = bitwuzla.Bitwuzla(builder.manager, _options(self._settings, self._limits))
            self._solver.configure_terminator(self._stopwatch)
        return self._solver
