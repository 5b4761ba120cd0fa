"""A seed → a program: a few features of C, a few planted bugs, and an entry `f` with some thousand inputs at most.

Everything that C leaves undefined is avoided by construction (expressions.py keeps ranges) but for what a fault of
faults.py marks. A seed gives always the same program.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from scale import marked
from scale.blocks import BLOCKS
from scale.control import CONTROL
from scale.data import DATA
from scale.faults import FAULTS
from scale.library import GIVEN, LIBRARY
from scale.marked import Node, line
from scale.parameters import CLASSES, DIGITS, Parameter, Real, Record, Text, Twins, Vector, Whole, all_vectors
from scale.writer import RETURNS, Feature, Function, Statement, Writer
from veer.model.values import replace

FEATURES: tuple[Feature, ...] = (*DATA, *CONTROL, *LIBRARY, *BLOCKS)
ENTRY = "f"
MOST_INPUTS = 4096
_TYPES = (
    line("enum colour { RED, GREEN, BLUE };"),
    line("struct in { int wide; unsigned char one; signed char two; short rest; };"),
)


@dataclass(frozen=True, slots=True)
class Program:
    """A program as statements that can be left out or moved; `features`, `faults`: names of what was put into it."""

    seed: int
    includes: tuple[str, ...]
    types: tuple[Node, ...]
    globals: tuple[Node, ...]
    functions: tuple[Function, ...]
    entry: Function
    parameters: tuple[Parameter, ...]
    returns: str
    observed: tuple[tuple[str, int], ...]
    features: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    checks: tuple[str, ...] = ()
    chosen: tuple[Vector, ...] = ()
    """The inputs, where they are not all combinations of the parameters' values."""

    @property
    def lines(self) -> list[str]:
        """The marked text."""
        lines = [f"#include <{name}>" for name in self.includes]
        for node in (*self.types, *self.globals):
            lines += marked.lines_of(node)
        for function in (*self.functions, self.entry):
            lines.append(f"{function.head} {{")
            for node in function.body:
                lines += marked.lines_of(node, 1)
            lines.append("}")
        return lines

    @property
    def text(self) -> str:
        """The C text as a user would have written it."""
        return marked.plain(self.lines)

    def vectors(self) -> list[Vector]:
        """Every input."""
        return list(self.chosen) or all_vectors(self.parameters)


def _parameters(chance: random.Random) -> tuple[Parameter, ...]:
    """One to three, with few enough inputs."""
    found: list[Parameter] = []
    kinds = chance.sample(("whole", "whole", "whole", "real", "text", "number", "record", "twins", "byte"), 3)
    if not set(kinds) - {"real"}:
        kinds.append("whole")
    names = iter("abcde")
    for kind in kinds[: chance.choice((1, 2, 2, 3))]:
        name = next(names)
        each: Parameter
        if kind == "whole":
            ctype = chance.choice(
                ("int", "unsigned", "short", "unsigned short", "long", "unsigned long", "signed char", "_Bool")
            )
            each = Whole(name, ctype, 2 if ctype == "_Bool" else chance.choice((3, 4, 5, 8, 16)))
        elif kind == "byte":
            each = Whole(name, chance.choice(("unsigned char", "signed char")), 256)
        elif kind == "real":
            each = Real(name, chance.choice(("float", "double")))
        elif kind in GIVEN:
            each = Text("s", CLASSES if kind == "text" else DIGITS)
        elif kind == "record":
            each = Record("p")
        else:
            each = Twins("x", "y")
        if each.names[0] not in [name for other in found for name in other.names]:
            found.append(each)
    while math.prod(len(each.vectors()) for each in found) > MOST_INPUTS:
        found.pop()
    return tuple(found)


