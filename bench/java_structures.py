"""Searches of Java's own structures: python bench/java_structures.py [--budget 120] [--only NAME] [--cold]

The methods of subjects/Structures.java: a sort of eight ints beside the same in C, TreeMaps with six and seven puts, a
HashMap with four puts and a get, a switch over six strings of at most six characters. The number of paths, or of runs
where the method has no branch of its own, is known: 8!, the weak orderings of six and seven, the ways to put five keys
into buckets and those into equal ones (1, 3, 12, 60, 358). Exit code 1 where one is not run, or another number is.

CPU seconds are those of the search's processes: on a busy machine they say more than the wall's.

--cold: seconds of a command up to its first run, and in all: with an empty cache, then of classes that were never
built, with what they need of the JDK in the cache or not.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from common import SUBJECTS, Printer, run, searched

from veer.model.buildoptions import BuildOptions
from veer.model.ending import Claim
from veer.model.searchoptions import SearchOptions

JAVA, C = SUBJECTS / "Structures.java", SUBJECTS / "sort.c"
EXPECTED = {
    "Structures.sort": ("paths", 40_320),
    "sort": ("paths", 40_320),
    "Structures.treeOfSix": ("runs", 4_683),
    "Structures.treeOfSeven": ("runs", 47_293),
    "Structures.hash": ("runs", 358),
    "Structures.word": ("", 0),
}
COLUMNS = (("", 22), ("paths", 7), ("runs", 7), ("claim", 6), ("search s", 8), ("paths/s", 8), ("CPU s", 7))
COLD_COLUMNS = (("", 24), ("first run s", 11), ("whole s", 8), ("CPU s", 7))
COLD = (("empty cache", "word"), ("numbers", "sort"), ("a TreeMap, first", "treeOfSix"), ("a TreeMap", "treeOfSix"))
VEER = "from veer.cli.app import command; command()"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float, default=120.0)
    parser.add_argument("--only", default="")
    parser.add_argument("--cold", action="store_true")
    options = parser.parse_args()
    return _cold() if options.cold else _counts(options.budget, options.only)


def _counts(budget: float, only: str) -> int:
    printer, wrong = Printer(COLUMNS), 0
    for entry, (what, number) in EXPECTED.items():
        if only not in entry:
            continue
        before = _cpu()
        build = BuildOptions((C if entry == "sort" else JAVA,), entry, max_length=6)
        result = run(build, SearchOptions(budget=budget))
        if result is None:
            wrong += 1
            continue
        seconds = searched(result)
        rate = f"{result.runs / seconds:,.0f}"
        claim = str(result.ending.claim)
        printer.row((entry, result.paths, result.runs, claim, f"{seconds:.1f}", rate, f"{_cpu() - before:.1f}"))
        wrong += result.ending.claim is not Claim.PATHS or (what != "" and getattr(result, what) != number)
    return 1 if wrong else 0


def _cpu() -> float:
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime + others.ru_utime + others.ru_stime


def _cold() -> int:
    """Commands of one run: with an empty cache, then of classes that were never built."""
    printer = Printer(COLD_COLUMNS)
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        for number, (title, entry) in enumerate(COLD):
            source, out = scratch / f"Fresh{number}.java", scratch / f"out{number}"
            source.write_text(JAVA.read_text().replace("Structures", f"Fresh{number}"))
            command = [sys.executable, "-c", VEER, "test", str(source), "--entry", f"Fresh{number}.{entry}"]
            command += ["--max-runs", "1", "--out", str(out)]
            before, began = _cpu(), time.monotonic()
            environment = {**os.environ, "VEER_CACHE": str(scratch / "cache")}
            subprocess.run(command, env=environment, capture_output=True, check=False)
            seconds = json.loads((out / "summary.json").read_text())["seconds"]
            whole = time.monotonic() - began
            printer.row(
                (
                    title,
                    f"{whole - seconds['total'] + seconds['compile']:.1f}",
                    f"{whole:.1f}",
                    f"{_cpu() - before:.1f}",
                )
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
