"""The one place where the chain of solvers is assembled (docs/design.md, section 3).

chain
 └ syntactic         contradictions by expression id, constants
    └ slice          the literals that share leaves with the target; checks a model against the whole query
       └ near        reverts what a model need not change
          └ core_cache    unsat cores and give-ups of earlier queries
             └ model_cache    the last models, verified by evaluation
                └ first known of
                   ├ bitwuzla               pins; its model verified by evaluation
                   ├ sampling               random inputs near the parent, evaluated
                   ├ bitwuzla-fresh         a fresh instance
                   ├ bitwuzla-preprop       a fresh instance, propagation-based local search first
                   └ ...                    the other solvers that were asked for (registry.py)
"""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter_ns

from veer.model.values import replace
from veer.smt.arena import Arena, MalformedExpressionError
from veer.smt.back_end import BackEnd
from veer.smt.checking import CheckedSolver, Checker, NearSolver
from veer.smt.formulas import SharedFormulas
from veer.smt.memory import KnownAnswers, RecentModels
from veer.smt.protocol import (
    Answer,
    ChainedSolver,
    Eliminated,
    Evaluator,
    LinkStatistics,
    Query,
    Sat,
    SmtOptions,
    Solver,
    Unknown,
    Unsat,
)
from veer.smt.registry import solvers
from veer.smt.sampling import SamplingSolver
from veer.smt.slices import SlicedSolver
from veer.smt.syntactic import SyntacticSolver

_DEFAULTS = SmtOptions()


def chain(
    arena: Arena, evaluator: Evaluator, options: SmtOptions = _DEFAULTS, eliminated: Eliminated | None = None
) -> ChainedSolver:
    """The solver of a campaign, for one thread; `evaluator` decides which models are believed.

    The links that `options.without` names are left out, but no check of a model. What constraints are spared the
    back ends is counted in `eliminated`.

    Raises:
        UsageError: `options.solvers` names a solver that there is not, or that is not installed.
    """
    checker = Checker(arena, evaluator)
    checked = tuple(CheckedSolver(checker, each) for each in back_ends(arena, options))
    without = options.without
    counts = eliminated or Eliminated()
    sampling = () if "sampling" in without else (SamplingSolver(checker),)
    solver: Solver = FirstKnown((*checked[:1], *sampling, *checked[1:]))
    if "models" not in without:
        solver = RecentModels(checker, solver, options.recent_models)
    if "cores" not in without:
        solver = KnownAnswers(solver, options.known_cores)
    if "near" not in without:
        solver = NearSolver(checker, solver)
    if "slice" not in without:
        solver = SlicedSolver(arena, checker, solver, counts)
    return CountingSolver(SyntacticSolver(arena, solver, counts, without))


def back_ends(arena: Arena, options: SmtOptions) -> list[Solver]:
    """Every way to run the solvers that were asked for, over the same terms. Raises UsageError as `chain` does."""
    pool = SharedFormulas(arena, options.terms_per_table, tells_products="products" not in options.without)
    made = [solver for name in options.solvers for solver in solvers(name, options)]
    return [BackEnd(arena, pool, each, options) for each in made]


class FirstKnown:
    """Asks one solver after the other until one knows."""

    def __init__(self, solvers: tuple[Solver, ...]) -> None:
        self._solvers = solvers

    def solve(self, query: Query) -> Answer:
        """The first answer that is not Unknown, else the first Unknown. Past the deadline nobody is asked any more."""
        first: Unknown | None = None
        for solver in self._solvers:
            if first is not None and query.is_late:
                break
            answer = solver.solve(query)
            if not isinstance(answer, Unknown):
                return answer
            first = first or answer
        return first or Unknown("no solver", "chain")


class CountingSolver:
    """The head of the chain: counts the answers by the link that gave them."""

    def __init__(self, inner: Solver) -> None:
        self._inner = inner
        self._statistics: dict[str, LinkStatistics] = {"chain": LinkStatistics()}

    @property
    def statistics(self) -> Mapping[str, LinkStatistics]:
        """By the `by` of answers, and "chain" for all; `asked` equals the answers given."""
        return dict(self._statistics)

    def solve(self, query: Query) -> Answer:
        """The inner answer, counted."""
        start = perf_counter_ns()
        try:
            answer = self._inner.solve(query)
        except MalformedExpressionError as error:
            answer = Unknown(str(error), "arena")
        nanoseconds = perf_counter_ns() - start
        for name in ("chain", answer.by):
            old = self._statistics.get(name, LinkStatistics())
            self._statistics[name] = replace(
                old,
                asked=old.asked + 1,
                sat=old.sat + isinstance(answer, Sat),
                unsat=old.unsat + isinstance(answer, Unsat),
                unknown=old.unknown + isinstance(answer, Unknown),
                nanoseconds=old.nanoseconds + nanoseconds,
            )
        return answer
