"""bitwuzla: veer's terms as its own, and its checks under assumptions.

Terms live as long as their table; a solver instance for some twenty queries only, because it slows down. A limit, and
whatever bitwuzla refuses, is Undecided. Time is the CPU's, so that a loaded machine makes veer slower, not less sure.
Its theory of arrays is not used: a look-up is a diagram of ITEs (table_terms.py).
"""

from __future__ import annotations

import math
import resource
from collections.abc import Callable, Mapping, Sequence
from time import monotonic, thread_time
from typing import Any, TypeAlias

import bitwuzla
from bitwuzla import Kind, Option, Result, RoundingMode
from msgspec import Struct

from veer.smt.ieee import FORMATS
from veer.smt.protocol import SmtOptions, never
from veer.smt.table_terms import look_up
from veer.smt.term_solver import (
    Checked,
    Model,
    Problem,
    Refuted,
    TermSolver,
    Undecided,
    split,
    widths,
)
from veer.smt.terms import Number, Operator, Rounding, SortKind, Term, TermSource, Translation

Handle: TypeAlias = Any
"""A bitwuzla.Term, of a table its entries; the wheel has no type information."""
_SECONDS_PER_LOOK = 0.001
"""Between looks at the time and the memory that a check has taken."""


class Settings(Struct, frozen=True):
    """One way to run bitwuzla. `engine`: bitblast, prop or preprop."""

    name: str
    engine: str = "bitblast"
    preprocess: bool = False
    abstraction: bool = True  # of multiplication and division
    fresh: bool = False  # a new solver for every check, no core, and no pins


STANDARD = Settings("bitwuzla")
FALL_BACKS = (
    Settings("bitwuzla-fresh", fresh=True),
    Settings("bitwuzla-preprop", engine="preprop", preprocess=True, abstraction=False, fresh=True),
)
"""In this order: a fresh instance often answers what a used one did not; local search helps in long arithmetic."""


def make(limits: SmtOptions) -> Sequence[TermSolver]:
    """bitwuzla as it is asked first, and the fall-backs that `limits.without` leaves."""
    fall_backs = (each for each in FALL_BACKS if each.name.removeprefix("bitwuzla-") not in limits.without)
    return solvers_of((STANDARD, *fall_backs), limits)


def solvers_of(settings: Sequence[Settings], limits: SmtOptions) -> list[TermSolver]:
    """Several ways to run it, which share their terms."""
    shared = _SharedTerms()
    return [Bitwuzla(each, limits, shared) for each in settings]


