"""The chain over the real thing: expressions that the native arena made and simplified, with the native evaluator."""

from __future__ import annotations

import itertools
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from engine_fixtures import Mirror, campaign
from random_dags import COMPARISONS, DOUBLE_WIDTH, FUSED, TO_INTEGRAL, DagMaker, edge_value

from veer.execution.engine import EngineLibrary, attached
from veer.model.errors import ExecutorError
from veer.smt.arena import OPERAND_COUNT, Arena
from veer.smt.chain import chain
from veer.smt.evaluate import GuardedEvaluator, ReferenceEvaluator
from veer.smt.ieee import encode
from veer.smt.protocol import Evaluator, Query, Sat, SmtOptions, Unknown, Unsat
from veer.toolchain import compiler
from veer.toolchain.runtime import engine_library
from veer.wire.layout import Op
from veer.wire.shared import Shared

EDGES = (0, 1, 2, 64, 127, 128, 255)


@pytest.fixture
def native() -> Iterator[tuple[EngineLibrary, Shared]]:
    with campaign() as pair:
        yield pair


def test_native_evaluator_agrees_on_what_the_arena_holds(native: tuple[EngineLibrary, Shared]) -> None:
    """Both evaluate the simplified expression; NaN bits included."""
    engine, shared = native
    source = random.Random(31)
    mirror = Mirror(engine)
    leaves = [mirror.leaf(width) for width in (8, 16, 32, 64, 64, 32)]
    maker = DagMaker(mirror.dag, source, leaves, floats=True, tables=True)
    maker.grow(1500)
    reference = ReferenceEvaluator(Arena.of(shared))
    guarded = GuardedEvaluator(Arena.of(shared), engine)
    expressions = sorted({mirror.native(expression) for expression in maker.pool})
    for _ in range(4):
        values = [(edge_value(source, width), width // 8) for width in (8, 16, 32, 64, 64, 32)]
        data = b"".join(value.to_bytes(size, "little") for value, size in values)
        for expression in expressions:
            assert reference.evaluate(expression, data) == engine.evaluate(expression, data)
        conditions = [expression for expression in expressions if Arena.of(shared).node(expression).width == 1]
        truth = [(expression, bool(reference.evaluate(expression, data))) for expression in conditions]
        assert engine.holds(truth, data) and guarded.holds(truth, data) and reference.holds(truth, data)
        for wrong in source.sample(range(len(truth)), 3):
            expression, holds = truth[wrong]
            assert not guarded.holds([*truth[:wrong], (expression, not holds), *truth[wrong + 1 :]], data)


@pytest.mark.parametrize("width", [32, 64])
@pytest.mark.parametrize("op", [*DOUBLE_WIDTH, *FUSED, *TO_INTEGRAL], ids=lambda op: op.name)
def test_rarer_operators_agree_to_the_bit(native: tuple[EngineLibrary, Shared], op: Op, width: int) -> None:
    engine, shared = native
    source = random.Random(int(op))
    mirror = Mirror(engine)
    leaves = [mirror.leaf(width) for _ in range(3)]
    expression = mirror.native(mirror.dag.make(op, width, *leaves[: OPERAND_COUNT[op]]))
    reference = ReferenceEvaluator(Arena.of(shared))
    halves = [encode(sign * (whole + 0.5), width) for sign in (1, -1) for whole in (0, 1, 2, 7, 2**22)]
    for _ in range(300):
        values = [source.choice((edge_value(source, width), source.choice(halves))) for _ in leaves]
        data = b"".join(value.to_bytes(width // 8, "little") for value in values)
        assert reference.evaluate(expression, data) == engine.evaluate(expression, data), [hex(v) for v in values]


@pytest.mark.parametrize("evaluator_name", ["native", "reference"])
def test_verdicts_equal_brute_force(native: tuple[EngineLibrary, Shared], evaluator_name: str) -> None:
    engine, shared = native
    source = random.Random(32)
    mirror = Mirror(engine)
    leaves = [mirror.leaf(8), mirror.leaf(8)]
    arena = Arena.of(shared)
    evaluator: Evaluator = engine if evaluator_name == "native" else ReferenceEvaluator(arena)
    solver = chain(arena, evaluator, SmtOptions(time_limit=30_000))
    inputs = [bytes(pair) for pair in itertools.product(range(256), EDGES)]
    verdicts = {True: 0, False: 0}
    for _ in range(12):
        maker = DagMaker(mirror.dag, source, leaves)
        maker.grow(10)
        bytes_of_b = [(mirror.native(mirror.dag.equals(leaves[1], edge)), True) for edge in EDGES]
        conditions = [_condition(mirror, source, maker.pool) for _ in range(3)]
        prefix = [source.choice(bytes_of_b), *((c, source.random() < 0.5) for c in conditions)]
        for size in range(1, len(prefix) + 1):
            literals = tuple(prefix[:size])
            expected = any(all(engine.evaluate(e, data) == p for e, p in literals) for data in inputs)
            answer = solver.solve(Query(literals, b""))
            assert isinstance(answer, Sat if expected else Unsat), (literals, answer)
            if isinstance(answer, Sat):
                assert all(engine.evaluate(e, answer.input) == p for e, p in literals)
            verdicts[expected] += 1
    assert min(verdicts.values()) >= 5


def _condition(mirror: Mirror, source: random.Random, pool: list[int]) -> int:
    """A native comparison of an expression with a value that it has under some input."""
    expression = source.choice(pool)
    value = ReferenceEvaluator(mirror.dag.arena).evaluate(expression, source.randbytes(2))
    constant = mirror.dag.constant(mirror.dag.width(expression), value)
    return mirror.native(mirror.dag.compare(source.choice(COMPARISONS), expression, constant))


@pytest.mark.parametrize(("tables", "enough"), [(False, 30), (True, 5)], ids=["operators", "tables"])
def test_the_ladder_and_the_chain_never_contradict_each_other(
    native: tuple[EngineLibrary, Shared], tables: bool, enough: int
) -> None:
    engine, shared = native
    source = random.Random(33)
    mirror = Mirror(engine)
    leaves = [mirror.leaf(width) for width in (8, 8, 16, 32)]
    maker = DagMaker(mirror.dag, source, leaves, tables=tables)
    maker.grow(120)
    conditions = [_condition_of_any_width(mirror, source, maker.pool) for _ in range(40)]
    solver = chain(Arena.of(shared), engine, SmtOptions(time_limit=2_000))
    decided = 0
    for _ in range(120):
        parent = source.randbytes(8)
        *prefix, target = source.sample(conditions, source.randrange(1, 5))
        literals = [(e, bool(engine.evaluate(e, parent))) for e in prefix]
        literals.append((target, not engine.evaluate(target, parent)))
        ladder = engine.ladder(literals, parent)
        answer = solver.solve(Query(tuple(literals), parent))
        if ladder.verdict.name != "UNKNOWN" and not isinstance(answer, Unknown):
            assert (ladder.verdict.name == "SAT") == isinstance(answer, Sat), literals
            decided += 1
    assert decided > enough


def _condition_of_any_width(mirror: Mirror, source: random.Random, pool: list[int]) -> int:
    expression = source.choice(pool)
    value = ReferenceEvaluator(mirror.dag.arena).evaluate(expression, source.randbytes(8))
    constant = mirror.dag.constant(mirror.dag.width(expression), value)
    return mirror.native(mirror.dag.compare(source.choice(COMPARISONS), constant, expression))


def test_one_campaign_of_a_process_has_the_library_at_a_time() -> None:
    path = engine_library(compiler.find())
    with Shared() as one, Shared() as two:
        for _ in range(2):
            with attached(path, one) as first, attached(path, two) as second:
                assert first is not None and second is None
                leaf = first.leaf_expression(first.leaf(first.object("x"), 0, 8))
                assert first.evaluate(leaf, b"\x2a") == 42


def test_an_engine_whose_addresses_are_taken_says_so(tmp_path: Path) -> None:
    path = engine_library(compiler.find())
    other = EngineLibrary(Path(shutil.copy(path, tmp_path / "other.so")))
    with Shared() as one, Shared() as two:
        with attached(path, one) as engine:
            assert engine is not None
            leaf = engine.leaf_expression(engine.leaf(engine.object("x"), 0, 8))
            with pytest.raises(ExecutorError, match="address space"):
                other.attach(two)
            assert engine.evaluate(leaf, b"\x2a") == 42
        other.attach(two)
        other.detach()
