"""z3: veer's terms as its own, and a fresh solver for every query.

    marker_i → assumed_i, facts        check(markers)

The logic is QF_BV only for a problem without floats: asked for it with floats, z3 gives wrong models without a word.
With floats everything is asserted, for behind markers z3 simplifies nothing and takes a hundred times longer; there is
no core then, and no pins. z3 counts no CPU time: a thread looks at that of the check, and interrupts it (_Watch).

Terms are z3's own handles, made through its C interface (a third of the cost of z3's Python classes). Each is kept as
long as its table; a context is never shared, because z3 aborts when two threads use one.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from threading import Event, Thread, get_ident
from typing import Any, TypeAlias

import z3
from msgspec import Struct
from z3 import z3core

from veer.smt.ieee import FORMATS
from veer.smt.protocol import SmtOptions
from veer.smt.table_terms import look_up
from veer.smt.term_solver import Checked, Model, Problem, Refuted, TermSolver, Undecided
from veer.smt.terms import FloatFinder, Number, Operator, Rounding, Sort, SortKind, Term, TermSource, Translation, bits

Handle: TypeAlias = Any
"""A z3.Ast, of a table its entries."""

_PLAIN: dict[Operator, Callable[..., Handle]] = {
    Operator.NOT: z3core.Z3_mk_not,
    Operator.XOR: z3core.Z3_mk_xor,
    Operator.EQUAL: z3core.Z3_mk_eq,
    Operator.ITE: z3core.Z3_mk_ite,
    Operator.ADD: z3core.Z3_mk_bvadd,
    Operator.SUB: z3core.Z3_mk_bvsub,
    Operator.MUL: z3core.Z3_mk_bvmul,
    Operator.UDIV: z3core.Z3_mk_bvudiv,
    Operator.SDIV: z3core.Z3_mk_bvsdiv,
    Operator.UREM: z3core.Z3_mk_bvurem,
    Operator.SREM: z3core.Z3_mk_bvsrem,
    Operator.BIT_NOT: z3core.Z3_mk_bvnot,
    Operator.BIT_AND: z3core.Z3_mk_bvand,
    Operator.BIT_OR: z3core.Z3_mk_bvor,
    Operator.BIT_XOR: z3core.Z3_mk_bvxor,
    Operator.SHL: z3core.Z3_mk_bvshl,
    Operator.LSHR: z3core.Z3_mk_bvlshr,
    Operator.ASHR: z3core.Z3_mk_bvashr,
    Operator.ULT: z3core.Z3_mk_bvult,
    Operator.ULE: z3core.Z3_mk_bvule,
    Operator.SLT: z3core.Z3_mk_bvslt,
    Operator.SLE: z3core.Z3_mk_bvsle,
    Operator.CONCAT: z3core.Z3_mk_concat,
    Operator.FLOAT_NEG: z3core.Z3_mk_fpa_neg,
    Operator.FLOAT_ABS: z3core.Z3_mk_fpa_abs,
    Operator.FLOAT_EQUAL: z3core.Z3_mk_fpa_eq,
    Operator.FLOAT_LESS: z3core.Z3_mk_fpa_lt,
    Operator.FLOAT_LESS_EQUAL: z3core.Z3_mk_fpa_leq,
    Operator.IS_NAN: z3core.Z3_mk_fpa_is_nan,
}
_OF_MANY = {Operator.AND: z3core.Z3_mk_and, Operator.OR: z3core.Z3_mk_or}
_EXTENSIONS = {Operator.ZERO_EXTEND: z3core.Z3_mk_zero_ext, Operator.SIGN_EXTEND: z3core.Z3_mk_sign_ext}
_ROUNDED = {
    Operator.FLOAT_ADD: z3core.Z3_mk_fpa_add,
    Operator.FLOAT_SUB: z3core.Z3_mk_fpa_sub,
    Operator.FLOAT_MUL: z3core.Z3_mk_fpa_mul,
    Operator.FLOAT_DIV: z3core.Z3_mk_fpa_div,
    Operator.FLOAT_SQRT: z3core.Z3_mk_fpa_sqrt,
    Operator.FLOAT_FMA: z3core.Z3_mk_fpa_fma,
}
_CONVERSIONS = {
    Operator.FLOAT_FROM_FLOAT: z3core.Z3_mk_fpa_to_fp_float,
    Operator.FLOAT_FROM_SIGNED: z3core.Z3_mk_fpa_to_fp_signed,
    Operator.FLOAT_FROM_UNSIGNED: z3core.Z3_mk_fpa_to_fp_unsigned,
}
_TO_INTEGERS = {Operator.TO_SIGNED: z3core.Z3_mk_fpa_to_sbv, Operator.TO_UNSIGNED: z3core.Z3_mk_fpa_to_ubv}
_ROUNDINGS: dict[object, Callable[..., Handle]] = {
    Rounding.NEAREST_EVEN: z3core.Z3_mk_fpa_rne,
    Rounding.NEAREST_AWAY: z3core.Z3_mk_fpa_rna,
    Rounding.UP: z3core.Z3_mk_fpa_rtp,
    Rounding.DOWN: z3core.Z3_mk_fpa_rtn,
    Rounding.TOWARDS_ZERO: z3core.Z3_mk_fpa_rtz,
}


_SECONDS_A_LOOK = 0.01
_SECONDS_TO_A_STOP = 0.1
_MUCH = 256
"""MiB of all contexts, from which on those that nobody needs are looked for."""


def _megabytes() -> int:
    """MiB that all contexts of this process take."""
    return int(z3core.Z3_get_estimated_alloc_size()) >> 20


def make(limits: SmtOptions) -> Sequence[TermSolver]:
    """One way to run z3."""
    return (Z3(limits),)


class Z3Terms:
    """The terms of one table in a context of its own."""

    def __init__(self, terms: TermSource) -> None:
        self.context = z3.Context()
        self.translation: Translation[Handle] = Translation(terms, self._make)
        self.floats = FloatFinder(terms)
        self._ref = self.context.ref()
        self._terms = terms
        self._sorts: dict[Sort, Handle] = {}
        self._special: dict[Operator, Callable[[Term, Sequence[Handle]], Handle]] = {
            Operator.VALUE: self._value,
            Operator.VARIABLE: self._variable,
            Operator.EXTRACT: self._extract,
            Operator.LOOKUP: self._look_up,
            Operator.ROUND: lambda term, made: z3core.Z3_mk_fpa_round_to_integral(
                self._ref, self._rounding(term.parameter), *made
            ),
            Operator.FLOAT_FROM_BITS: lambda term, made: z3core.Z3_mk_fpa_to_fp_bv(
                self._ref, *made, self._sort(term.sort)
            ),
        }

    def condition(self, number: Number) -> z3.BoolRef:
        """A Bool term as z3's Python class, for its solver."""
        return z3.BoolRef(self.translation[number], self.context)

    def number(self, number: Number) -> z3.BitVecRef:
        """A bit-vector as z3's Python class, for its models."""
        return z3.BitVecRef(self.translation[number], self.context)

    def kept(self, term: Handle) -> Handle:
        """The handle, which z3 may not free."""
        z3core.Z3_inc_ref(self._ref, term)
        return term

    def value(self, width: int, value: int) -> Handle:
        """A constant bit-vector."""
        return self.kept(z3core.Z3_mk_numeral(self._ref, str(value), self._sort(bits(width))))

    def plain(self, operator: Operator, *made: Handle) -> Handle:
        """The term of an operator without parameters."""
        return self.kept(_PLAIN[operator](self._ref, *made))

    def bit(self, handle: Handle, bit: int) -> Handle:
        """One bit of a bit-vector."""
        return self.kept(z3core.Z3_mk_extract(self._ref, bit, bit, handle))

    def _make(self, term: Term, made: Sequence[Handle]) -> Handle:
        operator = term.operator
        if operator is Operator.TABLE:
            return term.parameter
        if operator in _PLAIN:
            return self.plain(operator, *made)
        return self.kept(self._make_special(term, made))

    def _make_special(self, term: Term, made: Sequence[Handle]) -> Handle:
        operator = term.operator
        if operator in self._special:
            return self._special[operator](term, made)
        if operator in _OF_MANY:
            return _OF_MANY[operator](self._ref, len(made), (z3.Ast * len(made))(*made))
        if operator in _EXTENSIONS:
            width = self._terms[term.operands[0]].sort.width
            return _EXTENSIONS[operator](self._ref, term.sort.width - width, *made)
        if operator in _TO_INTEGERS:
            towards_zero = self._rounding(Rounding.TOWARDS_ZERO)
            return _TO_INTEGERS[operator](self._ref, towards_zero, *made, term.sort.width)
        nearest = self._rounding(Rounding.NEAREST_EVEN)
        if operator in _ROUNDED:
            return _ROUNDED[operator](self._ref, nearest, *made)
        return _CONVERSIONS[operator](self._ref, nearest, *made, self._sort(term.sort))

    def _value(self, term: Term, _: Sequence[Handle]) -> Handle:
        value: Any = term.parameter
        if term.sort.kind is SortKind.BOOL:
            return z3core.Z3_mk_true(self._ref) if value else z3core.Z3_mk_false(self._ref)
        return z3core.Z3_mk_numeral(self._ref, str(value), self._sort(term.sort))

    def _variable(self, term: Term, _: Sequence[Handle]) -> Handle:
        symbol = z3core.Z3_mk_string_symbol(self._ref, term.parameter)
        return z3core.Z3_mk_const(self._ref, symbol, self._sort(term.sort))

    def _extract(self, term: Term, made: Sequence[Handle]) -> Handle:
        low: Any = term.parameter
        return z3core.Z3_mk_extract(self._ref, low + term.sort.width - 1, low, *made)

    def _look_up(self, term: Term, made: Sequence[Handle]) -> Handle:
        entries, index = made
        index_width = self._terms[term.operands[1]].sort.width
        return look_up(_Chooser(self, index, index_width, term.sort.width), index_width, entries)

    def _rounding(self, mode: object) -> Handle:
        return self.kept(_ROUNDINGS[mode](self._ref))

    def _sort(self, wanted: Sort) -> Handle:
        sort = self._sorts.get(wanted)
        if sort is None:
            if wanted.kind is SortKind.FLOAT:
                shape = FORMATS[wanted.width]
                sort = z3core.Z3_mk_fpa_sort(self._ref, shape.exponent, shape.significand)
            else:
                sort = z3core.Z3_mk_bv_sort(self._ref, wanted.width)
            self._sorts[wanted] = sort
            z3core.Z3_inc_ref(self._ref, z3core.Z3_sort_to_ast(self._ref, sort))
        return sort