_PLAIN: dict[Operator, Kind] = {
    Operator.NOT: Kind.NOT,
    Operator.AND: Kind.AND,
    Operator.OR: Kind.OR,
    Operator.XOR: Kind.XOR,
    Operator.EQUAL: Kind.EQUAL,
    Operator.ITE: Kind.ITE,
    Operator.ADD: Kind.BV_ADD,
    Operator.SUB: Kind.BV_SUB,
    Operator.MUL: Kind.BV_MUL,
    Operator.UDIV: Kind.BV_UDIV,
    Operator.SDIV: Kind.BV_SDIV,
    Operator.UREM: Kind.BV_UREM,
    Operator.SREM: Kind.BV_SREM,
    Operator.BIT_NOT: Kind.BV_NOT,
    Operator.BIT_AND: Kind.BV_AND,
    Operator.BIT_OR: Kind.BV_OR,
    Operator.BIT_XOR: Kind.BV_XOR,
    Operator.SHL: Kind.BV_SHL,
    Operator.LSHR: Kind.BV_SHR,
    Operator.ASHR: Kind.BV_ASHR,
    Operator.ULT: Kind.BV_ULT,
    Operator.ULE: Kind.BV_ULE,
    Operator.SLT: Kind.BV_SLT,
    Operator.SLE: Kind.BV_SLE,
    Operator.CONCAT: Kind.BV_CONCAT,
    Operator.FLOAT_NEG: Kind.FP_NEG,
    Operator.FLOAT_ABS: Kind.FP_ABS,
    Operator.FLOAT_EQUAL: Kind.FP_EQUAL,
    Operator.FLOAT_LESS: Kind.FP_LT,
    Operator.FLOAT_LESS_EQUAL: Kind.FP_LEQ,
    Operator.IS_NAN: Kind.FP_IS_NAN,
}
_EXTENSIONS = {Operator.ZERO_EXTEND: Kind.BV_ZERO_EXTEND, Operator.SIGN_EXTEND: Kind.BV_SIGN_EXTEND}
_ROUNDED: dict[Operator, Kind] = {
    Operator.FLOAT_ADD: Kind.FP_ADD,
    Operator.FLOAT_SUB: Kind.FP_SUB,
    Operator.FLOAT_MUL: Kind.FP_MUL,
    Operator.FLOAT_DIV: Kind.FP_DIV,
    Operator.FLOAT_SQRT: Kind.FP_SQRT,
    Operator.FLOAT_FMA: Kind.FP_FMA,
}
_CONVERSIONS: dict[Operator, Kind] = {
    Operator.FLOAT_FROM_FLOAT: Kind.FP_TO_FP_FROM_FP,
    Operator.FLOAT_FROM_SIGNED: Kind.FP_TO_FP_FROM_SBV,
    Operator.FLOAT_FROM_UNSIGNED: Kind.FP_TO_FP_FROM_UBV,
}
_TO_INTEGERS = {Operator.TO_SIGNED: Kind.FP_TO_SBV, Operator.TO_UNSIGNED: Kind.FP_TO_UBV}
_ROUNDINGS: dict[object, RoundingMode] = {
    Rounding.NEAREST_EVEN: RoundingMode.RNE,
    Rounding.NEAREST_AWAY: RoundingMode.RNA,
    Rounding.UP: RoundingMode.RTP,
    Rounding.DOWN: RoundingMode.RTN,
    Rounding.TOWARDS_ZERO: RoundingMode.RTZ,
}


class BitwuzlaTerms:
    """The terms of one table in a term manager of its own."""

    def __init__(self, terms: TermSource) -> None:
        self.manager = bitwuzla.TermManager()
        self.translation: Translation[Handle] = Translation(terms, self._make)
        self._terms = terms
        self._special: dict[Operator, Callable[[Term, Sequence[Handle]], Handle]] = {
            Operator.VALUE: self._value,
            Operator.VARIABLE: self._variable,
            Operator.TABLE: lambda term, _: term.parameter,
            Operator.EXTRACT: self._extract,
            Operator.LOOKUP: self._look_up,
            Operator.ROUND: self._round,
            Operator.FLOAT_FROM_BITS: self._float_from_bits,
        }

    def __del__(self) -> None:
        """Terms must go before their manager. The garbage collector clears both in any order, but calls this first."""
        self.translation.forget()

    def _make(self, term: Term, made: Sequence[Handle]) -> Handle:
        operator, manager = term.operator, self.manager
        kind = _PLAIN.get(operator)
        if kind is not None:
            return manager.mk_term(kind, made)
        special = self._special.get(operator)
        if special is not None:
            return special(term, made)
        if operator in _EXTENSIONS:
            width = self._terms[term.operands[0]].sort.width
            return manager.mk_term(_EXTENSIONS[operator], made, [term.sort.width - width])
        if operator in _TO_INTEGERS:
            towards_zero = manager.mk_rm_value(RoundingMode.RTZ)
            return manager.mk_term(_TO_INTEGERS[operator], [towards_zero, *made], [term.sort.width])
        nearest = manager.mk_rm_value(RoundingMode.RNE)
        if operator in _ROUNDED:
            return manager.mk_term(_ROUNDED[operator], [nearest, *made])
        return manager.mk_term(_CONVERSIONS[operator], [nearest, *made], _shape(term))

    def value(self, width: int, value: int) -> Handle:
        """A constant bit-vector."""
        return self.manager.mk_bv_value(self.manager.mk_bv_sort(width), value)

    def _value(self, term: Term, _: Sequence[Handle]) -> Handle:
        value: Any = term.parameter
        if term.sort.kind is SortKind.BOOL:
            return self.manager.mk_true() if value else self.manager.mk_false()
        return self.value(term.sort.width, value)

    def _variable(self, term: Term, _: Sequence[Handle]) -> Handle:
        return self.manager.mk_const(self.manager.mk_bv_sort(term.sort.width), term.parameter)

    def _extract(self, term: Term, made: Sequence[Handle]) -> Handle:
        low: Any = term.parameter
        return self.manager.mk_term(Kind.BV_EXTRACT, made, [low + term.sort.width - 1, low])

    def _look_up(self, term: Term, made: Sequence[Handle]) -> Handle:
        entries, index = made
        index_width = self._terms[term.operands[1]].sort.width
        return look_up(_Chooser(self, index, index_width, term.sort.width), index_width, entries)

    def _round(self, term: Term, made: Sequence[Handle]) -> Handle:
        mode = self.manager.mk_rm_value(_ROUNDINGS[term.parameter])
        return self.manager.mk_term(Kind.FP_RTI, [mode, *made])

    def _float_from_bits(self, term: Term, made: Sequence[Handle]) -> Handle:
        return self.manager.mk_term(Kind.FP_TO_FP_FROM_BV, made, _shape(term))


