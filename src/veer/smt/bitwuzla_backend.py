"""The bitwuzla back end: a query → terms → model, near the parent input.

    check_sat(literals, bounds, definitions)       unsat → Unsat with the literals of the unsat core
      sat → keep the model
      check_sat(..., leaf == old value, ...)       pins; those in the unsat core are dropped, a few times
      sat → a model in which only the unpinned leaves differ from the parent

Terms live as long as their term manager, which is renewed to bound memory; a solver instance for some twenty queries
only, because it slows down. A time limit, and whatever bitwuzla refuses, is Unknown.
"""

from __future__ import annotations

import resource
from collections.abc import Mapping
from dataclasses import dataclass
from time import monotonic, perf_counter
from typing import Any

import bitwuzla
from bitwuzla import Option, Result

from veer.smt.arena import Arena, Leaf, MalformedExpressionError
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


def _options(settings: Settings, limits: SmtOptions, milliseconds: int) -> bitwuzla.Options:
    values: Mapping[Any, object] = {
        Option.PRODUCE_MODELS: True,
        Option.PRODUCE_UNSAT_ASSUMPTIONS: True,
        Option.PREPROCESS: settings.preprocess,
        Option.ABSTRACTION: settings.abstraction,
        Option.BV_SOLVER: settings.engine,
        Option.TIME_LIMIT_PER: milliseconds,
        Option.MEMORY_LIMIT: _peak_memory() + limits.memory_limit,
    }
    options = bitwuzla.Options()
    for option, value in values.items():
        options.set(option, value)
    return options


def _peak_memory() -> int:
    """MiB that this process used at most: bitwuzla's memory limit counts the whole process, shared memory too."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10


_LEAST_MILLISECONDS = 20
_PIN_CHECKS = 3
"""More cost more than the few leaves that they would keep (docs/decisions/0003-smt-chain.md)."""


class TermPool:
    """The term builder that several back ends share, renewed when it holds too many terms."""

    def __init__(self, arena: Arena, most_terms: int) -> None:
        self._arena = arena
        self._most_terms = most_terms
        self._builder = TermBuilder(arena)

    def builder(self) -> TermBuilder:
        """The current builder; another object than last time means that all earlier terms are void."""
        if len(self._builder) > self._most_terms:
            self._builder = TermBuilder(self._arena)
        return self._builder


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
        self._time_limit = limits.time_limit  # of the solver that there is
        self._known: set[int] = set()  # expressions that it has taken in

    def solve(self, query: Query) -> Answer:
        """Answer a query; Unknown for a time limit and for whatever bitwuzla refuses."""
        try:
            return self._solve(query, self._pool.builder())
        except (bitwuzla.BitwuzlaException, MalformedExpressionError) as error:
            self._solver = None
            return Unknown(f"{self._settings.name}: {error}", self._settings.name)

    def _solve(self, query: Query, builder: TermBuilder) -> Answer:
        milliseconds = self._milliseconds(query.deadline)
        expressions = [expression for expression, _ in query.literals]
        self._prepare(builder, milliseconds)
        if not self._takes_in(expressions, milliseconds):
            return Unknown("the formula is too large for the time limit", self._settings.name)
        literals = {
            builder.literal(expression, holds=holds): (expression, holds) for expression, holds in query.literals
        }
        leaves = _leaves_of(self._arena, expressions)
        facts = [bound for leaf in leaves for bound in builder.bounds(leaf)]
        facts += builder.definitions(expressions)
        start = perf_counter()
        preferences = builder.preferences(expressions)
        solver = self._renewed_solver(builder)
        result = self._check(solver, [*literals, *facts, *preferences])
        if result == Result.UNSAT and preferences:
            preferences = []
            self._prepare(builder, milliseconds)
            solver = self._renewed_solver(builder)
            result = self._check(solver, [*literals, *facts])
        if result == Result.UNSAT and self._settings.fresh:
            return Unsat(self._settings.name)
        if result == Result.UNSAT:
            core = frozenset(literals[term] for term in solver.get_unsat_assumptions() if term in literals)
            return Unsat(self._settings.name, core)
        if result != Result.SAT:
            self._solver = None
            return Unknown(self._limit_struck(perf_counter() - start), self._settings.name)
        if not leaves:
            return Sat(query.parent, self._settings.name)
        model = _Model(solver, builder.concatenation(leaves), leaves)
        values = model.read()
        if not self._settings.fresh:
            values = self._pinned(model, [*literals, *facts, *preferences], query, builder) or values
        return Sat(_patched(query.parent, values), self._settings.name)

    def _limit_struck(self, seconds: float) -> str:
        """Which of the limits a check of that length ran into."""
        if seconds * 1000 < self._time_limit / 2:
            return f"memory limit of {self._limits.memory_limit} MiB"
        return f"time limit of {self._time_limit} ms"

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

    def _milliseconds(self, deadline: float) -> int:
        """The time limit of a check, no more than is left."""
        left = min((deadline - monotonic()) * 1000, self._limits.time_limit)
        return max(int(left), _LEAST_MILLISECONDS)

    def _takes_in(self, expressions: list[int], milliseconds: int) -> bool:
        """Whether what is new in the formula can be taken in soon enough: no limit interrupts bitwuzla in that."""
        most = self._limits.bits_per_millisecond * self._limits.patience * milliseconds
        return weigh(self._arena, expressions, self._known, most) <= most

    def _prepare(self, builder: TermBuilder, milliseconds: int) -> None:
        """Drops the solver if it is worn out, of other terms or has more time than is left; else counts the query."""
        self._asked += 1
        worn = self._settings.fresh or self._asked > self._limits.queries_per_solver
        if self._builder is not builder or worn or milliseconds < self._time_limit:
            self._solver = None
        if self._solver is None:
            self._builder = builder
            self._asked = 1
            self._time_limit = milliseconds
            self._known.clear()

    def _renewed_solver(self, builder: TermBuilder) -> Any:
        if self._solver is None:
            self._solver = bitwuzla.Bitwuzla(builder.manager, _options(self._settings, self._limits, self._time_limit))
        return self._solver


def _leaves_of(arena: Arena, expressions: list[int]) -> list[Leaf]:
    indices: set[int] = set()
    for expression in expressions:
        indices |= arena.support(expression)
    return [arena.leaf(index) for index in sorted(indices)]


def _patched(parent: bytes, values: dict[Leaf, int]) -> bytes:
    """The parent input with the leaves that got another value replaced."""
    data = bytearray(parent)
    for leaf, value in values.items():
        if leaf.read(data) != value:
            leaf.write(data, value)
    return bytes(data)
