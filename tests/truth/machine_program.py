"""Random units with static data, and what calls of their functions can bring about, by trying all of them.

    static unsigned char a, b;
    void f0(unsigned char x) { if ((x == 3) & (a == 1)) b = 4; ... }
    int entry(unsigned char x) { if ((x == 2) & (a == 3)) return 1; ... if ((x == 1) & (b == 4)) STOP(); ... }

The brute force compiles the same text with a loop over all states that calls leave, of which there are few: numbers are
below SIZE. Each condition is one branch, on a line of its own.
"""

from __future__ import annotations

import ctypes
import random
import subprocess
from dataclasses import dataclass
from pathlib import Path

from suite_builds import zig_command

SIZE = 4
"""Arguments and states below this are told apart."""
_FUNCTIONS, _RULES, _CHECKS = 2, 3, 7
FOR_VEER = ("STOP()=__builtin_abort()", "SIDE(c)=(c)")
"""Macros with which veer sees the unit."""
_BRUTE = """
#include <setjmp.h>
#include <string.h>
static unsigned char sides[512], stops[512], is_entry;
static jmp_buf end;
static int side(int holds, int line) { if (is_entry) sides[2 * line + holds] = 1; return holds; }
#define SIDE(c) side(c, __LINE__)
#define STOP() (stops[__LINE__] |= is_entry, longjmp(end, 1))
"""
_DRIVER = """
static void (*const functions[])(unsigned char) = {%s};
static unsigned char now[256][256], next[256][256];
static void step(int i, int j, int x, int f) {
    a = i, b = j, is_entry = f < 0;
    if (setjmp(end)) return;
    if (f < 0) entry(x); else functions[f](x);
    next[a][b] = 1;
}
static void from(int i, int j) {
    for (int x = 0; x <= %d; x++) for (int f = -1; f < %d; f++) step(i, j, x, f);
}
void brute(int calls, int is_free) {
    memset(sides, 0, sizeof sides), memset(stops, 0, sizeof stops), memset(now, is_free, sizeof now);
    now[0][0] = 1;
    for (; calls >= 0; calls--) {
        memcpy(next, now, sizeof now);
        for (int i = 0; i < 256; i++) for (int j = 0; j < 256; j++) if (now[i][j]) from(i, j);
        memcpy(now, next, sizeof now);
    }
}
unsigned char *side_table(void) { return sides; }
unsigned char *stop_table(void) { return stops; }
"""


@dataclass(frozen=True)
class Shown:
    """Sides of branches of the entry (line, 0 or 1), and the lines where it stops."""

    sides: frozenset[tuple[int, int]]
    stops: frozenset[int]

    def __le__(self, other: Shown) -> bool:
        return self.sides <= other.sides and self.stops <= other.stops


def unit(seed: int) -> str:
    """The text of a unit."""
    chance = random.Random(seed)

    def condition() -> str:
        variable = chance.choice("ab")
        compared = chance.choice(("==", "==", ">"))
        return f"(x == {chance.randrange(SIZE)}) & ({variable} {compared} {chance.randrange(SIZE)})"

    lines = ["static unsigned char a, b;"]
    for index in range(_FUNCTIONS):
        lines.append(f"void f{index}(unsigned char x) {{")
        for _ in range(_RULES):
            change = chance.choice((f"a = {chance.randrange(SIZE)}", f"b = {chance.randrange(SIZE)}", "b++", "a = b"))
            lines.append(f"    if ({condition()}) {{ {change}; return; }}")
        lines += [f"    if (x == {index}) a = {1 + index};", "}"]
    lines.append("int entry(unsigned char x) {")
    for number in range(_CHECKS):
        then = "STOP();" if number in (2, 5) else f"return {number};"
        lines.append(f"    if (SIDE({condition()}))")
        lines.append(f"        {then}")
    return "\n".join([*lines, "    return -1;", "}"]) + "\n"


class Brute:
    """All calls of the unit of a seed."""

    def __init__(self, seed: int, folder: Path) -> None:
        source, library = folder / f"brute_{seed}.c", folder / f"brute_{seed}.so"
        names = ", ".join(f"f{index}" for index in range(_FUNCTIONS))
        driver = _DRIVER % (names, SIZE, _FUNCTIONS)
        source.write_text(f'{_BRUTE}#line 1 "unit.c"\n{unit(seed)}{driver}')
        command = [*zig_command(), "-w", "-shared", "-fPIC", str(source), "-o", str(library)]
        subprocess.run(command, check=True, capture_output=True, timeout=120)
        self._library = ctypes.CDLL(str(library))

    def shown(self, calls: int, *, is_free: bool = False) -> Shown:
        """What the entry shows behind at most so many calls, which return; `is_free`: from any values."""
        self._library.brute(calls, int(is_free))
        sides, stops = self._table("side_table"), self._table("stop_table")
        return Shown(
            frozenset(divmod(place, 2) for place, taken in enumerate(sides) if taken),
            frozenset(line for line, met in enumerate(stops) if met),
        )

    def _table(self, name: str) -> list[int]:
        function = getattr(self._library, name)
        function.restype = ctypes.POINTER(ctypes.c_ubyte)
        table: list[int] = function()[:512]
        return table
