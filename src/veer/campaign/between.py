"""What a campaign has come to between its steps."""

from __future__ import annotations

from msgspec import Struct

from veer.findings.replaying import Replayed
from veer.model.coverage import FunctionCoverage, LineCoverage
from veer.model.decisions import DecisionCoverage
from veer.model.ending import Ending
from veer.model.result import Branch, Coverage, Operations, Queries


class Confirmed(Struct, frozen=True):
    """What a search found, run again and replayed, and its own numbers, as they were before that.

    `first` and `notes` are what is to be said of it: before what is said of its coverage, and behind that.
    """

    again: Replayed
    ended: Ending
    diverged: int
    queries: Queries
    operations: Operations
    first: tuple[str, ...]
    notes: tuple[str, ...]


class MeasuredCoverage(Struct, frozen=True):
    """Coverage in all its forms, and what is to be said of it."""

    coverage: Coverage
    branches: tuple[Branch, ...]
    lines: tuple[LineCoverage, ...]
    functions: tuple[FunctionCoverage, ...]
    notes: tuple[str, ...]
    decisions: tuple[DecisionCoverage, ...] = ()
