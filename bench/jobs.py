"""Paths a second with several workers against one: python bench/jobs.py [--jobs 4] [--seconds 10] [NAME...].

Each search has the same budget of seconds, which is not enough to exhaust its subject; the search alone is timed, and
paths count once however many workers ran them. Measure while the machine is calm: the load is printed.
"""

from __future__ import annotations

import argparse
import os
import time
from dataclasses import replace

from common import SUBJECTS, table

from veer.exploration.settings import configure
from veer.frontends.c import build as front_end
from veer.model.options import BuildOptions, SearchOptions
from veer.session import Earlier, Session
from veer.toolchain import compiler
from veer.wire.shared import Shared

STRATEGIES = ("coverage", "dfs")


def speed(build: BuildOptions, options: SearchOptions) -> tuple[float, str]:
    """Paths a second, and how the search ended."""
    program = front_end.build(build, compiler.find(None))
    with Shared() as shared:
        configure(shared, program, build, options)
        start = time.perf_counter()
        searched = Session(shared, program, options).run(Earlier())
        return searched.paths / (time.perf_counter() - start), searched.kind


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=["json", "regexp"], metavar="NAME")
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=10.0)
    given = parser.parse_args()
    rows = []
    for name in given.names:
        build = BuildOptions(sources=(SUBJECTS / f"{name}.c",), entry="main")
        for strategy in STRATEGIES:
            options = SearchOptions(strategy=strategy, budget=given.seconds)
            alone, ended = speed(build, options)
            together, ended_together = speed(build, replace(options, jobs=given.jobs))
            ratio = f"{together / alone:.2f}"
            rows.append((name, strategy, f"{alone:.0f} {ended}", f"{together:.0f} {ended_together}", ratio))
    load = " ".join(f"{each:.1f}" for each in os.getloadavg())
    print(table(("subject", "strategy", "paths/s, 1 job", f"{given.jobs} jobs", "ratio"), rows))
    print(f"{os.cpu_count()} cores, load {load}")


if __name__ == "__main__":
    main()
