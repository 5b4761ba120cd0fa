"""Random loops that scan and count: strlen, strchr, memchr, skipping, greatest, steps of two, downwards, several exits.

A program holds a few of them over four cells of two bits and a number of two bits; which of them runs is an input. What
comes out is compared with each value that it may have, so that what is covered tells what the loops gave out.
"""

from __future__ import annotations

import random

CELLS = 4
LOOPS = 6
RESULTS = range(-3, 20)
_STOPS = ("s[i] == c", "s[i] == 0", "s[i] > c", "s[i] != c", "(s[i] & 1)", "s[i] + i == c + 1", "i == c")
_SKIPS = ("s[i] == 1", "s[i] == c", "(s[i] == 2 || s[i] == 3)", "(s[i] && s[i] < 3)")
_BODIES = (
    "k++;",
    "k += s[i];",
    "k ^= s[i] << 1;",
    "k = i;",
    "if (s[i] == c) k++;",
    "if (s[i] > 1) k = i; else k += 1;",
    "",
)
_RESULTS = ("i", "k", "i + 5 * (k & 3)", "k ? (int)i : -2", "s[i & 3] + i")
_INDICES = ("int", "unsigned", "signed char", "unsigned short", "long")


class Writer:
    """One program. `length`: what its loops are told of the cells; with more than there are they may leave them."""

    def __init__(self, seed: int, length: int) -> None:
        self.random = random.Random(seed)
        self.length = length

    def text(self) -> str:
        """The whole program: `top` for veer, `main` for brute force (with -DBRUTE)."""
        lines = ["#include <stdio.h>", "typedef unsigned char byte;"]
        for number in range(LOOPS):
            lines += self.random.choice((self._indexed, self._pointing, self._downwards))(number)
        chain = [f"  if (r == {value}) return {100 + value};" for value in RESULTS]
        calls = [f"  case {number}: r = loop{number}(s, n & 3, {self.length}); break;" for number in range(LOOPS)]
        lines += ["int top(byte which, byte a, byte b, byte c, byte d, byte n) {", "  int r = -9;"]
        lines += [f"  byte s[{CELLS} + 1] = {{a & 3, b & 3, c & 3, d & 3, 0}};", "  switch (which) {", *calls]
        lines += ["  default: return 0;", "  }", *chain, "  return 1;", "}", *_MAIN.split("\n")]
        return "\n".join(lines) + "\n"

    def _condition(self) -> str:
        return " && ".join(
            self.random.sample([f"!({stop})" for stop in _STOPS] + list(_SKIPS), self.random.choice((1, 1, 2)))
        )

    def _inside(self) -> list[str]:
        """What a loop does with s[i]."""
        lines = [f"    {self.random.choice(_BODIES)}"]
        kind = self.random.randrange(4)
        stop = self.random.choice(_STOPS)
        if kind == 0:
            lines.append(f"    if ({stop}) break;")
        elif kind == 1:
            lines.append(f"    if ({stop}) return -1;")
        elif kind == 2:
            lines.append(f"    if ({stop}) {{ k += 2; break; }}")
        self.random.shuffle(lines)
        return lines

    def _indexed(self, number: int) -> list[str]:
        index, step = self.random.choice(_INDICES), self.random.choice(("i++", "i++", "i += 2"))
        bound = self.random.choice(("i < n", "i < n", "i < c", "i <= c"))
        head = f"int i0 = {self.random.choice((0, 0, 1))}, k = 0; {index} i = i0;"
        if self.random.random() < 0.2:
            loop = ["  do {", *self._inside(), f"    {step};", f"  }} while ({bound} && {self._condition()});"]
        elif self.random.random() < 0.5:
            loop = [f"  for (; {bound} && {self._condition()}; {step}) {{", *self._inside(), "  }"]
        else:
            loop = [f"  while ({bound}) {{", *self._inside(), f"    {step};", "  }"]
        return self._function(number, head, loop, self.random.choice(_RESULTS))

    def _pointing(self, number: int) -> list[str]:
        """A pointer goes through the cells; `i` says where it is."""
        text = "\n".join([f"  while (p < end && {self._condition()}) {{", *self._inside(), "    p++;", "  }"])
        text = text.replace("s[i]", "*p").replace("k = i", "k = (int)(p - s)").replace("i == c", "p == s + c")
        text = text.replace("+ i", "+ (int)(p - s)")
        result = self.random.choice(("(int)(p - s)", "k", "(int)(p - s) + 5 * (k & 3)", "p == end ? -2 : *p"))
        return self._function(number, "const byte *p = s, *end = s + n; int k = 0;", text.split("\n"), result)

    def _downwards(self, number: int) -> list[str]:
        head = "int k = 0, i = n - 1;"
        loop = [f"  for (; i >= 0 && {self._condition()}; i--) {{", *self._inside(), "  }"]
        return self._function(number, head, loop, self.random.choice(("i", "k", "i + 5 * (k & 3)")))

    @staticmethod
    def _function(number: int, head: str, loop: list[str], result: str) -> list[str]:
        return [
            f"static int loop{number}(const byte *s, int c, int n) {{",
            f"  {head}",
            *loop,
            f"  return {result};",
            "}",
        ]


def program(seed: int, length: int = CELLS) -> str:
    """The text of a program."""
    return Writer(seed, length).text()


_MAIN = """#ifdef BRUTE
int main(void) {
  static char seen[200];
  for (int which = 0; which < 6; which++)
    for (int v = 0; v < 1 << 10; v++)
      seen[top(which, v & 3, v >> 2 & 3, v >> 4 & 3, v >> 6 & 3, v >> 8)] = 1;
  for (int r = 0; r < 200; r++)
    if (seen[r]) printf("%d\\n", r);
  return 0;
}
#endif"""
