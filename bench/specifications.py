"""Runs until a specification is violated, by strategy: python bench/specifications.py [--seeds 20] [NAME...].

`--cost`: processor time of a search that is watched, over one that is not, in interleaved pairs.
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import statistics
import tempfile
from pathlib import Path

from common import SUBJECTS, table

from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.explorer import Explorer
from veer.search.settings import configure
from veer.search.tools import local_scene
from veer.toolchain import compiler
from veer.wire.layout import Outcome
from veer.wire.shared import Shared

SPECIFICATIONS = {
    "files": "never (call read_file() and (not call open_file()) since call close_file())",
    "locks": "calls (lock unlock)*",
    "doors": "never (call enter() and once (return login() == 0 and previously once (return login() == 0"
    " and previously once return login() == 0)))",
    "valves": "never (call open_b() and (not call close_a()) since call open_a())",
    "message": "calls (header{3,} send? | header* reset)*",
    "interrupts": "always (return isr() implies FLAG == 0)",
    "handles": "never (call release(h) and previously ((not return acquire() == h) since call release(h)))",
    "weapon": "always (call fire() implies (not call init()) since call arm())",
}
STRATEGIES = ("specification", "coverage", "random-path")


def built(
    source: Path, entry: str, text: str, folder: Path, toolchain: compiler.Toolchain
) -> tuple[Program, BuildOptions]:
    """The program, watched by one specification; by none for an empty text."""
    specification = folder / f"{entry}.spec"
    specification.write_text(f"it: {text}\n")
    given = (str(specification),) if text else ()
    build = BuildOptions(sources=(source,), entry=entry, specifications=given, no_checks=("all",))
    return front_end.build(build, toolchain), build


def search(program: Program, build: BuildOptions, options: SearchOptions) -> int:
    """The run that violated the specification first; 0 = none within the limit."""
    with Shared() as shared:
        scene = local_scene(shared, program, options)
        configure(shared, program, build, options)
        found = [0]

        def on_round(_: int) -> None:
            reports = shared.published("reports")
            runs = reports["run"][reports["outcome"] == Outcome.VIOLATED]
            if len(runs):
                found[0] = int(runs.min()) + 1
                shared.command.stop = 1

        with contextlib.closing(scene.executor()) as executor:
            explorer = Explorer.of(scene, executor)
            explorer._on_round = on_round
            explorer.explore()
            on_round(0)
        return found[0]


def cost(pairs: int, folder: Path, toolchain: compiler.Toolchain) -> None:
    """Prints the ratio of processor time a run, over pairs; both searches make the same runs in the same order."""
    text = "never (call work(c) where (c == 7) and previously (call unlock() and previously call work(300)))"
    ratios = []
    watched, plain = (built(SUBJECTS / "watched.c", "locks", each, folder, toolchain) for each in (text, ""))
    for seed in range(pairs):
        options = SearchOptions(strategy="random-path", max_runs=20000, budget=60.0, seed=seed)
        seconds = []
        for program, build in (watched, plain) if seed % 2 else (plain, watched):
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            search(program, build, options)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
        ratios.append(seconds[0] / seconds[1] if seed % 2 else seconds[1] / seconds[0])
    print(f"watched / not watched, processor time of {pairs} pairs: median {statistics.median(ratios):.3f}")


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(SPECIFICATIONS), metavar="NAME")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--max-runs", type=int, default=5000)
    parser.add_argument("--strategies", nargs="*", default=STRATEGIES)
    parser.add_argument("--cost", type=int, metavar="PAIRS")
    given = parser.parse_args()
    toolchain, rows = compiler.find(None), []
    with tempfile.TemporaryDirectory() as folder:
        if given.cost:
            cost(given.cost, Path(folder), toolchain)
            return
        for name in given.names:
            program, build = built(SUBJECTS / "watched.c", name, SPECIFICATIONS[name], Path(folder), toolchain)
            for strategy in given.strategies:
                options = SearchOptions(strategy=strategy, max_runs=given.max_runs, budget=60.0, batch=16)
                found = [search(program, build, replace(options, seed=seed)) for seed in range(given.seeds)]
                runs = [each for each in found if each]
                all_runs = [each or given.max_runs for each in found]
                median = statistics.median(all_runs)
                rows.append((name, strategy, f"{len(runs)}/{given.seeds}", f"{median:.0f}", max(all_runs)))
                print(*rows[-1], flush=True)
    print(table(("unit", "strategy", "violated", "median runs", "worst"), rows))


if __name__ == "__main__":
    main()
