"""What a report is. Reports are registered by entry points of the group `veer.reports`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from veer.model.result import Result

REPORTS = "veer.reports"


@dataclass(frozen=True, slots=True)
class Format:
    """A format of a report: the file that it is written to within DIR, and what makes its text."""

    file: str
    render: Callable[[Result], str]
