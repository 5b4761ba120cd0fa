"""What a compositional search made of each function (docs/compositional.md)."""

from __future__ import annotations

from msgspec import Struct


class FunctionSummary(Struct, frozen=True):
    """A function or a loop: runs made for its sake, paths in its summaries, how many summaries there are, and how many
    calls on paths of its callers they stand for.

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
    is_loop: bool = False
    from_disk: int = 0  # of `paths`: those that earlier campaigns found
    closed: int = 0  # of `shapes`: those whose paths follow from the loop's text


class Summaries(Struct, frozen=True):
    """All functions that were called, the entry first; `repeated`: runs whose record was void; `largest_query`: the
    distinct terms of the largest one that the solver got."""

    functions: tuple[FunctionSummary, ...]
    repeated: int = 0
    largest_query: int = 0
