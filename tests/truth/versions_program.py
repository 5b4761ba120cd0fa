"""Random pairs of versions of a function of two bytes, and what all 65,536 inputs say of them.

Arithmetic is unsigned, so that nothing is undefined but a division by zero, which ends the program.
"""

from __future__ import annotations

import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

from brute_force import program

_MAIN = """
#include <setjmp.h>
#include <stdio.h>
static jmp_buf trapped;
static unsigned divided(unsigned x, unsigned y) { if (!y) longjmp(trapped, 1); return x / y; }
#define DIVIDE(x, y) divided(x, y)
#define f old_f
#define left old_left
#include "OLD"
#undef f
#undef left
#define f new_f
#define left new_left
#include "NEW"
#undef f
#undef left
static int ends(unsigned (*version)(unsigned char, unsigned char), int a, int b, unsigned *result)
{
    if (setjmp(trapped)) return 0;
    *result = version((unsigned char)a, (unsigned char)b);
    return 1;
}
int main(void)
{
    for (int a = 0; a < 256; a++)
        for (int b = 0; b < 256; b++) {
            unsigned first = 0, second = 0;
            old_left = new_left = 3;
            int one = ends(old_f, a, b, &first), other = ends(new_f, a, b, &second);
            if (one != other || (one && (first != second || old_left != new_left))) printf("%d %d\\n", a, b);
        }
    return 0;
}
"""
_HEAD = "#ifndef DIVIDE\n#define DIVIDE(x, y) ((x) / (y))\n#endif\nunsigned left = 3;\n"


@dataclass(frozen=True)
class Versions:
    """Two sources of `f`; both leave something in the variable `left`."""

    old: str
    new: str


def versions(seed: int) -> Versions:
    """A pair: the second is the first with one or two changes, some of which change nothing."""
    chance = random.Random(seed)
    body = [_statement(chance, depth=0) for _ in range(chance.randint(2, 4))]
    changed = list(body)
    for _ in range(chance.randint(1, 2)):
        place = chance.randrange(len(changed))
        changed[place] = _changed(changed[place], chance)
    return Versions(_source(body), _source(changed))


def differing(pair: Versions, folder: Path) -> set[tuple[int, int]]:
    """The inputs for which the versions end, return or leave something else."""
    (folder / "old.c").write_text(pair.old)
    (folder / "new.c").write_text(pair.new)
    source = folder / "all.c"
    source.write_text(_MAIN.replace("OLD", str(folder / "old.c")).replace("NEW", str(folder / "new.c")))
    program(source, folder / "all", "-w", "-O1")
    done = subprocess.run([str(folder / "all")], capture_output=True, text=True, timeout=60, check=True)
    found = (line.split() for line in done.stdout.splitlines())
    return {(int(a), int(b)) for a, b in found}


def _source(body: list[str]) -> str:
    lines = "\n".join(f"    {line}" for line in body)
    return f"{_HEAD}unsigned f(unsigned char a, unsigned char b)\n{{\n    unsigned r = a;\n{lines}\n    return r;\n}}\n"


def _statement(chance: random.Random, depth: int) -> str:
    kind = chance.randrange(6 if depth < 2 else 3)
    if kind <= 1:
        return f"r = {_expression(chance, 2)};"
    if kind == 2:
        return f"left = left {chance.choice('+^')} ({_expression(chance, 1)} & 15u);"
    if kind == 3:
        return f"if ({_condition(chance)}) {{ {_statement(chance, depth + 1)} }}"
    if kind == 4:
        first, second = _statement(chance, depth + 1), _statement(chance, depth + 1)
        return f"if ({_condition(chance)}) {{ {first} }} else {{ {second} }}"
    return f"for (unsigned k = 0; k < ({chance.choice('ab')} & 3u); k++) {{ {_statement(chance, depth + 1)} }}"


def _condition(chance: random.Random) -> str:
    operator = chance.choice(["<", "<=", "==", "!=", ">"])
    return f"{_expression(chance, 1)} {operator} {chance.choice([_number(chance), 'b', 'a'])}"


def _expression(chance: random.Random, depth: int) -> str:
    if depth == 0 or chance.random() < 0.3:
        return chance.choice(["a", "b", "r", _number(chance)])
    left, right = _expression(chance, depth - 1), _expression(chance, depth - 1)
    if chance.random() < 0.12:
        return f"DIVIDE({left}, {right})"
    return f"({left} {chance.choice(['+', '-', '*', '&', '|', '^'])} {right})"


def _number(chance: random.Random) -> str:
    return f"{chance.choice([0, 1, 2, 3, 7, 8, 15, 16, 100, 127, 128, 200, 255])}u"


def _changed(text: str, chance: random.Random) -> str:
    """One small change of a statement."""
    changes = [
        (" <= ", " < "), (" < ", " <= "), ("==", "!="), (" + ", " ^ "), (" ^ ", " + "), ("&", "|"),
        ("7u", "8u"), ("16u", "15u"),
        ("100u", "101u"), ("r = ", "r = 0u + "), (" a", " (a & 255u)"), (" * ", " * 1u * "), ("200u", "(100u * 2u)"),
        ("255u", "254u"), ("b", "(b | 0u)"),
    ]  # fmt: skip
    able = [each for each in changes if each[0] in text]
    if not able:
        return text
    before, after = chance.choice(able)
    places = [place for place in range(len(text)) if text.startswith(before, place)]
    place = chance.choice(places)
    return text[:place] + after + text[place + len(before) :]
