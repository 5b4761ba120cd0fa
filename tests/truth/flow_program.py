"""Random small C programs whose inputs interfere now and then, in ways that a flow map must see, some only across runs.

`program`: a function of some bytes, with globals, an array, a struct, a block of the heap, pointers and functions
between an input and where it is asked for. `chains`: each input sets a cell of its own, in one of many ways; the cells
travel on; some pairs of them are asked together, which is seen only if the flow of both has been followed all the way.
What C leaves undefined is avoided. A seed gives always the same text.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

HEAD = """\
#include <stdlib.h>
#include <string.h>
static int g0, g1, g2, g3, cells[4];
static struct { int one, two; } pair, other;
static int *heap;
static int same(int v) { return v; }
static int lower(int v) { if (v < 3) return 0; return 1; }
static void set(int *p, int v) { *p = v; }
static void raise_g1(void) { g1++; }
static void raise_g2(void) { g2++; }
"""
ZONES = (
    ("g0", "g1", "pair.one", "cells[0]", "x"),
    ("g2", "pair.two", "cells[1]", "heap[0]", "y"),
    ("g3", "other.two", "cells[3]", "heap[1]", "z"),
)
"""Variables that one part of a program keeps to, mostly."""
LOCALS = ("x", "y", "z")


@dataclass
class Writer:
    """One program's state: what may still be written, in which zone, how often something of another one is taken."""

    random: random.Random
    all_inputs: list[str]
    crossing: float
    statements: int = 12
    zone: int = 0
    names: int = 0
    loops: list[str] = field(default_factory=list)

    @property
    def inputs(self) -> list[str]:
        """The inputs of the zone, or of all."""
        if self.random.random() < self.crossing:
            return self.all_inputs
        return self.all_inputs[self.zone :: len(ZONES)] or self.all_inputs

    def variable(self) -> str:
        """What can be assigned to."""
        zone = self.random.randrange(len(ZONES)) if self.random.random() < self.crossing else self.zone
        return self.random.choice(ZONES[zone])

    def cell(self) -> str:
        """What has an address."""
        while (found := self.variable()) in LOCALS:
            pass
        return found

    def value(self) -> str:
        """A number, now and then one that depends on an input or a variable."""
        kind = self.random.randrange(8)
        if kind < 4:
            return str(self.random.randrange(4))
        if kind == 4:
            return self.random.choice(self.inputs)
        if kind == 5:
            return f"same({self.variable()})"
        if kind == 6:
            return f"{self.variable()} + 1"
        return f"lower({self.random.choice(self.inputs)})"

    def condition(self) -> str:
        """A test of one thing, mostly."""
        kind = self.random.randrange(10)
        if kind < 4:
            comparison = self.random.choice(("==", "<", ">"))
            return f"{self.random.choice(self.inputs)} {comparison} {self.random.randrange(1, 9)}"
        if kind < 8:
            return f"{self.variable()} {self.random.choice(('==', '!=', '>'))} {self.random.randrange(3)}"
        if kind == 8:
            return f"{self.condition()} && {self.condition()}"
        return f"lower({self.random.choice(self.inputs)})"

    def block(self, indent: int, depth: int) -> list[str]:
        """Some statements."""
        return [line for _ in range(self.random.randint(1, 2)) for line in self.statement(indent, depth)]

    def statement(self, indent: int, depth: int) -> list[str]:
        """One statement; simple ones only when the budget is spent."""
        pad = "    " * indent
        self.statements -= 1
        if self.statements < 0 or not depth or self.random.random() < 0.3:
            return [pad + self.simple()]
        kind = self.random.randrange(12)
        if kind < 6:
            lines = [f"{pad}if ({self.condition()}) {{", *self.block(indent + 1, depth - 1)]
            if self.random.random() < self.crossing:
                lines.append(f"{pad}    return 1;")
            if self.random.random() < 0.4:
                lines += [f"{pad}}} else {{", *self.block(indent + 1, depth - 1)]
            return [*lines, f"{pad}}}"]
        if kind < 8:
            return self.loop(indent, depth)
        if kind == 8:
            cases = self.random.sample(range(5), 2)
            lines = [f"{pad}switch ({self.random.choice((*self.inputs, self.variable()))}) {{"]
            for case in cases:
                lines += [f"{pad}case {case}:", *self.block(indent + 1, depth - 1)]
                lines += [f"{pad}    break;"] if self.random.random() < 0.6 else []
            return [*lines, f"{pad}default: x ^= 1;", f"{pad}}}"]
        if kind == 9:
            return [f"{pad}if ({self.condition()}) abort();"]
        self.names += 1
        name = f"p{self.names}"
        first, second = self.cell(), self.cell()
        return [
            f"{pad}int *{name} = {self.condition()} ? &{first} : &{second};",
            *([f"{pad}if ({self.condition()})"] if self.random.random() < 0.5 else []),
            f"{pad}*{name} = {self.value()};",
        ]

    def loop(self, indent: int, depth: int) -> list[str]:
        """A loop over the array, or one that an input ends."""
        pad = "    " * indent
        self.names += 1
        name = f"i{self.names}"
        kind = self.random.randrange(4)
        if kind == 0:
            end = self.random.choice(self.inputs)
            return [
                f"{pad}for (int {name} = 0; {name} < ({end} & 3); {name}++) {{",
                *self.block(indent + 1, depth - 1),
                f"{pad}}}",
            ]
        if kind == 1:
            found = f"if (cells[{name}] == {self.random.randrange(3)}) break; else y = {name};"
            return [f"{pad}for (int {name} = 0; {name} < 4; {name}++) {found}"]
        if kind == 2:
            inputs = self.inputs
            some = self.random.sample(inputs, min(3, len(inputs)))
            given = ", ".join(some)
            return [
                f"{pad}{{ unsigned char in{name}[] = {{{given}}};",
                f"{pad}for (int {name} = 0; {name} < {len(some)}; {name}++)",
                f"{pad}    if (in{name}[{name}] == {self.random.randrange(5)})",
                f"{pad}        cells[{name}] = {self.random.randrange(3)}; }}",
            ]
        return [f"{pad}for (int {name} = 0; {name} < 3; {name}++) {{", *self.block(indent + 1, depth - 1), f"{pad}}}"]

    def simple(self) -> str:
        """A statement without others in it."""
        kind = self.random.randrange(14) if self.random.random() < 0.3 else 0
        if kind < 7:
            return f"{self.variable()} = {self.value()};"
        if kind == 7:
            return f"set(&{self.cell()}, {self.value()});"
        if kind == 8:
            return f"cells[{self.random.choice(self.inputs)} & 3] = {self.random.randrange(3)};"
        if kind == 9:
            return f"x = cells[{self.random.choice(self.inputs)} & 3];"
        if kind == 10:
            return "memcpy(&other, &pair, sizeof pair);"
        if kind == 11:
            return f"{{ void (*call)(void) = {self.condition()} ? raise_g1 : raise_g2; call(); }}"
        if kind == 12:
            return "heap = realloc(heap, 12); heap[2] = 0;"
        return f"if ({self.condition()}) heap = calloc(2, sizeof(int));"


