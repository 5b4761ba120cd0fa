"""Summaries on paths built by hand: literals over slots, calls folded into callers, sides that no run has taken."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import report_samples as samples
from engine_fixtures import campaign
from report_samples import shown

from veer.execution.engine import EngineLibrary
from veer.model.summaries import FunctionSummary, Summaries
from veer.report.html import render
from veer.search.compositional.activations import Activation, Decision, Value
from veer.search.compositional.terms import Terms
from veer.search.compositional.trie import ConflictError, Tries
from veer.smt.arena import Arena
from veer.store.records import summary
from veer.store.whole import encode
from veer.wire.boundaries import Boundaries
from veer.wire.layout import NONE, Crossing, Kind, Op
from veer.wire.shared import Shared

CALLEE, SITE = 7, 3
RESULT = (int(Crossing.RESULT), 0, 0, 32)


class Fixture:
    """A campaign with two slots of 32 bits, the callee's input and its output, and an input leaf."""

    def __init__(self, engine: EngineLibrary, shared: Shared) -> None:
        shared.region("slots")["width"][:2] = 32
        shared.control(Boundaries).slot_count = 2
        self.engine = engine
        self.terms = Terms(Arena.of(shared), engine)
        self.input, self.output = engine.slot_expression(0), engine.slot_expression(1)
        self.leaf = engine.leaf_expression(engine.leaf(engine.object("x"), 0, 32))
        self.tries = Tries(self.terms)

    def is_positive(self, value: int) -> int:
        """0 < the term, signed."""
        return self.engine.expression(Op.SLT, 1, self.engine.constant(32, 0), value)

    def call(self, *, holds: bool, term: int) -> Activation:
        """if (x > 0) return 1; return 0; called with the term, in a run in which that holds or not."""
        activation = Activation(CALLEE, inputs=[Value(self.input, term, 0, 32)], is_finished=True)
        literal = self.is_positive(self.input)
        activation.steps.append(Decision(int(Kind.BRANCH), literal, SITE, 2, 0, int(holds)))
        activation.outputs[RESULT] = Value(self.output, 0, int(holds), 32)
        return activation

    def run(self, *, holds: bool, after: bool | None = None) -> Activation:
        """The call, and what the caller decides about its result."""
        root = Activation(NONE, steps=[self.call(holds=holds, term=self.leaf)])
        if after is not None:
            literal = self.engine.expression(Op.EQ, 1, self.output, self.engine.constant(32, 1))
            root.steps.append(Decision(int(Kind.BRANCH), literal, SITE + 1, 2, 0, int(after)))
        return root

    def add(self, activation: Activation) -> None:
        """Adds a path of a function, and those of its calls."""
        for step in activation.steps:
            if isinstance(step, Activation):
                self.add(step)
        for _ in self.tries.of(activation).follow(activation, b""):
            pass


@pytest.fixture(name="paths")
def _paths() -> Iterator[Fixture]:
    with campaign() as (engine, shared):
        yield Fixture(engine, shared)


def test_slots_are_replaced_everywhere_and_simplified(paths: Fixture) -> None:
    five = paths.engine.constant(32, 5)
    literal = paths.is_positive(paths.engine.expression(Op.ADD, 32, paths.input, five))
    assert paths.terms.has_slots(literal)
    assert paths.terms.substitute(literal, {paths.input: five}, {}) == paths.terms.true
    replaced = paths.terms.substitute(literal, {paths.input: paths.leaf}, {})
    assert replaced == paths.is_positive(paths.engine.expression(Op.ADD, 32, paths.leaf, five))
    assert not paths.terms.has_slots(replaced)


def test_every_and_some_have_their_neutral_terms(paths: Fixture) -> None:
    terms, literal = paths.terms, paths.is_positive(paths.leaf)
    assert terms.every(()) == terms.true
    assert terms.some(()) == terms.false
    assert terms.every((terms.true, literal)) == literal
    assert terms.every((literal, terms.negation(literal))) == terms.false
    assert terms.some((terms.false, literal, literal)) == literal
    assert terms.some((literal, terms.true)) == terms.true


def test_a_summary_is_folded_into_the_caller(paths: Fixture) -> None:
    """Section 3.1: (x > 0 and ret = 1) or (x <= 0 and ret = 0)."""
    for holds in (True, False):
        paths.add(paths.run(holds=holds))
    callee = paths.tries.of(paths.call(holds=True, term=paths.leaf))
    assert callee.paths == 2
    (case,) = callee.cases()
    assert case.conditions == (paths.terms.true,), "one of both paths returns"
    one, zero = paths.engine.constant(32, 1), paths.engine.constant(32, 0)
    assert case.values[RESULT] == paths.terms.choice(paths.is_positive(paths.input), one, zero)
    caller = paths.tries.of(Activation(NONE))
    (group,) = caller.groups(caller.root).values()
    assert group.condition == paths.terms.true, "one of both paths returns"
    for number, expected in ((7, 1), (-7 % 2**32, 0)):
        assert paths.engine.evaluate(group.values[RESULT], number.to_bytes(4, "little")) == expected


def test_a_side_behind_a_call_is_a_condition_on_the_callers_input(paths: Fixture) -> None:
    paths.add(paths.run(holds=True, after=True))
    caller = paths.tries.of(Activation(NONE))
    (node,) = caller.root.children.values()
    (side,) = caller.sides(node)
    assert side.key == 0
    assert paths.terms.false in (*side.conditions, side.target), "the only path that is known gives 1"
    other = paths.call(holds=False, term=paths.leaf)
    paths.add(other)
    (side,) = caller.sides(node)
    assert side.target == paths.terms.negation(paths.is_positive(paths.leaf))


def test_a_run_that_decides_something_else_is_a_conflict(paths: Fixture) -> None:
    paths.add(paths.run(holds=True, after=True))
    other = paths.run(holds=True, after=True)
    other.steps[1] = Decision(int(Kind.BRANCH), paths.is_positive(paths.leaf), SITE + 1, 2, 0, 1)
    with pytest.raises(ConflictError):
        paths.add(other)


def test_reports_tell_what_became_of_the_functions() -> None:
    made = FunctionSummary("is_small", "a.c", 3, runs=4, paths=6, shapes=2, made=2, used=5)
    refused = FunctionSummary("make", "a.c", 9, 0, 0, 0, 0, 0, "it allocates or frees memory")
    result = samples.full(summaries=Summaries((made, refused), repeated=3))
    text = shown(result)
    assert "is_small: 6 paths in 4 runs for 2 states at its entry; 2 summaries" in text
    assert "make: not summarised: it allocates or frees memory" in text
    assert "3 runs more to learn what the functions use" in text
    assert "it allocates or frees memory" in render(result)
    record = summary(result).compositional
    assert record is not None
    assert [(each.name, each.refused) for each in record.functions] == [
        ("is_small", ""),
        ("make", "it allocates or frees memory"),
    ]
    assert b'"used":5' in encode(result)
