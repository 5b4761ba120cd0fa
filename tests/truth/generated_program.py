"""Random C functions of wide inputs: integers of 32 and 64 bits, a struct, a double; bit-fields and floats inside.

No brute force goes through their inputs: what is compared is in test_generated.py. A seed gives always the same text.
What C leaves undefined is avoided, but for signed overflow, which wraps at -O0 on both sides.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from random_program import Generator, body

WIDE = ("unsigned", "int", "unsigned long", "long")
FLOATS = ("d", "(double)g", "s.f", "0.5", "-1.0", "3.25", "100.0", "1e10")
# Member, offset and size of each scalar of the inputs, as the replay names them.
CELLS = (
    ("a", 0, 4),
    ("b", 0, 8),
    ("d", 0, 8),
    ("s", 0, 2),
    ("s", 2, 1),
    ("s", 4, 4),
    ("s", 8, 4),
)
HEAD = """\
// entry: f
// input: unsigned a: 0..1
// input: long b: 0..1
// input: double d: 0.0 1.0
// input: struct item s: .h=0..1; .c=0..1; .u=0..1; .f=0..1
// claim: any
struct item { short h; signed char c; unsigned u; float f; };
struct packed { int low : 5; unsigned middle : 11; long high : 40; };
static const short table[8] = {3, -7, 100, 0, 255, -128, 17, 1};
static const double weights[4] = {0.25, -3.0, 1e6, 0.0};
static int to_int(double v) { return v > -1e9 && v < 1e9 ? (int)v : 7; }
long f(unsigned a, long b, double d, struct item s) {
    long r = 1;
    float g = 1.5f;
    unsigned char k = 200;
    struct packed p = {3, 1000, -5};
    unsigned short cells[4] = {9, 8, 7, 6};"""
"""The small domains stand there for the brute force's sake only."""


@dataclass
class WideGenerator(Generator):
    """As Generator, with more to make expressions of."""

    variables: list[str] = field(
        default_factory=lambda: ["a", "b", "s.h", "s.c", "s.u", "p.low", "p.middle", "p.high", "(int)k"]
    )
    statements: int = 12

    def expression(self, depth: int) -> str:
        """An arithmetic expression; a fifth of them are of the wider kinds."""
        if not depth or self.random.random() < 0.8:
            return super().expression(depth)
        left, right = super().expression(depth - 1), super().expression(depth - 1)
        kind, wide = self.random.randrange(6), self.random.choice(WIDE)
        if kind == 0:
            return f"(({wide})({left}) {self.random.choice(('<<', '>>'))} ({right} & 31))"
        if kind == 1:
            return f"((unsigned)({left}) {self.random.choice(('/', '%'))} ((unsigned)({right}) | 1))"
        if kind == 2:
            return f"to_int({self.number(depth - 1)})"
        if kind == 3:
            return f"({self.number(1)} {self.random.choice(('<', '<=', '>', '>=', '==', '!='))} {self.number(1)})"
        if kind == 4:
            return f"(({wide})({left}) * {self.random.choice(('3', '10', '-7', '255'))})"
        return f"(({self.random.choice(('signed char', 'short', 'unsigned char', '_Bool'))})({left}))"

    def number(self, depth: int) -> str:
        """An expression of floating point."""
        kind = self.random.randrange(5 if depth else 1)
        if kind == 0:
            return self.random.choice(FLOATS)
        if kind == 1:
            return f"({self.random.choice(('double', 'float'))})({super().expression(depth - 1)})"
        if kind == 2:
            return f"weights[({super().expression(depth - 1)}) & 3]"
        if kind == 3:
            return f"(- {self.number(depth - 1)})"
        return f"({self.number(depth - 1)} {self.random.choice('+-*/')} {self.number(depth - 1)})"

    def statement(self, indent: int, depth: int) -> list[str]:
        """One statement: sometimes an assignment to what is not an integer of its own."""
        pad = "    " * indent
        kind = self.random.randrange(12)
        if kind == 0:
            return [f"{pad}g = {self.number(2)};"]
        if kind == 1:
            member = self.random.choice(("p.low", "p.middle", "p.high", "k"))
            return [f"{pad}{member} = {self.expression(2)};"]
        if kind == 2:
            return [f"{pad}{{ struct item t = s; t.h += {self.expression(1)}; s = t; }}"]
        return super().statement(indent, depth)


def program(seed: int) -> str:
    """The C text of the random function with this seed."""
    return "\n".join([HEAD, *body(WideGenerator(random.Random(seed)), 3), "    return r;", "}", ""])


def random_case(source: random.Random) -> list[str]:
    """One random input in the replay's format."""
    lines = []
    for name, offset, size in CELLS:
        value = source.choice((source.getrandbits(8 * size), source.randrange(300), -source.randrange(300)))
        half = 1 << (8 * size - 1)
        signed = (value + half) % (2 * half) - half
        lines.append(f"L {name}#0 {offset} {signed}")
    return lines
