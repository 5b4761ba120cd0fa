"""How far the test of all functions is, for the terminal."""

from __future__ import annotations

import time
from collections.abc import Callable

from veer.cli.tested import Tested
from veer.model.ending import BranchState
from veer.model.progress import Progress
from veer.report.words import duration, number

Show = Callable[[Progress], None]


class Tally:
    """Is told when a function is begun, and when it is done; tells how many are, what they cover, and the time left.

    A branch of several functions counts once.
    """

    def __init__(self, total: int, show: Show, stood: int = 0) -> None:
        """`stood`: functions whose results stand."""
        self._total, self._show, self._start = total, show, time.monotonic()
        self._done, self._bugs, self._under_way = stood, 0, list[str]()
        self._branches: dict[tuple[str, int, int, str, str], bool] = {}
        self._left = 0.0

    def begin(self, function: str, left: float = 0.0) -> None:
        """A function is being built. `left`: seconds of the budget that all share."""
        self._under_way.append(function)
        self._left = left
        self._tell()

    def end(self, tested: Tested, left: float = 0.0) -> None:
        """A function is done."""
        self._under_way.remove(tested.row.function)
        self._done += 1
        self._bugs += tested.row.bugs
        self._left = left
        for each in tested.result.branches if tested.result is not None else ():
            place = (each.file, each.line, each.column, each.text, each.side)
            self._branches[place] = self._branches.get(place, False) or each.state is BranchState.COVERED
        self._tell()

    def tick(self) -> None:
        """Nothing has happened for a while."""
        self._tell()

    def _tell(self) -> None:
        seconds = time.monotonic() - self._start
        covered, branches = sum(self._branches.values()), len(self._branches)
        done = [f"{self._done} of {self._total} functions"]
        share = [f"branches {covered}/{branches}"] if branches else []
        parts = [number(self._bugs, "bug"), duration(seconds)]
        left = f" (up to {duration(self._left)} more)" if self._left and self._done < self._total else ""
        now = f"; now {', '.join(self._under_way)}" if self._under_way else ""
        note = f"{', '.join([*done, *share, *parts])}{left}{now}"
        short = f"{', '.join([*done, *parts])}{now}"
        counts = {"branches_covered": covered, "branches_total": branches, "bugs": self._bugs}
        self._show(Progress("test", seconds, note=note, short=short, done=self._done, total=self._total, **counts))
