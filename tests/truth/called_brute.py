"""All inputs of `small` of a program of called_program.py on a plain build: the sides of branches that are taken, and
the lines of errors. It knows nothing of veer: the macros around conditions, aborts and divisions keep the record.
"""

from __future__ import annotations

import hashlib
import subprocess
from dataclasses import dataclass

import brute_force
import called_program
from brute_force import CACHE

_HEAD = """
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
static unsigned char sides[4096][2], stops[4096], divisions[4096];
static jmp_buf end;
static int side(int holds, int line) { sides[line][holds] = 1; return holds; }
static int stop(unsigned char *errors) { *errors = 1; longjmp(end, 1); return 0; }
static int over(long left, long right, int line) {
  return right == 0 || (left == -2147483648 && right == -1) ? stop(&divisions[line]) : (int)(left / right);
}
/* A constant condition is no branch. */
#define SIDE(condition) (__builtin_constant_p(condition) ? (condition) : side(!!(condition), __LINE__))
#define STOP() stop(&stops[__LINE__])
#define OVER(left, right) over((left), (right), __LINE__)
"""
_MAIN = """
int main(void) {
  int g0 = g, m0 = m, t0[4];
  memcpy(t0, t, sizeof t);
  for (int a = -128; a < 128; a++)
    for (int b = -128; b < 128; b++)
      for (int c = 0; c <= MASK; c++) {
        g = g0, m = m0;
        memcpy(t, t0, sizeof t);
        if (!setjmp(end)) small(a, b, c);
      }
  for (int line = 0; line < 4096; line++) {
    for (int holds = 0; holds < 2; holds++)
      if (sides[line][holds]) printf("side %d %d\\n", line, holds);
    if (stops[line]) printf("stop %d 0\\n", line);
    if (divisions[line]) printf("division %d 0\\n", line);
  }
}
"""


@dataclass(frozen=True)
class Truth:
    """`sides`: (line, 0 or 1); `errors`: ("stop" or "division", line). Lines of the program's own text."""

    sides: frozenset[tuple[int, int]]
    errors: frozenset[tuple[str, int]]


def truth(seed: int) -> Truth:
    """Of the program of a seed."""
    main = _MAIN.replace("MASK", str(called_program.SMALL_MASK))
    text = f'{_HEAD}#line 1 "program.c"\n{called_program.program(seed)}{main}'
    CACHE.mkdir(parents=True, exist_ok=True)
    name = hashlib.sha256(text.encode()).hexdigest()[:24]
    program = CACHE / f"{name}.truth"
    if not program.exists():
        source, scratch = CACHE / f"{name}.c", CACHE / f"{name}.scratch"
        source.write_text(text)
        brute_force.program(source, scratch, "-O0", "-fwrapv", "-w")
        scratch.rename(program)
    said = subprocess.run([program], capture_output=True, text=True, check=True, timeout=60).stdout
    rows = [(kind, int(line), int(holds)) for kind, line, holds in map(str.split, said.splitlines())]
    return Truth(
        frozenset((line, holds) for kind, line, holds in rows if kind == "side"),
        frozenset((kind, line) for kind, line, _ in rows if kind != "side"),
    )
