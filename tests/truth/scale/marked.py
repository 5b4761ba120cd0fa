"""C text with marks, from which both the program that veer reads and the one that brute force runs are rendered.

    ‹cond›                 a condition that is branched on       cond            bf_side(LINE, cond)
    ‹switch 1 4|value›     the operand of a switch               value           bf_switch(LINE, value, 2, {1, 4})
    ‹call|table[i]›        a function that is called             table[i]        bf_called(table[i])
    ‹fault bug|cond›       what ends the run here if cond holds  (nothing)       if (cond) bf_end(LINE, "bug");
    ‹unit›                 before a static variable              (nothing)       BF_UNIT

LINE is the line of the mark in the plain text. There is one condition or switch a line at most, so that a line names a
branch. Marks are not nested.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial

_MARK = re.compile(r"‹([^›]*)›")
_SWITCH = re.compile(r"switch ([-\d ]*)\|(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Node:
    """A statement or a declaration: lines of text, with the statements inside of it between them.

    Node(("if (‹a > 1›) {", (Node(("r = 1;",)),), "}"))
    """

    parts: tuple[str | tuple[Node, ...], ...]
    is_fixed: bool = False  # holds the inputs in their domain, or ends a recursion: no shrinking takes it away


def line(text: str, *, fixed: bool = False) -> Node:
    """A statement of its own lines."""
    return Node(tuple(text.split("\n")), fixed)


def block(head: str, body: Iterable[Node], tail: str = "}") -> Node:
    """A statement around others."""
    return Node((head, tuple(body), tail))


def lines_of(node: Node, depth: int = 0) -> list[str]:
    """The marked text of a statement."""
    lines: list[str] = []
    for part in node.parts:
        if isinstance(part, str):
            lines.append("    " * depth + part)
        else:
            for inner in part:
                lines += lines_of(inner, depth + 1)
    return lines


@dataclass(frozen=True, slots=True)
class Mark:
    """A branch of the plain text: `sides` are the names that veer gives to what a run can take there."""

    line: int
    sides: tuple[str, ...]


def plain(lines: Iterable[str]) -> str:
    """The program as a user would have written it."""
    return "".join(_MARK.sub(lambda mark: _plain(mark[1]), line) + "\n" for line in lines)


def brute(lines: Iterable[str]) -> str:
    """The program that tells what it does."""
    return "".join(_MARK.sub(partial(_brute, number=number), line) + "\n" for number, line in enumerate(lines, 1))


def marks(lines: Iterable[str]) -> tuple[Mark, ...]:
    """The branches, in the order of the text."""
    found = []
    for number, text in enumerate(lines, 1):
        for mark in _MARK.findall(text):
            if switch := _SWITCH.fullmatch(mark):
                sides = (*(f"case {case}" for case in switch[1].split()), "default")
                found.append(Mark(number, sides))
            elif not mark.startswith(("call|", "fault ")) and mark != "unit":
                found.append(Mark(number, ("false", "true")))
    if len({mark.line for mark in found}) < len(found):
        raise ValueError("two branches on one line")
    return tuple(found)


def _plain(mark: str) -> str:
    if mark == "unit" or mark.startswith("fault "):
        return ""
    if mark.startswith(("call|", "switch ")):
        return mark.partition("|")[2]
    return mark


def _brute(match: re.Match[str], number: int) -> str:
    mark = match[1]
    if mark == "unit":
        return "BF_UNIT "
    if mark.startswith("fault "):
        outcome, _, condition = mark.removeprefix("fault ").partition("|")
        return f'if ({condition}) bf_end({number}, "{outcome}"); '
    if mark.startswith("call|"):
        return f"bf_called({mark.removeprefix('call|')})"
    if switch := _SWITCH.fullmatch(mark):
        cases = switch[1].split()
        return f"bf_switch({number}, {switch[2]}, {len(cases)}, (const long long[]){{{', '.join(cases)}}})"
    return f"bf_side({number}, {mark})"