def program(seed: int) -> str:
    """The text of one program; its entry is `f`."""
    chance = random.Random(seed)
    inputs = [f"a{k}" for k in range(chance.randint(3, 5))]
    writer = Writer(chance, inputs, chance.choice((0.0, 0.03, 0.1)))
    parameters = ", ".join(f"unsigned char {name}" for name in inputs)
    lines = [f"int f({parameters}) {{", "    int x = 0, y = 0, z = 0;"]
    lines += ["    g0 = g1 = g2 = g3 = 0; memset(cells, 0, sizeof cells); memset(&pair, 0, sizeof pair);"]
    lines += ["    memset(&other, 0, sizeof other); heap = calloc(2, sizeof(int));"]
    while writer.statements > 0:
        writer.zone = chance.randrange(len(ZONES))
        lines += writer.statement(1, 3)
    for writer.zone in range(len(ZONES)):
        lines.append(f"    if ({writer.condition()}) if ({writer.condition()}) x++;")
    return HEAD + "\n".join([*lines, "    return 0;", "}", ""])


SETTERS = (
    "if ({a} == {k}) {c} = 1;",
    "if ({a} != {k}) {{ {c} = 0; }} else {{ {c} = 2; }}",
    "{c} = {a} == {k};",
    "{c} = {a} == {k} ? 3 : 0;",
    "set_if(&{c}, {a}, {k});",
    "{c} = found({a}, {k});",
    "{{ int *p = {a} == {k} ? &{c} : &hits[{n}]; *p = 1; }}",
    "switch ({a}) {{ case {k}: {c} = 4; break; case 250: break; default: break; }}",
    "switch ({a}) {{ case {k}: {c} = 1; default: break; }}",
    "for (int i = 0; i < 3; i++) {{ if ({a} != {k}) continue; {c}++; break; }}",
    "{{ int i = 0; do i++; while (i < ({a} & 3)); if (i == 3) {c} = 1; }}",
    "{{ int t, i = 0; do t = i++; while (i < ({a} & 3)); {c} = t == 2; }}",
    "{{ void (*call)(int *) = {a} == {k} ? raise : leave; call(&{c}); }}",
    "{{ int *q = {a} == {k} ? malloc(4) : 0; if (q) {c} = 1; free(q); }}",
    "{{ jmp_buf here; if (setjmp(here) == 0) {{ if ({a} == {k}) longjmp(here, 1); }} else {c} = 1; }}",
    "{{ int t[4] = {{0}}; t[{a} & 3] = 1; {c} = t[2]; }}",
    "{{ static const int t[4] = {{0, 0, 1, 0}}; {c} = t[{a} & 3]; }}",
    "{{ int t[4] = {{0}}; for (int i = 0; i < 4; i++) if ({a} == i + {k}) t[i] = 1; {c} = t[1]; }}",
    '{{ char t[8] = "abcdefg"; memset(t, 0, {a} & 7); {c} = t[5] == 0; }}',
    "{{ int t[2] = {{0, 1}}; memcpy(&{c}, &t[{a} == {k}], sizeof(int)); }}",
    "{{ volatile unsigned char v = {a}; if (v == {k}) {c} = 1; }}",
    "{{ unsigned char n = ({a} & 3) + 1; char t[n]; t[0] = 0; {c} = n == 4; }}",
    "{{ int i = 0; while (i < 4) {{ if ({a} == {k} + i) goto out; i++; }} {c} = 0; out: {c} = i < 4; }}".replace(
        "out", "out{n}"
    ),
    "{c} = deep({a}, {k}, 3);",
    '{c} = strchr("\\x07\\x01", {a}) != 0;',
    "{{ char t[8]; snprintf(t, sizeof t, \"%d\", {a}); {c} = t[0] == '7'; }}",
)
CARRIERS = (
    "{d} = {c};",
    "if ({c}) {d} = 1;",
    "set(&{d}, {c});",
    "{d} = same({c});",
    "memcpy(&{d}, &{c}, sizeof(int));",
    "for (int i = 0; i < {c}; i++) {d}++;",
    "{{ pair.one = {c}; other = pair; {d} = other.one; pair.one = other.one = 0; }}",
    "{{ int *q = malloc(sizeof(int)); *q = {c}; {d} = *q; free(q); }}",
    "{d} = {c} & 1 ? 5 : {c} & 6;",
    "{{ int t = 0; if (!{c}) goto out; t = 1; out: {d} = t; }}".replace("out", "go{n}"),
    "{d} = sum(2, {c}, 0);",
)
QUESTIONS = (
    "if ({c}) if ({d}) hits[{n}] = 1;",
    "if ({c}) if ({d}) abort();",
    'if ({c}) puts({d} ? "one" : "other");',
    'if ({c}) printf("%d", QUOTIENT({n}, {d} - 1));',
    "{{ volatile int t[2] = {{0}}; if ({c}) (void)t[INDEX({n}, {d}, 2)]; }}",
    "{{ int x = 1; volatile int *p = {d} == 1 ? 0 : &x; if ({c}) (void)*NOT_NULL({n}, p); }}",
    'if ({c}) puts(strchr("hello", {d} + 104) ? "in" : "out");',
    "if ({c}) ask({d});",
)
"""Two cells asked together: a branch, an arm of a select, a check that fails."""
CHAINS_HEAD = """\
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef PLAIN
#define QUOTIENT(n, by) (5 / (by))
#define INDEX(n, i, end) (i)
#define NOT_NULL(n, p) (p)
#endif
static int waste, c[6], d[6], hits[100];
static struct { int one, two; } pair, other;
static void set(int *p, int v) { *p = v; }
static void set_if(int *p, int v, int k) { if (v != k) return; *p = 1; }
static int found(int v, int k) { if (v == k) return 1; return 0; }
static int same(int v) { return v; }
static void raise(int *p) { *p += 1; }
static void leave(int *p) { (void)p; }
static int deep(int v, int k, int n) { if (n == 0) { if (v == k) return 1; return 0; } return deep(v, k, n - 1); }
static int ask(int v) { return v ? 3 : 4; }
static int sum(int n, ...) {
    va_list rest; int all = 0;
    va_start(rest, n);
    while (n--) all += va_arg(rest, int);
    va_end(rest);
    return all;
}
"""