class _Chooser(Struct, frozen=True):
    """Makes the diagram of a look-up."""

    terms: Z3Terms
    index: Handle
    index_width: int
    width: int

    def value(self, entry: int) -> Handle:
        return self.terms.value(self.width, entry)

    def is_set(self, bit: int) -> Handle:
        return self.terms.plain(Operator.EQUAL, self.terms.bit(self.index, bit), self.terms.value(1, 1))

    def is_below(self, bound: int) -> Handle:
        return self.terms.plain(Operator.ULT, self.index, self.terms.value(self.index_width, bound))

    def choose(self, condition: Handle, then: Handle, otherwise: Handle) -> Handle:
        return self.terms.plain(Operator.ITE, condition, then, otherwise)


class Z3:
    """z3. A session's conditions stand behind markers, so that a core can name them."""

    name = "z3"

    def __init__(self, limits: SmtOptions) -> None:
        self._limits = limits
        self._terms: Z3Terms | None = None

    def session(self, terms: TermSource) -> _Session:
        """One with a solver of its own."""
        if self._terms is None or self._terms.translation.terms is not terms:
            if _megabytes() > _MUCH:  # of tables that are gone, of which each is a circle
                gc.collect()
            self._terms = Z3Terms(terms)
        return _Session(self._terms, self._limits)


