"""Runs until all coverable branches, by strategy, over seeds: python bench/strategies.py [--seeds 10] [NAME...]."""

from __future__ import annotations

import argparse
import contextlib
import statistics

from common import SUBJECTS, table

from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.search.coverage import Items
from veer.search.explorer import Explorer
from veer.search.settings import configure
from veer.search.strategies.registry import names
from veer.search.tools import local_scene
from veer.toolchain import compiler
from veer.wire.shared import Shared

COVERABLE = {"json": 82, "regexp": 28}
"""Branches that some input of the subject's size covers (measured by exhausting it)."""


def search(program: Program, build: BuildOptions, options: SearchOptions, goal: int) -> tuple[int, int]:
    """Runs until `goal` branches were covered (0 = not within the limit), and how many were."""
    with Shared() as shared:
        scene = local_scene(shared, program, options)
        configure(shared, program, build, options)
        items, reached = Items(program.sites), [0]

        def on_round(_: int) -> None:
            if len(items.covered(shared.published("edge_seen"))) >= goal:
                reached[0] = reached[0] or shared.counts.runs
                shared.command.stop = 1

        with contextlib.closing(scene.executor()) as executor:
            explorer = Explorer.of(scene, executor)
            explorer._on_round = on_round
            explorer.explore()
        return reached[0], len(items.covered(shared.published("edge_seen")))


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(COVERABLE), metavar="NAME")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--max-runs", type=int, default=5000)
    given = parser.parse_args()
    toolchain, rows = compiler.find(None), []
    for name in given.names:
        build = BuildOptions(sources=(SUBJECTS / f"{name}.c",), entry="main")
        program = front_end.build(build, toolchain)
        for strategy in names():
            found = []
            for seed in range(given.seeds):
                options = SearchOptions(strategy=strategy, seed=seed, max_runs=given.max_runs)
                found.append(search(program, build, options, COVERABLE[name]))
            runs = [reached for reached, _ in found if reached]
            median = f"{statistics.median(runs):.0f}" if runs else "-"
            fewest = min(covered for _, covered in found)
            rows.append((name, strategy, f"{len(runs)}/{given.seeds}", median, max(runs, default="-"), fewest))
    print(table(("subject", "strategy", "reached", "median runs", "worst", "fewest branches"), rows))


if __name__ == "__main__":
    main()