class _Chooser(Struct, frozen=True):
    """Makes the diagram of a look-up."""

    terms: BitwuzlaTerms
    index: Handle
    index_width: int
    width: int

    def value(self, entry: int) -> Handle:
        return self.terms.value(self.width, entry)

    def is_set(self, bit: int) -> Handle:
        extracted = self.terms.manager.mk_term(Kind.BV_EXTRACT, [self.index], [bit, bit])
        return self.terms.manager.mk_term(Kind.EQUAL, [extracted, self.terms.value(1, 1)])

    def is_below(self, bound: int) -> Handle:
        return self.terms.manager.mk_term(Kind.BV_ULT, [self.index, self.terms.value(self.index_width, bound)])

    def choose(self, condition: Handle, then: Handle, otherwise: Handle) -> Handle:
        return self.terms.manager.mk_term(Kind.ITE, [condition, then, otherwise])


def _shape(term: Term) -> list[int]:
    shape = FORMATS[term.sort.width]
    return [shape.exponent, shape.significand]


class Stopwatch:
    """bitwuzla's terminator, which it calls some ten thousand times a second: true once a limit struck.

    Counts the CPU time of this thread; the deadline is in time.monotonic. Memory is the most that the process ever had:
    with a memory limit of its own bitwuzla reads a file of /proc at each call. Both are asked of the kernel, which
    takes longer than the call; so it looks once a millisecond.
    """

    def __init__(self, mebibytes: int) -> None:
        """`mebibytes`: what each check may use beyond what the process has."""
        self._mebibytes = mebibytes
        self._end = math.inf
        self._deadline = math.inf
        self._is_stopped: Callable[[], bool] = never
        self._most = math.inf
        self._next_look = -math.inf
        self.struck = False
        self.is_full = False

    def start(self, milliseconds: int, deadline: float, is_stopped: Callable[[], bool] = never) -> None:
        """Before each check, which ends at `deadline` at the latest, or once `is_stopped()`."""
        self._is_stopped = is_stopped
        self._end = thread_time() + milliseconds / 1000
        self._deadline = deadline
        self._most = _peak_memory() + self._mebibytes
        self._next_look = -math.inf
        self.struck = self.is_full = False

    def __call__(self) -> bool:
        now = monotonic()
        if now >= self._next_look:
            self._next_look = now + _SECONDS_PER_LOOK
            is_late = now >= self._deadline or self._is_stopped()
            self.struck = self.struck or thread_time() >= self._end or is_late
            self.is_full = self.is_full or _peak_memory() > self._most
        return self.struck or self.is_full


class _SharedTerms:
    """bitwuzla's terms for the current table, which several ways to run it share."""

    def __init__(self) -> None:
        self._current: BitwuzlaTerms | None = None
        self._terms: TermSource | None = None

    def of(self, terms: TermSource) -> BitwuzlaTerms:
        if self._current is None or self._terms is not terms:
            self._current, self._terms = BitwuzlaTerms(terms), terms
        return self._current


