"""The reference evaluator against explicit values and, for floats, against numpy's own (the machine's) arithmetic."""

import ctypes
import ctypes.util
import math
import random

import numpy as np
import pytest
from smt_dag import ArenaBuilder

from veer.smt import ieee
from veer.smt.arena import MalformedExpressionError
from veer.smt.evaluate import RULES, ReferenceEvaluator
from veer.wire.layout import Op

_LIBM = ctypes.CDLL(ctypes.util.find_library("m"))


def _value(op: Op, width: int, *operands: tuple[int, int], extra: int = 0) -> int:
    """Value of an operator on constants given as (width, value)."""
    builder = ArenaBuilder()
    made = [builder.constant(w, v) for w, v in operands]
    if op == Op.EXTRACT:
        made.append(extra)
    return ReferenceEvaluator(builder.arena).evaluate(builder.make(op, width, *made), b"")


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        (Op.ADD, 0xFF, 2, 1),
        (Op.SUB, 1, 2, 0xFF),
        (Op.MUL, 0x81, 2, 2),
        (Op.UDIV, 200, 7, 28),
        (Op.UDIV, 200, 0, 0xFF),
        (Op.UREM, 200, 7, 4),
        (Op.UREM, 200, 0, 200),
        (Op.SDIV, 0xF9, 2, 0xFD),
        (Op.SDIV, 0x80, 0xFF, 0x80),
        (Op.SDIV, 0xF9, 0, 1),
        (Op.SDIV, 7, 0, 0xFF),
        (Op.SREM, 0xF9, 2, 0xFF),
        (Op.SREM, 7, 0xFE, 1),
        (Op.SREM, 0xF9, 0, 0xF9),
        (Op.SREM, 0x80, 0xFF, 0),
        (Op.AND, 0xCC, 0xAA, 0x88),
        (Op.OR, 0xCC, 0xAA, 0xEE),
        (Op.XOR, 0xCC, 0xAA, 0x66),
        (Op.SHL, 0x81, 1, 2),
        (Op.SHL, 0x81, 8, 0),
        (Op.SHL, 1, 255, 0),
        (Op.LSHR, 0x81, 1, 0x40),
        (Op.LSHR, 0x81, 200, 0),
        (Op.ASHR, 0x81, 1, 0xC0),
        (Op.ASHR, 0x81, 200, 0xFF),
        (Op.ASHR, 0x71, 200, 0),
    ],
)
def test_arithmetic_of_eight_bits(op, a, b, expected):
    assert _value(op, 8, (8, a), (8, b)) == expected


@pytest.mark.parametrize(
    ("op", "a", "b", "expected"),
    [
        (Op.EQ, 3, 3, 1),
        (Op.ULT, 0xFF, 1, 0),
        (Op.ULE, 1, 1, 1),
        (Op.SLT, 0xFF, 1, 1),
        (Op.SLE, 0x7F, 0x80, 0),
        (Op.SLE, 0x80, 0x80, 1),
    ],
)
def test_comparisons(op, a, b, expected):
    assert _value(op, 1, (8, a), (8, b)) == expected


def test_structure():
    assert _value(Op.NOT, 1, (1, 1)) == 0
    assert _value(Op.ZEXT, 16, (8, 0x80)) == 0x80
    assert _value(Op.SEXT, 16, (8, 0x80)) == 0xFF80
    assert _value(Op.SEXT, 8, (1, 1)) == 0xFF
    assert _value(Op.EXTRACT, 5, (16, 0xABCD), extra=6) == (0xABCD >> 6) & 31
    assert _value(Op.CONCAT, 24, (16, 0xABCD), (8, 0xEF)) == 0xABCDEF
    assert _value(Op.ITE, 8, (1, 1), (8, 5), (8, 6)) == 5
    assert _value(Op.ITE, 8, (1, 0), (8, 5), (8, 6)) == 6
    assert _value(Op.CTPOP, 8, (8, 0xF1)) == 5


def test_every_operator_has_a_rule():
    assert set(RULES) == set(Op) - {Op.NONE, Op.LEAF, Op.SLOT, Op.UNWRITTEN, Op.DEFERRED}


def test_values_follow_the_input():
    builder = ArenaBuilder()
    a, b = builder.leaf(8), builder.leaf(16)
    total = builder.binary(Op.ADD, builder.make(Op.ZEXT, 16, a), b)
    evaluator = ReferenceEvaluator(builder.arena)
    assert evaluator.evaluate(total, b"\x01\x02\x03") == 0x303
    assert evaluator.evaluate(total, b"\x01") == 1
    assert evaluator.evaluate(total, b"") == 0


