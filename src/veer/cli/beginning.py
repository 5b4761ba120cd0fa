"""Which functions of a project are tested first: short ones, so that there is soon something to read."""

from __future__ import annotations

import sys
from bisect import bisect_right
from collections.abc import Sequence

from veer.frontends.protocol import Entry


def quick_ones_first(numbers: Sequence[int], lines: Sequence[int], jobs: int) -> list[int]:
    """The shortest of these functions for each job, then the others as they stand. `lines`: of each function."""
    first = sorted(numbers, key=lambda number: lines[number])[: max(1, jobs)]
    return [*first, *(number for number in numbers if number not in first)]


def lines_of(entries: Sequence[Entry]) -> list[int]:
    """The lines of each function: up to the next one of its file; of the last one nothing is known."""
    starts: dict[str, list[int]] = {}
    for each in entries:
        starts.setdefault(each.file, []).append(each.line)
    ends = {file: sorted(found) for file, found in starts.items()}
    found = []
    for each in entries:
        following = bisect_right(ends[each.file], each.line)
        found.append((ends[each.file][following] if following < len(ends[each.file]) else sys.maxsize) - each.line)
    return found
