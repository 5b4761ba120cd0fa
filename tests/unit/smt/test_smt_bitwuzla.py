"""The bitwuzla back end's housekeeping: pins, renewals, memoised terms, refused expressions, bits of floats."""

import math
import subprocess
import sys
from itertools import pairwise

import pytest
from smt_dag import ArenaBuilder

from veer.smt.arena import MalformedExpressionError
from veer.smt.back_end import BackEnd
from veer.smt.formulas import Formulas, SharedFormulas
from veer.smt.protocol import Query, Sat, SmtOptions, Unknown, Unsat
from veer.smt.solvers import bitwuzla as with_bitwuzla
from veer.smt.solvers.bitwuzla import STANDARD, Stopwatch, solvers_of
from veer.smt.weight import weigh
from veer.wire.layout import LeafKind, Op


def _solver(builder: ArenaBuilder, **options: int) -> BackEnd:
    limits = SmtOptions(**options)
    pool = SharedFormulas(builder.arena, limits.terms_per_table)
    return BackEnd(builder.arena, pool, solvers_of([STANDARD], limits)[0], limits)


def test_pins_keep_leaves_that_need_not_change():
    builder = ArenaBuilder()
    leaves = [builder.leaf(32, LeafKind.SIGNED) for _ in range(12)]
    order = [(builder.compare(Op.SLE, a, b), True) for a, b in pairwise(leaves)]
    parent = b"".join((10 * number).to_bytes(4, "little") for number in range(12))
    target = (builder.compare(Op.SLT, leaves[5], builder.constant(32, 55)), False)
    answer = _solver(builder).solve(Query((*order, target), parent))
    assert isinstance(answer, Sat)
    assert [old == new for old, new in zip(parent, answer.input, strict=True)].count(False) <= 4
    assert (parent[:20], parent[24:]) == (answer.input[:20], answer.input[24:])


def test_model_lengthens_the_input():
    builder = ArenaBuilder()
    builder.leaf(8)
    late = builder.leaf(32)
    answer = _solver(builder).solve(Query(((builder.equals(late, 0x01020304), True),), b"\x55"))
    assert answer == Sat(b"\x55\x04\x03\x02\x01", "bitwuzla")


def test_unsat_names_a_core():
    builder = ArenaBuilder()
    x, y = builder.leaf(8), builder.leaf(8)
    below = (builder.compare(Op.ULT, x, builder.constant(8, 4)), True)
    other = (builder.equals(y, 3), True)
    above = (builder.compare(Op.ULT, builder.constant(8, 9), x), True)
    assert _solver(builder).solve(Query((below, other, above), b"")) == Unsat("bitwuzla", frozenset((below, above)))


def test_terms_and_solvers_are_renewed_without_a_change_of_answers():
    builder = ArenaBuilder()
    x = builder.leaf(16)
    often, rarely = _solver(builder, queries_per_solver=1, terms_per_table=3), _solver(builder)
    total = x
    for value in range(30):
        total = builder.binary(
            Op.ADD, builder.binary(Op.MUL, total, builder.constant(16, 3)), builder.constant(16, value)
        )
        query = Query(((builder.equals(total, 777), True),), b"\x00\x00")
        first, second = often.solve(query), rarely.solve(query)
        assert first == second  # an odd factor is a bijection: one model
        assert isinstance(first, Sat)


def test_terms_are_made_once():
    builder = ArenaBuilder()
    x = builder.leaf(8)
    literal = builder.equals(builder.binary(Op.MUL, x, x), 9)
    formulas = Formulas(builder.arena)
    first = formulas.literal(literal, holds=False)
    made = len(formulas.terms)
    assert formulas.literal(literal, holds=False) == first
    assert len(formulas.terms) == made == 5  # x, x * x, 9, the comparison, its negation


@pytest.mark.parametrize(
    ("op", "width", "widths"),
    [
        (Op.ADD, 8, (8, 16)),
        (Op.ADD, 16, (8, 8)),
        (Op.EQ, 1, (8, 16)),
        (Op.ULT, 8, (8, 8)),
        (Op.ZEXT, 8, (16,)),
        (Op.CONCAT, 32, (8, 16)),
        (Op.ITE, 8, (8, 8, 8)),
        (Op.FADD, 16, (16, 16)),
        (Op.FOLT, 1, (8, 8)),
        (Op.FPEXT, 32, (64,)),
        (Op.SITOFP, 16, (32,)),
        (Op.EXTRACT, 8, (4,)),
    ],
)
def test_mixed_widths_are_refused(op, width, widths):
    builder = ArenaBuilder()
    bad = builder.make(op, width, *(builder.constant(w, 1) for w in widths))
    literal = bad if width == 1 else builder.equals(bad, 1)
    with pytest.raises(MalformedExpressionError, match=r"fit|literal"):
        Formulas(builder.arena).literal(literal, holds=True)
    answer = _solver(builder).solve(Query(((literal, True),), b""))
    assert isinstance(answer, Unknown)


def test_bits_of_a_float_result_are_found_through_a_definition():
    builder = ArenaBuilder()
    x, y = builder.leaf(64), builder.leaf(64)
    bits = builder.make(Op.EXTRACT, 12, builder.make(Op.FADD, 64, x, y), 52)
    answer = _solver(builder, time_limit=20_000).solve(Query(((builder.equals(bits, 0x405), True),), b""))
    assert isinstance(answer, Sat)


