"""Each rung of the ladder alone against brute force: random sums, tables and doubles over leaves with few values.

The leaves' bounds lie where arithmetic wraps around, so that a sum that is taken for a whole number where it is none,
or a range that leaves a value out, gives a wrong verdict here.
"""

from __future__ import annotations

import itertools
import random
import struct
from collections.abc import Callable

import pytest
from engine_fixtures import campaign, library_mutated
from random_dags import edge_value
from sampling import IS_LONG, sampled

from veer.execution.engine import EngineLibrary, Verdict
from veer.model.searchoptions import LADDER_RUNGS
from veer.wire.layout import RUNGS, LeafKind, Op
from veer.wire.shared import Shared

Literals = list[tuple[int, bool]]
QUERIES = 2000 if IS_LONG else 150
SHAPES: dict[str, list[tuple[int, LeafKind, int, int]]] = {
    "bytes": [(8, LeafKind.UNSIGNED, 245, 255), (8, LeafKind.SIGNED, -6, 6), (8, LeafKind.CHAR, 120, 130)],
    "words": [(32, LeafKind.SIGNED, -(2**31), -(2**31) + 9), (32, LeafKind.SIGNED, -9, 9)],
    "mixed": [(64, LeafKind.UNSIGNED, 0, 7), (16, LeafKind.SIGNED, -7, 7), (8, LeafKind.UNSIGNED, 0, 6)],
    "text": [(8, LeafKind.CHAR, ord("0"), ord("2"))] * 5,
}
DECISIVE = ("domain", "interval", "invert", "order", *("ranges", "linear", "pairs", "enumerate", "frontier"))
"""`recent` knows what earlier runs left, of which there are none here; see test_engine_expand.py."""


def leave_only(shared: Shared, *rungs: str) -> None:
    """Switches all other rungs off."""
    shared.options.rungs_off = sum(1 << number for number, name in enumerate(RUNGS) if name not in rungs)