def chains(seed: int) -> str:
    """The text of one program of chains; its entry is `f`."""
    chance = random.Random(seed)
    count = chance.randint(3, 5)
    parameters = ", ".join(f"unsigned char a{k}" for k in range(count))
    lines = [f"int f({parameters}) {{", "    memset(c, 0, sizeof c); memset(d, 0, sizeof d); waste = 0;"]
    names = iter(range(100))

    def one(ways: tuple[str, ...], k: int) -> str:
        way = chance.choice(ways)
        return "    " + way.format(a=f"a{k}", k=7, c=f"c[{k}]", d=f"d[{k}]", n=next(names))

    steps = [(SETTERS, k) for k in range(count)]
    chance.shuffle(steps)
    lines += [one(ways, k) for ways, k in steps]
    chance.shuffle(steps)
    lines += [one(CARRIERS, k) for _, k in steps]
    for _ in range(chance.randint(1, 2)):
        left, right = chance.sample(range(count), 2)
        lines.append("    " + chance.choice(QUESTIONS).format(c=f"d[{left}]", d=f"d[{right}]", n=next(names)))
    for k in range(count):
        lines.append(f"    if (d[{k}]) hits[{next(names)}] = 1;")
    return CHAINS_HEAD + "\n".join([*lines, "    return 0;", "}", ""])


