"""What every solver must do, whatever is behind it: right verdicts, true models, bounds, nearness, time limits."""

from __future__ import annotations

import itertools
import random

from back_ends import BACK_ENDS, every_back_end
from random_dags import COMPARISONS, DagMaker
from sampling import IS_LONG
from smt_dag import ArenaBuilder

from veer.smt.evaluate import ReferenceEvaluator
from veer.smt.protocol import Literal, Query, Sat, SmtOptions, Solver, Unknown, Unsat
from veer.wire.layout import LeafKind, Op

HARD_PRODUCT = 2147483647 * 2147483629
"""Of two primes, so that no other pair of 32-bit factors gives it."""


def _solver(name: str, builder: ArenaBuilder, **options: int) -> Solver:
    return BACK_ENDS[name](builder.arena, SmtOptions(**options))


def _small_leaves(builder: ArenaBuilder) -> tuple[list[int], list[bytes]]:
    """Four leaves of 320 values together, and every input that they have."""
    leaves = [
        builder.leaf(8, LeafKind.UNSIGNED, (0, 7)),
        builder.leaf(8, LeafKind.SIGNED, (-2, 2)),
        builder.leaf(16, LeafKind.UNSIGNED, (254, 257)),
        builder.leaf(8, LeafKind.BOOL, (0, 1)),
    ]
    inputs = [
        bytes((a, b % 256, *c.to_bytes(2, "little"), d))
        for a, b, c, d in itertools.product(range(8), range(-2, 3), range(254, 258), range(2))
    ]
    return leaves, inputs


def _compared(builder: ArenaBuilder, evaluator: ReferenceEvaluator, expression: int, source: random.Random) -> int:
    """A comparison of an expression with a value that it has under some input."""
    value = builder.constant(builder.width(expression), evaluator.evaluate(expression, source.randbytes(5)))
    return builder.compare(source.choice(COMPARISONS), *source.sample((expression, value), 2))


def _holds(evaluator: ReferenceEvaluator, literals: tuple[Literal, ...], data: bytes) -> bool:
    return all(evaluator.evaluate(expression, data) == polarity for expression, polarity in literals)


@every_back_end
def test_verdicts_equal_brute_force(name):
    source = random.Random(21)
    verdicts = {True: 0, False: 0}
    for _ in range(20 if name == "chain" and IS_LONG else 5):
        builder = ArenaBuilder()
        leaves, inputs = _small_leaves(builder)
        maker = DagMaker(builder, source, leaves)
        maker.grow(12)
        evaluator = ReferenceEvaluator(builder.arena)
        parent = source.choice(inputs)
        pool = []
        while len(pool) < 6:
            literal = _compared(builder, evaluator, source.choice(maker.pool[4:]), source)
            if len({evaluator.evaluate(literal, data) for data in inputs}) == 2:
                pool.append(literal)
        solver = _solver(name, builder, time_limit=30_000)
        for _ in range(4):
            chosen = source.choices(pool, k=source.randrange(1, 4))
            prefix = [(e, bool(evaluator.evaluate(e, parent))) for e in chosen]
            target = source.choice([literal for literal in pool if literal not in chosen] or pool)
            literals = (*prefix, (target, not evaluator.evaluate(target, parent)))
            expected = any(_holds(evaluator, literals, data) for data in inputs)
            answer = solver.solve(Query(literals, parent))
            assert isinstance(answer, Sat if expected else Unsat), (literals, answer)
            if isinstance(answer, Sat):
                assert _holds(evaluator, literals, answer.input)
                assert answer.input in inputs
            verdicts[expected] += 1
    assert min(verdicts.values()) > 5


def test_float_verdicts_are_never_wrong():
    source = random.Random(22)
    unknown = asked = 0
    for _ in range(12):
        builder = ArenaBuilder()
        leaves, inputs = _small_leaves(builder)
        floats = [builder.make(Op.SITOFP, 32, leaf) for leaf in leaves[:2]]
        maker = DagMaker(builder, source, leaves + floats, floats=True)
        maker.grow(6)
        evaluator = ReferenceEvaluator(builder.arena)
        solver = _solver("chain", builder, time_limit=5_000)
        for target in {maker.literal() for _ in range(3)}:
            parent = source.choice(inputs)
            literals = ((target, not evaluator.evaluate(target, parent)),)
            answer = solver.solve(Query(literals, parent))
            expected = any(_holds(evaluator, literals, data) for data in inputs)
            asked += 1
            if isinstance(answer, Unknown):
                unknown += 1
            else:
                assert isinstance(answer, Sat) == expected
    assert unknown <= asked // 5


