"""veer's own terms: the closed language in which every solver is asked, and the table in which each term is once.

    number   operator       sort        operands   parameter
       0     VARIABLE       bits 8                 "leaf3"
       1     VALUE          bits 8                 7
       2     ADD            bits 8      0 1
       3     ULT            Bool        2 1                       the Bool term  leaf3 + 7 < 7

A term is named by its number; operands have smaller numbers, so ascending numbers are a topological order, and a
solver that makes its own terms in this order gets those of a before those of b. Operators mean what SMT-LIB's
operators of the same name mean (bit-vectors, floats of 32 and 64 bits); LOOKUP reads a constant table. `formulas.py`
makes the terms of expressions; `solvers/` has one translation for each solver.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from enum import IntEnum, auto
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

Number: TypeAlias = int
"""Names a term of one table."""

Handle = TypeVar("Handle")


class SortKind(IntEnum):
    """What a term is."""

    BOOL = auto()
    BITS = auto()
    FLOAT = auto()
    TABLE = auto()


class Sort(NamedTuple):
    """A kind and its width in bits: of a bit-vector 1 to 128, of a float 32 or 64, of a table's entries 8 to 64."""

    kind: SortKind
    width: int


class Rounding(IntEnum):
    """How ROUND makes an integer of a float."""

    NEAREST_EVEN = auto()
    NEAREST_AWAY = auto()
    UP = auto()
    DOWN = auto()
    TOWARDS_ZERO = auto()


class Operator(IntEnum):
    """All operators. In brackets: operands, then the parameter. Float arithmetic rounds to nearest, ties to even."""

    VALUE = auto()  # (; unsigned integer) of a Bool: 0 or 1
    VARIABLE = auto()  # (; name)
    TABLE = auto()  # (; tuple of unsigned entries)

    NOT = auto()  # Bools
    AND = auto()
    OR = auto()
    XOR = auto()

    EQUAL = auto()  # of any sort but tables; of floats: all NaNs are one, zeros are two
    ITE = auto()  # (Bool, then, else)

    ADD = auto()  # bit-vectors of one width
    SUB = auto()
    MUL = auto()
    UDIV = auto()
    SDIV = auto()
    UREM = auto()
    SREM = auto()
    BIT_NOT = auto()
    BIT_AND = auto()
    BIT_OR = auto()
    BIT_XOR = auto()
    SHL = auto()
    LSHR = auto()
    ASHR = auto()
    ULT = auto()
    ULE = auto()
    SLT = auto()
    SLE = auto()
    CONCAT = auto()  # (high, low)
    EXTRACT = auto()  # (bits; lowest bit) as many as the sort has
    ZERO_EXTEND = auto()  # (bits) to the width of the sort
    SIGN_EXTEND = auto()
    LOOKUP = auto()  # (table, index) the entry, 0 behind the table's end

    FLOAT_ADD = auto()  # floats of one width
    FLOAT_SUB = auto()
    FLOAT_MUL = auto()
    FLOAT_DIV = auto()
    FLOAT_SQRT = auto()
    FLOAT_FMA = auto()  # (a, b, c) a * b + c, rounded once
    FLOAT_NEG = auto()
    FLOAT_ABS = auto()
    ROUND = auto()  # (float; Rounding) the integer, as a float
    FLOAT_EQUAL = auto()  # as IEEE 754 compares: a NaN equals nothing, the zeros are equal
    FLOAT_LESS = auto()
    FLOAT_LESS_EQUAL = auto()
    IS_NAN = auto()
    FLOAT_FROM_BITS = auto()  # (bits of the same width)
    FLOAT_FROM_FLOAT = auto()
    FLOAT_FROM_SIGNED = auto()  # (bits)
    FLOAT_FROM_UNSIGNED = auto()
    TO_SIGNED = auto()  # (float) towards zero; out of range any bits
    TO_UNSIGNED = auto()


Parameter: TypeAlias = int | str | tuple[int, ...] | None


