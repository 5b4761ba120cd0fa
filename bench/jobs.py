"""Paths a second with several workers against one: python bench/jobs.py [--jobs 4] [--strategy S] [NAME=SIZE...].

Each search exhausts its subject, so all do the same work; the search alone is timed, and paths count once however many
workers ran them. `all=12` is `--all` on a file of 12 functions, building and replay included. On a machine that others
use, too, seconds say little: so the table also has the CPU time a path and the cores that the processes wanted (they
ran on them or waited in the queue for them, /proc/PID/schedstat). From these comes the ratio on four free cores:
ratio = wanted * (CPU a path of one job) / (CPU a path of all).
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from common import SUBJECTS, Printer
from measuring import family

from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.plain import PLAIN
from veer.search.settings import configure
from veer.search.tools import local_scene
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
            searched = PLAIN.run(local_scene(shared, program, options))
        seconds = time.perf_counter() - start
        ran, waited = demand.seconds()
        return Measured(searched.paths, seconds, ran, (ran + waited) / seconds, searched.kind)


FUNCTION = """
int f{number}(const char *s, int n) {{
    int k = {salt};
    for (int i = 0; s[i]; i++) {{
        if (s[i] == 'a' + {number}) k++;
        else if (s[i] > 'm' + {number}) k += 2;
        else if (s[i] == n) k += 3;
    }}
    return k > n;
}}
"""


def every_function(jobs: int, number: int) -> Measured:
    """`veer test --all` of so many functions, all of whose code is new to the cache; its search is only a part."""
    with tempfile.TemporaryDirectory() as scratch, Demand() as demand:
        source = Path(scratch) / "many.c"
        source.write_text("".join(FUNCTION.format(number=k, salt=time.time_ns() % 10**9) for k in range(number)))
        command = [sys.executable, "-m", "veer", "test", str(source), "--all", "--max-length", "6", "--quiet"]
        start = time.perf_counter()
        subprocess.run([*command, "--jobs", str(jobs), "--out", f"{scratch}/out"], check=False, timeout=600)
        seconds = time.perf_counter() - start
        summary = json.loads((Path(scratch) / "out" / "summary.json").read_text())
    ran, waited = demand.seconds()
    return Measured(summary["paths"], seconds, ran, (ran + waited) / seconds, summary["ending"]["kind"])


def cells(name: str, strategy: str, one: Measured, every: Measured, jobs: int) -> tuple[str, ...]:
    """One line."""
    free = min(every.wanted, jobs) * one.cpu_a_path / every.cpu_a_path
    return (
        *(name, strategy, f"{every.paths} {one.kind}", *(f"{each.paths / each.seconds:.0f}" for each in (one, every))),
        f"{one.seconds / every.seconds:.2f}",
        *(f"{each.cpu_a_path:.2f}" for each in (one, every)),
        *(f"{every.wanted:.2f}", f"{free:.2f}"),
    )


def main() -> None:
    """Prints the table, line by line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=["json=9", "regexp=11", "all=12"], metavar="NAME=SIZE")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--strategy", action="append")
    parser.add_argument("--budget", type=float, default=100.0)
    given = parser.parse_args()
    jobs = f"{given.jobs} jobs"
    columns = (("subject", 12), ("strategy", 8), ("paths", 18), ("paths/s", 8), (jobs, 8), ("ratio", 5))
    printer = Printer((*columns, ("CPU us/path", 11), (jobs, 8), ("cores wanted", 12), ("ratio if free", 13)))
    for name, _, size in (each.partition("=") for each in given.names):
        if name == "all":
            one, every = every_function(1, int(size)), every_function(given.jobs, int(size))
            printer.row(cells(f"{size} functions", "coverage", one, every, given.jobs))
            continue
        build = BuildOptions(sources=(SUBJECTS / f"{name}.c",), entry="main", define=(f"SIZE={size}",))
        for strategy in given.strategy or ("coverage", "dfs"):
            options = SearchOptions(strategy=strategy, budget=given.budget)
            one, every = measure(build, options), measure(build, replace(options, jobs=given.jobs))
            printer.row(cells(f"{name} {size}", strategy, one, every, given.jobs))
    print(f"{os.cpu_count()} cores, load {' '.join(f'{each:.1f}' for each in os.getloadavg())}")


if __name__ == "__main__":
    main()
