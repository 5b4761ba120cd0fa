"""The ladder against brute force: verdicts are those of enumeration, models hold, inputs stay near the parent's."""

from __future__ import annotations

import itertools
import random
import struct
from collections.abc import Iterator, Sequence

import pytest
from engine_fixtures import campaign
from random_dags import edge_value

from veer.execution.engine import EngineLibrary, Verdict
from veer.wire.layout import RUNGS, LeafKind, Loss, Op, Table
from veer.wire.shared import Shared

Literals = list[tuple[int, bool]]


@pytest.fixture
def engine() -> Iterator[EngineLibrary]:
    with campaign() as (library, _):
        yield library


class System:
    """Random constraints over a few leaves, and what enumeration says of them."""

    def __init__(
        self, engine: EngineLibrary, chance: random.Random, leaves: Sequence[tuple[int, LeafKind, int, int]]
    ) -> None:
        """`leaves`: width, kind, least and greatest value (which enumeration goes through)."""
        self.engine = engine
        self.chance = chance
        self.widths = [width for width, *_ in leaves]
        self.ranges = [range(low, high + 1) for _, _, low, high in leaves]
        thing = engine.object("x")
        self.leaves = [
            engine.leaf_expression(engine.leaf(thing, 8 * place, width, kind, (low, high)))
            for place, (width, kind, low, high) in enumerate(leaves)
        ]

    def inputs(self) -> Iterator[bytes]:
        """All inputs within the bounds."""
        for values in itertools.product(*self.ranges):
            yield self.encode(values)

    def encode(self, values: Sequence[int]) -> bytes:
        parts = zip(values, self.widths, strict=True)
        return b"".join((value & (1 << width) - 1).to_bytes((width + 7) // 8, "little") for value, width in parts)

    def holds(self, literals: Literals, data: bytes) -> bool:
        return holds(self.engine, literals, data)

    def constant_near(self, width: int) -> int:
        """A constant that comparisons with the leaves may turn on."""
        if self.chance.random() < 0.2:
            return self.engine.constant(width, edge_value(self.chance, width))
        return self.engine.constant(width, self.chance.choice(self.ranges[0]) + self.chance.randrange(-2, 3))

    def linear(self, leaf: int, width: int) -> int:
        """A term over one leaf."""
        engine, chance = self.engine, self.chance
        kind = chance.randrange(8)
        if kind == 0:
            return engine.expression(Op.ADD, width, leaf, engine.constant(width, chance.randrange(256)))
        if kind == 1:
            return engine.expression(Op.SUB, width, engine.constant(width, chance.randrange(256)), leaf)
        if kind == 2:
            return engine.expression(
                chance.choice((Op.UDIV, Op.SDIV, Op.LSHR)), width, leaf, engine.constant(width, chance.randrange(1, 7))
            )
        if kind == 3:
            return engine.expression(
                Op.XOR, width, leaf, engine.constant(width, chance.choice((-1, 1 << (width - 1), 5)))
            )
        if kind == 4:
            return engine.expression(Op.SHL, width, leaf, engine.constant(width, chance.randrange(1, 3)))
        return leaf

    def comparison(self, pair_chance: float) -> int:
        """A literal over one leaf, or two of one width."""
        engine, chance = self.engine, self.chance
        place = chance.randrange(len(self.leaves))
        width = self.widths[place]
        term = self.linear(self.leaves[place], width)
        if chance.random() < 0.3 and width < 32:
            width, term = 32, engine.expression(chance.choice((Op.ZEXT, Op.SEXT)), 32, term)
        partners = [other for other in range(len(self.leaves)) if self.widths[other] == width]
        op = chance.choice((Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE))
        if partners and chance.random() < pair_chance:
            return engine.expression(op, 1, term, self.leaves[chance.choice(partners)])
        pair = (term, self.constant_near(width))
        return engine.expression(op, 1, *(pair if chance.random() < 0.5 else pair[::-1]))

    def literal(self, pair_chance: float) -> int:
        """A comparison, or two joined."""
        first = self.comparison(pair_chance)
        if self.chance.random() < 0.75:
            return first
        return self.engine.expression(self.chance.choice((Op.AND, Op.OR)), 1, first, self.comparison(pair_chance))

    def query(self, length: int, pair_chance: float) -> tuple[Literals, bytes]:
        """A prefix that a random parent satisfies, and a target that it does not."""
        parent = self.encode([self.chance.choice(values) for values in self.ranges])
        literals = [self.literal(pair_chance) for _ in range(length)]
        chosen = [(literal, self.engine.evaluate(literal, parent) == 1) for literal in literals]
        literal, polarity = chosen[-1]
        return [*chosen[:-1], (literal, not polarity)], parent


SHAPES: dict[str, list[tuple[int, LeafKind, int, int]]] = {
    "byte": [(8, LeafKind.BYTE, 0, 255)],
    "bytes": [(8, LeafKind.CHAR, 0, 30), (8, LeafKind.UNSIGNED, 0, 30)],
    "bounded": [(8, LeafKind.SIGNED, -9, 9), (8, LeafKind.SIGNED, -9, 9)],
    "word": [(32, LeafKind.UNSIGNED, 0, 500)],
    "signed": [(32, LeafKind.SIGNED, -250, 250)],
    "words": [(32, LeafKind.SIGNED, -12, 12), (32, LeafKind.SIGNED, -12, 12)],
    "mixed": [(16, LeafKind.SIGNED, -8, 8), (8, LeafKind.UNSIGNED, 0, 9), (64, LeafKind.UNSIGNED, 0, 6)],
}


@pytest.mark.parametrize("shape", SHAPES)
def test_verdicts_are_those_of_enumeration(engine: EngineLibrary, shape: str) -> None:
    chance = random.Random(shape)
    system = System(engine, chance, SHAPES[shape])
    everything = list(system.inputs())
    answers = dict.fromkeys(Verdict, 0)
    for _ in range(120):
        literals, parent = system.query(chance.randrange(1, 7), pair_chance=0.3)
        answer = engine.ladder(literals, parent)
        answers[answer.verdict] += 1
        if answer.verdict is Verdict.SAT:
            assert system.holds(literals, answer.input)
            assert answer.input in everything  # within the bounds
        elif answer.verdict is Verdict.UNSAT:
            assert not any(system.holds(literals, data) for data in everything)
    assert answers[Verdict.SAT] > 20
    assert answers[Verdict.UNKNOWN] < 60


@pytest.mark.parametrize("width", [8, 32])
@pytest.mark.parametrize("kind", [LeafKind.UNSIGNED, LeafKind.SIGNED])
def test_comparisons_between_leaves_are_decided_exactly(engine: EngineLibrary, kind: LeafKind, width: int) -> None:
    """Sorting: four leaves, each pair compared in one order; no verdict is left open."""
    chance = random.Random(int(kind))
    system = System(engine, chance, [(width, kind, 0, 4)] * 4)
    everything = list(system.inputs())
    op = Op.SLT if kind is LeafKind.SIGNED else Op.ULT
    unknown = 0
    for _ in range(150):
        parent = chance.choice(everything)
        chosen = []
        for _ in range(chance.randrange(2, 7)):
            left, right = chance.sample(system.leaves, 2)
            literal = engine.expression(chance.choice((op, op, Op.EQ)), 1, left, right)
            chosen.append((literal, engine.evaluate(literal, parent) == 1))
        literals = [*chosen[:-1], (chosen[-1][0], not chosen[-1][1])]
        answer = engine.ladder(literals, parent)
        feasible = any(system.holds(literals, data) for data in everything)
        if answer.verdict is Verdict.SAT:
            assert system.holds(literals, answer.input)
        elif answer.verdict is Verdict.UNSAT:
            assert not feasible
        else:
            unknown += 1
    assert unknown < 5


@pytest.mark.parametrize("highest", [0, 1])
@pytest.mark.parametrize("op", [Op.ULT, Op.SLT])
def test_comparisons_between_words_of_several_leaves_are_decided(engine: EngineLibrary, op: Op, highest: int) -> None:
    """Four numbers of two leaves each, as bytes make ints; with all values of the leaves no verdict is left open."""
    chance = random.Random(highest)
    system = System(engine, chance, [(1, LeafKind.UNSIGNED, 0, 1), (1, LeafKind.UNSIGNED, 0, highest)] * 4)
    words = [engine.expression(Op.CONCAT, 2, *system.leaves[k : k + 2]) for k in range(0, 8, 2)]
    everything = list(system.inputs())
    unknown = 0
    for _ in range(150):
        parent = chance.choice(everything)
        chosen = []
        for _ in range(chance.randrange(2, 7)):
            literal = engine.expression(chance.choice((op, op, Op.EQ)), 1, *chance.sample(words, 2))
            chosen.append((literal, engine.evaluate(literal, parent) == 1))
        literals = [*chosen[:-1], (chosen[-1][0], not chosen[-1][1])]
        answer = engine.ladder(literals, parent)
        if answer.verdict is Verdict.SAT:
            assert system.holds(literals, answer.input)
        elif answer.verdict is Verdict.UNSAT:
            assert not any(system.holds(literals, data) for data in everything)
        else:
            unknown += 1
    assert unknown < 5


def test_unsat_is_exact_for_single_words_that_intervals_express(engine: EngineLibrary) -> None:
    x = engine.leaf_expression(engine.leaf(engine.object("x"), 0, 32))
    below = engine.expression(Op.ULT, 1, x, engine.constant(32, 10))
    above = engine.expression(Op.ULT, 1, engine.constant(32, 8), x)
    nine = engine.expression(Op.EQ, 1, x, engine.constant(32, 9))
    assert engine.ladder([(below, True), (above, True), (nine, False)], bytes([9, 0, 0, 0])).verdict is Verdict.UNSAT


def ring_term(engine: EngineLibrary, chance: random.Random, leaf: int, width: int) -> tuple[int, int]:
    """A term that intervals can be carried through, and its width: one to three operators on a leaf."""
    term = leaf
    for _ in range(chance.randrange(1, 4)):
        constant = engine.constant(width, edge_value(chance, width))
        divisor = engine.constant(width, chance.randrange(1, 20))
        choice = chance.randrange(8)
        if choice == 0:
            term = engine.expression(Op.ADD, width, term, constant)
        elif choice == 1:
            term = engine.expression(Op.SUB, width, constant, term)
        elif choice == 2:
            term = engine.expression(chance.choice((Op.UDIV, Op.SDIV)), width, term, divisor)
        elif choice == 3:
            edge = engine.constant(width, chance.choice((-1, 1 << (width - 1))))
            term = engine.expression(Op.XOR, width, term, edge)
        elif choice == 4:
            wider = min(64, width + chance.randrange(1, 9))
            term, width = engine.expression(chance.choice((Op.ZEXT, Op.SEXT)), wider, term), wider
        elif choice == 5:
            amount = engine.constant(width, chance.randrange(1, 4))
            term = engine.expression(chance.choice((Op.LSHR, Op.ASHR)), width, term, amount)
        elif choice == 6:
            part = engine.constant(3, chance.randrange(8))
            term = engine.expression(Op.CONCAT, width + 3, *((term, part) if chance.random() < 0.5 else (part, term)))
            width += 3
        else:
            shift = chance.randrange(1, 4)
            term, width = engine.expression(Op.EXTRACT, width - shift, term, shift), width - shift
    return term, width


@pytest.mark.parametrize("seed", range(4))
def test_intervals_are_exact_around_the_whole_ring(engine: EngineLibrary, seed: int) -> None:
    """A leaf of 10 bits without bounds: every value is tried."""
    chance = random.Random(seed)
    x = engine.leaf_expression(engine.leaf(engine.object("x"), 0, 10))
    everything = [value.to_bytes(2, "little") for value in range(1 << 10)]
    verdicts = []
    for _ in range(60):
        parent = chance.choice(everything)
        literals = []
        for _ in range(chance.randrange(1, 4)):
            term, width = ring_term(engine, chance, x, 10)
            pair = (term, engine.constant(width, edge_value(chance, width)))
            op = chance.choice((Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE))
            literal = engine.expression(op, 1, *(pair if chance.random() < 0.5 else pair[::-1]))
            literals.append((literal, engine.evaluate(literal, parent) == 1))
        literals[-1] = (literals[-1][0], not literals[-1][1])
        answer = engine.ladder(literals, parent)
        verdicts.append(answer.verdict)
        model = next((data for data in everything if holds(engine, literals, data)), None)
        if answer.verdict is Verdict.SAT:
            assert holds(engine, literals, answer.input)
        elif answer.verdict is Verdict.UNSAT:
            assert model is None
    assert verdicts.count(Verdict.SAT) > 10


def holds(engine: EngineLibrary, literals: Literals, data: bytes) -> bool:
    return all(engine.evaluate(literal, data) == polarity for literal, polarity in literals)


def disequalities(engine: EngineLibrary, x: int, count: int) -> Literals:
    """x != 0, x != 2, x != 4, ...: as many holes."""
    return [(engine.expression(Op.EQ, 1, x, engine.constant(32, 2 * value)), False) for value in range(count)]


@pytest.mark.parametrize("count", [80, 250, 300, 600])
def test_many_holes_in_a_word_are_exact_or_unknown(count: int) -> None:
    with campaign() as (engine, shared):
        x = engine.leaf_expression(engine.leaf(engine.object("x"), 0, 32))
        parent = (5000).to_bytes(4, "little")
        below_one = engine.expression(Op.ULT, 1, x, engine.constant(32, 1))
        below_two = engine.expression(Op.ULT, 1, x, engine.constant(32, 2))
        answer = engine.ladder([*disequalities(engine, x, count), (below_two, True)], parent)
        assert answer.verdict in (Verdict.SAT, Verdict.UNKNOWN)
        if answer.verdict is Verdict.SAT:
            assert answer.input == (1).to_bytes(4, "little")
        impossible = engine.ladder([*disequalities(engine, x, count), (below_one, True)], parent)
        assert impossible.verdict in (Verdict.UNSAT, Verdict.UNKNOWN)
        if count <= 250:
            assert (answer.verdict, impossible.verdict) == (Verdict.SAT, Verdict.UNSAT)
        assert (Verdict.UNKNOWN in (answer.verdict, impossible.verdict)) == holes_noted(shared)


def test_too_many_holes_are_noted_where_they_leave_a_question() -> None:
    with campaign() as (engine, shared):
        x = engine.leaf_expression(engine.leaf(engine.object("x"), 0, 32))
        parent = (5000).to_bytes(4, "little")
        forbidden = engine.expression(Op.EQ, 1, x, engine.constant(32, 2 * 299))
        prefix = disequalities(engine, x, 300)
        assert engine.ladder([*prefix, (forbidden, True)], parent).verdict is Verdict.UNSAT
        assert not holes_noted(shared), "the linear rung knows what was said of x before"
        shared.options.rungs_off = 1 << RUNGS.index("linear")
        assert engine.ladder([*prefix, (forbidden, True)], parent).verdict is Verdict.UNKNOWN
        assert holes_noted(shared)


def test_a_prefix_that_contradicts_itself_proves_nothing(engine: EngineLibrary) -> None:
    """It cannot have run: something is not as the expressions say, so no verdict is given."""
    x, y = (engine.leaf_expression(engine.leaf(engine.object("x"), offset, 8)) for offset in (0, 1))
    one, two = (engine.expression(Op.EQ, 1, x, engine.constant(8, value)) for value in (1, 2))
    target = engine.expression(Op.EQ, 1, y, engine.constant(8, 5))
    assert engine.ladder([(one, True), (two, True), (target, True)], bytes(2)).verdict is Verdict.UNKNOWN
    assert engine.ladder([(one, True), (target, True)], bytes(2)).verdict is Verdict.SAT


def holes_noted(shared: Shared) -> bool:
    ledger = shared.published("ledger")
    return any(entry["kind"] == Loss.CAPACITY and entry["site"] == Table.HOLES for entry in ledger)


def arithmetic(engine: EngineLibrary, x: int, y: int) -> dict[str, tuple[int, bool]]:
    """Targets that only inversion answers: name → literal that should hold."""

    def constant(value: int) -> int:
        return engine.constant(32, value)

    def make(op: Op, a: int, b: int) -> int:
        return engine.expression(op, 32, a, b)

    scrambled = make(Op.XOR, make(Op.MUL, make(Op.ADD, x, constant(77)), constant(2654435761)), constant(0xBEEF))
    low = engine.expression(Op.EXTRACT, 16, make(Op.ADD, x, y), 0)
    return {
        "odd product": (engine.expression(Op.EQ, 1, scrambled, constant(123456789)), True),
        "sum": (engine.expression(Op.EQ, 1, make(Op.ADD, x, y), constant(100)), True),
        "difference": (engine.expression(Op.SLT, 1, make(Op.SUB, y, x), constant(-1000)), True),
        "half": (engine.expression(Op.EQ, 1, low, engine.constant(16, 0x1234)), True),
        "remainder": (engine.expression(Op.EQ, 1, make(Op.UREM, make(Op.ADD, x, y), constant(97)), constant(13)), True),
        "mask": (engine.expression(Op.EQ, 1, make(Op.AND, make(Op.XOR, x, y), constant(0xF0)), constant(0x50)), True),
        "apart": (engine.expression(Op.EQ, 1, x, y), False),
    }


def test_comparisons_are_turned_round(engine: EngineLibrary) -> None:
    thing = engine.object("x")
    x, y = (engine.leaf_expression(engine.leaf(thing, offset, 32)) for offset in (0, 4))
    for name, (literal, polarity) in arithmetic(engine, x, y).items():
        answer = engine.ladder([(literal, polarity)], bytes(8))
        assert answer.verdict is Verdict.SAT, name
        assert engine.evaluate(literal, answer.input) == polarity
        if name not in ("half", "difference"):
            assert sum(answer.input[at : at + 4] != bytes(4) for at in (0, 4)) == 1, name  # one leaf changed


def test_doubles_are_guessed_and_verified(engine: EngineLibrary) -> None:
    x = engine.leaf_expression(engine.leaf(engine.object("d"), 0, 64, LeafKind.FLOAT))
    bits = 0x4059_0000_0000_0000  # 100.0
    for literal in (
        engine.expression(Op.FOLT, 1, engine.constant(64, bits), x),
        engine.expression(
            Op.FOEQ, 1, engine.expression(Op.FMUL, 64, x, engine.constant(64, bits)), engine.constant(64, bits)
        ),
        engine.expression(Op.FUNO, 1, x, x),
    ):
        answer = engine.ladder([(literal, True)], bytes(8))
        assert answer.verdict is Verdict.SAT
        assert engine.evaluate(literal, answer.input) == 1
    unordered = engine.expression(Op.FUNO, 1, x, x)
    assert engine.ladder([(unordered, False)], b"\xff" * 8).verdict is Verdict.SAT


def test_numbers_behind_float_operations_are_found(engine: EngineLibrary) -> None:
    thing = engine.object("x")
    x, y = (engine.leaf_expression(engine.leaf(thing, offset, 64, LeafKind.FLOAT)) for offset in (0, 8))
    n = engine.leaf_expression(engine.leaf(thing, 16, 32))
    three, ten = (engine.constant(64, struct.unpack("<Q", struct.pack("<d", number))[0]) for number in (3.0, 10.0))
    parent = struct.pack("<ddi", 1.0, 2.0, 0)
    terms = [
        *(engine.expression(op, 64, x, three) for op in (Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV)),
        *(engine.expression(op, 64, three, x) for op in (Op.FSUB, Op.FDIV)),
        *(engine.expression(op, 64, x, y) for op in (Op.FADD, Op.FMUL)),
        engine.expression(Op.FABS, 64, x),
        engine.expression(Op.FNEG, 64, x),
        engine.expression(Op.FPEXT, 64, engine.expression(Op.FPTRUNC, 32, x)),
        engine.expression(Op.SITOFP, 64, n),
        engine.expression(Op.UITOFP, 64, n),
        engine.expression(Op.SITOFP, 64, engine.expression(Op.FPTOSI, 32, x)),
        engine.expression(Op.UITOFP, 64, engine.expression(Op.FPTOUI, 32, x)),
    ]
    for term in terms:
        for op in (Op.FOEQ, Op.FOLT, Op.FOLE):
            literal = engine.expression(op, 1, ten, term)
            answer = engine.ladder([(literal, True)], parent)
            assert answer.verdict is Verdict.SAT
            assert engine.evaluate(literal, answer.input) == 1


def test_only_what_must_change_changes(engine: EngineLibrary) -> None:
    thing = engine.object("s")
    text = [engine.leaf_expression(engine.leaf(thing, offset, 8, LeafKind.CHAR)) for offset in range(6)]
    prefix = [
        (engine.expression(Op.EQ, 1, leaf, engine.constant(8, value)), True)
        for leaf, value in zip(text, b"abcde", strict=False)
    ]
    target = engine.expression(Op.EQ, 1, text[2], engine.constant(8, ord("c")))
    answer = engine.ladder([*prefix[:2], *prefix[3:], (target, False)], b"abcde\x00")
    assert answer.input[:2] + answer.input[3:] == b"abde\x00"
    assert chr(answer.input[2]).isprintable()


def test_a_leaf_beyond_the_parent_input_lengthens_it(engine: EngineLibrary) -> None:
    thing = engine.object("x")
    engine.leaf(thing, 0, 32)
    late = engine.leaf_expression(engine.leaf(thing, 4, 32))
    answer = engine.ladder([(engine.expression(Op.EQ, 1, late, engine.constant(32, 7)), True)], b"\1\2")
    assert answer.input == b"\1\2\0\0\7\0\0\0"