def test_remainder_of_floats_is_never_decided_wrongly():
    builder = ArenaBuilder()
    x = builder.leaf(64)
    rest = builder.make(Op.FREM, 64, x, x)
    query = Query(((builder.equals(rest, 5), True),), b"")
    assert isinstance(_solver(builder).solve(query), Sat)  # a guess: CheckedSolver turns it into Unknown


def test_a_formula_that_no_limit_would_interrupt_is_not_taken_in():
    builder = ArenaBuilder()
    x, limit = builder.leaf(32), builder.leaf(32)
    total, literals = x, []
    for _ in range(20):
        total = builder.binary(Op.ADD, total, x)
        literals.append((builder.compare(Op.SLT, total, limit), True))
    query, shorter = Query(tuple(literals), b""), Query(tuple(literals[:10]), b"")
    bits = 20 * (32 + 32)
    assert weigh(builder.arena, [e for e, _ in literals], set(), 10**9) == bits
    refusing = _solver(builder, patience=1, time_limit=1000, bits_per_millisecond=1)
    assert refusing.solve(query) == Unknown("the formula is too large for the time limit", "bitwuzla", by_limit=True)
    assert isinstance(refusing.solve(shorter), Sat)
    assert isinstance(refusing.solve(query), Sat)  # half of it is taken in already


def test_what_is_known_weighs_nothing():
    builder = ArenaBuilder()
    x = builder.leaf(8)
    square = builder.binary(Op.MUL, x, x)
    known: set[int] = set()
    assert weigh(builder.arena, [square], known, 63) > 63 and not known
    assert weigh(builder.arena, [square], known, 64) == 64 and known == {x, square}
    assert weigh(builder.arena, [builder.binary(Op.ADD, square, x)], known, 64) == 8
    assert weigh(builder.arena, [square], known, 0) == 0


def test_no_check_gets_more_time_than_the_query_has(monkeypatch):
    limits = []

    class Recorder(Stopwatch):
        def start(self, milliseconds, deadline, is_stopped):
            limits.append((milliseconds, deadline))
            super().start(milliseconds, deadline, is_stopped)

    monkeypatch.setattr(with_bitwuzla, "Stopwatch", Recorder)
    builder = ArenaBuilder()
    literal = (builder.equals(builder.leaf(8), 7), True)
    solver = _solver(builder, time_limit=3000)
    for deadline, patience in ((math.inf, 1), (math.inf, 4), (0.0, 4)):
        assert solver.solve(Query((literal,), b"", deadline, patience)) == Sat(b"\x07", "bitwuzla")
    assert limits[:2] == [(3000, math.inf), (12000, math.inf)]
    assert limits[2][0] == 20 and limits[2][1] < math.inf


def test_the_stopwatch_counts_the_time_of_this_thread(monkeypatch):
    cpu, wall = [10.0], [100.0]
    monkeypatch.setattr(with_bitwuzla, "thread_time", lambda: cpu[0])
    monkeypatch.setattr(with_bitwuzla, "monotonic", lambda: wall[0])
    stopwatch = Stopwatch(1024)
    stopwatch.start(500, math.inf)
    wall[0] += 1000
    assert not stopwatch() and not stopwatch.struck
    cpu[0] += 0.5
    assert not stopwatch(), "it looks once a millisecond"
    wall[0] += 0.002
    assert stopwatch() and stopwatch.struck and stopwatch()
    stopwatch.start(500, wall[0] + 1)
    assert not stopwatch()
    wall[0] += 1
    assert stopwatch()


def test_the_stopwatch_ends_what_takes_too_much_memory(monkeypatch):
    peak, wall = [100], [0.0]
    monkeypatch.setattr(with_bitwuzla, "_peak_memory", lambda: peak[0])
    monkeypatch.setattr(with_bitwuzla, "monotonic", lambda: wall[0])
    stopwatch = Stopwatch(50)
    stopwatch.start(60_000, math.inf)
    for peak[0], is_ended in ((150, False), (151, True)):
        wall[0] += 1
        assert stopwatch() is is_ended
    assert not stopwatch.struck
    stopwatch.start(60_000, math.inf)
    assert not stopwatch(), "the next check may use as much again"


def test_a_check_that_takes_too_much_memory_is_not_decided(monkeypatch):
    peaks = iter(range(0, 1 << 30, 64))
    monkeypatch.setattr(with_bitwuzla, "_peak_memory", lambda: next(peaks))
    builder = ArenaBuilder()
    product = builder.binary(Op.MUL, builder.leaf(32), builder.leaf(32))
    literal = (builder.equals(product, 0x7FFF_FFED), True)
    solver = _solver(builder, memory_limit=32)
    assert solver.solve(Query((literal,), b"")) == Unknown("memory limit of 32 MiB", "bitwuzla", by_limit=True)


_IN_A_CYCLE = """
import gc

from veer.smt.solvers.bitwuzla import BitwuzlaTerms
from veer.smt.terms import Operator, Terms, bits

table = Terms()
numbers = [table.variable(32, "x"), table.variable(32, "y")]
for _ in range(300):
    numbers.append(table.make(Operator.ADD, bits(32), (numbers[-1], numbers[-2])))
first = BitwuzlaTerms(table)
made = {number: first.translation[number] for number in numbers}
later = BitwuzlaTerms(table)  # younger than the terms, so that the collector comes to them first
later.manager = first.manager
later.translation._made.update(made)
later.itself = later
del first, made, later
gc.collect()
print("alive")
"""


def test_garbage_that_holds_terms_is_collected_in_any_order():
    """Bitwuzla's terms are freed with their manager gone: that would end the process, so a process tries it."""
    done = subprocess.run([sys.executable, "-c", _IN_A_CYCLE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "alive\n"), done.stderr
