"""Figure 4 of the SMART paper on our own parser: python bench/smart_figure4.py [--most 14] [--budget 60] [--plot FILE]

Packets of 2, 4, ... bytes of bench/smart/sip.c, searched plainly and by summaries of functions (--compositional): runs,
seconds, claim, covered sides of branches. A search that the budget ended has no claim, and a `>` before its runs. The
growth is fitted to the searches that were run to their end, as a line and as an exponential, in brackets the share of
the variance that is explained. With --plot both are drawn, runs on a logarithmic scale.

`--source DIR/FILE --entry NAME` measures another parser, whose harness takes its size from the macro SIZE.
"""

from __future__ import annotations

import argparse
import contextlib
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from common import table

from veer.campaign.session import search_of
from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.search.coverage import Items
from veer.search.ending import ending
from veer.search.goal import goal_sites
from veer.search.protocol import Searched
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.toolchain import compiler
from veer.toolchain.runtime import engine_library
from veer.wire.shared import Shared

PARSER = Path(__file__).parent / "smart" / "sip.c"


@dataclass(frozen=True)
class Point:
    """One search."""

    size: int
    runs: int
    seconds: float
    claim: str
    covered: int

    @property
    def cells(self) -> list[object]:
        """What the table shows of it."""
        runs = f"{self.runs:,}" if self.claim == "paths" else f"> {self.runs:,}"
        return [runs, f"{self.seconds:.2f}", self.claim, self.covered]


def measure(source: Path, entry: str, size: int, budget: float, *, compositional: bool) -> Point:
    """Searches until the end, or the budget's."""
    build = BuildOptions((source,), entry, define=(f"SIZE={size}",), compositional=compositional)
    search = SearchOptions(search="compositional" if compositional else "plain", budget=budget)
    toolchain = compiler.find(None)
    program = front_end.build(build, toolchain)
    with Shared() as shared, contextlib.ExitStack() as resources, ThreadPoolExecutor(1) as beside:
        library = beside.submit(engine_library, toolchain)
        scene = local_scene(shared, program, search, library.result, resources)
        configure(shared, program, build, search)
        searched = search_of(search).run(scene)
        assert isinstance(searched, Searched)
        claim = ending(searched.kind, shared, program, search, searched.counts).claim
        covered = len(Items(goal_sites(program, search.goal)).covered(shared.published("edge_seen")))
        return Point(size, shared.counts.runs, searched.seconds, claim, covered)


def fitted(points: list[Point]) -> str:
    """The growth of the runs in words: as a line and as an exponential, with the share of the variance that each
    explains (of the runs, and of their logarithm)."""
    done = [point for point in points if point.claim == "paths"]
    if len(done) < 3:
        return "too few searches came to their end"
    sizes = np.array([point.size for point in done], float)
    runs = np.array([point.runs for point in done], float)
    by, start = np.polyfit(sizes, runs, 1)
    factor, first = np.polyfit(sizes, np.log(runs), 1)
    line = f"{start:.3g} + {by:.3g} * size ({_explained(runs, start + by * sizes):.3f})"
    curve = (
        f"{math.exp(first):.2g} * {math.exp(factor):.2f}^size ({_explained(np.log(runs), first + factor * sizes):.3f})"
    )
    return f"{line}, or {curve}"


def _explained(values: npt.NDArray[np.float64], fit: npt.NDArray[np.float64]) -> float:
    return 1 - float(((values - fit) ** 2).sum() / ((values - values.mean()) ** 2).sum())


def plot(plain: list[Point], summaries: list[Point], file: Path) -> None:
    """Runs by packet size, the runs on a logarithmic scale."""
    width, height, left, bottom = 560, 320, 60, 40
    most = max(point.runs for point in (*plain, *summaries))
    last = max(point.size for point in (*plain, *summaries))

    def place(point: Point) -> tuple[float, float]:
        across = left + (width - left - 20) * point.size / last
        return across, height - bottom - (height - bottom - 20) * math.log10(point.runs) / math.log10(most)

    def curve(points: list[Point], colour: str, label: str) -> str:
        places = [place(point) for point in points]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places)
        x, y = places[-1]
        text = f'<text x="{x - 6:.1f}" y="{y - 8:.1f}" text-anchor="end" fill="{colour}">{label}</text>'
        return f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>{dots}{text}'

    grid = ""
    for power in range(int(math.log10(most)) + 1):
        y = place(Point(1, 10**power, 0, "", 0))[1]
        grid += f'<line x1="{left}" y1="{y:.1f}" x2="{width - 20}" y2="{y:.1f}" stroke="#ccc"/>'
        grid += f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{10**power:,}</text>'
    for size in sorted({point.size for point in (*plain, *summaries)}):
        x = place(Point(size, 1, 0, "", 0))[0]
        grid += f'<text x="{x:.1f}" y="{height - bottom + 18}" text-anchor="middle">{size}</text>'
    file.write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="11"><rect width="100%" height="100%" fill="white"/>{grid}'
        f"{curve(plain, '#b03030', 'plain')}{curve(summaries, '#2060a0', 'compositional')}"
        f'<text x="{(width + left) / 2}" y="{height - 6}" text-anchor="middle">bytes of the packet</text>'
        f'<text x="12" y="14">runs</text></svg>\n'
    )


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--source", type=Path, default=PARSER)
    parser.add_argument("--entry", default="packet")
    parser.add_argument("--most", type=int, default=14)
    parser.add_argument("--budget", type=float, default=60.0)
    parser.add_argument("--plot", type=Path)
    given = parser.parse_args()
    plain: list[Point] = []
    summaries: list[Point] = []
    rows = []
    for size in range(2, given.most + 1, 2):
        plain.append(measure(given.source, given.entry, size, given.budget, compositional=False))
        summaries.append(measure(given.source, given.entry, size, given.budget, compositional=True))
        rows.append([size, *plain[-1].cells, *summaries[-1].cells])
        print(".", end="", flush=True)
    print()
    print(table(["bytes", "plain", "s", "claim", "sides", "compositional", "s", "claim", "sides"], rows))
    print(f"plain runs: {fitted(plain)}\ncompositional: {fitted(summaries)}")
    if given.plot:
        plot(plain, summaries, given.plot)


if __name__ == "__main__":
    main()
