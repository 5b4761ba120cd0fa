"""Solvers by name: lists, names that there are not, one that is not installed."""

import pytest
from smt_dag import ArenaBuilder

from veer.model.errors import UsageError
from veer.smt import solvers
from veer.smt.chain import chain
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.protocol import Query, Sat, SmtOptions


def test_a_list_of_solvers_keeps_its_order():
    assert solvers.chosen("bitwuzla") == ("bitwuzla",)
    assert solvers.chosen("z3, bitwuzla,z3") == ("z3", "bitwuzla")


@pytest.mark.parametrize("text", ["", "Z3", "bitwuzla,", "bitwuzla,cvc5"])
def test_a_solver_that_there_is_not(text):
    with pytest.raises(UsageError, match="known are bitwuzla, z3"):
        solvers.chosen(text)


def test_a_solver_that_is_not_installed(monkeypatch):
    monkeypatch.setattr(solvers, "find_spec", lambda name: None if name == "z3" else object())
    assert solvers.chosen("bitwuzla") == ("bitwuzla",)
    with pytest.raises(UsageError, match=r"pip install 'veer\[z3\]'"):
        solvers.chosen("bitwuzla,z3")


@pytest.mark.parametrize("first", ["bitwuzla", "z3"])
def test_the_first_of_the_list_answers(first):
    builder = ArenaBuilder()
    literal = (builder.equals(builder.leaf(8), 7), True)
    options = SmtOptions(solvers=(first, "z3", "bitwuzla"))
    answer = chain(builder.arena, ReferenceEvaluator(builder.arena), options).solve(Query((literal,), b""))
    assert answer == Sat(b"\x07", first)