def test_deep_dags_do_not_recurse_and_bad_ones_are_refused():
    builder = ArenaBuilder()
    top = builder.leaf(32)
    for _ in range(5000):
        top = builder.binary(Op.ADD, top, builder.constant(32, 1))
    assert ReferenceEvaluator(builder.arena).evaluate(top, b"\x01") == 5001
    builder.nodes["op"][top + 1] = Op.NONE
    builder.node_count += 1
    with pytest.raises(MalformedExpressionError, match="no meaning"):
        ReferenceEvaluator(builder.arena).evaluate(top + 1, b"")


FLOAT_TYPES = {32: (np.uint32, np.float32), 64: (np.uint64, np.float64)}


def _bit_patterns(width: int, count: int) -> list[int]:
    shape = ieee.FORMATS[width]
    edges = [0, 1, shape.infinity, shape.infinity - 1, 1 << (shape.significand - 1), (1 << (shape.significand - 1)) - 1]
    edges += [ieee.encode(x, width) for x in (1.0, 1.5, 2.5, 0.1, 3.0, 16777217.0, 2.0**63)]
    edges += [edge | shape.sign for edge in edges]
    random_source = random.Random(width)
    patterns = edges + [random_source.getrandbits(width) for _ in range(count)]
    middle = (1 << (shape.exponent - 1)) - 1
    for _ in range(count):
        exponent = middle + random_source.randrange(-40, 40)
        patterns.append(exponent << (shape.significand - 1) | random_source.getrandbits(shape.significand - 1))
    return patterns


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize(
    ("name", "operation"),
    [("add", np.add), ("subtract", np.subtract), ("multiply", np.multiply), ("divide", np.divide)],
)
def test_float_arithmetic_is_the_machines(width, name, operation):
    bits_type, float_type = FLOAT_TYPES[width]
    shape = ieee.FORMATS[width]
    patterns = _bit_patterns(width, 400)
    others = patterns[7:] + patterns[:7]
    with np.errstate(all="ignore"):
        left, right = (np.array(side, bits_type).view(float_type) for side in (patterns, others))
        expected = operation(left, right).view(bits_type).tolist()
    for a, b, result in zip(patterns, others, expected, strict=True):
        mine = ieee.binary(ieee.BINARY[name], width, a, b)
        if shape.is_nan(result):
            assert shape.is_nan(mine)
        else:
            assert mine == result, (hex(a), hex(b))


@pytest.mark.parametrize("width", [32, 64])
def test_square_root_is_the_machines(width):
    bits_type, float_type = FLOAT_TYPES[width]
    patterns = _bit_patterns(width, 400)
    with np.errstate(all="ignore"):
        expected = np.sqrt(np.array(patterns, bits_type).view(float_type)).view(bits_type).tolist()
    assert [ieee.square_root(width, a) for a in patterns] == expected


@pytest.mark.parametrize("width", [32, 64])
def test_fused_sums_are_the_c_librarys(width):
    function, kind = (_LIBM.fmaf, ctypes.c_float) if width == 32 else (_LIBM.fma, ctypes.c_double)
    function.restype, function.argtypes = kind, [kind] * 3
    source = random.Random(7)
    shape, patterns = ieee.FORMATS[width], _bit_patterns(width, 400)
    for _ in range(4000):
        a, b, c = (source.choice(patterns) for _ in range(3))
        if source.random() < 0.5:  # next to the product, so that only what rounding loses is left
            c = (ieee.binary(ieee.BINARY["multiply"], width, a, b) + source.randrange(-2, 3)) ^ shape.sign
            c &= 2 * shape.sign - 1
        mine = ieee.fused(width, a, b, c)
        expected = ieee.encode(function(*(ieee.decode(each, width) for each in (a, b, c))), width)
        assert shape.is_nan(mine) == shape.is_nan(expected)
        assert shape.is_nan(mine) or mine == expected, (hex(a), hex(b), hex(c))


def test_resizing_is_the_machines():
    singles, doubles = _bit_patterns(32, 400), _bit_patterns(64, 800)
    with np.errstate(all="ignore"):
        longer = np.array(singles, np.uint32).view(np.float32).astype(np.float64).view(np.uint64).tolist()
        shorter = np.array(doubles, np.uint64).view(np.float64).astype(np.float32).view(np.uint32).tolist()
    assert [ieee.resize(a, 32, 64) for a in singles] == longer
    assert [ieee.resize(a, 64, 32) for a in doubles] == shorter


