"""The state of one program while it is written, and the statements that every program has: if, loops, switch."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from scale.expressions import Expressions, Scope
from scale.marked import Node, block, line


@dataclass(frozen=True, slots=True)
class Function:
    """A function of the program: its head without the brace, and its statements."""

    head: str
    body: tuple[Node, ...]

    @property
    def name(self) -> str:
        """The last word before the first bracket."""
        return self.head.partition("(")[0].split()[-1].lstrip("*")


Statement = Callable[["Writer"], list[Node]]
"""Writes one statement, with what it needs around it."""


@dataclass
class Writer:
    """`budget`: statements that may still be written; `nesting`: how many ifs and loops are around."""

    random: random.Random
    includes: set[str] = field(default_factory=set)
    types: list[Node] = field(default_factory=list)
    globals: list[Node] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    locals: list[Node] = field(default_factory=list)
    scope: Scope = field(default_factory=Scope)
    statements: list[Statement] = field(default_factory=list)
    budget: int = 8
    nesting: int = 0
    loops: int = 0
    names: int = 0
    returns: str = "int"
    checks: set[str] = field(default_factory=set)
    observed: list[tuple[str, int]] = field(default_factory=list)
    """Static variables of the file that a test may name: (name, bytes without padding)."""

    @property
    def make(self) -> Expressions:
        """Expressions of the current scope."""
        return Expressions(self.random, self.scope)

    def fresh(self, prefix: str) -> str:
        """A name that nothing else has."""
        self.names += 1
        return f"{prefix}{self.names}"

    def function(self, head: str, *body: str | Node) -> None:
        """Adds a helper."""
        self.functions.append(Function(head, tuple(line(each) if isinstance(each, str) else each for each in body)))

    def static(self, declaration: str) -> None:
        """Adds a variable of the file, that each run finds as it was at first."""
        self.globals.append(line(f"‹unit›{declaration}"))

    def condition(self) -> str:
        """A marked condition on lines of its own; with short circuits now and then."""
        one = f"‹{self.make.condition()}›"
        kind = self.random.randrange(8)
        if kind == 0:
            return f"{one} &&\n    ‹{self.make.condition()}›"
        if kind == 1:
            return f"{one} ||\n    ‹{self.make.condition()}›"
        if kind == 2:
            return f"!({one})"
        return one

    def body(self, count: int = 0) -> tuple[Node, ...]:
        """The statements of an inner block."""
        before, self.scope = self.scope, self.scope.copy()
        self.nesting += 1
        nodes = self.sequence(count or self.random.randint(1, 2))
        self.nesting -= 1
        self.scope = before
        return tuple(nodes)

    def sequence(self, count: int) -> list[Node]:
        """So many statements, while the budget lasts; at least one."""
        nodes: list[Node] = []
        for _ in range(count):
            nodes += self.statement()
        return nodes

    def statement(self) -> list[Node]:
        """One statement, with what it needs around it."""
        self.budget -= 1
        if self.budget < 0 or self.nesting > 2:
            return [self.assignment()]
        if self.statements and self.random.random() < 0.5:
            return self.random.choice(self.statements)(self)
        return self.random.choices((self.assigned, self.branch, self.switch, self.loop), (3, 6, 1, 1 - self.loops))[0]()

    def assigned(self) -> list[Node]:
        """An assignment, or a new variable."""
        if self.random.random() < 0.7:
            return [self.assignment()]
        name = self.fresh("v")
        value = self.make.fitting(-1000, 1000)
        self.scope.variable(name)
        return [line(f"int {name} = {value.text};")]

    def assignment(self) -> Node:
        """A value into some place."""
        place, low, high = self.random.choice(self.scope.places)
        if self.random.random() < 0.15:
            right, other = self.make.fitting(low, high, 1), self.make.fitting(low, high, 1)
            return line(f"{place} = ‹{self.make.condition()}›\n    ? {right.text}\n    : {other.text};")
        return line(f"{place} = {self.make.fitting(low, high).text};")

    def branch(self) -> list[Node]:
        """if, with an else now and then, or a return."""
        head, inner = f"if ({self.condition()}) {{".split("\n"), self.body()
        kind = self.random.randrange(9)
        if kind == 0 and not self.loops:
            inner = (*inner, line(f"return {self.result()};"))
        parts: list[str | tuple[Node, ...]] = [*head, inner]
        if kind > 5:
            parts += ["} else {", self.body()]
        return [Node((*parts, "}"))]

    def result(self) -> str:
        """What a return of the entry gives."""
        return "" if self.returns == "void" else self.make.fitting(*RETURNS[self.returns]).text

    def switch(self) -> list[Node]:
        """switch, with and without breaks."""
        count = self.random.choice((4, 8))
        operand = self.make.some_index(count).text
        cases = sorted(self.random.sample(range(count), self.random.choice((2, 3))))
        parts: list[str | tuple[Node, ...]] = [f"switch (‹switch {' '.join(map(str, cases))}|{operand}›) {{"]
        for case in cases:
            inner = self.body(1)
            leaves = self.random.random() < 0.7
            parts += [f"case {case}: {{", (*inner, line("break;")) if leaves else inner, "}"]
        if self.random.random() < 0.7:
            parts += ["default: {", self.body(1), "}"]
        return [Node((*parts, "}"))]

    def loop(self) -> list[Node]:
        """A loop of few rounds."""
        name = self.fresh("i")
        count = self.random.choice(("2", self.make.some_index(3).text))
        self.loops += 1
        outer, self.scope = self.scope, self.scope.copy()
        self.scope.variable(name, 0, 3, writable=False)
        body = self.body(1)
        self.scope = outer
        self.loops -= 1
        leaving = self.random.randrange(6)
        if leaving < 2:
            word = ("break", "continue")[leaving]
            body = (Node((f"if (‹{name} == {self.random.randrange(2)}›)", (line(f"{word};"),))), *body)
        if self.random.random() < 0.6:
            return [block(f"for (int {name} = 0; ‹{name} < {count}›; {name}++) {{", body)]
        step = line(f"{name}++;", fixed=True)
        if self.random.random() < 0.5:
            return [Node((f"int {name} = 0;",), True), block(f"while (‹{name} < {count}›) {{", (step, *body))]
        return [
            Node((f"int {name} = 0;",), True),
            Node(("do {", (step, *body), f"}} while (‹{name} < {count}›);")),
        ]


RETURNS: dict[str, tuple[int, int]] = {
    "int": (-1000, 1000),
    "long": (-1000, 1000),
    "short": (-1000, 1000),
    "unsigned char": (0, 255),
    "unsigned long": (0, 1000),
    "_Bool": (-1000, 1000),
    "double": (-1000, 1000),
    "float": (-1000, 1000),
    "enum colour": (0, 2),
}
"""Types of the entry's result, with the bounds of what is returned."""


@dataclass(frozen=True, slots=True)
class Feature:
    """A piece of the language. `declare` is called once: it may add types, functions, variables and makers of values;
    `statement` makes a use of it."""

    name: str
    declare: Callable[[Writer], None]
    statements: Sequence[Statement] = ()