class _Watch:
    """Ends a check of a context once it has had its CPU time, or at the deadline (in time.monotonic).

    z3's own limit is of wall-clock time, by which a loaded machine would make veer less sure. The limit strikes at most
    _SECONDS_A_LOOK too late.
    """

    def __init__(self, context: z3.Context, problem: Problem) -> None:
        self.struck = False
        self._context = context
        self._clock = time.pthread_getcpuclockid(get_ident())
        self._end = time.clock_gettime(self._clock) + problem.milliseconds / 1000
        self._deadline, self._is_stopped = problem.end(), problem.is_stopped
        self._done = Event()
        self._thread = Thread(target=self._look, daemon=True)

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _look(self) -> None:
        """A check cannot have had its CPU time before as much time has passed."""
        while not self._done.wait(min(max(self._left(), _SECONDS_A_LOOK), _SECONDS_TO_A_STOP)):
            if self._left() <= 0 or self._is_stopped():
                self.struck = True
                self._context.interrupt()  # of no check it interrupts nothing

    def _left(self) -> float:
        return min(self._end - time.clock_gettime(self._clock), self._deadline - time.monotonic())


class _Session:
    """One query."""

    def __init__(self, terms: Z3Terms, limits: SmtOptions) -> None:
        self.taken_in: set[int] = set()
        self.pins = True
        self._terms = terms
        self._limits = limits
        self._solver: Any = None
        self._markers: dict[Number, Any] = {}

    def check(self, problem: Problem) -> Checked:
        """Decides a problem; Undecided for a limit and for whatever z3 refuses."""
        try:
            if self._terms.floats.any_below((*problem.facts, *problem.assumed)):
                return self._check_asserted(problem)
            return self._check_marked(problem)
        except z3.Z3Exception as error:
            return Undecided(str(error))

    def _check_marked(self, problem: Problem) -> Checked:
        if self._solver is None:
            self._solver = self._new("QF_BV")
            for fact in problem.facts:
                self._solver.add(self._terms.condition(fact))
        markers = {self._marker(number): number for number in problem.assumed}
        with _Watch(self._terms.context, problem) as watch:
            result = self._solver.check(*(self._markers[number] for number in problem.assumed))
        if result != z3.unsat:
            return self._model(result, self._solver, problem, watch)
        return Refuted(frozenset([markers[str(marker)] for marker in self._solver.unsat_core()]))

    def _check_asserted(self, problem: Problem) -> Checked:
        self.pins = False
        solver = self._new("QF_FPBV")
        for condition in (*problem.assumed, *problem.facts):
            solver.add(self._terms.condition(condition))
        with _Watch(self._terms.context, problem) as watch:
            result = solver.check()
        return Refuted() if result == z3.unsat else self._model(result, solver, problem, watch)

    def _model(self, result: Any, solver: Any, problem: Problem, watch: _Watch) -> Checked:
        if result == z3.sat:
            model = solver.model()
            values = (model.eval(self._terms.number(each), model_completion=True) for each in problem.variables)
            return Model(tuple([value.as_long() for value in values]))
        if watch.struck:
            return Undecided.out_of_time(problem.milliseconds)
        return Undecided(f"z3: {solver.reason_unknown()}", by_limit=True)

    def _new(self, logic: str) -> Any:
        solver = z3.SolverFor(logic, ctx=self._terms.context)
        memory = _megabytes() + self._limits.memory_limit  # z3's limit is one of all its contexts
        solver.set(max_memory=memory, ctrl_c=False)  # Ctrl-C is the campaign's
        return solver

    def _marker(self, number: Number) -> str:
        """The name of a marker of this session: to check with it is to assume the condition."""
        name = f"marker{number}"
        if number not in self._markers:
            marker = self._markers[number] = z3.Bool(name, self._terms.context)
            self._solver.add(z3.Implies(marker, self._terms.condition(number), self._terms.context))
        return name
