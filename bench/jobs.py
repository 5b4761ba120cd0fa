"""Paths a second with several workers against one: python bench/jobs.py [--jobs 4] [--strategy S]... [NAME=SIZE...].

Each search exhausts its subject, so both do the same work; the search alone is timed, and paths count once however
many workers ran them. On a machine that others use, too, seconds say little: so the table also has the CPU time a path
and the cores that the processes wanted (they ran on them or waited in the queue for them, /proc/PID/schedstat). From
these comes the ratio on four free cores:  ratio = wanted * (CPU a path of one job) / (CPU a path of all).
"""

from __future__ import annotations

import argparse
import os
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

from common import SUBJECTS, table
from measuring import family

from veer.exploration.settings import configure
from veer.frontends.c import build as front_end
from veer.model.options import BuildOptions, SearchOptions
from veer.session import Earlier, Session
from veer.toolchain import compiler
from veer.wire.shared import Shared

_SAMPLE_SECONDS = 0.05


class Demand:
    """Nanoseconds that this process and all below it ran, and waited for a core, while the context lasts."""

    def __init__(self) -> None:
        self._last: dict[int, tuple[int, int]] = {}
        self._is_over = threading.Event()
        self._thread = threading.Thread(target=self._watch)

    def __enter__(self) -> Demand:
        self._sample()
        self._before = dict(self._last)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._thread.join()
        self._sample()

    def seconds(self) -> tuple[float, float]:
        """Ran, and waited."""
        ran, waited = (
            sum(last[k] - self._before.get(process, (0, 0))[k] for process, last in self._last.items()) for k in (0, 1)
        )
        return ran / 1e9, waited / 1e9

    def _watch(self) -> None:
        while not self._is_over.wait(_SAMPLE_SECONDS):
            self._sample()

    def _sample(self) -> None:
        for process in family():
            try:
                ran, waited, _ = Path(f"/proc/{process}/schedstat").read_text().split()
            except (OSError, ValueError):
                continue
            self._last[process] = (int(ran), int(waited))


@dataclass(frozen=True)
class Measured:
    """One search: its paths, seconds, seconds of CPU, and how many cores it wanted."""

    paths: int
    seconds: float
    cpu: float
    wanted: float
    kind: str

    @property
    def cpu_a_path(self) -> float:
        """Microseconds."""
        return 1e6 * self.cpu / self.paths


def measure(build: BuildOptions, options: SearchOptions) -> Measured:
    """Searches until the ending."""
    program = front_end.build(build, compiler.find(None))
    with Shared() as shared:
        configure(shared, program, build, options)
        start = time.perf_counter()
        with Demand() as demand:
            searched = Session(shared, program, options).run(Earlier())
        seconds = time.perf_counter() - start
        ran, waited = demand.seconds()
        return Measured(searched.paths, seconds, ran, (ran + waited) / seconds, searched.kind)


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=["json=9", "regexp=11"], metavar="NAME=SIZE")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--strategy", action="append")
    parser.add_argument("--budget", type=float, default=100.0)
    given = parser.parse_args()
    rows = []
    for name, _, size in (each.partition("=") for each in given.names):
        build = BuildOptions(sources=(SUBJECTS / f"{name}.c",), entry="main", define=(f"SIZE={size}",))
        for strategy in given.strategy or ("coverage", "dfs"):
            options = SearchOptions(strategy=strategy, budget=given.budget)
            one, all_ = measure(build, options), measure(build, replace(options, jobs=given.jobs))
            free = min(all_.wanted, given.jobs) * one.cpu_a_path / all_.cpu_a_path
            rows.append(
                (
                    f"{name} {size}",
                    strategy,
                    f"{all_.paths} {one.kind}",
                    *(f"{each.paths / each.seconds:.0f}" for each in (one, all_)),
                    f"{one.seconds / all_.seconds:.2f}",
                    *(f"{each.cpu_a_path:.2f}" for each in (one, all_)),
                    f"{all_.wanted:.2f}",
                    f"{free:.2f}",
                )
            )
    jobs = f"{given.jobs} jobs"
    head = (
        "subject",
        "strategy",
        "paths",
        "paths/s",
        jobs,
        "ratio",
        "CPU us/path",
        jobs,
        "cores wanted",
        "ratio if free",
    )
    print(table(head, rows))
    print(f"{os.cpu_count()} cores, load {' '.join(f'{each:.1f}' for each in os.getloadavg())}")


if __name__ == "__main__":
    main()
