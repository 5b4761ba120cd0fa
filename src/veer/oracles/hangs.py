"""Which loop a run hangs in: hangs in one loop are one bug, wherever in it the budget of steps ran out.

for (;;) { a(); b(); }      the budget ran out in a, in b, or between them: walking outwards along the calls,
                            the first place that lies in a loop is in this one

Each hang that is reported is replayed for as long as a run may take, so that telling loops apart, not statements, also
spares that time. A recursion without end is no loop: it is told by its place.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from veer.model.program import Function, Site

Successors = Sequence[Sequence[int]]


class LoopFinder:
    """Knows the innermost loops around places of a program."""

    def __init__(self, functions: Iterable[Function]) -> None:
        self._graphs: Mapping[tuple[str, str], Successors] = {
            (each.name, each.file): each.successors for each in functions
        }
        self._headers = cache(self._headers_of)

    def around(self, stack: Iterable[Site]) -> tuple[str, str, int] | None:
        """Function, file and header block of the first loop from the inside out; None: no place lies in one."""
        for site in stack:
            headers = self._headers(site.function, site.file)
            if 0 <= site.block < len(headers) and headers[site.block] >= 0:
                return site.function, site.file, headers[site.block]
        return None

    def _headers_of(self, function: str, file: str) -> Sequence[int]:
        return loop_headers(self._graphs.get((function, file), ()))


def loop_headers(successors: Successors) -> tuple[int, ...]:
    """For each block the first block, in the text, of the smallest loop around it; -1: none.

    A loop is what an edge backwards in the text closes: its target, and all from which its source is reached without
    passing the target. Loops with one target are one.
    """
    before: list[list[int]] = [[] for _ in successors]
    for block, after in enumerate(successors):
        for each in after:
            before[each].append(block)
    loops: dict[int, set[int]] = {}
    for block, after in enumerate(successors):
        for header in (each for each in after if each <= block):
            body = loops.setdefault(header, {header})
            waiting = [block]
            while waiting:
                each = waiting.pop()
                if each not in body:
                    body.add(each)
                    waiting += before[each]
    found = [-1] * len(successors)
    for header, body in sorted(loops.items(), key=lambda loop: -len(loop[1])):  # smaller ones come later
        for block in body:
            found[block] = header
    return tuple(found)
