"""Lines of a suite that are the user's: between two marks, they stay when the suite is written anew.

    /* veer: keep */
    static int budget_of_the_test = 3;
    /* veer: end keep */

They stand again at the same place: of the same test behind the same line, above the same test, or at the head. Where
the test is gone they go to the head, and what is written says so: no line is lost.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from veer.model.values import replace

BEGIN = "/* veer: keep */"
END = "/* veer: end keep */"
FUNCTION = re.compile(r"(?:static void|int|START_TEST\() ?(?P<name>(?:test|bug)_\w+)[()]")
_HEAD = "/* ---- tests ---"


class Kept(Struct, frozen=True):
    """Lines with their marks. `test`: the function that they stand in or above, "" at the head; `after`: the line in
    its body behind which they stand, None for those above it."""

    lines: tuple[str, ...]
    test: str = ""
    after: str | None = None


def parted(text: str) -> tuple[str, tuple[Kept, ...]]:
    """A suite without the lines that are kept, and these. Raises ValueError for marks that are no pair."""
    plain: list[str] = []
    found: list[Kept] = []
    waiting: list[int] = []  # of those that stand above the next test
    block: list[str] | None = None
    test = ""
    has_begun = False
    for number, line in enumerate(text.splitlines(), 1):
        mark = line.strip()
        if (mark == BEGIN) == (block is not None) and mark in (BEGIN, END):
            raise ValueError(f"line {number}: `{mark}` has no partner")
        if block is not None:
            block.append(line)
            if mark == END:
                if not test and has_begun:
                    waiting.append(len(found))
                after = plain[-1] if test else None
                found.append(Kept(tuple(block), test, after))
                block = None
            continue
        if mark == BEGIN:
            block = [line]
            continue
        plain.append(line)
        has_begun = has_begun or line.startswith(_HEAD)
        if (begun := FUNCTION.match(line)) and not line.endswith(";"):
            test = begun["name"]
            for place in waiting:
                found[place] = replace(found[place], test=test)
            waiting.clear()
        elif line == "}":
            test = ""
    if block is not None:
        raise ValueError(f"`{BEGIN}` has no `{END}`")
    return "\n".join(plain) + "\n", tuple(found)


def with_kept(text: str, kept: Sequence[Kept], names: Mapping[str, str]) -> tuple[str, tuple[str, ...]]:
    """A new suite with what is kept, and the tests whose lines have gone to the head.

    `names`: tests of the old suite by their names -> what they are called in the new one.
    """
    lines = text.splitlines()
    lost = []
    for each in reversed(kept):  # those of one place keep their order
        name = names.get(each.test, "")
        spans = _spans(lines)
        if name in spans:
            at = _place(lines, spans[name], each.after)
        else:
            at = _head(lines)
            if each.test:
                lost.append(each.test)
        lines[at:at] = each.lines
    return "\n".join(lines) + "\n", tuple(reversed(dict.fromkeys(lost)))


def _spans(lines: Sequence[str]) -> dict[str, tuple[int, int, int]]:
    """Of each test: where the comment above it begins, its own first line, and its closing brace."""
    found: dict[str, tuple[int, int, int]] = {}
    comment = 0
    for number, line in enumerate(lines):
        if line.startswith("/* ") and line != BEGIN:
            comment = number
        if (begun := FUNCTION.match(line)) and not line.endswith(";"):
            end = next((k for k in range(number, len(lines)) if lines[k] == "}"), number)
            found[begun["name"]] = (comment, number, end)
    return found


def _place(lines: Sequence[str], span: tuple[int, int, int], after: str | None) -> int:
    comment, first, end = span
    if after is None:
        return comment
    same = [number for number in range(first, end) if lines[number] == after]
    return same[0] + 1 if same else end


def _head(lines: Sequence[str]) -> int:
    return next((number for number, line in enumerate(lines) if line.startswith(_HEAD)), len(lines))