class Term(NamedTuple):
    """One operator over earlier terms."""

    operator: Operator
    sort: Sort
    operands: tuple[Number, ...]
    parameter: Parameter


class TermSource(Protocol):
    """A table of terms, or a part of one that was sent to another process."""

    def __getitem__(self, number: Number, /) -> Term:
        """The term of a number."""
        ...


BOOL = Sort(SortKind.BOOL, 1)
FLOATS = {width: Sort(SortKind.FLOAT, width) for width in (32, 64)}
_MOST_BITS = 128
_BITS = tuple(Sort(SortKind.BITS, width) for width in range(_MOST_BITS + 1))


def bits(width: int) -> Sort:
    """The sort of bit-vectors of 1 to 128 bits."""
    return _BITS[width]


class Terms:
    """A table of terms, each once. It only grows; whoever wants less begins a new one."""

    def __init__(self) -> None:
        self._terms: list[Term] = []
        self._numbers: dict[Term, Number] = {}

    def __len__(self) -> int:
        """How many terms there are."""
        return len(self._terms)

    def __getitem__(self, number: Number) -> Term:
        """The term of a number."""
        return self._terms[number]

    def make(
        self, operator: Operator, sort: Sort, operands: tuple[Number, ...] = (), parameter: Parameter = None
    ) -> Number:
        """The term of an operator. That sorts fit is the caller's to know: `views.widths_fit` looks at expressions."""
        term = Term(operator, sort, operands, parameter)
        number = self._numbers.get(term)
        if number is None:
            number = self._numbers[term] = len(self._terms)
            self._terms.append(term)
        return number

    def value(self, width: int, value: int) -> Number:
        """A constant bit-vector, from its unsigned value."""
        return self.make(Operator.VALUE, _BITS[width], (), value)

    def truth(self, value: bool) -> Number:  # noqa: FBT001 - the Bool constant's value is a bool
        """A constant Bool."""
        return self.make(Operator.VALUE, BOOL, (), int(value))

    def variable(self, width: int, name: str) -> Number:
        """A bit-vector variable; another of the same name and width is the same."""
        return self.make(Operator.VARIABLE, _BITS[width], (), name)

    def table(self, width: int, entries: tuple[int, ...]) -> Number:
        """A constant table of unsigned entries."""
        return self.make(Operator.TABLE, Sort(SortKind.TABLE, width), (), entries)


class Translation(Generic[Handle]):
    """A solver's own terms for veer's, each made once, in ascending order of numbers.

    `make` gets a term and the handles of its operands.
    """

    def __init__(self, terms: TermSource, make: Callable[[Term, Sequence[Handle]], Handle]) -> None:
        self.terms = terms
        self._make = make
        self._made: dict[Number, Handle] = {}

    def __getitem__(self, number: Number) -> Handle:
        """The solver's term."""
        made = self._made
        if number not in made:
            terms, make = self.terms, self._make
            for each in cone(terms, (number,), made):
                term = terms[each]
                made[each] = make(term, [made[operand] for operand in term.operands])
        return made[number]

    def forget(self) -> None:
        """Drops all handles."""
        self._made.clear()


def cone(terms: TermSource, numbers: Sequence[Number], known: Container[Number]) -> list[Number]:
    """What terms are made of, themselves included, in topological order; without what is known and what is below."""
    missing: set[Number] = set()
    waiting = list(numbers)
    while waiting:
        number = waiting.pop()
        if number not in missing and number not in known:
            missing.add(number)
            waiting.extend(terms[number].operands)
    return sorted(missing)


class FloatFinder:
    """Knows which terms of a table have floats below: some solvers want other treatment for these."""

    def __init__(self, terms: TermSource) -> None:
        self._terms = terms
        self._without: set[Number] = set()

    def any_below(self, numbers: Sequence[Number]) -> bool:
        """Whether a float is below any of these terms."""
        below = cone(self._terms, numbers, self._without)
        if any(self._terms[each].sort.kind is SortKind.FLOAT for each in below):
            return True
        self._without.update(below)
        return False
