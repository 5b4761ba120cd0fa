"""What rewritten classes count: which counters each jump, switch and line has, and what they say of branches."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from msgspec import Struct, field

from veer.frontends.java.classfile.code import Instruction

MOST = 1 << 15
"""Counters that one instruction can name (sipush)."""
Place = tuple[str, str, str, int]
"""Class, method, descriptor, offset of an instruction."""
_TAKEN = {"lt": {0}, "eq": {1}, "gt": {2}, "ge": {1, 2}, "le": {0, 1}, "ne": {0, 2}}
"""Which of the counters less, equal, greater mean that a jump is made."""


def counters_of(each: Instruction) -> int:
    """How many counters an instruction has; 0: it decides nothing."""
    if each.name.endswith("switch"):
        return 1 + len(each.cases)
    if each.name in ("ifnull", "ifnonnull") or "_acmp" in each.name:
        return 2
    return 3 if each.name.startswith("if") else 0


def is_taken(each: Instruction, counter: int) -> bool:
    """Whether a jump is made when this one of its counters is hit."""
    if each.name in ("ifnull", "if_acmpeq"):
        return counter == 1
    if each.name in ("ifnonnull", "if_acmpne"):
        return counter == 0
    return counter in _TAKEN[each.name[-2:]]


class Counters(Struct):
    """Numbers for instructions and lines. Where there are no more, nothing is counted."""

    branches: dict[Place, tuple[int, Instruction]] = field(default_factory=dict)
    lines: dict[tuple[str, str, str, int], int] = field(default_factory=dict)  # (class, method, descriptor, line)
    _next: int = 0

    def branch(self, place: Place, each: Instruction) -> int | None:
        """The first counter of an instruction."""
        first = self._take(counters_of(each))
        if first is not None:
            self.branches[place] = (first, each)
        return first

    def line(self, key: tuple[str, str, str, int]) -> int | None:
        """The counter of a line of a method."""
        if key not in self.lines:
            first = self._take(1)
            if first is None:
                return None
            self.lines[key] = first
        return self.lines[key]

    def taken(self, place: Place, hits: Collection[int]) -> Iterator[tuple[int, bool]]:
        """Of a jump: (0, whether it was made) for each way it went; of a switch (number of the case, True), the default
        as (-1, True)."""
        first, each = self.branches[place]
        for counter in range(counters_of(each)):
            if first + counter in hits:
                yield (counter - 1, True) if each.name.endswith("switch") else (0, is_taken(each, counter))

    def _take(self, count: int) -> int | None:
        if self._next + count > MOST:
            return None
        self._next += count
        return self._next - count