def test_nan_rules_of_sse():
    shape = ieee.FORMATS[64]
    signalling, quiet = shape.infinity | 5, shape.infinity | shape.quiet | 9
    add = ieee.BINARY["add"]
    assert ieee.binary(add, 64, signalling, quiet) == signalling | shape.quiet
    assert ieee.binary(add, 64, 0, quiet) == quiet
    assert ieee.binary(add, 64, shape.infinity, shape.infinity | shape.sign) == shape.default_nan
    assert ieee.square_root(64, ieee.encode(-1.0, 64)) == shape.default_nan == 0xFFF8000000000000
    assert ieee.resize(shape.infinity | 1, 64, 32) == 0x7FC00000


@pytest.mark.parametrize("width", [32, 64])
def test_integers_round_once_to_even(width):
    bits_type, float_type = FLOAT_TYPES[width]
    random_source = random.Random(9)
    numbers = [random_source.getrandbits(63) >> random_source.randrange(63) for _ in range(500)]
    numbers += [(1 << 24) + 1, (1 << 53) + 1, (1 << 53) + 3, (1 << 62) + (1 << 38) + 1, (1 << 62) + (1 << 38)]
    numbers += [-number for number in numbers]
    expected = np.array(numbers, np.int64).astype(float_type).view(bits_type).tolist()
    assert [ieee.from_integer(number, width) for number in numbers] == expected
    unsigned = [(1 << 64) - 1, (1 << 63) + 1, (1 << 63) + 1025, (1 << 63) + (1 << 39) + 1]
    expected = np.array(unsigned, np.uint64).astype(float_type).view(bits_type).tolist()
    assert [ieee.from_integer(number, width) for number in unsigned] == expected


@pytest.mark.parametrize(
    ("number", "width", "expected"),
    [
        (-1.9, 32, -1),
        (2147483647.9, 32, 2147483647),
        (2147483648.0, 32, 1 << 31),
        (-2147483648.9, 32, -(1 << 31)),
        (-2147483649.0, 32, 1 << 31),
        (math.nan, 32, 1 << 31),
        (math.inf, 64, 1 << 63),
        (-(2.0**63), 64, -(1 << 63)),
        (2.0**63, 64, 1 << 63),
        (300.0, 8, 300),  # the low bits of a 32-bit conversion: 44
        (1e10, 8, 1 << 31),
    ],
)
def test_float_to_signed(number, width, expected):
    assert _value(Op.FPTOSI, width, (64, ieee.encode(number, 64))) == expected % (1 << width)


@pytest.mark.parametrize(
    ("number", "width", "expected"),
    [
        (4294967295.5, 32, 4294967295),
        (4294967296.0, 32, 0),
        (-1.0, 32, 0xFFFFFFFF),
        (-1.5, 64, (1 << 64) - 1),
        (2.0**63 + 2048, 64, (1 << 63) + 2048),
        (2.0**64, 64, 1 << 63),
        (math.nan, 64, 1 << 63),
        (math.nan, 16, 0),
        (65536.0, 16, 0),
    ],
)
def test_float_to_unsigned(number, width, expected):
    assert _value(Op.FPTOUI, width, (64, ieee.encode(number, 64))) == expected


def test_float_sign_operators_keep_nan_bits():
    nan = 0x7FF0000000000001
    assert _value(Op.FNEG, 64, (64, nan)) == nan | 1 << 63
    assert _value(Op.FABS, 64, (64, nan | 1 << 63)) == nan


def test_float_comparisons_are_ordered():
    one, nan, zero, minus_zero = (ieee.encode(x, 32) for x in (1.0, math.nan, 0.0, -0.0))
    assert _value(Op.FOEQ, 1, (32, zero), (32, minus_zero)) == 1
    assert _value(Op.FOEQ, 1, (32, nan), (32, nan)) == 0
    assert _value(Op.FOLT, 1, (32, minus_zero), (32, zero)) == 0
    assert _value(Op.FOLE, 1, (32, one), (32, one)) == 1
    assert _value(Op.FUNO, 1, (32, one), (32, nan)) == 1
    assert _value(Op.FUNO, 1, (32, one), (32, one)) == 0


def test_remainder_is_fmod():
    assert ieee.decode(_value(Op.FREM, 64, (64, ieee.encode(-5.5, 64)), (64, ieee.encode(2.0, 64))), 64) == -1.5
    nan = _value(Op.FREM, 64, (64, ieee.encode(1.0, 64)), (64, 0))
    assert ieee.FORMATS[64].is_nan(nan)
