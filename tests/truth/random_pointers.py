"""Random small C functions of two pointers to nodes, with a header as in tests/programs.

A seed gives always the same text. They compare, follow, copy and overwrite pointers, in registers and in memory, so
that some are compared before they are followed, or never followed at all.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from random_program import body

HEAD = """\
// entry: f
// input: struct node *p: -> .left=-> self; .right=-> self; .key=0..2
// input: struct node *q: -> .left=-> self; .right=-> self; .key=0..2
// option: graph_depth=2
struct node { struct node *left, *right; unsigned char key; };
static struct node *kept;
static int same(struct node *one, struct node *other) { return one == other; }
static struct node *first(struct node *one, struct node *other) { return one ? one : other; }
static int key_of(struct node whole) { return whole.left ? whole.key : 2; }
int f(struct node *p, struct node *q) {
    struct node *a = p, *b = q, *cells[2] = {q, p}, local = {0}, copy;
    int r = 0;"""
MEMBERS = ("left", "right")


@dataclass
class Generator:
    """One function's state: how much may still be written."""

    random: random.Random
    statements: int = 7
    variables: list[str] = field(default_factory=lambda: ["p", "q", "a", "b"])

    def pointer(self, depth: int) -> str:
        """An expression that is a pointer to a node."""
        kind = self.random.randrange(12 if depth else 5)
        if kind < 5:
            return self.random.choice(self.variables)
        if kind < 9:
            return f"{self.pointer(depth - 1)}->{self.random.choice(MEMBERS)}"
        return self.random.choice(("kept", "(&local)", f"cells[{self.random.randrange(2)}]"))

    def condition(self) -> str:
        """A condition over pointers, seldom over what they lead to."""
        one, other = self.pointer(1), self.pointer(1)
        kind = self.random.randrange(10)
        if kind < 4:
            return f"{one} {self.random.choice(('==', '!='))} {other}"
        if kind < 6:
            return f"{self.random.choice(('', '!'))}{one}"
        if kind == 6:
            return f"same({one}, {other})"
        if kind == 7:
            return f"&{self.random.choice('ab')}->key == &{self.random.choice('pq')}->key"
        return f"{one}->key == {self.random.randrange(2)}"

    def statement(self, indent: int, depth: int) -> list[str]:
        """One statement."""
        pad = "    " * indent
        self.statements -= 1
        kind = self.random.randrange(14 if depth else 8)
        one, other = self.pointer(1), self.pointer(1)
        if kind < 2:
            return [f"{pad}{self.random.choice('ab')} = {one};"]
        if kind == 2:
            return [f"{pad}{self.random.choice('ab')} = first({one}, {other});"]
        if kind == 3:
            return [f"{pad}cells[{self.random.randrange(2)}] = {one};", f"{pad}kept = {other};"]
        if kind == 4:
            return [f"{pad}{self.random.choice('pq')}->{self.random.choice(MEMBERS)} = {one};"]
        if kind == 5:
            return [f"{pad}local.left = {one};", f"{pad}copy = local;", f"{pad}local.right = copy.left;"]
        if kind == 6:
            return [f"{pad}r += key_of(local);"]
        if kind == 7:
            return [f"{pad}r += {one}->key;"]
        lines = [f"{pad}if ({self.condition()}) {{", *self.statement(indent + 1, depth - 1)]
        if self.random.random() < 0.3:
            lines.append(f"{pad}    return r + 10;")
        if self.random.random() < 0.4:
            lines += [f"{pad}}} else {{", *self.statement(indent + 1, depth - 1)]
        return [*lines, f"{pad}}}"]


def program(seed: int) -> str:
    """The C text of the random function with this seed."""
    generator = Generator(random.Random(seed))
    lines = body(generator, 2)
    return "\n".join([HEAD, *lines, f"    return {generator.condition()} ? r + 20 : r;", "}", ""])
