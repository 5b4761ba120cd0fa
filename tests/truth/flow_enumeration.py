"""Which sides of its branches a program of flow_program takes at all: all inputs, in turn, on a plain build.

It knows nothing of veer. The text's conditions are wrapped so that they tell what they were; `main` runs what it is
told, or all inputs of `domain` values each. An abort, a bad index, a division by zero end a run as they would end it.
"""

from __future__ import annotations

import itertools
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

import brute_force

PLAIN = """\
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#define PLAIN
static jmp_buf run_end;
static unsigned char seen[4096];
static int ask_(int n, int c) { seen[2 * n + !c] = 1; return c; }
static _Noreturn void end_(void) { longjmp(run_end, 1); }
#define ASK(n, c) ask_(n, (c) != 0)
#define abort() end_()
#define printf(...) ((void)(__VA_ARGS__))
#define puts(text) ((void)(text))
#define QUOTIENT(n, by) (ASK(1000 + n, (by) != 0) ? 5 / (by) : (end_(), 0))
#define INDEX(n, i, end) (ASK(1000 + n, (i) >= 0 && (i) < (end)) ? (i) : (end_(), 0))
#define NOT_NULL(n, p) (ASK(1000 + n, (p) != 0) ? (p) : (end_(), (p)))
"""
MAIN = """\
int main(int count, char **arguments) {{
    unsigned char in[{inputs}] = {{0}};
    for (;;) {{
        int k = 0;
        if (count > 1) {{
            unsigned v;
            for (; k < {inputs} && scanf("%u", &v) == 1; k++) in[k] = (unsigned char)v;
            if (k < {inputs}) break;
        }}
        if (setjmp(run_end) == 0) f({given});
        if (count > 1) continue;
        for (k = 0; k < {inputs} && ++in[k] == {domain}; k++) in[k] = 0;
        if (k == {inputs}) break;
    }}
    (void)arguments;
    for (int k = 0; k < (int)sizeof seen; k++) if (seen[k]) fprintf(stdout, "%d\\n", k);
    return 0;
}}
"""
_CONDITION = re.compile(r"\b(?:if|while) \(")
_CHOICE = re.compile(r"(= |\()((?:[^()=?;{}\"]|==)+) \? ")
_CASE = re.compile(r"(case [\d +]+|default):")


def masked(text: str, domain: int) -> str:
    """The program over inputs of so many values (a power of two): all others are like one of these."""
    names = re.findall(r"unsigned char (a\d)", text[text.index("int f(") :])
    mask = "".join(f" {name} &= {domain - 1};" for name in names)
    head, end = text.split("int f(", 1)[0], text.split("int f(", 1)[1].index("{") + 1
    body = text.split("int f(", 1)[1]
    return f"{head}int f({body[:end]}{mask}{body[end:]}"


class Enumeration:
    """A program's plain build."""

    def __init__(self, text: str, domain: int, scratch: Path) -> None:
        self.inputs = len(re.findall(r"unsigned char a\d", text[text.index("int f(") :]))
        source, self._executable = scratch / "plain.c", scratch / "plain"
        given = ", ".join(f"in[{k}]" for k in range(self.inputs))
        source.write_text(PLAIN + wrapped(text) + MAIN.format(inputs=self.inputs, given=given, domain=domain))
        brute_force.program(source, self._executable, "-O1", "-std=gnu11", "-w")

    def reachable(self) -> frozenset[int]:
        """What any input reaches."""
        return self._run("")

    def reached(self, inputs: Iterable[Iterable[int]]) -> frozenset[int]:
        """What these inputs reach."""
        return self._run("\n".join(" ".join(map(str, each)) for each in inputs) + "\n")

    def _run(self, given: str) -> frozenset[int]:
        command = [str(self._executable), *(["given"] if given else [])]
        done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=True)
        return frozenset(map(int, done.stdout.split()))


def wrapped(text: str) -> str:
    """The text with every condition of an `if`, a `while` and most of `?` in ASK, and a mark behind each `case`."""
    numbers = itertools.count()
    text = _CHOICE.sub(lambda found: f"{found[1]}ASK({next(numbers)}, {found[2]}) ? ", text)
    text = _CASE.sub(lambda found: f"{found[0]} (void)ASK({next(numbers)}, 1);", text)
    parts, at = [], 0
    for found in _CONDITION.finditer(text):
        parts += [text[at : found.end()], f"ASK({next(numbers)}, "]
        end = closing(text, found.end())
        parts.append(text[found.end() : end] + ")")
        at = end
    return "".join([*parts, text[at:]])


def closing(text: str, at: int) -> int:
    """Where the bracket is closed that was opened before `at`."""
    depth = 1
    while depth:
        depth += (text[at] == "(") - (text[at] == ")")
        at += 1
    return at - 1