class Bitwuzla:
    """One way to run bitwuzla. It is its own session: one instance serves some queries, one after the other."""

    def __init__(self, settings: Settings, limits: SmtOptions, shared: _SharedTerms) -> None:
        self.name = settings.name
        self.pins = not settings.fresh
        self.taken_in: set[int] = set()
        self._settings = settings
        self._limits = limits
        self._shared = shared
        self._terms: BitwuzlaTerms | None = None
        self._solver: Any = None
        self._asked = 0
        self._stopwatch = Stopwatch(limits.memory_limit)

    def __del__(self) -> None:
        """The instance must go before the manager of its terms, as these."""
        self._solver = None

    def session(self, terms: TermSource) -> Bitwuzla:
        """Drops the instance if it is worn out or of other terms."""
        shared = self._shared.of(terms)
        self._asked += 1
        if self._terms is not shared or self._settings.fresh or self._asked > self._limits.queries_per_solver:
            self._solver = None
        if self._solver is None:
            self._terms = shared
            self._asked = 1
            self.taken_in.clear()
        return self

    def check(self, problem: Problem) -> Checked:
        """Assumptions keep the instance for the next query; a fresh one preprocesses assertions better."""
        assert self._terms is not None, "a session comes first"
        try:
            checked = self._check(problem, self._terms)
        except bitwuzla.BitwuzlaException as error:
            checked = Undecided(str(error))
        if isinstance(checked, Undecided):
            self._solver = None
        return checked

    def _check(self, problem: Problem, terms: BitwuzlaTerms) -> Checked:
        translated = terms.translation
        assumed = {translated[number]: number for number in problem.assumed}
        conditions = [*assumed, *(translated[number] for number in problem.facts)]
        solver = self._instance(terms)
        self._stopwatch.start(problem.milliseconds, problem.end(), problem.is_stopped)
        if self._settings.fresh:
            for condition in conditions:
                solver.assert_formula(condition)
            result = solver.check_sat()
        else:
            result = solver.check_sat(*conditions)
        if result == Result.SAT:
            return Model(self._values(solver, terms, problem.variables))
        if result != Result.UNSAT:
            return self._limit_struck(problem.milliseconds)
        if self._settings.fresh:
            return Refuted()
        return Refuted(frozenset([assumed[each] for each in solver.get_unsat_assumptions() if each in assumed]))

    def _instance(self, terms: BitwuzlaTerms) -> Any:
        if self._solver is None or self._settings.fresh:
            self._solver = bitwuzla.Bitwuzla(terms.manager, _options(self._settings))
            self._solver.configure_terminator(self._stopwatch)
        return self._solver

    def _values(self, solver: Any, terms: BitwuzlaTerms, variables: tuple[Number, ...]) -> tuple[int, ...]:
        """The variables' values, read in one call."""
        if not variables:
            return ()
        handles = [terms.translation[variable] for variable in variables]
        whole = handles[0] if len(handles) == 1 else terms.manager.mk_term(Kind.BV_CONCAT, handles)
        return split(int(solver.get_value(whole).value(16), 16), widths(terms.translation.terms, variables))

    def _limit_struck(self, milliseconds: int) -> Undecided:
        """Which of the limits the last check ran into."""
        if self._stopwatch.struck:
            return Undecided.out_of_time(milliseconds)
        return Undecided(f"memory limit of {self._limits.memory_limit} MiB", by_limit=True)


def _options(settings: Settings) -> bitwuzla.Options:
    values: Mapping[Any, object] = {
        Option.PRODUCE_MODELS: True,
        Option.PRODUCE_UNSAT_ASSUMPTIONS: True,
        Option.PREPROCESS: settings.preprocess,
        Option.ABSTRACTION: settings.abstraction,
        Option.BV_SOLVER: settings.engine,
    }
    options = bitwuzla.Options()
    for option, value in values.items():
        options.set(option, value)
    return options


def _peak_memory() -> int:
    """MiB that this process used at most, shared memory too."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
