"""What a compositional search made of each function (docs/compositional.md)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FunctionSummary:
    """One function: runs made for its sake, paths in its summary, how many contexts were explored or already covered.

    `shapes`: states at its entry that differ in what is concrete. `refused`: why it is a part of its callers instead.
    """

    name: str
    file: str
    line: int
    runs: int
    paths: int
    shapes: int
    made: int
    used: int
    refused: str = ""


@dataclass(frozen=True, slots=True)
class Summaries:
    """All functions that were called, the entry first; `repeated`: runs whose record was void."""

    functions: tuple[FunctionSummary, ...]
    repeated: int = 0
