"""What instrumentation costs when all is concrete: time of the instrumented build against plain -O0 and -O1.

python bench/check_cost.py [--runs 200] [NAME...]

`check_cost` is a lexer, a checksum and sorted lists; `cjson` and `zlib` are the libraries, fetched as real_code does.
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import tempfile
from pathlib import Path

import real_code
import ziglang
from common import SUBJECTS, table

from veer.execution.executor import PersistentExecutor
from veer.execution.limits import ExecutorLimits
from veer.frontends.c import build as front_end
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.search.settings import configure
from veer.toolchain.compiler import find
from veer.wire.shared import Shared

NAMES = ("check_cost", "cjson", "zlib")
DRIVER = """
#include <stdio.h>
#include <time.h>
unsigned work(unsigned char);
int main(void) {
    struct timespec a, b;
    volatile unsigned sum = 0;
    double fastest = 60;
    for (int i = 0; i < RUNS; i++) {
        clock_gettime(CLOCK_MONOTONIC, &a);
        sum += work(0);
        clock_gettime(CLOCK_MONOTONIC, &b);
        double seconds = (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9;
        if (seconds < fastest) fastest = seconds;
    }
    printf("%.9f\\n", fastest);
    return 0;
}
"""


def options(name: str, work: Path) -> BuildOptions:
    """How a subject is built: one file of ours, or ours and a library's."""
    if name == "check_cost":
        return BuildOptions(sources=(SUBJECTS / "check_cost.c",), entry="work")
    build = real_code.options(name, real_code.SUBJECTS_BY_NAME[name], work)
    return replace(build, sources=(SUBJECTS / f"cost_{name}.c", *build.sources[1:]), entry="work")


def plain_seconds(build: BuildOptions, level: str, runs: int) -> float:
    """Seconds of the fastest call of `work` in a plain build at this level."""
    with tempfile.TemporaryDirectory() as scratch:
        driver, program = Path(scratch) / "driver.c", Path(scratch) / "program"
        driver.write_text(DRIVER)
        zig = Path(ziglang.__file__).parent / "zig"
        flags = [level, "-fno-sanitize=all", "-UNDEBUG", "-w", "-mcpu=baseline", f"-DRUNS={runs}"]
        target = ["-target", "x86_64-linux-gnu.2.28"]
        where = [f"-I{directory}" for directory in build.include]
        sources = [str(driver), *map(str, build.sources)]
        command = [str(zig), "cc", *target, *flags, *where, *sources, "-lm", "-o", str(program)]
        subprocess.run(command, check=True, timeout=120)
        done = subprocess.run([str(program)], check=True, capture_output=True, text=True, timeout=120)
        return float(done.stdout)


def instrumented_seconds(build: BuildOptions, runs: int) -> float:
    """Seconds of the fastest of many runs in one executor; all data but `unused` is concrete."""
    search = SearchOptions(max_steps=1 << 40, timeout=60.0)
    program = front_end.build(build, find())
    fastest = 60.0
    with Shared() as shared:
        configure(shared, program, build, search)
        limits = ExecutorLimits(timeout=search.timeout)
        with contextlib.closing(PersistentExecutor(program.executable, shared, limits)) as executor:
            for _ in range(runs):
                before = int(shared.statistics.execute_nanoseconds)
                executor.run(b"\0")
                fastest = min(fastest, (int(shared.statistics.execute_nanoseconds) - before) * 1e-9)
    return fastest


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--work", type=Path, default=real_code.WORK)
    given = parser.parse_args()
    rows = []
    for name in given.names:
        build = options(name, given.work)
        instrumented = instrumented_seconds(build, given.runs)
        slow, fast = (plain_seconds(build, level, given.runs) for level in ("-O0", "-O1"))
        ratios = (f"{instrumented / fast:.2f}", f"{slow / fast:.2f}")
        rows.append((name, *(f"{seconds * 1e3:.3f}" for seconds in (instrumented, slow, fast)), *ratios))
    head = ("subject", "instrumented ms", "-O0 ms", "-O1 ms", "instrumented / -O1", "-O0 / -O1")
    print(table(head, rows))


if __name__ == "__main__":
    main()
