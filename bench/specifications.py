"""Runs until a specification is violated, by strategy: python bench/specifications.py [--seeds 20] [NAME...].

`--held-out`: the same for units on which nothing was tuned; `--java`: for units in Java.
`--cost PAIRS`: time of a search that is watched, over one that is not, in interleaved pairs, for each specification of
COST (or those that are named).
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import statistics
import tempfile
from collections.abc import Sequence
from pathlib import Path

from common import SUBJECTS, table

from veer.frontends.c import build as front_end
from veer.frontends.java.language import JAVA
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
HELD_OUT = {
    "pump": "never (call pump_on() and (not call fill()) since call drain())",
    "printer": "never (call print() and (not call clear()) since call jam())",
    "transaction": "never (call commit() and (not call roll_back()) since return write_block() < 0)",
    "session": "always (call talk() implies (not call renew()) since call agree())",
    "counter": "calls (tick | low high)*",
    "cache": "never (call take(s) and previously ((not call put(s)) since call drop(s)))",
    "heater": "at end ((not call heat(1)) since call heat(0) or historically not call heat(1))",
    "retry": "never (return send_once() == 0 and previously (return send_once() == 0 and previously"
    " (return send_once() == 0 and previously return send_once() == 0)))",
}
"""Of bench/subjects/held_out.c: written before anything was measured, and not changed since."""
JAVA_TEXTS = {
    "files": "never (call readFile() and (not call openFile()) since call closeFile())",
    "doors": "never (call enter() and once (return login() == false and previously once (return login() == false"
    " and previously once return login() == false)))",
    "valves": "never (call openB() and (not call closeA()) since call openA())",
    "interrupts": "always not return isr() where (this.flag)",
}
"""Of bench/subjects/Watched.java."""
STRATEGIES = ("specification", "coverage", "random-path")


def built(
    source: Path, entry: str, text: str, folder: Path, toolchain: compiler.Toolchain
) -> tuple[Program, BuildOptions]:
    """The program, watched by one specification; by none for an empty text."""
    specification = folder / f"{entry}.spec"
    specification.write_text(f"it: {text}\n")
    given = (str(specification),) if text else ()
    if source.suffix == ".java":
        build = BuildOptions(sources=(source,), entry=f"{source.stem}.{entry}", specifications=given, max_array=8)
        return JAVA.build(build).program, build
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


COST = {
    "values": "never (call work(c) where (c == 7) and previously (call unlock() and previously call work(300)))",
    "order": "calls (work | lock unlock?)*",
    "global": "always (return lock() implies mode > 0)",
    "since": "always (call unlock() implies (not call unlock()) since call lock() or mode == 0 or mode > 0)",
    "symbolic": "never (call lock() and previously call unlock() and once call work(c) where (c == 7) and mode < 0)",
}
"""On the unit `locks`, whose functions they watch without branching. None is violated. Of `symbolic` a register is a
term from the first call of work on: conditions on inputs that must be kept."""


def cost(pairs: int, names: Sequence[str], folder: Path, toolchain: compiler.Toolchain) -> None:
    """Prints ratios of time a run; both searches make the same runs in the same order."""
    plain = built(SUBJECTS / "watched.c", "locks", "", folder, toolchain)
    rows = []
    for name in names or COST:
        watched = built(SUBJECTS / "watched.c", "locks", COST[name], folder, toolchain)
        found = [_pair(watched, plain, seed) for seed in range(pairs)]
        executor, both = (statistics.median(each) for each in zip(*found, strict=True))
        rows.append((name, f"{executor:.3f}", f"{both:.3f}"))
    print(table(("specification", "executor", "search and executor"), rows))


def _pair(watched: tuple[Program, BuildOptions], plain: tuple[Program, BuildOptions], seed: int) -> tuple[float, float]:
    """Processor time of the watched search over that of the other one: the executor's, and with the search's own."""
    options = SearchOptions(strategy="random-path", max_runs=20000, budget=60.0, seed=seed)
    times = []
    for program, build in (watched, plain) if seed % 2 else (plain, watched):
        before = _processor_time()
        search(program, build, options)
        times.append([now - then for now, then in zip(_processor_time(), before, strict=True)])
    one, other = times if seed % 2 else reversed(times)
    return one[0] / other[0], sum(one) / sum(other)


def _processor_time() -> tuple[float, float]:
    """Of the processes that have ended, and of this one."""
    found = [resource.getrusage(who) for who in (resource.RUSAGE_CHILDREN, resource.RUSAGE_SELF)]
    children, own = (each.ru_utime + each.ru_stime for each in found)
    return children, own


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--max-runs", type=int, default=5000)
    parser.add_argument("--strategies", nargs="*", default=STRATEGIES)
    parser.add_argument("--cost", type=int, metavar="PAIRS")
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--java", action="store_true")
    given = parser.parse_args()
    toolchain, rows = compiler.find(None), []
    with tempfile.TemporaryDirectory() as folder:
        if given.cost:
            cost(given.cost, given.names, Path(folder), toolchain)
            return
        texts, source = (HELD_OUT, "held_out.c") if given.held_out else (SPECIFICATIONS, "watched.c")
        texts, source = (JAVA_TEXTS, "Watched.java") if given.java else (texts, source)
        for name in given.names or texts:
            program, build = built(SUBJECTS / source, name, texts[name], Path(folder), toolchain)
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
