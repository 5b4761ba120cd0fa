"""Random small C functions of two bytes, with a header as in tests/programs: a seed gives always the same text.

Everything that C leaves undefined is avoided, but for signed overflow, which wraps at -O0 on both sides.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Protocol

TYPES = ("unsigned char", "signed char", "unsigned short", "short", "unsigned", "int", "unsigned long", "long")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
OPERATORS = ("+", "-", "*", "&", "|", "^")


HEAD = """\
// entry: f
// input: unsigned char a: all
// input: signed char b: all
// claim: any
static const short table[8] = {3, -7, 100, 0, 255, -128, 17, 1};
int f(unsigned char a, signed char b) {
    int r = 1;
    unsigned short cells[4] = {9, 8, 7, 6};"""


@dataclass
class Generator:
    """One function's state: the variables in scope, and how much may still be written."""

    random: random.Random
    variables: list[str] = field(default_factory=lambda: ["a", "b"])
    statements: int = 16
    loops: int = 0
    names: int = 0

    def constant(self) -> str:
        """A number that branches like to be compared with."""
        pick = self.random.choice
        return str(pick((0, 1, 2, 3, 7, 10, 31, 64, 100, 127, 128, 200, 255, 256, 1000, -1, -2, -128)))

    def expression(self, depth: int) -> str:
        """An arithmetic expression."""
        kind = self.random.randrange(12 if depth else 3)
        if kind < 2:
            return self.random.choice(("a", "b", *self.variables))
        if kind == 2:
            return f"({self.constant()})"
        left, right = self.expression(depth - 1), self.expression(depth - 1)
        if kind < 6:
            return f"({left} {self.random.choice(OPERATORS)} {right})"
        if kind == 6:
            return f"({left} {self.random.choice(('/', '%'))} {self.random.choice(('3', '7', '-5', '16'))})"
        if kind == 7:
            return f"({left} {self.random.choice(('<<', '>>'))} ({right} & 7))"
        if kind == 8:
            return f"(({self.random.choice(TYPES)})({left}))"
        if kind == 9:
            return f"table[({left}) & 7]"
        if kind == 10:
            return f"({self.random.choice('~-!')}({left}))"
        return f"({self.condition(1)} ? {left} : {right})"

    def varying(self) -> str:
        """An expression that depends on an input, mostly a short one."""
        left = self.random.choice(("a", "b", *self.variables))
        kind = self.random.randrange(3)
        if kind == 0:
            return left
        return f"({left} {self.random.choice(OPERATORS)} {self.expression(kind)})"

    def condition(self, depth: int) -> str:
        """A condition, with short circuits."""
        kind = self.random.randrange(6 if depth else 4)
        if kind < 4:
            right = self.constant() if self.random.random() < 0.7 else self.expression(1)
            return f"({self.varying()} {self.random.choice(COMPARISONS)} {right})"
        operator = "&&" if kind == 4 else "||"
        return f"({self.condition(depth - 1)} {operator} {self.condition(depth - 1)})"

    def block(self, indent: int, depth: int) -> list[str]:
        """Some statements; variables that it declares end with it."""
        known = list(self.variables)
        lines: list[str] = []
        for _ in range(self.random.randint(1, 3)):
            lines += self.statement(indent, depth)
        self.variables = known
        return lines

    def statement(self, indent: int, depth: int) -> list[str]:
        """One statement; simple ones only when the budget is spent."""
        pad = "    " * indent
        self.statements -= 1
        kind = self.random.randrange(10) if self.statements > 0 and depth else self.random.randrange(4)
        if kind < 2 and self.random.random() < 0.5:
            self.names += 1
            name = f"v{self.names}"
            text = f"{pad}{self.random.choice(TYPES)} {name} = {self.expression(2)};"
            self.variables.append(name)
            return [text]
        if kind <= 2:
            return [f"{pad}r += {self.expression(2)};"]
        if kind == 3:
            return [f"{pad}cells[({self.expression(1)}) & 3] = {self.expression(2)};", f"{pad}r ^= cells[1];"]
        if kind < 8:
            return self._if(indent, depth)
        if kind == 8 and self.loops == 0:
            return self._loop(indent, depth)
        return self._switch(indent, depth)

    def _if(self, indent: int, depth: int) -> list[str]:
        pad = "    " * indent
        lines = [f"{pad}if ({self.condition(1)}) {{", *self.block(indent + 1, depth - 1)]
        if self.random.random() < 0.1:
            lines.append(f"{pad}    return r;")
        if self.random.random() < 0.5:
            lines += [f"{pad}}} else {{", *self.block(indent + 1, depth - 1)]
        return [*lines, f"{pad}}}"]

    def _loop(self, indent: int, depth: int) -> list[str]:
        pad = "    " * indent
        self.loops += 1
        self.names += 1
        name = f"i{self.names}"
        bound = self.random.choice(("2", "3", f"(({self.expression(1)}) & 3)"))
        self.variables.append(name)
        body = self.block(indent + 1, depth - 1)
        self.variables.remove(name)
        self.loops -= 1
        return [f"{pad}for (int {name} = 0; {name} < {bound}; {name}++) {{", *body, f"{pad}}}"]

    def _switch(self, indent: int, depth: int) -> list[str]:
        pad = "    " * indent
        lines = [f"{pad}switch ({self.expression(1)} & 15) {{"]
        for value in self.random.sample(range(16), 3):
            lines += [f"{pad}case {value}: {{", *self.block(indent + 1, depth - 1), f"{pad}}}"]
            if self.random.random() < 0.7:
                lines.append(f"{pad}    break;")
        return [*lines, f"{pad}default:", f"{pad}    r ^= 5;", f"{pad}}}"]


class Writer(Protocol):
    """What writes statements until its budget is spent."""

    statements: int

    def statement(self, indent: int, depth: int) -> list[str]:
        """One statement, as lines."""


def body(writer: Writer, depth: int) -> list[str]:
    """The statements of a function."""
    lines: list[str] = []
    while writer.statements > 0:
        lines += writer.statement(1, depth)
    return lines


def program(seed: int) -> str:
    """The C text of the random function with this seed."""
    return "\n".join([HEAD, *body(Generator(random.Random(seed)), 3), "    return r;", "}", ""])
