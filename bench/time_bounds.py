"""Whether the whole command keeps its time: bench/time_bounds.py SOURCE... [--budget 10] [--options "-I include"].

Each function of the sources is tested by a `veer test` of its own. The search may take the budget, and the whole
command the budget, what its builds take, 5 s and a fifth of the budget. A first run, which does not count, fills the
cache: what is built then is found in the second one. Printed: seconds on the wall of the whole, of the builds, of the
searches (with that for calls behind the first), of the rest; the bound; the processor's seconds, which a busy machine
spreads. Exit code 1 when a function is above the bound.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from common import Printer

COLUMNS = (
    ("function", 28),
    ("whole", 7),
    ("build", 6),
    ("search", 7),
    ("rest", 6),
    ("bound", 6),
    ("cpu", 6),
    ("ending", 10),
)


def veer(*arguments: str) -> subprocess.CompletedProcess[str]:
    """A call of veer's command line."""
    call = [sys.executable, "-m", "veer", *arguments]
    return subprocess.run(call, capture_output=True, text=True, check=False)


def functions(given: argparse.Namespace) -> list[str]:
    """Those that can be entries. Raises RuntimeError with what veer says when it cannot list them."""
    listed = veer("list", "--json", *map(str, given.sources), *shlex.split(given.options))
    if listed.returncode:
        raise RuntimeError(listed.stderr)
    return [each["name"] for each in json.loads(listed.stdout) if not each["why_not"]]


def tested(
    function: str, given: argparse.Namespace, budget: float, out: str
) -> tuple[tuple[float, float], dict[str, Any] | None]:
    """Seconds on the wall and of the processor, and the summary; None where veer refuses the function."""
    options = ["--entry", function, "--budget", f"{budget}s", "--out", out, "--quiet", *shlex.split(given.options)]
    start, before = time.monotonic(), _processor()
    done = veer("test", *map(str, given.sources), *options)
    seconds, summary = (time.monotonic() - start, _processor() - before), Path(out) / "summary.json"
    return seconds, json.loads(summary.read_text()) if done.returncode in (0, 1) and summary.exists() else None


def _processor() -> float:
    """Of all children that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main() -> int:
    """Prints the table; 1 when a command took longer than it may."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", type=Path, nargs="+", metavar="SOURCE")
    parser.add_argument("--budget", type=float, default=10.0, help="seconds")
    parser.add_argument("--options", default="", help="more options for veer, in one argument")
    parser.add_argument("--entry", action="append", default=[], help="only this function; may be repeated")
    given = parser.parse_args()
    late, printer = [], Printer(COLUMNS)
    for function in given.entry or functions(given):
        with tempfile.TemporaryDirectory() as out:
            tested(function, given, 0.1, out)
        with tempfile.TemporaryDirectory() as out:
            (whole, processor), summary = tested(function, given, given.budget, out)
        if summary is None:
            print(f"{function}: veer refuses it")
            continue
        spent = summary["seconds"]
        search = spent["execute"] + spent["solve"] + spent["explore"]
        bound = spent["compile"] + 1.2 * given.budget + 5.0
        rest = whole - spent["compile"] - search
        seconds = (f"{each:.1f}" for each in (whole, spent["compile"], search, rest, bound, processor))
        printer.row([function, *seconds, summary["ending"]["kind"]])
        if whole > bound:
            late.append(function)
    print(f"load {' '.join(f'{each:.1f}' for each in os.getloadavg())}; late: {', '.join(late) or 'none'}")
    return 1 if late else 0


if __name__ == "__main__":
    sys.exit(main())