class Sums:
    """Random constraints of sums over a few leaves, and all inputs that there are."""

    def __init__(self, engine: EngineLibrary, chance: random.Random, shape: str) -> None:
        self.engine, self.chance = engine, chance
        self.widths = [width for width, *_ in SHAPES[shape]]
        thing = engine.object("x")
        self.leaves = [
            engine.leaf_expression(engine.leaf(thing, 8 * place, width, kind, (low, high)))
            for place, (width, kind, low, high) in enumerate(SHAPES[shape])
        ]
        values = itertools.product(*(range(low, high + 1) for _, _, low, high in SHAPES[shape]))
        self.inputs = [self._encode(each) for each in values]
        self.compared: list[tuple[int, int]] = []  # terms that the query compares with constants, and their widths

    def _encode(self, values: tuple[int, ...]) -> bytes:
        parts = zip(values, self.widths, strict=True)
        return b"".join((value & (1 << width) - 1).to_bytes((width + 7) // 8, "little") for value, width in parts)

    def _leaf(self, width: int) -> int:
        """A leaf, or the low bits of one, extended in either way."""
        place = self.chance.randrange(len(self.leaves))
        leaf, have = self.leaves[place], self.widths[place]
        if have > width:
            return self.engine.expression(Op.EXTRACT, width, leaf, 0)
        return self.engine.expression(self.chance.choice((Op.ZEXT, Op.SEXT)), width, leaf)

    def term(self, width: int, nesting: int = 3) -> int:
        """A sum, or what sums are made of."""
        engine, chance = self.engine, self.chance
        kind = chance.randrange(14) if nesting else 13
        if kind < 4:
            op = chance.choice((Op.ADD, Op.SUB))
            return engine.expression(op, width, self.term(width, nesting - 1), self.term(width, nesting - 1))
        if kind == 4:
            factor = chance.choice((2, 3, 10, -1, -3, 1 << (width - 1)))
            return engine.expression(Op.MUL, width, self.term(width, nesting - 1), engine.constant(width, factor))
        if kind == 5:
            return engine.expression(Op.ADD, width, self.term(width, nesting - 1), self.constant(width))
        if kind == 6 and width % 16 == 0:
            halves = (self.term(width // 2, nesting - 1), self.term(width // 2, nesting - 1))
            return engine.expression(Op.CONCAT, width, *halves)
        if kind == 7 and width < 64:
            wide = self.term(2 * width, nesting - 1)
            return engine.expression(Op.EXTRACT, width, wide, chance.choice((0, 0, 1, width)))
        if kind == 8 and width > 8:
            inner = self.term(width // 2, nesting - 1)
            return engine.expression(chance.choice((Op.ZEXT, Op.SEXT)), width, inner)
        if kind == 9:
            op = chance.choice((Op.UDIV, Op.UREM, Op.SDIV, Op.SREM, Op.SHL, Op.LSHR, Op.ASHR))
            return engine.expression(
                op, width, self.term(width, nesting - 1), engine.constant(width, chance.randrange(9))
            )
        if kind == 10:
            op = chance.choice((Op.AND, Op.OR, Op.XOR))
            return engine.expression(op, width, self.term(width, nesting - 1), self.term(width, nesting - 1))
        if kind == 11:
            parts = (self.comparison(width, 1), self.term(width, nesting - 1), self.term(width, nesting - 1))
            return engine.expression(Op.ITE, width, *parts)
        if kind == 12:
            entries = [chance.getrandbits(width) for _ in range(chance.choice((3, 20)))]
            return engine.expression(Op.LOOKUP, width, self.term(8, nesting - 1), engine.table(entries, width))
        return self._leaf(width)

    def constant(self, width: int) -> int:
        return self.engine.constant(width, edge_value(self.chance, width))

    def near(self, term: int, width: int) -> int:
        """A constant close to a value that the term has."""
        value = self.engine.evaluate(term, self.chance.choice(self.inputs))
        return self.engine.constant(width, value + self.chance.randrange(-2, 3))

    def comparison(self, width: int, nesting: int = 2) -> int:
        """Of a sum with a constant, or with another sum."""
        left = self.term(width, nesting)
        is_bound = self.chance.random() < 0.7
        right = self.near(left, width) if is_bound else self.term(width, nesting)
        if is_bound:
            self.compared.append((left, width))
        pair = self.chance.sample((left, right), 2)
        return self.engine.expression(self.chance.choice((Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE)), 1, *pair)

    def of_numbers(self) -> int:
        """A comparison of floating-point numbers made from a sum."""
        engine, chance = self.engine, self.chance
        width = chance.choice((32, 64))
        number = engine.expression(chance.choice((Op.SITOFP, Op.UITOFP)), width, self.term(32, 2))
        for _ in range(chance.randrange(3)):
            op = chance.choice((Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV, Op.FNEG, Op.FFLOOR))
            if op in (Op.FNEG, Op.FFLOOR):
                number = engine.expression(op, width, number)
            else:
                pair = chance.sample((number, self.number(width, chance.choice((0.1, 10.0, -2.0, 0.0, 1e30)))), 2)
                number = engine.expression(op, width, *pair)
        value = engine.evaluate(number, chance.choice(self.inputs)) + chance.randrange(-1, 2)
        pair = chance.sample((number, engine.constant(width, value)), 2)
        return engine.expression(chance.choice((Op.FOEQ, Op.FOLT, Op.FOLE, Op.FUNO)), 1, *pair)

    def number(self, width: int, value: float) -> int:
        """A constant of floating point."""
        return self.engine.constant(width, int.from_bytes(struct.pack("<d" if width == 64 else "<f", value), "little"))

    def of_leaves(self) -> int:
        """A comparison of the first leaf, or another of its width, with the next one."""
        alike = [leaf for leaf, width in zip(self.leaves, self.widths, strict=True) if width == self.widths[0]]
        pair = self.chance.sample(alike, 2) if len(alike) > 1 else alike * 2
        return self.engine.expression(self.chance.choice((Op.EQ, Op.ULT, Op.ULE)), 1, *pair)

    def of_product(self) -> int:
        """Whether a product of signed numbers does not overflow, as clang's check of it asks."""
        width = self.chance.choice((8, 16, 32))
        factors = self.term(width, 1), self.chance.choice((self.term(width, 1), self.constant(width)))
        wide = [self.engine.expression(Op.SEXT, 2 * width, factor) for factor in factors]
        narrow = self.engine.expression(Op.MUL, width, *factors)
        pair = self.engine.expression(Op.MUL, 2 * width, *wide), self.engine.expression(Op.SEXT, 2 * width, narrow)
        return self.engine.expression(Op.EQ, 1, *self.chance.sample(pair, 2))

    def of_sum(self) -> int:
        """Whether a sum or difference of signed numbers overflows, as clang's check of it asks."""
        engine, chance = self.engine, self.chance
        width = chance.choice((8, 16, 32))
        left, right = self.term(width, 1), chance.choice((self.term(width, 1), self.constant(width)))
        op = chance.choice((Op.ADD, Op.SUB))
        made = engine.expression(op, width, left, right)
        first = (left, made) if op is Op.ADD else (left, right)
        second = (right, made) if op is Op.ADD else (left, made)
        signs = [engine.expression(Op.XOR, width, *chance.sample(pair, 2)) for pair in (first, second)]
        both = engine.expression(Op.AND, width, *chance.sample(signs, 2))
        self.compared.append((made, width))
        return engine.expression(Op.SLT, 1, both, engine.constant(width, 0))

    def chain(self) -> tuple[Literals, bytes]:
        """Checks of a number that is read digit by digit, as a parent answers them, and the opposite of the last."""
        engine, chance, parent = self.engine, self.chance, self.chance.choice(self.inputs)
        width, op = chance.choice((8, 8, 16)), chance.choice((Op.ADD, Op.SUB))
        factor = engine.constant(width, chance.choice((2, 3, 10, 10, -3)))
        base = engine.constant(width, chance.choice((0, ord("0"), ord("1"), -5)))
        total, literals = engine.constant(width, chance.choice((0, 0, 1, -1))), []
        for leaf in self.leaves:
            times = engine.expression(Op.MUL, width, total, factor)
            literals.append(self._fits(total, times, factor, width))
            extended = leaf if width == 8 else engine.expression(chance.choice((Op.ZEXT, Op.SEXT)), width, leaf)
            digit = engine.expression(Op.SUB, width, extended, base)
            total = engine.expression(op, width, times, digit)
            pairs = ((times, total), (digit, total)) if op is Op.ADD else ((times, digit), (times, total))
            signs = [engine.expression(Op.XOR, width, *pair) for pair in pairs]
            both = engine.expression(Op.AND, width, *signs)
            literals.append(engine.expression(Op.SLT, 1, both, engine.constant(width, 0)))
            if chance.random() < 0.5:
                literals.append(self._guard(total, digit, width))
        chosen = [(literal, engine.evaluate(literal, parent) == 1) for literal in literals[: chance.randrange(1, 13)]]
        return [*chosen[:-1], (chosen[-1][0], not chosen[-1][1])], parent

    def _fits(self, total: int, times: int, factor: int, width: int) -> int:
        """Whether a product with a constant does not overflow: by double width, or by bounds of the other factor."""
        engine = self.engine
        number = int.from_bytes(engine.evaluate(factor, b"").to_bytes(8, "little")[: width // 8], "little", signed=True)
        if number < 0 or self.chance.random() < 0.4:
            wide = [engine.expression(Op.SEXT, 2 * width, each) for each in (total, factor, times)]
            return engine.expression(Op.EQ, 1, engine.expression(Op.MUL, 2 * width, wide[0], wide[1]), wide[2])
        most = (1 << (width - 1)) - 1
        low, high = engine.constant(width, -((most + 1) // number)), engine.constant(width, most // number)
        pair = engine.expression(Op.SLT, 1, total, low), engine.expression(Op.SLT, 1, high, total)
        return engine.expression(Op.NOT, 1, engine.expression(Op.OR, 1, *self.chance.sample(pair, 2)))

    def _guard(self, total: int, digit: int, width: int) -> int:
        """What programs ask of such a number: a bound, a quotient, a remainder, its upper bits."""
        engine, chance = self.engine, self.chance
        kind, number = chance.randrange(5), engine.constant(width, chance.choice((2, 3, 4, 8, 10, 100)))
        if kind == 0:
            return engine.expression(Op.SLT, 1, total, self.constant(width))
        if kind == 1:
            left = engine.expression(Op.SUB, width, engine.constant(width, (1 << (width - 1)) - 1), digit)
            quotient = engine.expression(chance.choice((Op.SDIV, Op.UDIV)), width, left, number)
            return engine.expression(Op.SLT, 1, quotient, total)
        if kind == 2:
            top = engine.expression(Op.LSHR, width, total, engine.constant(width, chance.randrange(1, width)))
            return engine.expression(Op.EQ, 1, top, engine.constant(width, chance.randrange(3)))
        if kind == 3:
            rest = engine.expression(chance.choice((Op.UREM, Op.SREM)), width, total, number)
            return engine.expression(Op.EQ, 1, rest, engine.constant(width, chance.randrange(4)))
        joined = engine.expression(Op.SHL, width, total, engine.constant(width, chance.choice((2, 4))))
        joined = engine.expression(Op.OR, width, joined, digit)
        return engine.expression(chance.choice((Op.EQ, Op.ULT)), 1, joined, self.near(joined, width))

    def again(self) -> int:
        """A comparison of a term that was compared before, of its distance to a number, or of its double."""
        engine, chance = self.engine, self.chance
        term, width = chance.choice(self.compared)
        op = chance.choice((Op.ADD, Op.XOR, Op.MUL))
        other = self.constant(width) if op is Op.XOR else engine.constant(width, chance.randrange(-2, 3))
        term = chance.choice((term, engine.expression(op, width, term, other)))
        pair = chance.sample((term, self.near(term, width)), 2)
        return engine.expression(chance.choice((Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE)), 1, *pair)

    def literal(self) -> int:
        """Of sums, of a product, or of floating-point numbers."""
        kind = self.chance.random()
        if self.compared and kind < 0.15:
            return self.again()
        if kind < 0.2:
            return self.of_numbers()
        if kind < 0.27:
            return self.of_product()
        if kind < 0.4:
            return self.of_sum()
        return self.comparison(self.chance.choice((8, 16, 32, 64)))

    def query(self) -> tuple[Literals, bytes]:
        """A prefix that a random parent satisfies, and a target that it does not."""
        parent, chance = self.chance.choice(self.inputs), self.chance
        self.compared.clear()
        make = self.of_leaves if chance.random() < 0.1 else self.literal
        literals = [make() for _ in range(chance.randrange(1, 5))]
        chosen = [(literal, self.engine.evaluate(literal, parent) == 1) for literal in literals]
        return [*chosen[:-1], (chosen[-1][0], not chosen[-1][1])], parent


MISTAKES: dict[str, tuple[str, str, str]] = {  # rung (and what of it) → a file, what stands there, what is wrong
    "linear": ("linear_form.c", "return high - turns * turn < first + turn;", "return 1;"),
    "linear by checks": ("linear_checks.c", "checked->least = is_signed ? -(turn / 2) : 0;", "checked->least = 0;"),
    "linear by rows": ("linear_form.c", "if (ratio && is_bound(last, ratio) &&", "if (is_bound(last, ratio) &&"),
    "linear below": ("linear.c", "if (low >= checked->least)", "if (1)"),
    "ranges": ("ranges.c", "if (low >> width != high >> width)", "if (0)"),
    "ranges of products": ("ranges.c", "|| range->high >= sign_bit(inner->width))", ")"),
    "ranges by comparisons": ("bounds.c", "if (bound->is_below == bound->want) {", "if (bound->is_below) {"),
    "domain": ("byte_set.c", "argument[lane] = first + lane;", "argument[lane] = first + (lane | 1);"),
    "interval": (
        "preimage.c",
        "case VEER_OP_ADD: return undo_add(spans, node->width, constant);",
        "case VEER_OP_ADD: return 1;",
    ),
    "enumerate": ("grid.c", "grid->axes[i].position = 0;", "grid->axes[i].position = 1 % grid->axes[i].size;"),
    "pairs": ("pairs.c", "residual->literal, residual->want);", "residual->literal, !residual->want);"),
    "order": ("order.c", "if (order->relation[i][i] == BELOW)", "if (order->relation[i][i])"),
    "frontier": ("frontier.c", "if (user->rank > operand->last_use)", "if (user->rank > operand->last_use + 1)"),
    "frontier's classes": ("frontier.c", "if (operand->is_single && !user->is_single)", "if (0)"),
}
"""At least one for each of the rungs that prove something."""


def wrong_answers(
    system: Sums, shared: Shared, queries: int, query: Callable[[], tuple[Literals, bytes]] | None = None
) -> tuple[list[str], dict[tuple[str, Verdict], int]]:
    """Rungs that brute force refutes, with the query; how often each rung gave which verdict."""
    engine, everything = system.engine, set(system.inputs)
    verdicts = {(rung, verdict): 0 for rung in DECISIVE for verdict in Verdict}
    wrong = []
    for _ in range(queries):
        literals, parent = (query or system.query)()
        feasible = any(engine.holds(literals, data) for data in system.inputs)
        for rung in DECISIVE:
            leave_only(shared, rung)
            answer = engine.ladder(literals, parent)
            verdicts[rung, answer.verdict] += 1
            is_true = not feasible
            if answer.verdict is Verdict.SAT:
                is_true = engine.holds(literals, answer.input) and answer.input in everything
            if answer.verdict is not Verdict.UNKNOWN and not is_true:
                wrong.append(f"{rung} says {answer.verdict.name} of {literals}")
    return wrong, verdicts


@pytest.mark.parametrize("shape", SHAPES)
def test_each_rung_alone_says_what_brute_force_says_or_nothing(shape: str) -> None:
    with campaign() as (engine, shared):
        wrong, verdicts = wrong_answers(Sums(engine, random.Random(shape), shape), shared, QUERIES)
    assert not wrong
    assert verdicts["ranges", Verdict.SAT] == verdicts["invert", Verdict.UNSAT] == 0, "neither can know that"
    for rung in ("ranges", "linear", "enumerate") if shape != "text" else ("frontier",):
        assert verdicts[rung, Verdict.UNSAT] > QUERIES // 20, verdicts
    for rung in ("invert", "linear", "enumerate") if shape != "text" else ("frontier",):
        assert verdicts[rung, Verdict.SAT] > QUERIES // 20, verdicts


def test_numbers_that_are_checked_digit_by_digit() -> None:
    with campaign() as (engine, shared):
        system = Sums(engine, random.Random(1), "text")
        wrong, verdicts = wrong_answers(system, shared, 2 * QUERIES, system.chain)
    assert not wrong
    assert verdicts["linear", Verdict.SAT] > QUERIES // 15, verdicts
    assert verdicts["linear", Verdict.UNSAT] > QUERIES // 20, verdicts


@pytest.mark.slow
@pytest.mark.parametrize("rung", sampled(MISTAKES, lambda rung: rung == "linear"))
def test_a_mistake_in_a_rung_is_found(rung: str) -> None:
    found = []
    for shape in SHAPES:
        with campaign(library_mutated(*MISTAKES[rung])) as (engine, shared):
            found += wrong_answers(Sums(engine, random.Random(shape), shape), shared, 400)[0]
    assert any(each.startswith(rung.split()[0].removesuffix("'s")) for each in found)


def test_every_rung_has_a_name_and_a_switch() -> None:
    assert set(LADDER_RUNGS) == set(RUNGS) - {"choice"} == {*DECISIVE, "recent"}
