"""Random small C functions of pointers that may be NULL: each asks about what is behind one of them, mostly.

Arrays, enumerations and structs have inputs whose bounds leave out 0, and inputs that a run with NULL never
asks for. A seed gives always the same text.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

HEAD = """\
enum e { A = 3, B = 5, C = 9 };
struct s { enum e k; _Bool b; unsigned u : 3; int v; int *q; };
static int seen[3], found[3];
"""
TYPES = ("int *", "char *", "enum e *", "struct s *", "unsigned char *", "const char *")
MEMBERS = ("->k == B", "->b", "->u == 5", "->v == 7", "->q")
MOST_DEPTH = 3


@dataclass
class Writer:
    """One function. `tested`: the parameters that are not NULL from there on."""

    random: random.Random
    types: list[str]
    tested: set[int] = field(default_factory=set)
    lines: list[str] = field(default_factory=list)

    def asked(self, number: int) -> str:
        """What is behind a pointer, with a test for NULL before it where it is needed, and at times where it is not."""
        name, type_ = f"p{number}", self.types[number]
        inner = f"*{name} {self.random.choice(('==', '>', '<'))} {self.random.randrange(1, 60)}"
        if type_ == "struct s *":
            inner = name + self.random.choice(MEMBERS)
        elif type_ == "enum e *":
            inner = f"*{name} == {self.random.choice('ABC')}"
        return inner if number in self.tested and self.random.random() < 0.8 else f"{name} && {inner}"

    def statement(self, number: int, depth: int) -> None:
        """One statement about this pointer, or about any."""
        if self.random.random() < 0.1:
            number = self.random.randrange(len(self.types))
        indent, kind = "    " * (depth + 1), self.random.randrange(6)
        value = self.random.randrange(3)
        if kind < 3 and depth < MOST_DEPTH:
            self.lines.append(f"{indent}if ({self.asked(number)}) {{")
            self.block(number, depth + 1)
            self.lines.append(f"{indent}}}")
        elif kind == 3 and depth == 0:
            self.lines.append(f"{indent}if (!p{number}) return 1;")
            self.tested.add(number)
        elif kind == 4:
            self.lines.append(f"{indent}if (p{number}) seen[{number}]++;")
        else:
            self.lines.append(f"{indent}if (seen[{number}] == {value}) found[{number}]++;")

    def block(self, number: int, depth: int) -> None:
        """A few statements."""
        for _ in range(self.random.randrange(1, 4)):
            self.statement(number, depth)


def pointers(seed: int) -> str:
    """A function f of two or three pointers."""
    source = random.Random(seed)
    types = [source.choice(TYPES) for _ in range(source.randrange(2, 4))]
    writer = Writer(source, types)
    for _ in range(source.randrange(3, 7)):
        writer.statement(source.randrange(len(types)), 0)
    parameters = ", ".join(f"{type_}p{number}" for number, type_ in enumerate(types))
    return f"{HEAD}int f({parameters}) {{\n" + "\n".join(writer.lines) + "\n    return 0;\n}\n"
