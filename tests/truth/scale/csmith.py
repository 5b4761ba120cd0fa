"""Programs of Csmith (Debian's package csmith, with libcsmith-dev for its header), with inputs put into them.

Csmith writes programs without inputs that are defined for any values of their integers: its arithmetic is wrapped, its
indices are bounded. Some of the global integers are set from the entry's parameters, and what the program would have
made a checksum of is summed up and returned. Where gcc's -O0 and -O2 differ, or its sanitisers object, on some input, a
program is left out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

from scale.brute import SANITISERS, Brute, CompilerError, Truth
from scale.generator import ENTRY, Program
from scale.marked import Node, line
from scale.parameters import Whole
from scale.writer import Function

HEADER = Path("/usr/include/csmith/csmith.h")
OPTIONS = (
    *("--concise", "--no-packed-struct", "--no-volatiles", "--max-funcs", "4", "--max-block-depth", "3"),
    *("--max-block-size", "4", "--max-expr-complexity", "5", "--max-array-dim", "2", "--max-array-len-per-dim", "4"),
)
INPUTS = 4
VALUES = 8
ASKED = 3
"""So many remainders of the sum are asked at the end."""
_INTEGER = re.compile(r"^static (?:const )?(u?int(?:8|16|32)_t) (g_\d+) = ", re.MULTILINE)
_SUMMED = re.compile(r'^    transparent_crc\((g_[\w.]+), "', re.MULTILINE)
_CONDITION = re.compile(r"^(\s*if \()((?:[^&|?]|&(?!&)|\|(?!\|))*)(\))$")


def is_here() -> bool:
    """Whether csmith and its header are installed."""
    return shutil.which("csmith") is not None and HEADER.exists()


def program(seed: int) -> Program | None:
    """Csmith's program of this seed with inputs; None: it has no global integers."""
    command = ["csmith", "--seed", str(seed), *OPTIONS]
    text = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60).stdout
    head, _, main = text.partition("int main (")
    head = head.replace('#include "csmith.h"', f'#include "{HEADER}"')
    integers = [(ctype, name) for ctype, name in _INTEGER.findall(head)][:INPUTS]
    summed = list(dict.fromkeys(_SUMMED.findall(main)))
    if not integers or not summed:
        return None
    parameters = tuple(Whole(letter, "unsigned char", VALUES) for letter, _ in zip("abcd", integers, strict=False))
    body: list[Node] = [node for each in parameters for node in each.narrowing()]
    body += [
        line(f"{name} = ({ctype})({each.name} - 4);") for each, (ctype, name) in zip(parameters, integers, strict=True)
    ]
    body += [line("unsigned long r = 0;"), line("func_1();")]
    body += [line(f"r = r * 31 + (unsigned long){name};") for name in summed]
    for bit in range(ASKED):
        body.append(Node((f"if (‹(r >> {bit}) % 5 == {bit}›)", (line("r++;"),))))
    body.append(line("return r;"))
    entry = Function(f"unsigned long {ENTRY}({', '.join(each.declaration for each in parameters)})", tuple(body))
    return Program(
        seed, (), (Node(tuple(map(_marked, head.splitlines()))),), (), (), entry, parameters, "unsigned long", ()
    )


def _marked(text: str) -> str:
    """A line of Csmith's: its variables are those of a run, its simple conditions are branches."""
    variable = re.match(r"static ([^=;(]*?)\bg_\d+(?:\[|\s)", text)
    if variable is not None and not _is_constant(variable[1]):
        text = f"‹unit›{text}"
    found = _CONDITION.match(text)
    return f"{found[1]}{marked(found[2])}{found[3]}" if found else text


def _is_constant(words: str) -> bool:
    """Whether a variable of this type keeps its value: a pointer to what is const does not."""
    return words.rstrip().endswith("const") or ("const" in words.split() and "*" not in words)


def marked(condition: str) -> str:
    """The condition with its mark: on what is negated, for that is what a branch asks. `+` in front is no matter."""
    found = condition
    while inner := _within(found) or _negated(found) or _plus(found):
        found = inner
    if _is_list(found):
        return condition  # its branch is that of the last operand, which may be negated
    start = condition.rindex(found)
    if "!" not in condition[:start]:
        return f"‹{condition}›"
    return f"{condition[:start]}‹{found}›{condition[start + len(found) :]}"


def _is_list(text: str) -> bool:
    """Whether it is `a, b`, with no parentheses around all of it."""
    depth = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            return True
    return False


def _negated(text: str) -> str:
    """What a `!` before all of the text negates, or ""."""
    if not text.startswith("!"):
        return ""
    rest = text[1:]
    operand = re.sub(r"^\w+(?=\()", "", rest)  # what a call is given
    return rest if re.fullmatch(r"[\w.]+", rest) or _within(operand) or _negated(rest) or _plus(rest) else ""


def _plus(text: str) -> str:
    """What stands behind a `+` before all of the text, or ""."""
    rest = text.removeprefix("+")
    return rest if rest != text and _within(rest) else ""


def _within(text: str) -> str:
    """What a pair of parentheses holds that is all of the text, or ""."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return text[1:-1] if letter == ")" and place == len(text) - 1 else ""
    return ""


def truth(given: Program) -> Truth | None:
    """All inputs on gcc's build; None if its builds differ, or something is undefined."""
    try:
        plain, optimised, checked = (Brute(given, *flags).all() for flags in ((), ("-O2",), SANITISERS))
    except (CompilerError, RuntimeError):
        return None
    results = [[row.result for row in each.rows.values()] for each in (plain, optimised, checked)]
    if not results[0] == results[1] == results[2] or any(row.outcome != "returned" for row in plain.rows.values()):
        return None
    return plain
