"""What a report is. Reports are registered by entry points of the group `veer.reports`."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from veer.model.result import Result

REPORTS = "veer.reports"


class Format(Struct, frozen=True):
    """A format of a report: the file that it is written to within DIR, and what makes its text."""

    file: str
    render: Callable[[Result], str]
