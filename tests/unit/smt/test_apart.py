"""A solver in a process of its own: what it says, and what becomes of one that hangs or dies, and of a fork."""

from __future__ import annotations

import math
import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from veer.smt.apart import Apart
from veer.smt.protocol import SmtOptions
from veer.smt.term_solver import Checked, Model, Problem, Refuted, TermSolver, Undecided
from veer.smt.terms import BOOL, Number, Operator, Terms, TermSource

ENDLESS, DEADLY, GREEDY = 11, 12, 13


class Odd:
    """Says how many terms it got and the process that it is in; some values make it hang, die, or take all memory."""

    name = "odd"
    pins = True

    def __init__(self) -> None:
        self.taken_in: set[int] = set()
        self._terms: TermSource = {}
        self._sessions = 0

    def session(self, terms: TermSource) -> Odd:
        self._terms = terms
        self._sessions += 1
        return self

    def check(self, problem: Problem) -> Checked:
        value = self._terms[problem.assumed[0]].parameter
        while value == ENDLESS:
            pass
        if value == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        if value == GREEDY:
            return Model((len(bytearray(1 << 32)),))
        return Model((os.getpid(), self._sessions))


def make(_: SmtOptions) -> Sequence[TermSolver]:
    return (Odd(),)


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> Apart:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent))
    return Apart("odd", "test_apart:make", SmtOptions(memory_limit=512))


def _problem(terms: Terms, value: int, milliseconds: int = 20_000) -> Problem:
    return Problem((), (terms.value(8, value),), (), milliseconds, math.inf)


def _said(answer: Checked) -> tuple[int, ...]:
    assert isinstance(answer, Model)
    return answer.values


def test_one_process_serves_all_queries(apart: Apart) -> None:
    terms, others = Terms(), Terms()
    session = apart.session(terms)
    process, sessions = _said(session.check(_problem(terms, 1)))
    assert process != os.getpid() and sessions == 1 and session.pins
    assert _said(session.check(_problem(terms, 1))) == (process, 1)
    assert _said(apart.session(terms).check(_problem(terms, 2))) == (process, 2)
    assert _said(apart.session(others).check(_problem(others, 3))) == (process, 3)


def test_one_that_does_not_end_is_ended(apart: Apart) -> None:
    terms = Terms()
    session = apart.session(terms)
    process, _ = _said(session.check(_problem(terms, 1)))
    assert session.check(_problem(terms, ENDLESS, 20)) == Undecided.out_of_time(20)
    with pytest.raises(ProcessLookupError):
        os.kill(process, 0)
    assert _said(session.check(_problem(terms, 1)))[0] != process


@pytest.mark.parametrize("value", [DEADLY, GREEDY])
def test_one_that_dies_does_not_know(apart: Apart, value: int) -> None:
    terms = Terms()
    answer = apart.session(terms).check(_problem(terms, value))
    assert isinstance(answer, Undecided) and answer.by_limit and "ended by itself" in answer.reason
    assert isinstance(apart.session(terms).check(_problem(terms, 1)), Model)


def test_a_fork_has_a_process_of_its_own(apart: Apart) -> None:
    terms = Terms()
    process, _ = _said(apart.session(terms).check(_problem(terms, 1)))
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        other, sessions = _said(apart.session(terms).check(_problem(terms, 1)))
        os.write(writer, b"other" if (other, sessions) != (process, 2) and sessions == 1 else b"same")
        apart.end()
        os._exit(0)
    assert os.read(reader, 5) == b"other"
    os.waitpid(child, 0)  # no other child's end is taken: others wait for theirs
    assert _said(apart.session(terms).check(_problem(terms, 1))) == (process, 2)


def test_cvc5_says_what_it_says_here_too() -> None:
    cvc5 = pytest.importorskip("veer.smt.solvers.cvc5")
    terms = Terms()
    x = terms.variable(8, "x")
    square = terms.make(Operator.MUL, terms[x].sort, (x, x))
    small = terms.make(Operator.ULT, BOOL, (x, terms.value(8, 16)))
    is_49, is_3 = (terms.make(Operator.EQUAL, BOOL, (square, terms.value(8, value))) for value in (49, 3))
    for way in (cvc5.make, cvc5.make_here):
        session = way(SmtOptions())[0].session(terms)
        assert session.check(_of(is_49, small, x)) == Model((7,))
        refuted = session.check(_of(is_3, small, x))
        assert isinstance(refuted, Refuted) and is_3 in refuted.core <= {is_3, small}


def _of(first: Number, second: Number, variable: Number) -> Problem:
    return Problem((), (first, second), (variable,), 20_000, math.inf)
