"""Random C functions that forget to set variables, and what is right about them, by interpreting them.

    int f_3(signed char n) {
        int a, b;                       what is not set may be any number, or any of a bit-field's;
        struct pair p, q;               so may a copy of it, and what is computed with it. To decide by
        if (n > 3) a = n;               it, or to return it, is the bug, unless it makes no difference
        q = p;
        return (b + 1) ^ n;
    }

A value is a number, or the set of the numbers that it may be; ANY stands for all of 32 bits. A statement is a tuple
that begins with its kind. An expression is a number, a place, or (operator, expression, number or "n"): it has one
place at most, for then ANY and a number make ANY. A place is a variable, a member `p.x`, an element `t[1]` or
`h[1]` (h is a block of the heap), or `(*z)`, where z points to c.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

SCALARS = ("a", "b", "c", "p.x", "p.low", "p.high", "q.x", "q.low", "q.high", "t[0]", "t[1]", "h[0]", "h[1]", "(*z)")
INPUTS = range(-8, 8)
BUG = "uninitialised"
ANY = frozenset({"any"})
Value = int | frozenset[Any]
_OPERATORS = ("+", "-", "^")
_COMPARISONS = ("==", "<", ">")
_BITS = {"p.low": 3, "q.low": 3, "p.high": 5, "q.high": 5}
_SAME = {"(*z)": "c"}
_MEMBERS = ("x", "low", "high")
_HEAD = """
#include <stdlib.h>
#include <string.h>
struct pair { signed char tag; int x; unsigned low : 3, high : 5; };
static void maybe(int n, int limit, int *to) { if (n > limit) *to = n; }
static int same(int n) { return n; }
"""


class _UsedError(Exception):
    """Something is decided by a value that was never written."""


@dataclass(frozen=True)
class Function:
    """One function of a program."""

    number: int
    body: tuple[Any, ...]
    returned: Any

    def expected(self, n: int) -> int | str:
        """What it returns for an input, or BUG."""
        held: dict[str, Value] = {}
        for place in SCALARS:
            _assign(place, ANY, held)
        try:
            _run(self.body, held, n)
            value = _value(self.returned, held, n)
        except _UsedError:
            return BUG
        return value if isinstance(value, int) else BUG

    def text(self) -> str:
        """The function in C."""
        lines = [
            f"static int f_{self.number}(signed char n) {{",
            "    int a, b, c, t[2], *z = &c;",
            "    struct pair p, q;",
            "    int *h = malloc(2 * sizeof *h);",
            "    if (!h) return 0;",
            *_lines(self.body, "    "),
            f"    int r = {_text(self.returned)};",
            "    free(h);",
            "    return r;",
            "}",
        ]
        return "\n".join(lines)


def program(seed: int, count: int) -> tuple[Function, ...]:
    """So many random functions."""
    source = random.Random(seed)
    return tuple(Function(k, _block(source, 6, 2), _expression(source, 2)) for k in range(count))


def text(functions: tuple[Function, ...]) -> str:
    """A C file whose `entry(which, n)` calls one of the functions."""
    cases = "\n".join(f"    case {each.number}: return f_{each.number}(n);" for each in functions)
    begin, end = "int entry(unsigned char which, signed char n) {\n    switch (which) {", "    }\n    return 0;\n}\n"
    return "\n".join([_HEAD, *(each.text() for each in functions), begin, cases, end])


# -- making -------------------------------------------------------------------------------------------------------


def _block(source: random.Random, most: int, depth: int) -> tuple[Any, ...]:
    return tuple(_statement(source, depth) for _ in range(source.randint(2, most)))


def _statement(source: random.Random, depth: int) -> tuple[Any, ...]:
    kind = source.choices(
        ("set", "copy", "move", "if", "decide", "call", "pass", "clear"), (8, 2, 1, 5 if depth else 0, 2, 2, 2, 1)
    )[0]
    place = source.choice(SCALARS)
    if kind == "set":
        return kind, place, _expression(source, 2)
    if kind in ("copy", "move"):
        return kind, *source.sample(("p", "q"), 2)
    if kind == "if":
        condition = source.choice(_COMPARISONS), "n", source.choice(INPUTS)
        return kind, condition, _block(source, 3, depth - 1), _block(source, 2, depth - 1)
    if kind == "decide":
        return kind, (source.choice(_COMPARISONS), place, source.randrange(8)), source.choice(SCALARS)
    if kind == "clear":
        return kind, source.choice(("p", "q"))
    other = source.choice([name for name in SCALARS if name not in _BITS])
    return (kind, other, source.choice(INPUTS)) if kind == "call" else (kind, place, source.choice(SCALARS))


def _expression(source: random.Random, depth: int) -> Any:
    if depth == 0 or source.random() < 0.35:
        return source.choice((source.randrange(-4, 8), "n", source.choice(SCALARS), source.choice(SCALARS)))
    other = source.choice(("n", source.randrange(-4, 8)))
    return source.choice(_OPERATORS), _expression(source, depth - 1), other


# -- what is right --------------------------------------------------------------------------------------------------


def _wrapped(value: int) -> int:
    return (value + (1 << 31)) % (1 << 32) - (1 << 31)


def _each(value: Value, change: Callable[[int], int]) -> Value:
    """What becomes of a value, or of each that it may be."""
    if isinstance(value, int):
        return change(value)
    if value == ANY:
        return ANY
    changed = frozenset(change(each) for each in value)
    return next(iter(changed)) if len(changed) == 1 else changed


def _value(expression: Any, held: dict[str, Value], n: int) -> Value:
    if isinstance(expression, int):
        return expression
    if isinstance(expression, str):
        return n if expression == "n" else held[_SAME.get(expression, expression)]
    operator, left, right = expression
    other = n if right == "n" else right
    change = {"+": lambda one: one + other, "-": lambda one: one - other, "^": lambda one: one ^ other}[operator]
    return _each(_value(left, held, n), lambda one: _wrapped(change(one)))


def _holds(condition: Any, held: dict[str, Value], n: int) -> bool:
    comparison, left, right = condition
    test = {"==": lambda one: one == right, "<": lambda one: one < right, ">": lambda one: one > right}[comparison]
    found = _each(_value(left, held, n), lambda one: int(test(one)))
    if not isinstance(found, int):
        raise _UsedError
    return bool(found)


def _assign(place: str, value: Value, held: dict[str, Value]) -> None:
    bits = _BITS.get(place)
    if bits is None:
        held[_SAME.get(place, place)] = value
    elif value == ANY:
        held[place] = frozenset(range(1 << bits))
    else:
        held[place] = _each(value, lambda one: one % (1 << bits))


def _run(body: tuple[Any, ...], held: dict[str, Value], n: int) -> None:
    for kind, *rest in body:
        if kind in ("set", "pass"):
            _assign(rest[0], _value(rest[1], held, n), held)
        elif kind in ("copy", "move"):
            for member in _MEMBERS:
                held[f"{rest[0]}.{member}"] = held[f"{rest[1]}.{member}"]
        elif kind == "if":
            _run(rest[1] if _holds(rest[0], held, n) else rest[2], held, n)
        elif kind == "decide":
            if _holds(rest[0], held, n):
                _assign(rest[1], n, held)
        elif kind == "call":
            if n > rest[1]:
                _assign(rest[0], n, held)
        else:
            for member in _MEMBERS:
                held[f"{rest[0]}.{member}"] = 0


# -- in C -----------------------------------------------------------------------------------------------------------


def _text(expression: Any) -> str:
    if isinstance(expression, tuple):
        operator, left, right = expression
        return f"(int)((unsigned){_text(left)} {operator} (unsigned){_text(right)})"
    return f"({expression})" if isinstance(expression, int) else str(expression)


def _lines(body: tuple[Any, ...], indent: str) -> list[str]:
    lines = []
    for kind, *rest in body:
        if kind == "set":
            lines.append(f"{indent}{rest[0]} = {_text(rest[1])};")
        elif kind == "pass":
            lines.append(f"{indent}{rest[0]} = same({rest[1]});")
        elif kind == "copy":
            lines.append(f"{indent}{rest[0]} = {rest[1]};")
        elif kind == "move":
            lines.append(f"{indent}memcpy(&{rest[0]}, &{rest[1]}, sizeof {rest[0]});")
        elif kind == "clear":
            lines.append(f"{indent}memset(&{rest[0]}, 0, sizeof {rest[0]});")
        elif kind == "call":
            lines.append(f"{indent}maybe(n, {rest[1]}, &{rest[0]});")
        elif kind == "decide":
            comparison, left, right = rest[0]
            lines.append(f"{indent}if ({left} {comparison} {right}) {rest[1]} = n;")
        else:
            comparison, left, right = rest[0]
            lines.append(f"{indent}if ({left} {comparison} {right}) {{")
            lines += [*_lines(rest[1], indent + "    "), f"{indent}}} else {{"]
            lines += [*_lines(rest[2], indent + "    "), f"{indent}}}"]
    return lines