@every_back_end
def test_bounds_of_leaves_hold(name):
    builder = ArenaBuilder()
    signed = builder.leaf(32, LeafKind.SIGNED, (-100, -7))
    unsigned = builder.leaf(16, LeafKind.UNSIGNED, (10, 20))
    solver = _solver(name, builder)
    parent = (2**32 - 50).to_bytes(4, "little") + (15).to_bytes(2, "little")
    above = builder.compare(Op.SLT, builder.constant(32, -9 & 0xFFFFFFFF), signed)
    answer = solver.solve(Query(((above, True),), parent))
    assert isinstance(answer, Sat)
    assert int.from_bytes(answer.input[:4], "little", signed=True) in (-8, -7)
    for impossible in (builder.equals(signed, 0), builder.equals(unsigned, 21), builder.equals(unsigned, 9)):
        assert isinstance(solver.solve(Query(((impossible, True),), parent)), Unsat)


@every_back_end
def test_unrelated_bytes_stay_as_they_were(name):
    builder = ArenaBuilder()
    leaves = [builder.leaf(8) for _ in range(10)]
    pair = builder.binary(Op.ADD, leaves[3], leaves[4])
    parent = bytes(range(100, 112))
    prefix = [(builder.equals(leaf, value), True) for leaf, value in zip(leaves[:3], parent, strict=False)]
    answer = _solver(name, builder).solve(Query((*prefix, (builder.equals(pair, 9), True)), parent))
    assert isinstance(answer, Sat)
    assert (answer.input[3] + answer.input[4]) % 256 == 9
    assert answer.input[:3] == parent[:3]
    assert answer.input[5:] == parent[5:]


def test_the_chain_changes_what_it_must_only():
    builder = ArenaBuilder()
    leaves = [builder.leaf(8) for _ in range(30)]
    order = [(builder.compare(Op.ULE, a, b), True) for a, b in itertools.pairwise(leaves)]
    parent = bytes(range(10, 40))
    target = (builder.compare(Op.ULT, builder.constant(8, 12), leaves[3]), False)
    answer = _solver("chain", builder).solve(Query((*order, target), parent))
    assert isinstance(answer, Sat)
    assert [position for position in range(30) if parent[position] != answer.input[position]] == [3]
    wide = builder.leaf(64)
    low_byte = builder.make(Op.EXTRACT, 8, wide, 0)
    long_parent = parent + bytes(range(1, 9))
    answer = _solver("chain", builder).solve(Query(((builder.equals(low_byte, 77), True),), long_parent))
    assert answer.input == parent + bytes((77, 2, 3, 4, 5, 6, 7, 8))


@every_back_end
def test_a_hard_query_is_unknown_in_time(name):
    builder = ArenaBuilder()
    factors = [builder.make(Op.ZEXT, 64, builder.leaf(32)) for _ in range(2)]
    product = builder.binary(Op.MUL, *factors)
    literals = [(builder.compare(Op.ULT, builder.constant(64, 1), factor), True) for factor in factors]
    literals.append((builder.equals(product, HARD_PRODUCT), True))
    query = Query((*literals,), b"\x02\x00\x00\x00\x02\x00\x00\x00")
    answer = _solver(name, builder, time_limit=50).solve(query)
    assert isinstance(answer, Unknown)
    assert answer.reason == "time limit of 50 ms"


def test_a_hard_query_costs_its_time_only_once():
    builder = ArenaBuilder()
    factors = [builder.make(Op.ZEXT, 64, builder.leaf(32)) for _ in range(2)]
    hard = (builder.equals(builder.binary(Op.MUL, *factors), HARD_PRODUCT), True)
    solver = _solver("chain", builder, time_limit=50)
    first = solver.solve(Query((hard,), bytes(8)))
    assert isinstance(first, Unknown)
    assert solver.solve(Query((hard,), bytes(8))) == first


def test_the_chain_names_who_answered_and_is_deterministic():
    answers = []
    for _ in range(2):
        builder = ArenaBuilder()
        x, y = builder.leaf(16), builder.leaf(16)
        total = builder.binary(Op.ADD, x, y)
        big, small = (builder.compare(Op.ULT, builder.constant(16, 999), total), builder.compare(Op.ULT, total, x))
        pairs = [(big, True), (small, True), (big, False), (builder.equals(total, 5), True)]
        solver = _solver("chain", builder)
        answers.append(
            [
                solver.solve(Query(literals, b""))
                for size in (1, 2, 3)
                for literals in itertools.permutations(pairs, size)
            ]
        )
        links = set(solver.statistics)
    assert answers[0] == answers[1]
    assert links == {"chain", "syntactic", "core_cache", "model_cache", "bitwuzla"}
