"""What a solver has to be for veer: it is asked in veer's terms, and knows nothing of expressions, inputs or trees.

    Problem    facts ∧ assumed          Bool terms of one table (terms.py), by number
       │
       ▼  Session.check
    Checked  = Model(values of the variables) | Refuted(core of the assumed) | Undecided(reason)

A package that offers a solver has an entry point of the group `veer.solvers`; it names a callable of SmtOptions that
gives TermSolvers, which are asked in this order until one knows. veer's own are in `solvers/`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Protocol, TypeAlias

from msgspec import Struct

from veer.smt.protocol import SmtOptions, never
from veer.smt.terms import Number, TermSource

LEAST_MILLISECONDS = 20
"""What a check gets at least, however near the deadline is."""


class Problem(Struct, frozen=True):
    """What is asked: is there a model of all `facts` and all `assumed`, and what does it say of the `variables`?

    The facts are the same in all checks of a session. A check has `milliseconds` (of CPU where the solver can count
    it), and LEAST_MILLISECONDS beyond the deadline (in time.monotonic) at most; it ends once `is_stopped()`.
    """

    facts: tuple[Number, ...]
    assumed: tuple[Number, ...]
    variables: tuple[Number, ...]
    milliseconds: int
    deadline: float
    is_stopped: Callable[[], bool] = never

    def end(self) -> float:
        """When a check that begins now must end, in time.monotonic."""
        return max(self.deadline, monotonic() + LEAST_MILLISECONDS / 1000)


class Model(Struct, frozen=True):
    """There is a model; the unsigned values of the problem's variables in it."""

    values: tuple[int, ...]


class Refuted(Struct, frozen=True):
    """There is none. `core` are assumed terms that suffice for that, along with the facts; empty if not known."""

    core: frozenset[Number] = frozenset()


class Undecided(Struct, frozen=True):
    """Not known; `reason` is half a sentence. `by_limit`: with more time or memory it may be."""

    reason: str
    by_limit: bool = False

    @classmethod
    def out_of_time(cls, milliseconds: int) -> Undecided:
        """The time limit struck."""
        return cls(f"time limit of {milliseconds} ms", by_limit=True)


Checked: TypeAlias = Model | Refuted | Undecided


class Session(Protocol):
    """A solver at work on one query, which may take several checks. Not to be used when the next one has begun."""

    taken_in: set[int]
    """Expressions that it holds already, so that they cost no time to take in. Kept by whoever asks."""

    @property
    def pins(self) -> bool:
        """After a model: whether further checks are so much cheaper that one nearer to the parent may be asked for."""
        ...

    def check(self, problem: Problem) -> Checked:
        """Decides a problem. Never raises for a hard or an odd one: that is Undecided."""
        ...


class TermSolver(Protocol):
    """A solver, or one way to run it."""

    @property
    def name(self) -> str:
        """What answers and statistics call it."""
        ...

    def session(self, terms: TermSource) -> Session:
        """For the next query. Terms of another table than last time: all earlier ones are void."""
        ...


Make: TypeAlias = Callable[[SmtOptions], Sequence[TermSolver]]
"""What an entry point of `veer.solvers` names."""


def widths(terms: TermSource, variables: Sequence[Number]) -> list[int]:
    """The widths of bit-vector variables."""
    return [terms[variable].sort.width for variable in variables]


def split(concatenation: int, widths: Sequence[int]) -> tuple[int, ...]:
    """The values of variables of these widths from that of their concatenation, the first the most significant."""
    values = []
    for width in reversed(widths):
        values.append(concatenation & ((1 << width) - 1))
        concatenation >>= width
    return tuple(reversed(values))
