"""What the rest of veer says to a solver: a query goes in, an answer comes out, unknown is an answer.

Query    literal_0 ∧ literal_1 ∧ ... ∧ target      a literal = (expression of width 1, polarity it must have)
  │      parent: the input whose run made the prefix; it satisfies all but the target
  ▼
Answer = Sat(input) | Unsat | Unknown(reason)      `by` names the link of the chain that found it
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Protocol, TypeAlias

from msgspec import Struct

Literal: TypeAlias = tuple[int, bool]
"""An expression id of width 1 and the value that it must have."""


def never() -> bool:
    """Nobody stops it."""
    return False


class Query(Struct, frozen=True):
    """A prefix of a path and, as its last literal, the negated target. `parent` is the input that made the prefix.

    After `deadline` (in time.monotonic), or once `is_stopped()`, nobody wants the answer any more; it may come a little
    late. `patience` is what the time limit of each back end is multiplied with.
    """

    literals: tuple[Literal, ...]
    parent: bytes
    deadline: float = math.inf
    patience: float = 1
    is_stopped: Callable[[], bool] = never

    @property
    def is_late(self) -> bool:
        """Whether nobody wants the answer any more."""
        return monotonic() >= self.deadline or self.is_stopped()


class Sat(Struct, frozen=True):
    """`input` satisfies every literal of the query: it was evaluated before it was believed."""

    input: bytes
    by: str


class Unsat(Struct, frozen=True):
    """No input satisfies the query. `core` is a subset of its literals that suffices, or empty where none is known."""

    by: str
    core: frozenset[Literal] = frozenset()


class Unknown(Struct, frozen=True):
    """Nobody knows; `reason` is half a sentence for the ledger and the report, e.g. "time limit of 500 ms".

    `by_limit`: a limit struck; with more patience the answer may be known.
    """

    reason: str
    by: str
    by_limit: bool = False


Answer: TypeAlias = Sat | Unsat | Unknown


class Evaluator(Protocol):
    """Concrete semantics of expressions: the native engine's, or `evaluate.ReferenceEvaluator`."""

    def evaluate(self, expression: int, input: bytes) -> int:
        """Value (unsigned, `width` bits) of an expression under an input; bytes beyond its end count as 0."""
        ...

    def holds(self, literals: Sequence[Literal], input: bytes) -> bool:
        """Whether every literal has its polarity under an input."""
        ...


class Solver(Protocol):
    """A link of the chain, or the chain as a whole."""

    def solve(self, query: Query) -> Answer:
        """Answer a query. Never raises for a hard or an odd query: that is `Unknown`."""
        ...


class LinkStatistics(Struct, frozen=True):
    """The answers that carry one link's name: `asked` of them, and how long they took through the whole chain."""

    asked: int = 0
    sat: int = 0
    unsat: int = 0
    unknown: int = 0
    nanoseconds: int = 0


class Eliminated(Struct):
    """Constraints of the queries that the syntactic check did not answer, and what no back end had to see of them.

    `given`: literals of the queries. `repeated`: said before in the same query, or constant (CUTE section 3.5, OPT 2).
    `independent`: of what was left, those that share no leaf with the target (OPT 3).
    """

    given: int = 0
    repeated: int = 0
    independent: int = 0

    def add(self, other: Eliminated) -> None:
        """Adds the counts of another search."""
        self.given += other.given
        self.repeated += other.repeated
        self.independent += other.independent


class ChainedSolver(Solver, Protocol):
    """A solver that counts: what `chain.chain` returns."""

    @property
    def statistics(self) -> Mapping[str, LinkStatistics]:
        """By name of a link (the `by` of answers); "chain" counts them all."""
        ...


class SmtOptions(Struct, frozen=True):
    """Settings of the chain. The defaults are measured (docs/decisions/0003-smt-chain.md)."""

    solvers: tuple[str, ...] = ("bitwuzla",)  # plug-ins of `registry.SOLVERS`, asked in this order until one knows
    time_limit: int = 500  # milliseconds per check of a back end (of CPU where the solver can count it)
    memory_limit: int = 1024  # MiB that a check may use beyond what the process has
    recent_models: int = 16
    queries_per_solver: int = 20
    terms_per_table: int = 400_000  # of veer's own terms and each solver's; then all are made anew
    known_cores: int = 1 << 16
    bits_per_millisecond: int = 100  # of new formula that a back end takes in, about: that cannot be interrupted
    # what is left out: syntactic, common, slice, near, cores, models, pins, products, sampling, fresh, preprop
    without: frozenset[str] = frozenset()
    patience: int = 4  # taking a formula in may last this many time limits
