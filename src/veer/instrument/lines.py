"""Marks in the counters build for lines and functions: set in the compiler's own IR, before locals become SSA values.

SROA takes the code of `int x = 0;` away, and its line with it; a mark that is there before stays. So marks are put into
the text that the compiler wrote, and the rest of the counters build carries them along like any other store:

      store i32 0, ptr %5, !dbg !29      ─►     %veer.line.7 = getelementptr i8, ptr @veer_line_hits, i64 <base + 4>
                                                store i8 1, ptr %veer.line.7
                                                store i32 0, ptr %5, !dbg !29

A line is marked once from the start of a block, and again behind each call, since a call need not return.
"""

from __future__ import annotations

import re

from veer.instrument import convention
from veer.instrument.condition import SourceText
from veer.instrument.debuglocation import SYSTEM, DebugLocations, Position
from veer.instrument.definitions import definitions
from veer.instrument.lexer import bare
from veer.model.coverage import CountedLine

DEFINE = re.compile(r'^define [^@\n]*?(@(?:"[^"]+"|[\w.$-]+))\(.*?(?:!dbg !(\d+) )?\{$')
_LOCATION = re.compile(r"!dbg !(\d+)")
_CALL = re.compile(r"^  (?:%\S+ = )?(?:(?:tail|musttail|notail) )?call (?!.*@llvm\.)")
_LABEL = re.compile(r'(?:"[^"]+"|[\w.$-]+):')
_TRAP = re.compile(r"@llvm\.(?:ubsan)?trap\(")
_JUMP = re.compile(r"(?:break|continue|goto|return)\b")


def mark_lines(
    text: str, unit: str, skipped: frozenset[str], source: SourceText
) -> tuple[str, tuple[CountedLine, ...]]:
    """The module with marks, and the lines that they stand for, by index.

    `skipped` are functions that are not the user's; those of system headers are left out, too. `source` gives the lines
    of a file.
    """
    lines = text.splitlines()
    marker = _Marker(unit, DebugLocations([line for line in lines if line.startswith("!")]), source)
    output: list[str] = []
    for matched, piece in definitions(lines, DEFINE):
        if matched is not None and matched[2] is not None and bare(matched[1]) not in skipped:
            piece = marker.function(bare(matched[1]), int(matched[2]), piece)
        output += piece
    externals = [
        f"@{convention.LINE_HITS} = external dso_local global [0 x i8]",
        f"{convention.line_symbol(unit)} = external dso_local global i8",
    ]
    return "\n".join([*output, *(externals if marker.found else [])]) + "\n", tuple(marker.found)


class _Marker:
    """Puts marks into functions and numbers the lines that it meets."""

    def __init__(self, unit: str, locations: DebugLocations, source: SourceText) -> None:
        self._base = convention.line_symbol(unit)
        self._locations = locations
        self._source = source
        self._numbers: dict[CountedLine, int] = {}
        self._count = 0

    @property
    def found(self) -> list[CountedLine]:
        """The lines, by index."""
        return list(self._numbers)

    def function(self, name: str, subprogram: int, lines: list[str]) -> list[str]:
        """A definition with marks."""
        where = self._locations.function(subprogram)
        if not where.file or SYSTEM.search(where.file):
            return lines
        opening = CountedLine(where.file, where.line, name, opens=True)
        start = 2 if len(lines) > 1 and _LABEL.match(lines[1]) else 1  # the entry block may have a name
        output = [*lines[:start], *self._mark(opening)]
        marked = {(where.file, where.line)}
        body = instructions_of(lines[start:-1])
        for index, instruction in enumerate(body):
            first = instruction[0]
            if not first.startswith("  ") or " = landingpad " in first:  # which comes first in its block
                marked = set()
            elif not self._is_trap(body, index) and not first.startswith(("    #dbg_", "  %veer.")):
                output += self._marks_of(name, instruction[-1], marked)
            output += instruction
            if _CALL.match(first):
                marked = set()
        return [*output, lines[-1]]

    def _marks_of(self, function: str, line: str, marked: set[tuple[str, int]]) -> list[str]:
        location = _LOCATION.search(line)
        if location is None or " = phi " in line:
            return []
        where = self._locations.position(int(location[1]))
        if not where.line or not where.file or (where.file, where.line) in marked:
            return []
        if line.startswith("  br label ") and not self._is_jump(where):
            return []  # the way from the end of a block to what follows it, at the closing brace
        marked.add((where.file, where.line))
        return self._mark(CountedLine(where.file, where.line, function))

    def _mark(self, line: CountedLine) -> list[str]:
        number = self._numbers.setdefault(line, len(self._numbers))
        self._count += 1
        place = f"%veer.line.{self._count}"
        wide = f"ptrtoint (ptr getelementptr (i8, ptr {self._base}, i64 {number}) to i64)"
        return [f"  {place} = getelementptr i8, ptr @{convention.LINE_HITS}, i64 {wide}", f"  store i8 1, ptr {place}"]

    def _is_jump(self, where: Position) -> bool:
        lines = self._source(where.file)
        text = lines[where.line - 1] if where.line <= len(lines) else ""
        return _JUMP.match(text[max(where.column - 1, 0) :]) is not None

    @staticmethod
    def _is_trap(body: list[list[str]], index: int) -> bool:
        """Whether it belongs to a block that does nothing but trap, which the instrumenter knows by its two lines."""
        return any(_TRAP.search(body[near][0]) for near in (index, index - 1) if near >= 0)


def instructions_of(lines: list[str]) -> list[list[str]]:
    """Labels and instructions; one of several lines (switch, invoke, landingpad) stays together."""
    found: list[list[str]] = []
    is_open = False
    for line in lines:
        if is_open:
            found[-1].append(line)
            is_open = not line.startswith("  ]")
        elif line.startswith("          "):
            found[-1].append(line)
        else:
            found.append([line])
            is_open = line.endswith(" [")
    return found
