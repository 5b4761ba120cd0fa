"""Random programs of many small calls, for the compositional search: pointers, globals, loops, aborts, recursion.

Each program is a few functions, each of which calls only those before it (or itself, with a counter), and a `top` over
three integers. Nothing in them is outside of the solver's theory. `small` is `top` with inputs that can all be tried:
called_brute.py does, with other definitions of the macros that stand around conditions, aborts and divisions.
"""

from __future__ import annotations

import random

_NAMES = {"int": ["b"], "pointer": ["*p"], "array": ["s[1]", "s[a & 3]"], "again": ["n"], "top": ["b", "c"]}
MACROS = """\
#ifndef SIDE
#define SIDE(condition) (condition)
#define STOP() __builtin_trap()
#define OVER(left, right) ((left) / (right))
#endif
"""
SMALL_MASK = 15
_CONSTANTS = (-1, 0, 1, 2, 3, 5, 7, 10, 100)


class Writer:
    """One program; all its names end in `tag`, so that many fit into one file."""

    def __init__(self, seed: int, tag: str) -> None:
        self.random = random.Random(seed)
        self.tag = tag
        self.functions: list[tuple[str, str]] = []  # name, kind of its parameters
        self.lines: list[str] = []
        self.depth = 0

    def text(self) -> str:
        """The whole program."""
        self.lines = [f"static int g{self.tag}, m{self.tag} = {self.random.randrange(3)};"]
        self.lines.append(f"static int t{self.tag}[4] = {{1, 2, 3, 4}};")
        for number in range(self.random.randrange(2, 5)):
            kind = self.random.choice(("int", "int", "pointer", "array", "again"))
            name = f"f{number}{self.tag}"
            self._function(name, kind)
            self.functions.append((name, kind))
        self._function(f"top{self.tag}", "top")
        self.lines.append(f"int small{self.tag}(signed char a, signed char b, signed char c) {{")
        self.lines.append(f"  return top{self.tag}(a, b, c & {SMALL_MASK});")
        self.lines.append("}")
        return "\n".join(self.lines) + "\n"

    def _function(self, name: str, kind: str) -> None:
        parameters = {
            "int": "int a, int b",
            "pointer": "int *p, int a",
            "array": "const signed char *s, int a",
            "again": "int n, int a",
            "top": "int a, int b, signed char c",
        }[kind]
        static = "" if kind == "top" else "static "
        self.lines.append(f"{static}int {name}({parameters}) {{")
        names = ["a", *_NAMES[kind]]
        self.lines.append("  int v = 0, w = a; signed char q[4] = {0, 1, 2, 3};")
        if kind == "top":
            self.lines.append("  q[1] = c; q[2] = (signed char)b;")
        self.names = [*names, "v", "w", f"g{self.tag}", f"m{self.tag}"]
        self.kind = kind
        self.name = name
        self.lines.append("  (void)q;")
        if kind == "again":
            self.lines.append("  if (SIDE(n <= 0)) return a;")
            self.lines.append("  if (SIDE(n > 3)) return a;")
        self.calls = 0
        for _ in range(self.random.randrange(2, 6)):
            self._statement(1)
        if kind == "top":
            for _ in range(2):
                self._call(1)
                self._if(1)
        self.lines += [f"  return {self._expression()};", "}"]

    def _statement(self, depth: int) -> None:
        kind = self.random.choices(
            ("assign", "if", "call", "loop", "global", "store", "abort", "return"),
            (4, 5, 4 if self.calls < 3 else 0, 1, 2, 2, 0.4, 0.7 if depth > 1 else 0),
        )[0]
        getattr(self, f"_{kind}")(depth)

    def _say(self, depth: int, text: str) -> None:
        self.lines.append("  " * depth + text)

    def _assign(self, depth: int) -> None:
        self._say(depth, f"{self.random.choice('vw')} = {self._expression()};")

    def _global(self, depth: int) -> None:
        self._say(depth, f"{self.random.choice('ggm')}{self.tag} = {self._expression()};")

    def _store(self, depth: int) -> None:
        own = ["*p"] if self.kind == "pointer" else []
        place = self.random.choice(["q[v & 3]", "q[2]", f"t{self.tag}[w & 3]", *own])
        self._say(depth, f"{place} = {self._expression()};")

    def _abort(self, depth: int) -> None:
        if self.random.random() < 0.5:
            self._say(depth, f"if (SIDE({self._condition()})) STOP();")
        else:
            divisor = f"SIDE({self._name()} - {self.random.choice(_CONSTANTS)}) ? {self._name()} - 3 : 1"
            self._say(depth, f"v = OVER({self._name()}, ({divisor}));")

    def _return(self, depth: int) -> None:
        self._say(depth, f"if (SIDE({self._condition()})) return {self._expression()};")

    def _if(self, depth: int) -> None:
        self._say(depth, f"if (SIDE({self._condition()})) {{")
        self._statement(depth + 1) if depth < 3 else self._assign(depth + 1)
        if self.random.random() < 0.5:
            self._say(depth, "} else {")
            self._statement(depth + 1) if depth < 3 else self._global(depth + 1)
        self._say(depth, "}")

    def _loop(self, depth: int) -> None:
        self._say(depth, f"for (int i = 0; SIDE(i < ({self._name()} & 1) + 1); i++) v += {self._expression()};")

    def _call(self, depth: int) -> None:
        self.calls += 1
        choices = [*self.functions, *([(self.name, "again")] if self.kind == "again" else [])]
        if not choices:
            self._assign(depth)
            return
        name, kind = self.random.choice(choices)
        if kind == "int":
            arguments = f"{self._expression()}, {self._expression()}"
        elif kind == "pointer":
            target = self.random.choice(["&v", "&w", f"&g{self.tag}", *(["p"] if self.kind == "pointer" else [])])
            arguments = f"{target}, {self._expression()}"
        elif kind == "array":
            arguments = f"{self.random.choice(['q', 's'] if self.kind == 'array' else ['q'])}, {self._expression()}"
        else:
            rounds = "n - 1" if self.kind == "again" else self.random.choice(["2", "3", self._name()])
            arguments = f"{rounds}, {self._expression()}"
        self._say(depth, f"{self.random.choice('vvw')} = {name}({arguments});")

    def _name(self) -> str:
        return self.random.choice([*self.names, f"t{self.tag}[1]"])

    def _expression(self) -> str:
        kind = self.random.randrange(6)
        if kind == 0:
            return str(self.random.choice(_CONSTANTS))
        if kind <= 2:
            return self._name()
        operator = self.random.choice(("+", "-", "&", "^", "|"))
        return f"({self._name()} {operator} {self.random.choice([self._name(), *map(str, _CONSTANTS)])})"

    def _condition(self) -> str:
        comparison = self.random.choice(("<", ">", "==", "!=", "<=", ">="))
        right = self.random.choice([str(self.random.choice(_CONSTANTS)), self._name()])
        return f"{self._expression()} {comparison} {right}"


def program(seed: int, tag: str = "") -> str:
    """The program of a seed; its entries are `top` and `small` with the tag behind them."""
    return '#pragma GCC diagnostic ignored "-Wall"\n' + MACROS + Writer(seed, tag).text()
