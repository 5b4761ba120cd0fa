"""Small subjects to exhaustion (issue 7's table): python bench/throughput.py [--budget 60] [--json FILE] [NAME...].

Each row is a harness in KLEE's interface, run in a process of its own, and printed when it is measured: seconds on the
wall with all that veer does, of which building (its libraries are in the cache, the subject is not) and searching;
paths a second of the search, on the wall and of a core; the share of queries that the native ladder answered, and how
many went to the solvers behind it; microseconds a path by phase (measuring.py); seconds of re-runs and replay; the most
memory of all processes while it searched; of the default strategy, the branches that it covers (`?`: in 10 s, after
which it was not done), and the run and second by which the last of them was covered (known to 10 ms); KLEE's figures;
who answered the queries.

A count of paths that is known must come out: the row says `exact`, else the table ends with exit code 1. With `klee`
and `clang` on the PATH, KLEE's depth-first and default searches run on the same files. Without, the ratio is to figures
of KLEE 3.2 on programs of the same kind from another machine and other hours, by the core, and marked with ~.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from dataclasses import asdict
from pathlib import Path
from typing import Any

import klee
import real_code
from common import Printer
from measuring import PHASES, Measured, measure
from rows import LONG_ROWS, ROWS, Row

from veer.model.buildoptions import BuildOptions
from veer.model.errors import VeerError
from veer.model.searchoptions import SearchOptions

COLUMNS = (
    *(
        ("subject", 11),
        ("paths", 10),
        ("known", 6),
        ("wall s", 6),
        ("build", 5),
        ("search", 7),
        ("paths/s", 8),
        ("a core s", 8),
    ),
    *(("ladder", 7), ("smt", 5), *((f"{phase} us", 6) for phase in PHASES), ("replay s", 6), ("MiB", 5)),
    *(("covered", 9), ("by run", 6), ("cover s", 7), ("ending", 9), ("klee/s", 8), ("ratio", 8), ("default/s", 8)),
    ("answered by; ledger", 0),
)
_COVER_SECONDS = 10.0
_EXACT = "exact"


def measured(row: Row, strategy: str, budget: float, work: Path) -> dict[str, Any]:
    """A row in this process: the exhaustive search, then the default one until all is covered. Raises VeerError."""
    build = row.options(work)
    _, all_paths = measure(build, SearchOptions(budget=budget, strategy=strategy, keep_going=True))
    return {"all": asdict(all_paths), "cover": covering(build)}


def covering(build: BuildOptions) -> dict[str, Any]:
    """When the default strategy had covered the last branch that it covers at all."""
    result, _ = measure(build, SearchOptions(budget=_COVER_SECONDS, keep_going=False))
    last = max(sample.covered for sample in result.samples)
    first = next(sample for sample in result.samples if sample.covered == last)
    return {
        "branches": f"{last}/{len(result.branches)}",
        "runs": first.runs,
        "seconds": max(first.seconds - result.seconds.compile, 0.0),
        "is_all": result.ending.kind in ("covered", "exhausted"),
    }


def in_own_process(row: Row, given: argparse.Namespace, cache: str) -> dict[str, Any] | None:
    """The same in a process of its own; None, with the reason on stderr, when it failed."""
    budget = max(given.budget, row.seconds)
    command = [sys.executable, __file__, "--one", row.name, "--budget", str(budget), "--strategy", given.strategy]
    done = subprocess.run(
        [*command, "--work", str(given.work)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "VEER_CACHE": cache},
        timeout=budget + 600,
        check=False,
    )
    return json.loads(done.stdout.splitlines()[-1]) if done.returncode == 0 else None


def verdict(row: Row, all_paths: Measured) -> str:
    """Whether the number of paths is the one that is known; "-" when none is or the search was cut short."""
    if row.known is None or all_paths.ending != "exhausted":
        return "-"
    return _EXACT if all_paths.paths == row.known else f"NOT {row.known}"


def beside(row: Row, given: argparse.Namespace, one: Measured) -> list[str]:
    """KLEE's paths a second depth-first, how many times that veer has, and KLEE's by default.

    Both by the wall if KLEE is here; else veer's by its core, for the other figures are of a machine that was free.
    """
    if klee.is_here():
        build = row.options(given.work)
        first, default = (klee.explored(build, search, given.budget).speed for search in ("dfs", ""))
        return [f"{first:,.0f}", f"{one.speed / first:.1f}" if first else "-", f"{default:,.0f}"]
    if row.klee is None:
        return ["-", "-", "-"]
    paths, seconds = row.klee
    return [f"~{paths / seconds:,.0f}", f"~{one.free_speed * seconds / paths:.1f}", "-"]


def cells(row: Row, found: dict[str, Any], given: argparse.Namespace) -> list[object]:
    """One line of the table."""
    one, cover = Measured(**found["all"]), found["cover"]
    open_end = "" if cover["is_all"] else "?"
    answered = sorted(one.answered_by.items(), key=lambda each: -each[1])
    by = " ".join(f"{name} {100 * count / one.queries:.1f} %" for name, count in answered)
    return [
        *(row.name, f"{one.paths:,}", verdict(row, one), f"{one.wall:.2f}", f"{one.build:.2f}", f"{one.search:.3f}"),
        *(f"{one.speed:,.0f}", f"{one.free_speed:,.0f}", f"{100 * one.ladder_share:.1f} %", one.smt),
        *(f"{one.microseconds[phase]:.2f}" for phase in PHASES),
        *(
            f"{one.replay:.2f}",
            one.mebibytes,
            f"{cover['branches']}{open_end}",
            f"{cover['runs']:,}",
            f"{cover['seconds']:.3f}",
        ),
        *(one.ending, *beside(row, given, one), f"{by or '-'}; {one.ledger}"),
    ]


def warm_up(cache: str) -> None:
    """Makes veer's libraries and zig's own: every row would else begin with that."""
    source = Path(cache) / "warm_up.c"
    source.write_text("int warm_up(char c) { return c == 'a'; }\n")
    command = [sys.executable, "-m", "veer", "test", str(source), "--entry", "warm_up", "--out", f"{cache}/out"]
    subprocess.run(command, capture_output=True, env={**os.environ, "VEER_CACHE": cache}, timeout=300, check=True)


def print_table(rows: list[Row], given: argparse.Namespace) -> list[str]:
    """Measures and prints row by row; what was not as it must be."""
    faults = []
    with tempfile.TemporaryDirectory() as cache:
        warm_up(cache)
        printer = Printer(COLUMNS)
        for row in rows:
            found = in_own_process(row, given, cache)
            if found is None:
                faults.append(f"{row.name}: it was not measured")
                continue
            line = cells(row, found, given)
            printer.row(line)
            if line[2] not in (_EXACT, "-"):
                faults.append(f"{row.name}: {line[1]} paths, {line[2]}")
            if given.json:
                with given.json.open("a") as lines:
                    lines.write(json.dumps({"row": row.name, **found}) + "\n")
    print(
        f"load {' '.join(f'{each:.1f}' for each in os.getloadavg())}; KLEE {'here' if klee.is_here() else 'not here'}"
    )
    return faults


def main() -> int:
    """Prints the table; 1 when a number of paths is wrong or a row has failed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="subjects, with their size or all of them: 'json 10'")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds for each subject")
    parser.add_argument("--strategy", default="dfs", help="of the exhaustive search (KLEE's in the ratio is dfs)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="append each row's figures to it")
    parser.add_argument("--work", type=Path, default=real_code.WORK, help="where fetched sources lie")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        row = next(row for row in (*ROWS, *LONG_ROWS) if row.name == given.one)
        try:
            print(json.dumps(measured(row, given.strategy, given.budget, given.work)))
        except (VeerError, subprocess.CalledProcessError) as error:
            print(f"{row.name}: {error}", file=sys.stderr)
            return 1
        return 0
    everything = [row for row in ROWS if not given.names or row.name in given.names or row.subject in given.names]
    faults = print_table([*everything, *(row for row in LONG_ROWS if row.name in given.names)], given)
    print("".join(f"FAILED: {fault}\n" for fault in faults), end="", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
