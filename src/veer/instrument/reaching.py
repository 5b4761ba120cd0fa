"""Places that a search is to reach, or to avoid (--find, --avoid), in the text of LLVM IR.

      %3 = add i32 %1, %2, !dbg !9   ─►   %veer.place.1 = call i1 @veer_place_reached(), !dbg !9
                                          %veer.place.1.s = select i1 %veer.place.1, i32 1, i32 0, !dbg !9
                                          %3 = add i32 %1, %2, !dbg !9

The calls come into what the compiler wrote (lines.py says why), the selects, which LLVM would take away, behind its
passes.

The select is a decision with one side, which is an item of coverage; where a place is avoided a call ends the run. Both
stand before the first instruction of the line in each block; a jump to the next block counts where the line has no
other instruction in its function: compilers give such jumps the line of what stood before.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from veer.instrument.debuglocation import DebugLocations
from veer.instrument.definitions import definitions
from veer.instrument.lexer import bare
from veer.instrument.lines import DEFINE, instructions_of
from veer.instrument.sites import PLACE

_LOCATION = re.compile(r"!dbg !(\d+)")
_NO_PLACE = (" phi ", " = alloca ", " = landingpad ", "@llvm.ubsantrap(", "@llvm.trap(", "  unreachable")
"""Before these nothing may stand; blocks that trap are known by their two lines."""
_JUMP = "  br label "
_REACHED = re.compile(
    rf"^(  ({re.escape(PLACE)}\d+) = call i1 @veer_place_reached\(\)[^,\n]*(, !dbg !\d+)?.*)$", re.MULTILINE
)
_DECLARED = ("declare i1 @veer_place_reached()", "declare void @veer_place_avoided()")


def with_places(text: str, find: Collection[str], avoid: Collection[str], skipped: Collection[str]) -> str:
    """The module with marks at these places, FILE:LINE. `skipped`: functions that are not the user's."""
    if not find and not avoid:
        return text
    lines = text.splitlines()
    marker = _Marker(DebugLocations([line for line in lines if line.startswith("!")]), find, avoid)
    output: list[str] = []
    for matched, piece in definitions(lines, DEFINE):
        is_own = matched is not None and matched[2] is not None and bare(matched[1]) not in skipped
        output += marker.function(piece) if is_own else piece
    return "\n".join([*output, *(_DECLARED if marker.count else ())]) + "\n"


def with_decisions(text: str) -> str:
    """The module with a select behind each call that says that a place is reached."""
    return _REACHED.sub(r"\1\n  \2.s = select i1 \2, i32 1, i32 0\3", text)


def is_at(place: str, file: str, line: int) -> bool:
    """Whether FILE:LINE is that line; of the file the end of its path is enough."""
    name, _, number = place.rpartition(":")
    return number == str(line) and (file == name or file.endswith(f"/{name}"))


def _may_be_marked(first: str) -> bool:
    """Whether a mark may stand before an instruction."""
    is_one = first.startswith("  ") and not first.startswith("    #dbg_")
    return is_one and not any(each in first for each in _NO_PLACE)


class _Marker:
    """Puts marks into functions."""

    def __init__(self, locations: DebugLocations, find: Collection[str], avoid: Collection[str]) -> None:
        self._locations, self._find, self._avoid = locations, find, avoid
        self._known: dict[int, tuple[str, ...]] = {}
        self.count = 0

    def function(self, lines: list[str]) -> list[str]:
        """A definition with marks."""
        body = instructions_of(lines[1:-1])
        others = {
            place
            for instruction in body
            if _may_be_marked(instruction[0]) and not instruction[0].startswith(_JUMP)
            for place in self._of(instruction[-1])
        }
        output, marked = lines[:1], set[str]()
        for instruction in body:
            first = instruction[0]
            if not first.startswith("  "):
                marked = set()
            elif _may_be_marked(first):
                output += self._marks(instruction[-1], marked | (others if first.startswith(_JUMP) else set()), marked)
            output += instruction
        return [*output, lines[-1]]

    def _of(self, line: str) -> tuple[str, ...]:
        location = _LOCATION.search(line)
        return self._places(int(location[1])) if location is not None else ()

    def _marks(self, line: str, known: set[str], marked: set[str]) -> Iterator[str]:
        location = _LOCATION.search(line)
        for place in self._of(line):
            if place in known:
                continue
            marked.add(place)
            self.count += 1
            debug = f", !dbg !{location[1]}" if location is not None else ""
            if place in self._avoid:
                yield f"  call void @veer_place_avoided(){debug}"
                continue
            yield f"  {PLACE}{self.count} = call i1 @veer_place_reached(){debug}"

    def _places(self, location: int) -> tuple[str, ...]:
        if location not in self._known:
            where = self._locations.position(location)
            every = (*self._avoid, *self._find)
            self._known[location] = tuple(each for each in every if is_at(each, where.file, where.line))
        return self._known[location]
