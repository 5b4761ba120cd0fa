"""What the counters build measures beside branches: lines and functions, and how coverage grew over a campaign."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TypeVar

from msgspec import Struct

Key = TypeVar("Key")


class CountedLine(Struct, frozen=True):
    """A line with code, as the counters build numbers it; `opens`: it is the line that declares the function."""

    file: str
    line: int
    function: str
    opens: bool = False


class LineCoverage(Struct, frozen=True):
    """A line with code; `tests`: how many replayed tests run it."""

    file: str
    line: int
    function: str
    tests: int


class FunctionCoverage(Struct, frozen=True):
    """A function with code; `tests`: how many replayed tests enter it."""

    file: str
    line: int
    name: str
    tests: int


class Sample(Struct, frozen=True):
    """How far a campaign was after `seconds`: runs made, coverage items covered."""

    seconds: float
    runs: int
    covered: int


class SourceText(Struct, frozen=True):
    """A source as it was when it was tested; no lines when it could not be kept."""

    path: str
    lines: tuple[str, ...]


def line_coverage(counted: Sequence[CountedLine], runs: Iterable[Collection[int]]) -> tuple[LineCoverage, ...]:
    """Lines in the order of the source; `runs`: for each replayed test, the indices into `counted` that it marked."""
    hits = _hits(counted, runs, lambda line: (line.file, line.line))
    owner: dict[tuple[str, int], str] = {}
    for line in counted:
        owner.setdefault((line.file, line.line), line.function)
    return tuple(LineCoverage(*key, owner[key], tests) for key, tests in sorted(hits.items()))


def function_coverage(counted: Sequence[CountedLine], runs: Iterable[Collection[int]]) -> tuple[FunctionCoverage, ...]:
    """Functions in the order of the source; see `line_coverage`."""
    opening = [line if line.opens else None for line in counted]
    hits = _hits(opening, runs, lambda line: (line.file, line.line, line.function))
    return tuple(FunctionCoverage(*key, tests) for key, tests in sorted(hits.items()))


def _hits(
    counted: Sequence[CountedLine | None], runs: Iterable[Collection[int]], key: Callable[[CountedLine], Key]
) -> dict[Key, int]:
    """How many runs marked each key; one that was marked at several places of a run counts once for it."""
    keys = [key(line) if line is not None else None for line in counted]
    found = {each: 0 for each in keys if each is not None}
    for run in runs:
        for each in {keys[index] for index in run if index < len(keys)}:
            if each is not None:
                found[each] += 1
    return found
