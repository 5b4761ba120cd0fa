"""Mutants of a C source, one change each, as mutation tools make them: what a regression suite must notice.

relational   a < b → a <= b, a >= b, a != b      arithmetic   a + b → a - b
constant     7 → 8, 6, 0                         statement    x = 7; → ;
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_RELATIONAL = {
    "<": ("<=", ">="),
    "<=": ("<", ">"),
    ">": (">=", "<="),
    ">=": (">", "<"),
    "==": ("!=",),
    "!=": ("==",),
}
_ARITHMETIC = {"+": "-", "-": "+", "*": "+", "/": "*", "%": "*"}
_LITERAL = r'/\*.*?\*/|"(?:\\.|[^"\\])*"|\'(?:\\.|[^\'\\])\'|#[^\n]*'


@dataclass(frozen=True)
class Mutant:
    """A changed source; `about` says what was changed, with its line."""

    about: str
    text: str


def mutants(text: str, first: int) -> Iterator[Mutant]:
    """All mutants of the code from line `first` on."""
    code = re.sub(_LITERAL, lambda found: _blank(found[0]), text, flags=re.DOTALL)
    start = sum(len(line) for line in text.splitlines(keepends=True)[: first - 1])
    for found in re.finditer(r"(?<=\s)(<=|>=|==|!=|<|>)(?=\s)", code[start:]):
        for other in _RELATIONAL[found[1]]:
            yield _changed(text, start, found, other)
    for found in re.finditer(r"(?<=\s)([-+*/%])(?=\s)", code[start:]):
        yield _changed(text, start, found, _ARITHMETIC[found[1]])
    for found in re.finditer(r"(?<![\w.'])(\d+)(?![\w.'])", code[start:]):
        number = int(found[1])
        for other in dict.fromkeys((number + 1, number - 1, 0)):
            if other not in (number, -1):
                yield _changed(text, start, found, str(other))
    for found in re.finditer(
        r"(?<=[;{}])\s*([A-Za-z_][\w>.\[\]-]*\s*(?:[-+|&^]?=[^;=]*|\+\+|--|\([^;]*\)));", code[start:]
    ):
        if not found[1].startswith(("return", "if", "while", "for")):
            yield _changed(text, start, found, "")


def _changed(text: str, start: int, found: re.Match[str], other: str) -> Mutant:
    begin, end = start + found.start(1), start + found.end(1)
    line = text.count("\n", 0, begin) + 1
    return Mutant(f"line {line}: {text[begin:end]} → {other or 'nothing'}", text[:begin] + other + text[end:])


def _blank(text: str) -> str:
    """As many characters, none of which is code."""
    return re.sub(r"[^\n]", "'", text)
