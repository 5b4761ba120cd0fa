"""Memory and speed of one long search: python bench/long_run.py run FILE [--seconds 7200] | draw FILE PICTURE.

`run` searches json.c (bench/subjects, 32 characters, plainly, kept for `--resume`) with `--campaign-memory 300`, and
writes a line to FILE every ten seconds: seconds, runs so far, MiB of all processes (what they share counts once: Pss),
MiB of the saved campaign, MiB of scratch. `draw` makes a picture (SVG) of it, and prints the figures.
"""

from __future__ import annotations

import argparse
import itertools
import os
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from common import SUBJECTS
from measuring import Footprint

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.progress import Progress
from veer.model.searchoptions import SearchOptions

_INTERVAL = 10.0
_WIDTH, _HEIGHT, _LEFT, _GAP = 720, 150, 60, 44
_POINTS = 240  # of a line of the picture: each the mean of as many samples as that takes


@dataclass(frozen=True)
class Sampled:
    """One line of the file: seconds since the start, runs until then, MiB."""

    seconds: float
    runs: int
    memory: int
    saved: float
    scratch: float


def run(file: Path, seconds: float, mebibytes: int, size: int, jobs: int) -> None:
    """The search; its samples are in `file` as they come."""
    place = Path(tempfile.mkdtemp(prefix="long-run-"))
    scratch = place / "scratch"
    scratch.mkdir()
    os.environ["TMPDIR"], tempfile.tempdir = str(scratch), str(scratch)
    build = BuildOptions(sources=(SUBJECTS / "json.c",), entry="main", cflags=(f"-DSIZE={size}",))
    search = SearchOptions(budget=seconds, campaign_memory=mebibytes << 20, jobs=jobs)
    told, over, began = [Progress("compile", 0.0)], threading.Event(), time.monotonic()

    def sample() -> None:
        footprint = Footprint()
        with file.open("a") as lines:
            while not over.wait(_INTERVAL):
                footprint.mebibytes = 0
                with footprint.watched():
                    pass
                after, runs = time.monotonic() - began, max(each.runs for each in told)
                sizes = _mebibytes(place / "out"), _mebibytes(scratch)
                print(f"{after:.1f} {runs} {footprint.mebibytes} {sizes[0]:.1f} {sizes[1]:.1f}", file=lines, flush=True)

    def hear(progress: Progress) -> None:
        told[0] = progress if progress.runs >= told[0].runs else told[0]

    beside = threading.Thread(target=sample)
    beside.start()
    try:
        result = campaign.run(build, search, hear, keep=place / "out")
    finally:
        over.set()
        beside.join()
        shutil.rmtree(place)
    print(f"{result.ending}: {result.paths} paths, {result.runs} runs, {len(result.bugs)} bugs")


def _mebibytes(folder: Path) -> float:
    total = 0
    for path in folder.rglob("*"):
        try:
            total += path.stat().st_size
        except OSError:
            continue
    return total / 2**20


def samples(file: Path) -> list[Sampled]:
    """What `run` wrote."""
    lines = [line.split() for line in file.read_text().splitlines()]
    return [Sampled(float(a), int(b), int(c), float(d), float(e)) for a, b, c, d, e in lines]


def figures(there: Sequence[Sampled], limit: int) -> str:
    """The picture in words."""
    hours = [there[k : k + 360] for k in range(0, len(there), 360)]
    speeds = [(part[-1].runs - part[0].runs) / max(1e-9, part[-1].seconds - part[0].seconds) for part in hours]
    most = max(each.memory for each in there)
    return (
        f"{there[-1].seconds:.0f} s, {there[-1].runs:,} runs; by hour {', '.join(f'{speed:.0f}' for speed in speeds)}"
        f" runs a second; memory at most {most} MiB of {limit} ({100 * most / limit:.0f} %), at the end"
        f" {there[-1].memory}; saved campaign at most {max(each.saved for each in there):.0f} MiB, scratch"
        f" {max(each.scratch for each in there):.1f} MiB"
    )


def draw(file: Path, picture: Path, limit: int) -> None:
    """Two curves over time: memory beside its limit, and runs a second."""
    there = samples(file)
    print(figures(there, limit))
    end = there[-1].seconds
    speeds = [
        ((a.seconds + b.seconds) / 2, (b.runs - a.runs) / (b.seconds - a.seconds)) for a, b in itertools.pairwise(there)
    ]
    memory = [(each.seconds, float(each.memory)) for each in there]
    saved = [(each.seconds, each.saved) for each in there]
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH + _LEFT + 20} {2 * (_HEIGHT + _GAP) + 20}"'
        ' font-family="sans-serif" font-size="12">',
        *_chart(_GAP, end, "MiB of all processes (blue), of the saved campaign (grey)", memory, (saved,), limit),
        *_chart(_HEIGHT + 2 * _GAP, end, "runs a second", speeds, (), 0),
        "</svg>",
    ]
    picture.write_text("\n".join(lines) + "\n")


Curve = Sequence[tuple[float, float]]


def _chart(top: float, end: float, title: str, curve: Curve, others: Sequence[Curve], limit: int) -> list[str]:
    most = max([1.1 * limit, *(1.1 * y for _, y in curve)])

    def x(seconds: float) -> float:
        return _LEFT + _WIDTH * seconds / end

    def y(value: float) -> float:
        return top + _HEIGHT * (1 - value / most)

    lines = [f'<text x="{_LEFT}" y="{top - 8}">{title}</text>']
    for share in (0.0, 0.5, 1.0):
        value = most * share
        lines.append(f'<text x="{_LEFT - 6}" y="{y(value) + 4:.0f}" text-anchor="end">{value:.0f}</text>')
        lines.append(f'<path d="M{_LEFT} {y(value):.0f}h{_WIDTH}" stroke="#ddd"/>')
    for minutes in range(0, int(end / 60) + 1, 30):
        lines.append(f'<text x="{x(60 * minutes):.0f}" y="{top + _HEIGHT + 15}">{minutes} min</text>')
    if limit:
        lines.append(f'<path d="M{_LEFT} {y(limit):.0f}h{_WIDTH}" stroke="#c33" stroke-dasharray="6 3"/>')
        lines.append(f'<text x="{_LEFT + _WIDTH}" y="{y(limit) - 4:.0f}" text-anchor="end" fill="#c33">limit</text>')
    lines += [_drawn(other, "#999", x, y) for other in others]
    return [*lines, _drawn(curve, "#258", x, y)]


def _drawn(curve: Curve, colour: str, x: Callable[[float], float], y: Callable[[float], float]) -> str:
    width = max(1, len(curve) // _POINTS)
    points = []
    for k in range(0, len(curve), width):
        part = curve[k : k + width]
        points.append(f"{x(sum(at for at, _ in part) / len(part)):.1f},{y(sum(of for _, of in part) / len(part)):.1f}")
    return f'<polyline points="{" ".join(points)}" fill="none" stroke="{colour}" stroke-width="1.5"/>'


def main() -> None:
    """Runs, or draws."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("run", "draw"))
    parser.add_argument("file", type=Path)
    parser.add_argument("picture", type=Path, nargs="?")
    parser.add_argument("--seconds", type=float, default=7200.0)
    parser.add_argument("--memory", type=int, default=300)
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    if given.what == "run":
        run(given.file, given.seconds, given.memory, given.size, given.jobs)
    elif given.picture is None:
        sys.exit("draw takes a FILE and a PICTURE")
    else:
        draw(given.file, given.picture, given.memory)


if __name__ == "__main__":
    main()