def _inputs(w: Writer, parameters: Sequence[Parameter]) -> list[str]:
    """Puts the parameters into the scope; the names of the features that come with them."""
    names = []
    for each in parameters:
        if isinstance(each, Whole):
            cast = "(int)" if "long" in each.ctype or "unsigned" in each.ctype else ""
            w.scope.input(f"{cast}{each.name}", *each.bounds)
        elif isinstance(each, Real):
            w.scope.input(each.quarters, -9, 7)
        elif isinstance(each, Record):
            for member, low, high in (("wide", -1000, 1000), ("one", 0, 255), ("two", -128, 127)):
                w.scope.input(f"{each.name}->{member}", low, high)
                w.scope.places.append((f"{each.name}->{member}", low, high))
        elif isinstance(each, Twins):
            w.scope.input(f"*{each.one}", -1000, 1000)
            w.scope.places.append((f"*{each.one}", -1000, 1000))
            w.statements += [_twins_ask(each), _twins_write(each)]
        elif isinstance(each, Text):
            known = len(w.scope.values)
            feature = GIVEN["number" if each.alphabet == DIGITS else "text"]
            feature.declare(w)
            w.scope.inputs, w.scope.values = w.scope.inputs + w.scope.values[known:], w.scope.values[:known]
            w.statements += feature.statements
            names.append(feature.name)
    return names


def _twins_ask(twins: Twins) -> Statement:
    def ask(w: Writer) -> list[Node]:
        return [marked.block(f"if (‹{twins.one} == {twins.two}›) {{", w.body(1))]

    return ask


def _twins_write(twins: Twins) -> Statement:
    def write(w: Writer) -> list[Node]:
        value = w.make.fitting(-1000, 1000, 1).text
        return [Node((f"if (‹{twins.two}›)", (line(f"*{twins.two} = {value};"),)))]

    return write


def generate(seed: int) -> Program:
    """The program of a seed."""
    chance = random.Random(seed)
    w = Writer(chance, {"stdio.h", "stdlib.h", "string.h"}, list(_TYPES))
    w.returns = chance.choice(("int", "int", *RETURNS, "void"))
    parameters = _parameters(chance)
    w.locals.append(line("int r = 0;", fixed=True))
    w.scope.variable("r")
    brought = _inputs(w, parameters)
    chosen = chance.sample(FEATURES, chance.choice((1, 2, 3, 4, 5, 6)))
    for feature in chosen:
        feature.declare(w)
        w.statements += feature.statements
    w.budget = chance.choice((6, 10, 16, 24))
    seeding = [w.assignment() for _ in range(min(4, len(w.scope.places)))]
    planted = chance.sample(FAULTS, chance.choice((0, 0, 0, 1, 1, 2)))
    faults = list(planted)
    body: list[Node] = []
    while w.budget > 0:
        body += w.sequence(1)
        if faults and w.budget < 6:
            body += faults.pop().plant(w)
    for fault in faults:
        body += fault.plant(w)
    if w.returns != "void":
        body.append(line(f"return {w.result()};", fixed=True))
    head = f"{w.returns} {ENTRY}({', '.join(each.declaration for each in parameters)})"
    narrowing = [node for each in parameters for node in each.narrowing()]
    if w.returns == "void":
        narrowing = [_without_value(node) for node in narrowing]
        body = [_without_value(node) for node in body]
    entry = Function(head, (*narrowing, *w.locals, *seeding, *body))
    names = (*brought, *(feature.name for feature in chosen))
    return Program(
        seed,
        tuple(sorted(w.includes)),
        tuple(w.types),
        tuple(w.globals),
        tuple(w.functions),
        entry,
        parameters,
        w.returns,
        tuple(w.observed),
        names,
        tuple(fault.name for fault in planted),
        tuple(sorted({fault.check for fault in planted if fault.check})),
    )


def _without_value(node: Node) -> Node:
    """A function without a result returns nothing."""
    parts = tuple(
        ("return;" if part.startswith("return") else part)
        if isinstance(part, str)
        else tuple(_without_value(each) for each in part)
        for part in node.parts
    )
    return replace(node, parts=parts)
