"""Enumeration goes through the values that differ in bits which matter, and is exact all the same."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest
from engine_fixtures import campaign

from veer.execution.engine import EngineLibrary, Verdict
from veer.wire.layout import Op

WIDTH = 24


@pytest.fixture
def engine() -> Iterator[EngineLibrary]:
    with campaign() as (library, _):
        yield library


def hold(engine: EngineLibrary) -> int:
    """Three bytes of input side by side, the first one lowest: what a decoder keeps its bits in."""
    thing = engine.object("x")
    first, second, third = (engine.leaf_expression(engine.leaf(thing, 8 * place, 8)) for place in range(3))
    return engine.expression(Op.CONCAT, WIDTH, third, engine.expression(Op.CONCAT, 16, second, first))


def part(engine: EngineLibrary, chance: random.Random, bits: int) -> int:
    """Few of the bits, through the operators that pass some of them on alone, at 8 bits."""
    low = chance.randrange(WIDTH - 8)
    kind = chance.randrange(5)
    if kind == 0:
        return engine.expression(Op.ZEXT, 8, engine.expression(Op.EXTRACT, 3, bits, low))
    if kind == 1:
        few = engine.expression(Op.AND, WIDTH, bits, engine.constant(WIDTH, 5 << low))
        return engine.expression(Op.EXTRACT, 8, few, low)
    if kind == 2:
        moved = engine.expression(Op.LSHR, WIDTH, bits, engine.constant(WIDTH, low))
        return engine.expression(Op.AND, 8, engine.expression(Op.EXTRACT, 8, moved), engine.constant(8, 3))
    if kind == 3:
        other = engine.expression(Op.EXTRACT, 2, bits, low + 3)
        both = engine.expression(Op.XOR, 2, engine.expression(Op.EXTRACT, 2, bits, low), other)
        return engine.expression(Op.SEXT, 8, both)
    flipped = engine.expression(Op.OR, 8, engine.expression(Op.EXTRACT, 8, bits, low), engine.constant(8, 0xF3))
    return engine.expression(Op.ADD, 8, flipped, engine.constant(8, 1))


def literal(engine: EngineLibrary, chance: random.Random, bits: int) -> int:
    """A comparison of a sum of two parts."""
    total = engine.expression(Op.ADD, 8, part(engine, chance, bits), part(engine, chance, bits))
    op = chance.choice((Op.EQ, Op.ULT, Op.SLT))
    return engine.expression(op, 1, total, engine.constant(8, chance.randrange(12)))


@pytest.mark.parametrize("seed", range(6))
def test_few_bits_of_several_bytes_are_enumerated_exactly(engine: EngineLibrary, seed: int) -> None:
    chance = random.Random(seed)
    bits = hold(engine)
    samples = [bytes(values) for values in itertools.product(range(0, 256, 17), repeat=3)]
    answers = dict.fromkeys(Verdict, 0)
    for _ in range(40):
        parent = bytes(chance.randrange(256) for _ in range(3))
        chosen = [literal(engine, chance, bits) for _ in range(chance.randrange(1, 3))]
        literals = [(known, engine.evaluate(known, parent) == 1) for known in chosen]
        literals[-1] = (literals[-1][0], not literals[-1][1])
        answer = engine.ladder(literals, parent)
        answers[answer.verdict] += 1
        if answer.verdict is Verdict.SAT:
            assert all((engine.evaluate(known, answer.input) == 1) == want for known, want in literals)
        elif answer.verdict is Verdict.UNSAT:
            random_inputs = [bytes(chance.randrange(256) for _ in range(3)) for _ in range(500)]
            for data in chance.sample(samples, 500) + random_inputs:
                assert not all((engine.evaluate(known, data) == 1) == want for known, want in literals)
    assert answers[Verdict.UNSAT] > 2
    assert answers[Verdict.UNKNOWN] < 12
