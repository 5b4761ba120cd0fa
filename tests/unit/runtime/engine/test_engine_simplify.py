"""Simplified expressions have the value of what was written, under every input tried; the rules that matter apply."""

from __future__ import annotations

import math
import random
import struct
from collections.abc import Iterator

import pytest
from engine_fixtures import Mirror, campaign
from random_dags import DagMaker, edge_value

from veer.execution.engine import EngineLibrary
from veer.smt.evaluate import ReferenceEvaluator
from veer.wire.layout import LeafKind, Op
from veer.wire.shared import Shared


@pytest.fixture
def engine() -> Iterator[EngineLibrary]:
    with campaign() as (library, _):
        yield library


def random_input(chance: random.Random, widths: list[int]) -> bytes:
    """Bytes of one value for each leaf."""
    return b"".join(edge_value(chance, width).to_bytes((width + 7) // 8, "little") for width in widths)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("floats", [False, True], ids=["integers", "floats"])
def test_random_expressions_keep_their_value(engine: EngineLibrary, seed: int, floats: bool) -> None:
    chance = random.Random(seed)
    widths = [chance.choice((1, 7, 8, 8, 16, 32, 32, 64)) for _ in range(5)]
    mirror = Mirror(engine)
    leaves = [mirror.leaf(width) for width in widths]
    maker = DagMaker(mirror.dag, chance, leaves, floats=floats)
    maker.grow(250)
    pairs = [(expression, mirror.native(expression)) for expression in maker.pool]
    assert all(native for _, native in pairs)
    for _ in range(12):
        data = random_input(chance, widths)
        reference = ReferenceEvaluator(mirror.dag.arena)
        for expression, native in pairs:
            assert engine.evaluate(native, data) == reference.evaluate(expression, data), mirror.dag.arena.node(
                expression
            )


@pytest.mark.parametrize("seed", range(8))
def test_small_expressions_with_small_constants_keep_their_value(engine: EngineLibrary, seed: int) -> None:
    """Shallow expressions meet the rules for constants far more often than deep ones."""
    chance = random.Random(1000 + seed)
    mirror = Mirror(engine)
    widths = [8, 8, 16, 32]
    leaves = [mirror.leaf(width) for width in widths]
    inputs = [random_input(chance, widths) for _ in range(16)]
    references = [ReferenceEvaluator(mirror.dag.arena) for _ in inputs]
    for _ in range(150):
        maker = DagMaker(mirror.dag, chance, leaves)
        maker.grow(5)
        for expression in maker.pool[len(leaves) :]:
            native = mirror.native(expression)
            for data, reference in zip(inputs, references, strict=True):
                assert engine.evaluate(native, data) == reference.evaluate(expression, data), mirror.dag.arena.node(
                    expression
                )


def shared_terms(mirror: Mirror, x: int, y: int, truth: int, other: int) -> list[int]:
    """Expressions whose parts have something in common, so that rules about them apply."""
    dag = mirror.dag

    def number(value: int) -> int:
        return dag.constant(8, value)

    choice = dag.make(Op.ITE, 8, truth, number(5), number(9))
    not_truth, not_other = dag.make(Op.NOT, 1, truth), dag.make(Op.NOT, 1, other)
    wide_x, wide_y = dag.make(Op.SEXT, 16, x), dag.make(Op.SEXT, 16, y)
    return [
        dag.binary(Op.ADD, dag.binary(Op.SUB, x, y), y),
        dag.binary(Op.ADD, y, dag.binary(Op.SUB, x, y)),
        dag.binary(Op.SUB, dag.binary(Op.ADD, x, y), x),
        dag.binary(Op.SUB, dag.binary(Op.ADD, x, y), y),
        dag.binary(Op.SUB, x, dag.binary(Op.SUB, number(0), y)),
        dag.binary(Op.SUB, dag.binary(Op.ADD, x, number(7)), dag.binary(Op.ADD, y, number(3))),
        dag.binary(Op.AND, truth, not_truth),
        dag.binary(Op.OR, not_truth, truth),
        dag.binary(Op.XOR, truth, not_truth),
        *(dag.equals(dag.make(Op.CONCAT, 16, number(3), x), value) for value in (0x310, 0x410)),
        *(dag.equals(dag.make(Op.CONCAT, 16, x, number(3)), value) for value in (0x1003, 0x1004)),
        *(dag.equals(choice, value) for value in (5, 9, 6)),
        *(dag.equals(dag.binary(Op.OR, x, number(3)), value) for value in (7, 4)),
        dag.compare(Op.EQ, dag.binary(Op.ADD, x, number(3)), dag.binary(Op.ADD, y, number(3))),
        dag.compare(Op.EQ, dag.binary(Op.XOR, x, number(3)), dag.binary(Op.XOR, y, number(3))),
        dag.compare(Op.EQ, dag.binary(Op.ADD, x, number(3)), x),
        dag.compare(Op.EQ, not_truth, not_other),
        *(dag.compare(op, wide_x, wide_y) for op in (Op.SLT, Op.ULT, Op.SLE, Op.ULE, Op.EQ)),
        *(dag.compare(op, truth, other) for op in (Op.SLT, Op.ULT, Op.SLE, Op.ULE, Op.EQ)),
        dag.make(Op.EXTRACT, 1, wide_x, 12),
    ]


def test_expressions_with_common_parts_keep_their_value(engine: EngineLibrary) -> None:
    mirror = Mirror(engine)
    x, y, a, b = mirror.leaf(8), mirror.leaf(8), mirror.leaf(8), mirror.leaf(8)
    truth, other = (mirror.dag.equals(leaf, 1) for leaf in (a, b))
    pairs = [(term, mirror.native(term)) for term in shared_terms(mirror, x, y, truth, other)]
    edges = (0, 1, 2, 3, 4, 16, 127, 128, 253, 255)
    for data in (bytes((p, q, r, s)) for p in edges for q in edges for r in (0, 1) for s in (0, 1)):
        reference = ReferenceEvaluator(mirror.dag.arena)
        for term, native in pairs:
            assert engine.evaluate(native, data) == reference.evaluate(term, data), mirror.dag.arena.node(term)


def test_remainders_of_floats_are_exact(engine: EngineLibrary) -> None:
    chance = random.Random(1)
    thing = engine.object("x")
    x, y = (engine.leaf_expression(engine.leaf(thing, offset, 64, LeafKind.FLOAT)) for offset in (0, 8))
    remainder = engine.expression(Op.FREM, 64, x, y)
    for _ in range(3000):
        bits = [edge_value(chance, 64) for _ in range(2)]
        data = struct.pack("<QQ", *bits)
        a, b = struct.unpack("<dd", data)
        got = struct.unpack("<d", struct.pack("<Q", engine.evaluate(remainder, data)))[0]
        if math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0:
            assert math.isnan(got)
        else:
            assert struct.pack("<d", got) == struct.pack("<d", math.fmod(a, b)), (a, b)


def edge_float(chance: random.Random, width: int) -> int:
    """Bits of a number, an infinity or a NaN; powers of two often, those of the least and greatest exponent too."""
    if chance.random() < 0.4:
        return edge_value(chance, width)
    fraction_bits, exponent_bits = (52, 11) if width == 64 else (23, 8)
    greatest = (1 << exponent_bits) - 1
    exponent = chance.choice((0, 1, 2, chance.getrandbits(exponent_bits), greatest - 2, greatest - 1, greatest))
    return (chance.getrandbits(1) << exponent_bits | exponent) << fraction_bits


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("op", [Op.FADD, Op.FMUL, Op.FDIV])
def test_floats_with_a_constant_keep_every_bit(engine: EngineLibrary, op: Op, width: int) -> None:
    chance = random.Random(width + op)
    mirror = Mirror(engine)
    x = mirror.leaf(width)
    values = [edge_float(chance, width) for _ in range(40)]
    for constant in (mirror.dag.constant(width, value) for value in values):
        for term in (mirror.dag.make(op, width, x, constant), mirror.dag.make(op, width, constant, x)):
            native = mirror.native(term)
            for value in values:
                data = value.to_bytes(width // 8, "little")
                expected = ReferenceEvaluator(mirror.dag.arena).evaluate(term, data)
                assert engine.evaluate(native, data) == expected, (mirror.dag.arena.node(term), hex(value))


@pytest.mark.parametrize(("width", "two", "half"), [(64, 2.0, 0.5), (32, -1024.0, -1 / 1024)])
def test_a_division_by_a_power_of_two_is_a_product(engine: EngineLibrary, width: int, two: float, half: float) -> None:
    x = make_leaf(engine, width)
    bits = {value: int.from_bytes(struct.pack("<d" if width == 64 else "<f", value), "little") for value in (two, half)}
    constants = {value: engine.constant(width, each) for value, each in bits.items()}
    product = engine.expression(Op.FMUL, width, x, constants[half])
    assert engine.expression(Op.FDIV, width, x, constants[two]) == product
    assert engine.expression(Op.FMUL, width, constants[half], x) == product


def make_leaf(engine: EngineLibrary, width: int, offset: int = 0) -> int:
    return engine.leaf_expression(engine.leaf(engine.object("x"), offset, width))


def test_bytes_joined_by_shifts_and_ors_are_one_concatenation(engine: EngineLibrary) -> None:
    low, high = make_leaf(engine, 8, 0), make_leaf(engine, 8, 1)
    wide_low, wide_high = (engine.expression(Op.ZEXT, 32, part) for part in (low, high))
    shifted = engine.expression(Op.SHL, 32, wide_high, engine.constant(32, 8))
    joined = engine.expression(Op.ZEXT, 32, engine.expression(Op.CONCAT, 16, high, low))
    for op in (Op.OR, Op.XOR, Op.ADD):
        assert engine.expression(op, 32, wide_low, shifted) == joined


def test_four_bytes_read_one_by_one_are_one_word(engine: EngineLibrary) -> None:
    """b[0] | b[1] << 8 | b[2] << 16 | b[3] << 24, as decoders write it, is a concatenation."""
    parts = [engine.expression(Op.ZEXT, 32, make_leaf(engine, 8, place)) for place in range(4)]
    word = parts[0]
    for place, part in enumerate(parts[1:], 1):
        shifted = engine.expression(Op.SHL, 32, part, engine.constant(32, 8 * place))
        word = engine.expression(Op.OR, 32, word, shifted)
    whole = make_leaf(engine, 8, 0)
    for place in range(1, 4):
        whole = engine.expression(Op.CONCAT, 8 * place + 8, make_leaf(engine, 8, place), whole)
    assert word == whole


def test_truth_values_fold(engine: EngineLibrary) -> None:
    """Operators on i1, and what constants make of them, leave comparisons, NOT and constants."""
    comparison = engine.expression(Op.ULT, 1, make_leaf(engine, 8), engine.constant(8, 9))
    opposite = engine.expression(Op.NOT, 1, comparison)
    no, yes = engine.constant(1, 0), engine.constant(1, 1)
    assert engine.expression(Op.XOR, 1, comparison, yes) == engine.expression(Op.EQ, 1, comparison, no) == opposite
    assert engine.expression(Op.AND, 1, comparison, yes) == engine.expression(Op.OR, 1, comparison, no) == comparison
    assert engine.expression(Op.AND, 1, comparison, opposite) == no
    assert engine.expression(Op.OR, 1, comparison, opposite) == yes
    assert engine.expression(Op.ITE, 32, comparison, engine.constant(32, 1), engine.constant(32, 0)) == (
        engine.expression(Op.ZEXT, 32, comparison)
    )


def test_the_bytes_of_a_word_are_the_word(engine: EngineLibrary) -> None:
    word = make_leaf(engine, 32)
    parts = [engine.expression(Op.EXTRACT, 8, word, 8 * index) for index in range(4)]
    whole = parts[0]
    for index, part in enumerate(parts[1:], 2):
        whole = engine.expression(Op.CONCAT, 8 * index, part, whole)
    assert whole == word


def test_a_truth_value_that_went_through_int_is_the_comparison_again(engine: EngineLibrary) -> None:
    comparison = engine.expression(Op.ULT, 1, make_leaf(engine, 8), engine.constant(8, 9))
    as_int = engine.expression(Op.ZEXT, 32, comparison)
    negated = engine.expression(Op.EQ, 1, as_int, engine.constant(32, 0))
    assert negated == engine.expression(Op.NOT, 1, comparison)
    assert engine.expression(Op.NOT, 1, negated) == comparison


def test_a_comparison_and_its_complement_are_one_literal(engine: EngineLibrary) -> None:
    x, y = make_leaf(engine, 32, 0), make_leaf(engine, 32, 4)
    at_least = engine.expression(Op.SLE, 1, y, x)
    assert at_least == engine.expression(Op.NOT, 1, engine.expression(Op.SLT, 1, x, y))


def test_comparisons_of_extended_bytes_are_about_the_byte(engine: EngineLibrary) -> None:
    byte = make_leaf(engine, 8)
    wide = engine.expression(Op.SEXT, 32, byte)
    narrow = engine.expression(Op.SLT, 1, byte, engine.constant(8, 65))
    assert engine.expression(Op.SLT, 1, wide, engine.constant(32, 65)) == narrow
    shifted = engine.expression(Op.ADD, 32, engine.expression(Op.ZEXT, 32, byte), engine.constant(32, -48))
    assert engine.expression(Op.EQ, 1, shifted, engine.constant(32, 3)) == engine.expression(
        Op.EQ, 1, byte, engine.constant(8, 51)
    )


def test_operands_of_mixed_width_are_refused_and_noted() -> None:
    with campaign() as (engine, shared):
        byte, word = make_leaf(engine, 8, 0), make_leaf(engine, 32, 1)
        assert engine.expression(Op.ADD, 32, word, byte) == 0
        assert shared.count("ledger") == 1


def support_of(shared: Shared, expression: int) -> list[int]:
    """Leaf indices under an expression, as its record says."""
    support = int(shared.published("nodes")["support"][expression])
    if support == 0:
        return []
    if support >> 31 == 0:
        return [support - 1]
    at = support & 0x7FFF_FFFF
    words = shared.published("supports")
    return [int(leaf) for leaf in words[at + 1 : at + 1 + int(words[at])]]


def test_supports_are_sorted_and_shared() -> None:
    with campaign() as (engine, shared):
        x, y, z = (make_leaf(engine, 8, offset) for offset in range(3))
        left = engine.expression(Op.MUL, 8, z, engine.expression(Op.MUL, 8, x, y))
        right = engine.expression(Op.UDIV, 8, x, engine.expression(Op.UDIV, 8, y, z))
        assert support_of(shared, left) == support_of(shared, right) == [0, 1, 2]
        nodes = shared.published("nodes")
        assert nodes["support"][left] == nodes["support"][right]


def test_a_sum_of_too_many_leaves_is_refused_and_noted() -> None:
    with campaign() as (engine, shared):
        total = make_leaf(engine, 8, 0)
        for offset in range(1, 3000):
            total = engine.expression(Op.ADD, 8, total, make_leaf(engine, 8, offset))
            if total == 0:
                break
        assert total == 0
        assert shared.count("ledger") == 1


def test_the_same_location_is_the_same_leaf_and_bounds_are_normal() -> None:
    with campaign() as (engine, shared):
        first = engine.leaf(engine.object("p"), 4, 32, LeafKind.SIGNED, (-5, 7))
        assert engine.leaf(engine.object("p"), 4, 32, LeafKind.SIGNED, (-5, 7)) == first
        other = engine.leaf(engine.object("p", 1), 4, 32)
        record = shared.published("leaves")[[first, other]]
        assert first != other
        assert record["minimum"].tolist() == [(1 << 64) - 5, 0]
        assert record["maximum"].tolist() == [7, (1 << 32) - 1]
        assert record["input_offset"].tolist() == [0, 4]
