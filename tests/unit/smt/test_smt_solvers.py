"""Solvers by name: lists, names that there are not, one that is not installed, one of another package."""

import sys

import pytest
from smt_dag import ArenaBuilder

from veer.model.errors import UsageError
from veer.smt import registry
from veer.smt.chain import chain
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.protocol import Query, Sat, SmtOptions


def test_a_list_of_solvers_keeps_its_order():
    assert registry.chosen("bitwuzla") == ("bitwuzla",)
    assert registry.chosen("z3, bitwuzla,z3") == ("z3", "bitwuzla")


@pytest.mark.parametrize("text", ["", "Z3", "bitwuzla,", "bitwuzla,yices"])
def test_a_solver_that_there_is_not(text):
    with pytest.raises(UsageError, match="known are bitwuzla, cvc5, z3"):
        registry.chosen(text)


@pytest.mark.parametrize("name", ["z3", "cvc5"])
def test_a_solver_that_is_not_installed(monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"veer.smt.solvers.{name}", raising=False)
    assert registry.chosen("bitwuzla") == ("bitwuzla",)
    with pytest.raises(UsageError, match=rf"{name} is not installed .*pip install 'veer\[{name}\]'"):
        registry.chosen(f"bitwuzla,{name}")


@pytest.mark.parametrize("first", ["bitwuzla", "z3", "cvc5"])
def test_the_first_of_the_list_answers(first):
    builder = ArenaBuilder()
    literal = (builder.equals(builder.leaf(8), 7), True)
    options = SmtOptions(solvers=(first, "z3", "bitwuzla"))
    answer = chain(builder.arena, ReferenceEvaluator(builder.arena), options).solve(Query((literal,), b""))
    assert answer == Sat(b"\x07", first)


def test_what_other_campaigns_took_of_memory_does_not_count():
    z3 = pytest.importorskip("z3")
    others = [z3.Context() for _ in range(5)]
    least = z3.z3core.Z3_get_estimated_alloc_size() >> 20
    assert least > 40, "contexts became smaller: more of them are needed"
    builder = ArenaBuilder()
    literal = (builder.equals(builder.leaf(8), 7), True)
    options = SmtOptions(solvers=("z3",), memory_limit=40)
    answer = chain(builder.arena, ReferenceEvaluator(builder.arena), options).solve(Query((literal,), b""))
    assert answer == Sat(b"\x07", "z3") and others
