"""Small subjects to exhaustion (issue 7's table): python bench/throughput.py [--budget 60] [--klee] [NAME...].

Each is a harness in KLEE's interface; with `--klee`, and `klee` and `clang` on the PATH, KLEE's depth-first and default
searches run on the same files. Seconds of the search, of building aside (the cache may know it), paths a second, who
answered the queries (`ladder`: natively), microseconds a path in running, solving and the rest, the largest memory of
a process, and how many runs it takes to cover what is coverable with the default strategy.
"""

from __future__ import annotations

import argparse
import re
import resource
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, replace
from pathlib import Path

import real_code
from common import SUBJECTS, ledger_text, run, searched, table

from veer.model.options import BuildOptions, SearchOptions
from veer.model.result import Result
from veer.toolchain.runtime import INCLUDE
from veer.wire.layout import RUNGS

HEAD = (
    *("subject", "paths", "seconds", "build", "paths/s", "ladder", "smt", "run us", "solve us", "rest us", "MiB"),
    *("cover runs", "cover s", "ending", "ledger"),
)
KLEE_HEAD = ("klee dfs s", "paths/s", "ratio", "klee default s")


@dataclass(frozen=True)
class Row:
    """A subject and its size, the macro SIZE of its harness; 0 = it has none."""

    subject: str
    size: int = 0

    @property
    def name(self) -> str:
        return f"{self.subject} {self.size}" if self.size else self.subject

    @property
    def flags(self) -> tuple[str, ...]:
        return (f"-DSIZE={self.size}",) if self.size else ()

    def options(self, work: Path) -> BuildOptions:
        """How it is built; fetches cJSON."""
        if self.subject == "cjson":
            build = real_code.options("cjson", real_code.SUBJECTS_BY_NAME["cjson"], work)
        else:
            build = BuildOptions(sources=(SUBJECTS / f"{self.subject}.c",), entry="main")
        return replace(build, cflags=self.flags)


ROWS = (
    Row("testme"),
    *(Row("locate", size) for size in (10, 20, 40)),
    *(Row("splat", size) for size in (8, 12, 16, 20)),
    *(Row("ifs"), Row("regexp"), Row("json", 10), Row("triangle"), Row("bubble", 5), Row("bubble", 7), Row("hash")),
    *(Row("quadratic"), Row("atoi", 6), Row("records", 8), Row("cjson", 10)),
)


def memory() -> int:
    """The largest resident memory of this process's children so far, in MiB."""
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024


def exhausted(result: Result) -> list[object]:
    """The cells of an exhaustive search."""
    seconds, spent = searched(result), result.seconds
    paths = max(result.paths, 1)
    native = sum(count for name, count in result.queries.answered_by.items() if name in RUNGS)
    total = max(result.queries.total, 1)
    per_path = (f"{1e6 * part / paths:.2f}" for part in (spent.execute, spent.solve, spent.explore))
    return [
        *(f"{result.paths:,}", f"{seconds:.3f}", f"{spent.compile:.2f}", f"{result.paths / seconds:,.0f}"),
        *(f"{100 * native / total:.1f} %", f"{result.queries.total - native:,}", *per_path, memory()),
    ]


def covering(build: BuildOptions) -> list[object]:
    """Runs and seconds until all that is coverable is covered, with the default strategy."""
    result = run(build, SearchOptions(budget=20.0, keep_going=False))
    if result is None:
        return ["-", "-"]
    return [f"{result.runs:,}", f"{searched(result):.3f}"]


def klee_seconds(row: Row, build: BuildOptions, search: str, budget: float) -> tuple[float, int]:
    """(seconds, completed paths) of KLEE with this search, "" = its default."""
    with tempfile.TemporaryDirectory() as scratch:
        modules = []
        for source in build.sources:
            modules.append(str(Path(scratch) / f"{source.stem}.bc"))
            where = [f"-I{directory}" for directory in (INCLUDE, *build.include)]
            flags = ["-emit-llvm", "-c", "-g", "-O0", "-Xclang", "-disable-O0-optnone", *row.flags, *where]
            subprocess.run(["clang", *flags, str(source), "-o", modules[-1]], check=True, timeout=120)
        flags = [f"--max-time={budget}s", f"--output-dir={scratch}/out", *([f"--search={search}"] if search else [])]
        links = [f"--link-llvm-lib={module}" for module in modules[1:]]
        start = time.monotonic()
        command = ["klee", *flags, "--libc=klee", *links, modules[0]]
        done = subprocess.run(command, capture_output=True, text=True, timeout=budget + 120)
        found = re.search(r"completed paths = (\d+)", done.stderr)
        return time.monotonic() - start, int(found.group(1)) if found else 0


def klee_cells(row: Row, build: BuildOptions, budget: float, speed: float) -> list[object]:
    """KLEE's figures from the same run; `speed`: veer's paths a second."""
    seconds, paths = klee_seconds(row, build, "dfs", budget)
    default, _ = klee_seconds(row, build, "", budget)
    theirs = paths / seconds
    return [f"{seconds:.2f}", f"{theirs:,.0f}", f"{speed / theirs:.1f}" if theirs else "-", f"{default:.2f}"]


def measured(row: Row, given: argparse.Namespace) -> list[object] | None:
    """One line of the table; None if the campaign failed."""
    build = row.options(given.work)
    result = run(build, SearchOptions(budget=given.budget, strategy=given.strategy, keep_going=True))
    if result is None:
        return None
    cells = [row.name, *exhausted(result), *covering(build), result.ending.kind, ledger_text(result)]
    if given.klee:
        cells += klee_cells(row, build, given.budget, result.paths / searched(result))
    return cells


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="subjects, with their size: 'json 10'")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds for each subject")
    parser.add_argument("--strategy", default="rarest")
    parser.add_argument("--klee", action="store_true", help="run klee on the same harnesses")
    parser.add_argument("--work", type=Path, default=real_code.WORK)
    given = parser.parse_args()
    if given.klee and not (shutil.which("klee") and shutil.which("clang")):
        parser.error("--klee wants `klee` and `clang` on the PATH")
    wanted = [row for row in ROWS if not given.names or row.name in given.names or row.subject in given.names]
    rows = [cells for row in wanted if (cells := measured(row, given)) is not None]
    print(table((*HEAD, *KLEE_HEAD) if given.klee else HEAD, rows))


if __name__ == "__main__":
    main()
