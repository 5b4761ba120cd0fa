"""How far the test of all functions is, for the terminal."""

from __future__ import annotations

import time
from collections.abc import Callable

from veer.model.progress import Progress
from veer.model.survey import Row
from veer.report.words import duration, number

Show = Callable[[Progress], None]


class Tally:
    """How far the test of all is: told when a function is begun, and when it is done."""

    def __init__(self, total: int, show: Show, stood: int = 0) -> None:
        """`stood`: functions whose results stand."""
        self._total, self._show, self._start = total, show, time.monotonic()
        self._done, self._bugs, self._under_way = stood, 0, list[str]()

    def begin(self, function: str) -> None:
        """A function is being built."""
        self._under_way.append(function)
        self._tell()

    def end(self, row: Row) -> None:
        """A function is done."""
        self._under_way.remove(row.function)
        self._done += 1
        self._bugs += row.bugs
        self._tell()

    def _tell(self) -> None:
        seconds = time.monotonic() - self._start
        now = f"; now {', '.join(self._under_way)}" if self._under_way else ""
        done = f"{self._done} of {self._total} functions, {number(self._bugs, 'bug')}, {duration(seconds)}{now}"
        self._show(Progress("test", seconds, bugs=self._bugs, note=done))
