"""A solver that somebody else might ship: it tries every value of the variables on veer's terms. Of up to 16 bits.

`offered` installs it as the package "brute", whose entry point says `brute = brute_solver:make`.
"""

from __future__ import annotations

import itertools
import operator
from collections.abc import Callable, Sequence
from pathlib import Path

from veer.smt.protocol import SmtOptions
from veer.smt.term_solver import Checked, Model, Problem, Refuted, TermSolver, Undecided
from veer.smt.terms import Number, Operator, Term, TermSource, cone

_MOST_BITS = 16
_MEANING: dict[Operator, Callable[..., int]] = {
    Operator.NOT: lambda a: not a,
    Operator.AND: operator.and_,
    Operator.OR: operator.or_,
    Operator.XOR: operator.xor,
    Operator.EQUAL: operator.eq,
    Operator.ITE: lambda condition, then, otherwise: then if condition else otherwise,
    Operator.ADD: operator.add,
    Operator.SUB: operator.sub,
    Operator.MUL: operator.mul,
    Operator.BIT_NOT: operator.invert,
    Operator.BIT_AND: operator.and_,
    Operator.BIT_OR: operator.or_,
    Operator.BIT_XOR: operator.xor,
    Operator.ULT: operator.lt,
    Operator.ULE: operator.le,
    Operator.ZERO_EXTEND: lambda a: a,
}


class Brute:
    """The solver, and its own session."""

    name = "brute"
    pins = False

    def __init__(self) -> None:
        self.taken_in: set[int] = set()
        self._terms: TermSource = {}

    def session(self, terms: TermSource) -> Brute:
        self._terms = terms
        self.taken_in = set()
        return self

    def check(self, problem: Problem) -> Checked:
        conditions = (*problem.facts, *problem.assumed)
        widths = [self._terms[variable].sort.width for variable in problem.variables]
        if sum(widths) > _MOST_BITS:
            return Undecided("more than 16 bits")
        below = cone(self._terms, conditions, ())
        for values in itertools.product(*(range(1 << width) for width in widths)):
            known: dict[Number, int] = dict(zip(problem.variables, values, strict=True))
            for number in below:
                if number not in known:
                    term = self._terms[number]
                    if term.operator not in _MEANING and not self._is_known(term):
                        return Undecided(f"the operator {term.operator.name} is new to it")
                    known[number] = self._value(term, [known[each] for each in term.operands])
            if all(known[condition] for condition in conditions):
                return Model(values)
        return Refuted()

    def _is_known(self, term: Term) -> bool:
        return term.operator in (Operator.VALUE, Operator.EXTRACT, Operator.SIGN_EXTEND, Operator.SLT, Operator.SLE)

    def _value(self, term: Term, values: Sequence[int]) -> int:
        mask = (1 << term.sort.width) - 1
        if term.operator is Operator.VALUE:
            return int(term.parameter)  # type: ignore[arg-type]
        if term.operator is Operator.EXTRACT:
            return values[0] >> int(term.parameter) & mask  # type: ignore[arg-type]
        widths = [self._terms[each].sort.width for each in term.operands]
        if term.operator in (Operator.SIGN_EXTEND, Operator.SLT, Operator.SLE):
            values = [value - (value >> (width - 1) << width) for value, width in zip(values, widths, strict=True)]
        if term.operator in (Operator.SLT, Operator.SLE):
            return values[0] < values[1] or (term.operator is Operator.SLE and values[0] == values[1])
        return (values[0] if term.operator is Operator.SIGN_EXTEND else _MEANING[term.operator](*values)) & mask


def make(_: SmtOptions) -> Sequence[TermSolver]:
    return (Brute(),)


def offered(folder: Path) -> Path:
    """The folder, which an installed package "brute" lies in: to be put on sys.path."""
    metadata = folder / "brute-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: brute\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text("[veer.solvers]\nbrute = brute_solver:make\n")
    return folder
