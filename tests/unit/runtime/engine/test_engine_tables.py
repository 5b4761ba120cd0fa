"""Tables: kept once, 0 behind their end, and turned round by the ladder exactly."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from engine_fixtures import campaign
from smt_dag import ArenaBuilder

from veer.execution.engine import EngineLibrary, Verdict
from veer.smt.arena import MalformedExpressionError
from veer.smt.evaluate import ReferenceEvaluator
from veer.wire.layout import LeafKind, Op

SQUARES = [k * k % 97 for k in range(200)]


@pytest.fixture
def engine() -> Iterator[EngineLibrary]:
    with campaign() as (library, _):
        yield library


def _leaf(engine: EngineLibrary, width: int) -> int:
    return engine.leaf_expression(engine.leaf(engine.object("i"), 0, width, LeafKind.UNSIGNED))


def _entry_is(engine: EngineLibrary, index: int, value: int) -> int:
    found = engine.expression(Op.LOOKUP, 16, index, engine.table(SQUARES, 16))
    return engine.expression(Op.EQ, 1, found, engine.constant(16, value))


def test_equal_contents_are_one_table(engine: EngineLibrary) -> None:
    first = engine.table(SQUARES, 16)
    assert engine.table(SQUARES, 16) == first
    assert len({first, engine.table(SQUARES[:-1], 16), engine.table(SQUARES, 32)}) == 3


@pytest.mark.parametrize("width", [8, 32])
def test_the_ladder_finds_an_index_or_proves_that_there_is_none(engine: EngineLibrary, width: int) -> None:
    index = _leaf(engine, width)
    for value in range(100):
        answer = engine.ladder([(_entry_is(engine, index, value), True)], bytes(4))
        assert answer.verdict is (Verdict.SAT if value in SQUARES else Verdict.UNSAT), value
        if answer.verdict is Verdict.SAT:
            found = int.from_bytes(answer.input[: width // 8], "little")
            assert (SQUARES[found] if found < len(SQUARES) else 0) == value


def test_behind_the_end_is_zero(engine: EngineLibrary) -> None:
    index = _leaf(engine, 32)
    behind = engine.expression(Op.ULT, 1, engine.constant(32, 199), index)
    assert engine.ladder([(behind, True), (_entry_is(engine, index, 0), False)], b"\xff\0\0\0").verdict is Verdict.UNSAT
    assert engine.ladder([(behind, True), (_entry_is(engine, index, 0), True)], b"\xff\0\0\0").verdict is Verdict.SAT


def test_a_lookup_must_fit_its_table() -> None:
    builder = ArenaBuilder()
    index = builder.leaf(8)
    good = builder.look_up(index, [5, 6, 7], 16)
    assert ReferenceEvaluator(builder.arena).evaluate(good, b"\2") == 7
    builder.arena.check_to(good)
    for width, table in ((8, builder.arena.node(good).b), (16, 0), (16, 1 << 20)):
        wrong = builder.make(Op.LOOKUP, width, index, table)
        with pytest.raises(MalformedExpressionError):
            ReferenceEvaluator(builder.arena).evaluate(wrong, b"\0")
