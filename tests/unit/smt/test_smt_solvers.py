"""Solvers by name: lists, names that there are not, one that is not installed, one of another package."""

import math
import sys
import time

import pytest
from smt_dag import ArenaBuilder

from veer.model.errors import UsageError
from veer.smt import apart, registry
from veer.smt.chain import chain
from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.protocol import Query, Sat, SmtOptions, Unknown
from veer.wire.layout import Op


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
    with pytest.raises(UsageError, match=rf"{name} is not installed .*pip install 'veer-test\[{name}\]'"):
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


@pytest.mark.parametrize(("width", "product"), [(8, 251 * 241), (32, 4294967291 * 4294967279)])
def test_z3_has_time_of_the_processor_until_the_deadline(monkeypatch, width, product):
    """A thread that gets no processor: its limit never strikes, the deadline does."""
    pytest.importorskip("z3")
    monkeypatch.setattr(time, "clock_gettime", lambda clock: 0.0)
    builder = ArenaBuilder()
    factors = [builder.make(Op.ZEXT, 64, builder.leaf(width)) for _ in range(2)]
    above_one = [(builder.compare(Op.ULT, builder.constant(64, 1), factor), True) for factor in factors]
    equal = (builder.equals(builder.binary(Op.MUL, *factors), product), True)
    options = SmtOptions(solvers=("z3",), time_limit=1, without=frozenset({"sampling"}))
    solver = chain(builder.arena, ReferenceEvaluator(builder.arena), options)
    deadline = time.monotonic() + 0.2 if width == 32 else math.inf
    answer = solver.solve(Query((*above_one, equal), bytes(8), deadline))
    assert isinstance(answer, Unknown if width == 32 else Sat)


@pytest.mark.parametrize("name", ["bitwuzla", "z3", "cvc5"])
def test_a_signal_ends_a_query_that_may_take_an_hour(name, monkeypatch):
    pytest.importorskip(name)
    monkeypatch.setattr(apart, "_LOOK", 0.001)  # a fast machine answers sooner
    builder = ArenaBuilder()
    factors = [builder.make(Op.ZEXT, 64, builder.leaf(32)) for _ in range(2)]
    above_one = [(builder.compare(Op.ULT, builder.constant(64, 1), factor), True) for factor in factors]
    equal = (builder.equals(builder.binary(Op.MUL, *factors), 4294967291 * 4294967279), True)
    options = SmtOptions(solvers=(name,), time_limit=3_600_000, without=frozenset({"sampling"}))
    solver = chain(builder.arena, ReferenceEvaluator(builder.arena), options)
    answer = solver.solve(Query((*above_one, equal), bytes(8), is_stopped=lambda: True))
    assert isinstance(answer, Unknown)
