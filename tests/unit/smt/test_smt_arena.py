"""Reading the shared DAG: nodes, leaves and their bounds, supports, cones, and what is refused."""

import random

import pytest
from smt_dag import ArenaBuilder

from veer.smt.arena import OPERAND_COUNT, MalformedExpressionError, operands
from veer.wire.layout import LEAF, NODE, LeafKind, Op


def test_node_reads_every_field():
    builder = ArenaBuilder()
    a, b = builder.leaf(32), builder.constant(32, 0xDEADBEEF)
    node = builder.arena.node(builder.binary(Op.SUB, a, b))
    assert (node.op, node.width, node.a, node.b) == (Op.SUB, 32, a, b)
    assert builder.arena.node(b).value == 0xDEADBEEF
    assert node._fields == NODE.names
    assert operands(node) == (a, b)


def test_every_operator_has_an_operand_count():
    assert OPERAND_COUNT[Op.ITE] == 3
    assert OPERAND_COUNT[Op.EXTRACT] == OPERAND_COUNT[Op.FSQRT] == OPERAND_COUNT[Op.FPTRUNC] == 1
    assert OPERAND_COUNT[Op.CONCAT] == OPERAND_COUNT[Op.FUNO] == 2
    assert OPERAND_COUNT[Op.LEAF] == OPERAND_COUNT[Op.CONST] == 0
    assert set(OPERAND_COUNT) == set(Op)


@pytest.mark.parametrize("expression", [0, 1, 99])
def test_unpublished_expression_is_refused(expression):
    builder = ArenaBuilder()
    builder.leaf(8)
    with pytest.raises(MalformedExpressionError, match=f"no expression {expression}"):
        builder.arena.node(expression)


@pytest.mark.parametrize("record", [(Op.ADD, 8, 0, 3, 2), (Op.ADD, 8, 0, 2, 9), (77, 8, 0, 2, 2)])
def test_malformed_record_is_refused(record):
    builder = ArenaBuilder()
    builder.leaf(8)
    builder.nodes[3] = (*record, 0, 0, 0, 0)
    builder.node_count = 4
    with pytest.raises(MalformedExpressionError, match="malformed"):
        builder.arena.node(3)


def test_leaves_read_and_write_little_endian_and_lengthen():
    builder = ArenaBuilder()
    builder.leaf(8)
    builder.leaf(32)
    leaf = builder.arena.leaf(1)
    assert (leaf.position, leaf.size) == (1, 4)
    assert leaf.read(b"\xff\x01\x02") == 0x0201
    assert leaf.read(b"") == 0
    data = bytearray(b"\xff")
    leaf.write(data, 0x01020304)
    assert data == b"\xff\x04\x03\x02\x01"
    with pytest.raises(MalformedExpressionError, match="leaf 2"):
        builder.arena.leaf(2)


@pytest.mark.parametrize(
    ("width", "kind", "bounds", "allowed", "refused"),
    [
        (8, LeafKind.UNSIGNED, (3, 200), (3, 200, 100), (2, 201, 255)),
        (8, LeafKind.SIGNED, (-3, 2), (0xFD, 0, 2, 0xFF), (0xFC, 3, 0x80)),
        (64, LeafKind.SIGNED, (-(1 << 63), -1), (1 << 63, (1 << 64) - 1), (0, 1)),
        (8, LeafKind.BOOL, (0, 1), (0, 1), (2, 255)),
        (8, LeafKind.UNSIGNED, (1, 0), (0, 255), ()),
        (8, LeafKind.UNSIGNED, (0, 0), (0,), (1, 255)),
        (8, LeafKind.SIGNED, (-(1 << 63), (1 << 63) - 1), (0, 0x80, 0x7F), ()),
    ],
)
def test_bounds(width, kind, bounds, allowed, refused):
    builder = ArenaBuilder()
    builder.leaf(width, kind, bounds)
    leaf = builder.arena.leaf(0)
    assert all(leaf.allows(value) for value in allowed)
    assert not any(leaf.allows(value) for value in refused)


def test_bounds_that_no_value_meets_are_refused():
    builder = ArenaBuilder()
    builder.leaf(8, LeafKind.UNSIGNED, (300, 400))
    with pytest.raises(MalformedExpressionError, match="300 to 400"):
        builder.arena.leaf(0)


def test_supports_from_the_table_equal_those_of_a_walk():
    random_source = random.Random(5)
    with_table, by_walk = ArenaBuilder(), ArenaBuilder(supports=False)
    for builder in (with_table, by_walk):
        builder.expressions = [builder.leaf(8) for _ in range(6)] + [builder.constant(8, 7)]
    for _ in range(60):
        a, b = (
            random_source.randrange(len(with_table.expressions)),
            random_source.randrange(len(with_table.expressions)),
        )
        for builder in (with_table, by_walk):
            builder.expressions.append(builder.binary(Op.ADD, builder.expressions[a], builder.expressions[b]))
    for one, other in zip(with_table.expressions, by_walk.expressions, strict=True):
        assert with_table.arena.support(one) == by_walk.arena.support(other)


def test_support_outside_of_the_table_is_refused():
    builder = ArenaBuilder()
    both = builder.binary(Op.ADD, builder.leaf(8), builder.leaf(8))
    builder.nodes["support"][both] = 1 << 31 | 60000
    builder.supports[60000] = 50_000
    with pytest.raises(MalformedExpressionError, match="support"):
        builder.arena.support(both)


def test_cone_is_topological_and_deep_dags_do_not_recurse():
    builder = ArenaBuilder()
    top = leaf = builder.leaf(8)
    for _ in range(5000):
        top = builder.binary(Op.ADD, top, leaf)
    cone = builder.arena.cone((top,))
    assert cone == sorted(cone)
    assert len(cone) == 5001
    assert builder.arena.support(top) == {0}


def test_layout_is_the_one_that_is_read():
    assert NODE.itemsize == LEAF.itemsize == 32


def test_records_that_native_code_could_not_follow_are_refused():
    for op, width, a, b in [
        (99, 8, 0, 0),
        (Op.NONE, 8, 0, 0),
        (Op.ADD, 8, 2, 1 << 30),
        (Op.ADD, 8, 1, 2),
        (Op.LEAF, 8, 77, 0),
        (Op.NOT, 0, 2, 0),
        (Op.NOT, 65, 2, 0),
    ]:
        builder = ArenaBuilder()
        leaf = builder.leaf(8)
        builder.arena.check_to(leaf)
        wrong = builder.binary(Op.ADD, leaf, leaf)
        builder.nodes[wrong] = (op, width, 0, a, b, 0, 0, 1, 0)
        builder.arena.check_to(leaf)
        with pytest.raises(MalformedExpressionError, match=f"Expression {wrong} is malformed"):
            builder.arena.check_to(wrong)
    with pytest.raises(MalformedExpressionError, match="no expression"):
        builder.arena.check_to(wrong + 1)


def test_an_input_leaf_of_an_impossible_width_is_refused():
    builder = ArenaBuilder()
    leaf = builder.leaf(8)
    builder.leaves["width"][0] = 255
    with pytest.raises(MalformedExpressionError, match="64 bits"):
        builder.arena.check_to(leaf)
