"""Which search reaches the plain search's coverage soonest: python bench/auto_search.py [--count N] [NAME...]

Each unit of auto_units.py is searched by each of --searches with the same --budget and default options, but the time
behind the search. The first `runs` and `s`: of the whole search; `covered`: sides of branches. The second ones, and
seconds of processors (veer and all its processes): until as many sides were covered as the first search covers in all;
`-`: never. `ratio`: these seconds of processors by those of the first search. Below: their geometric mean over the
units whose first search takes at least a second, and the worst.
"""

from __future__ import annotations

import argparse
import math
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import real_code
from auto_units import UNITS, Unit
from common import Printer

from veer.campaign import run as campaign
from veer.model.errors import VeerError
from veer.model.progress import Progress
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.types import BoundKind

_TICKS = os.sysconf("SC_CLK_TCK")
_LEAST = 1.0
"""Seconds of processors that a search takes that counts."""


@dataclass
class Watch:
    """Notes how far a campaign is, several times a second, with what its processes have used by then."""

    marks: list[tuple[int, int, float, float]] = field(default_factory=list)  # covered, runs, wall, processors
    began: tuple[float, float] | None = None
    end: tuple[float, float] | None = None  # of the search

    def __call__(self, progress: Progress) -> None:
        if progress.phase not in ("explore", "replay"):
            return
        now = (time.monotonic(), processors())
        self.began = self.began or now
        if progress.phase == "replay":
            self.end = self.end or now
            return
        wall, used = now[0] - self.began[0], now[1] - self.began[1]
        self.marks.append((progress.branches_covered, progress.runs, wall, used))

    def reached(self, covered: int) -> tuple[int, float, float] | None:
        """Runs and seconds until so many sides were covered; None: never."""
        return next((mark[1:] for mark in self.marks if mark[0] >= covered), None)


def processors() -> float:
    """Seconds that this process and all below it have used, those that are over included."""
    total, waiting = 0, [os.getpid()]
    while waiting:
        process = waiting.pop()
        try:
            text = Path(f"/proc/{process}/stat").read_text()
            for task in Path(f"/proc/{process}/task").iterdir():
                waiting += map(int, (task / "children").read_text().split())
        except OSError:
            continue  # it is over
        total += sum(map(int, text.rpartition(")")[2].split()[11:15]))
    return total / _TICKS


def searched(unit: Unit, search: str, given: argparse.Namespace) -> tuple[Result, Watch]:
    """One campaign. Raises VeerError, CalledProcessError."""
    watch = Watch()
    growing = tuple(kind.value for kind in BoundKind) if given.grow else ()
    options = SearchOptions(search=search, budget=given.budget, growing=growing, shrink=False, reach=False)
    result = campaign.run(unit.options(given.work), options, watch)
    if watch.began and watch.end and result.samples:
        wall, used = (now - then for now, then in zip(watch.end, watch.began, strict=True))
        watch.marks.append((result.samples[-1].covered, result.runs, wall, used))
    return result, watch


def main() -> int:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--searches", nargs="+", default=["plain", "auto"])
    parser.add_argument("--budget", type=float, default=20.0)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=len(UNITS))
    parser.add_argument("--grow", action="store_true", help="with bounds that grow, as by default")
    parser.add_argument("--work", type=Path, default=real_code.WORK)
    given = parser.parse_args()
    chosen = [unit for unit in UNITS if not given.names or unit.name in given.names]
    columns = (("search", 13), ("runs", 9), ("covered", 7), ("s", 6), ("claim", 9), ("runs", 9), ("s", 6), ("cpu", 6))
    printer = Printer((("unit", 20), *columns, ("ratio", 6)))
    ratios: dict[str, list[float]] = {name: [] for name in given.searches}
    for unit in chosen[given.first : given.first + given.count]:
        try:
            compare(unit, given, printer, ratios)
        except (VeerError, subprocess.CalledProcessError) as error:
            print(f"{unit.name}: {error}", file=sys.stderr)
    for name, found in ratios.items():
        if found:
            mean = math.exp(sum(map(math.log, found)) / len(found))
            print(f"{name}: {len(found)} units, geometric mean {mean:.3f}, worst {max(found):.2f}")
    return 0


def compare(unit: Unit, given: argparse.Namespace, printer: Printer, ratios: dict[str, list[float]]) -> None:
    """The lines of one unit. A search that never gets there counts as if it had at its end. The first search is made
    twice, and measured the second time: what the first campaign of a process loads is nobody's."""
    target, plain, is_counted = 0, 0.0, False
    searched(unit, given.searches[0], given)
    for search in given.searches:
        result, watch = searched(unit, search, given)
        marks = watch.marks or [(0, 0, 0.0, 0.0)]
        last = marks[-1]
        if search == given.searches[0]:
            target, is_counted = last[0], last[3] >= _LEAST
        at = watch.reached(target)
        cpu = max(at[2] if at else last[3], 0.01)
        if search == given.searches[0]:
            plain = cpu
        ratio = cpu / plain
        if is_counted:
            ratios[search].append(ratio)
        cells = [result.runs, last[0], f"{last[2]:.1f}", result.ending.claim]
        reached = [f"{at[0]}", f"{at[1]:.1f}", f"{at[2]:.2f}", f"{ratio:.2f}"] if at else ["-", "-", "-", "-"]
        printer.row([unit.name, search, *cells, *reached])


if __name__ == "__main__":
    sys.exit(main())
