"""Debug locations of cleaned code as they must be for coverage: a block tells of its own instructions alone.

LLVM moves a calculation into another block and leaves it its line; the line would then count as run with that block.

    a10010196:                                      the block of the instructions at 10010196, 10010198, ...
      %v9 = and i32 %v7, 1, !dbg !53                of another block: it gets a line of this one
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Mapping, Sequence

from msgspec import Struct, field

_LOCATION = re.compile(r"^!(\d+) = !DILocation\(line: (\d+),", re.MULTILINE)
FUNCTION = re.compile(r'^define .*?@("[^"]+"|[\w.$-]+)\(')
"""The line of IR in which a function begins; group 1 is its name."""
_ENTER = "enter:"
_LABEL = re.compile(r"^a([0-9a-f]+)(?:\.\w+)?:")
_PLACE = re.compile(r", !dbg !(\d+)$")


class Lines(Struct, frozen=True):
    """The lines of one function's instructions: `first` of each block, by address; `all_`: of all, in order; `inner`:
    of those within which a block may begin, by address."""

    first: Mapping[int, int]
    all_: Sequence[int]
    inner: Mapping[int, int] = {}

    @property
    def head(self) -> range:
        """That of the function's name, which the block before its first instruction has."""
        return range(self.all_[0] - 1, self.all_[0])

    def knows(self, address: int) -> bool:
        """Whether a block can begin there, or within the instruction."""
        return address in self.first or address in self.inner

    def of_block(self, address: int) -> range:
        """The lines of the instructions from there on, up to the next block's."""
        begin = self.first.get(address) or self.inner[address]
        begins = sorted(self.first.values())
        place = bisect.bisect_right(begins, begin)
        return range(begin, begins[place] if place < len(begins) else self.all_[-1] + 1)


class _Reader(Struct):
    """Goes through the text of a module."""

    functions: Mapping[str, Lines]
    lines: Mapping[str, int]  # of the nodes of locations
    own: dict[int, str] = field(default_factory=dict)  # line -> node, of the function at hand
    allowed: range | None = None
    last: str = ""

    def row(self, text: str) -> str:
        """A line of a block as it is to be."""
        matched = _PLACE.search(text)
        if self.allowed is None or matched is None:
            return text
        node = matched[1]
        if self.lines.get(node, 0) in self.allowed:
            self.last = node
            return text
        if not self.last:
            self.last = next((self.own[line] for line in self.allowed if line in self.own), "")
        return text[: matched.start()] + (f", !dbg !{self.last}" if self.last else "")


def with_own_places(text: str, functions: Mapping[str, Lines]) -> str:
    """The module's text; `functions`: the lines of each, by its name in IR."""
    reader = _Reader(functions, {node: int(line) for node, line in _LOCATION.findall(text)})
    rows, current = text.split("\n"), None
    used = _nodes_by_function(rows, functions, reader.lines)
    for place, row in enumerate(rows):
        if (matched := FUNCTION.match(row)) is not None:
            name = matched[1].strip('"')
            current, reader.own, reader.allowed = functions.get(name), used.get(name, {}), None
        elif (label := _LABEL.match(row)) is not None:
            is_known = current is not None and current.knows(int(label[1], 16))
            reader.allowed = current.of_block(int(label[1], 16)) if current is not None and is_known else None
            reader.last = ""
        elif row and not row[0].isspace():
            reader.allowed = current.head if current is not None and row.startswith(_ENTER) else None
            reader.last = ""
        else:
            rows[place] = reader.row(row)
    return "\n".join(rows)


def _nodes_by_function(
    rows: Sequence[str], functions: Mapping[str, Lines], lines: Mapping[str, int]
) -> dict[str, dict[int, str]]:
    """The node of each line that a function's instructions name."""
    found: dict[str, dict[int, str]] = {}
    name = ""
    for row in rows:
        if (matched := FUNCTION.match(row)) is not None:
            name = matched[1].strip('"')
        elif name in functions and (placed := _PLACE.search(row)) is not None and placed[1] in lines:
            found.setdefault(name, {})[lines[placed[1]]] = placed[1]
    return found