GUARDS = (
    "if ({h} != {k}) return 0;",
    "if ({h} == {k}) return 0;",
    "if (!({h} == {k} && {g} < 2)) return 1;",
    "if ({h} > 2) {{ waste = {a}; return 0; }}",
    "if ({h} == {k} || {g} == {k}) mode = 1;",
    "mode = {h};",
    "switch ({h} + 1) {{ case 0: return 0; case {k} + 1: mode = 2; break; default: mode = {g}; }}",
    "if (missing({h}, {k})) abort();",
)
ACTIONS = (
    "c[{n}] = {a} == {k};",
    "if ({a} == {k}) c[{n}] = 1;",
    "if (mode == {k}) c[{n}] = {a};",
    "if (mode) if ({a} == {k}) hits[{n}] = 1;",
    "if (mode == {k} && {a} == 1) return 2;",
    'puts({a} == {k} ? "one" : "other");',
    "c[{n}] = found({a}, {k}) + mode;",
    "if ({a} == {k}) if ({b} == 1) hits[{n}] = 1;",
    "if ({a} == {k}) abort();",
)
GUARDED_HEAD = """\
#include <stdio.h>
#include <stdlib.h>
static int waste, mode, c[40], hits[40];
static int missing(int v, int k) { if (v == 3) return k == 3; return 0; }
static int found(int v, int k) { if (v == k) return 1; return 0; }
"""


def guarded(seed: int) -> str:
    """A packet's handler: one or two fields of the head decide about all others; its entry is `f`."""
    chance = random.Random(seed)
    count = chance.randint(7, 8)
    parameters = ", ".join(f"unsigned char a{k}" for k in range(count))
    lines = [f"int f({parameters}) {{", "    mode = waste = 0;"]
    lines += ["    for (int i = 0; i < 40; i++) c[i] = 0;"]
    head, fields = (0, chance.choice((0, 1))), list(range(2, count))
    ways = [*chance.choices(GUARDS, k=chance.randint(1, 3)), *chance.choices(ACTIONS, k=len(fields))]
    for n, way in enumerate(ways):
        a = fields[n % len(fields)]
        b = chance.choice(fields) if chance.random() < 0.2 else a
        g, h = head if chance.random() < 0.5 else head[::-1]
        lines.append("    " + way.format(a=f"a{a}", b=f"a{b}", g=f"a{g}", h=f"a{h}", k=chance.randrange(4), n=n))
    for n in range(len(fields)):
        lines.append(f"    if (c[{n + 1}] == {chance.randrange(3)}) hits[{n + 20}] = 1;")
    return GUARDED_HEAD + "\n".join([*lines, "    return 0;", "}", ""])
