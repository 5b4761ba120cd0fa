"""Random well-formed expression DAGs over every operator and width, and inputs with edge values."""

from __future__ import annotations

import random
import struct

from smt_dag import ArenaBuilder

from veer.wire.layout import Op

ARITHMETIC = (
    Op.ADD,
    Op.SUB,
    Op.MUL,
    Op.UDIV,
    Op.SDIV,
    Op.UREM,
    Op.SREM,
    Op.AND,
    Op.OR,
    Op.XOR,
    Op.SHL,
    Op.LSHR,
    Op.ASHR,
)
COMPARISONS = (Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE)
FLOAT_ARITHMETIC = (Op.FADD, Op.FSUB, Op.FMUL, Op.FDIV)
TO_INTEGRAL = (Op.FRINT, Op.FFLOOR, Op.FCEIL, Op.FTRUNC, Op.FROUND)
FUSED = (Op.FFMA,)
FLOAT_UNARY = (Op.FNEG, Op.FABS, Op.FSQRT)
DOUBLE_WIDTH = (Op.UMULH, Op.UDIVL, Op.UREML)
FLOAT_COMPARISONS = (Op.FOEQ, Op.FOLT, Op.FOLE, Op.FUNO)
CONVERSIONS = (Op.FPTOSI, Op.FPTOUI, Op.SITOFP, Op.UITOFP, Op.FPEXT, Op.FPTRUNC)
DOUBLES = (
    0.0,
    1.0,
    1.5,
    0.5,
    2.5,
    3.5,
    1e-310,
    5e-324,
    1e308,
    1e38,
    1e-40,
    3.4028235e38,
    255.0,
    256.5,
    2.0**31,
    2.0**32,
)
MORE_DOUBLES = (2.0**63, 2.0**64, 2.0**63 - 1024, 2.0**31 - 0.5, 127.5, 128.0, 0.1, 16777217.0, 9007199254740993.0)
INFINITE = (float("inf"), float("nan"))


def edge_value(random: random.Random, width: int) -> int:
    """A value of that width: an edge, a small number, a float of note, or anything."""
    mask = (1 << width) - 1
    choice = random.randrange(6)
    if choice == 0:
        return random.choice((0, 1, mask, mask >> 1, (mask >> 1) + 1, mask - 1)) & mask
    if choice == 1:
        return random.randrange(-4, 70) & mask
    if choice in (2, 3) and width in (32, 64):
        return float_bits(random.choice((*DOUBLES, *MORE_DOUBLES, *INFINITE)) * random.choice((1, -1)), width)
    if choice == 4:
        return (1 << random.randrange(width)) & mask
    return random.getrandbits(width)


def float_bits(number: float, width: int) -> int:
    """Bits of a float, infinity where a binary32 would overflow."""
    if width == 64:
        return struct.unpack("<Q", struct.pack("<d", number))[0]
    if abs(number) > 3.4028235e38:
        number = float("inf") if number > 0 else float("-inf")
    return struct.unpack("<I", struct.pack("<f", number))[0]


class DagMaker:
    """Grows a DAG at random; `pool` holds the expressions made so far."""

    def __init__(
        self,
        builder: ArenaBuilder,
        random: random.Random,
        leaves: list[int],
        *,
        floats: bool = False,
        tables: bool = False,
    ) -> None:
        self.builder = builder
        self.random = random
        self.pool = list(leaves)
        self.floats = floats
        self.tables = tables

    def grow(self, count: int) -> None:
        """Make `count` more expressions, newer ones preferably on top of newer ones."""
        for _ in range(count):
            self.pool.append(self._make())

    def literal(self) -> int:
        """An expression of width 1 over some of the newest ones."""
        newest = self.random.choice(self.pool[-4:])
        if self.builder.width(newest) == 1:
            return newest
        op = self.random.choice(COMPARISONS)
        return self.builder.compare(op, newest, self._of_width(self.builder.width(newest)))

    def _pick(self) -> int:
        recent = self.pool[-6:] if self.random.random() < 0.6 else self.pool
        return self.random.choice(recent)

    def _of_width(self, width: int) -> int:
        """An expression of that width, made by conversion or as a constant where there is none."""
        if self.random.random() < 0.25:
            return self.builder.constant(width, edge_value(self.random, width))
        a = self._pick()
        have = self.builder.width(a)
        if have == width:
            return a
        if have < width:
            return self.builder.make(self.random.choice((Op.ZEXT, Op.SEXT)), width, a)
        return self.builder.make(Op.EXTRACT, width, a, self.random.randrange(have - width + 1))

    def _make(self) -> int:
        if self.floats and self.random.random() < 0.6:
            return self._make_float()
        builder, random = self.builder, self.random
        a = self._pick()
        width = builder.width(a)
        choice = random.randrange(8)
        if choice < 3:
            return builder.binary(random.choice(ARITHMETIC), a, self._of_width(width))
        if choice == 3:
            return builder.compare(random.choice(COMPARISONS), a, self._of_width(width))
        if choice == 4:
            return builder.make(Op.ITE, width, self._of_width(1), a, self._of_width(width))
        if choice == 5:
            return builder.make(Op.NOT, 1, self._of_width(1)) if width == 1 else builder.make(Op.CTPOP, width, a)
        other = self._pick()
        if choice == 6 and width + builder.width(other) <= 64:
            return builder.make(Op.CONCAT, width + builder.width(other), a, other)
        if self.tables and choice == 7:
            return self._look_up(a)
        return self._of_width(random.randrange(1, 65))

    def _look_up(self, index: int) -> int:
        width = self.random.choice((8, 16, 32, 64))
        distinct = [self.random.getrandbits(width) for _ in range(self.random.choice((1, 3, 20)))]
        entries = [self.random.choice(distinct) for _ in range(self.random.choice((1, 2, 7, 40)))]
        return self.builder.look_up(index, entries, width)

    def _make_float(self) -> int:
        builder, random = self.builder, self.random
        width = random.choice((32, 64))
        a, b = self._of_width(width), self._of_width(width)
        choice = random.randrange(5)
        if choice < 2:
            op = random.choice((*FLOAT_ARITHMETIC, *FUSED))
            return builder.make(op, width, a, b, self._of_width(width) if op in FUSED else 0)
        if choice == 2:
            return builder.make(random.choice(FLOAT_UNARY), width, a)
        if choice == 3:
            return builder.compare(random.choice(FLOAT_COMPARISONS), a, b)
        return self.conversion(random.choice(CONVERSIONS), width)

    def conversion(self, op: Op, width: int) -> int:
        """A conversion between integers and floats, or between floats."""
        builder, random = self.builder, self.random
        if op in (Op.FPTOSI, Op.FPTOUI):
            return builder.make(op, random.choice((8, 16, 32, 64)), self._of_width(width))
        if op in (Op.SITOFP, Op.UITOFP):
            return builder.make(op, width, self._of_width(random.choice((1, 8, 16, 24, 32, 64))))
        old, new = (32, 64) if op == Op.FPEXT else (64, 32)
        return builder.make(op, new, self._of_width(old))
