"""What instrumentation costs when all is concrete: time of the instrumented build against plain -O0 and -O1.

python bench/check_cost.py [--runs 200]
"""

from __future__ import annotations

import argparse
import contextlib
import subprocess
import tempfile
import time
from pathlib import Path

import ziglang
from common import SUBJECTS, table

from veer.execution.executor import PersistentExecutor
from veer.execution.limits import Limits
from veer.exploration.settings import configure
from veer.frontends.c import build as front_end
from veer.model.options import BuildOptions, SearchOptions
from veer.toolchain.compiler import find
from veer.wire.shared import Shared

SUBJECT = SUBJECTS / "check_cost.c"
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


def plain_seconds(level: str, runs: int) -> float:
    """Seconds of the fastest call of `work` in a plain build at this level."""
    with tempfile.TemporaryDirectory() as scratch:
        driver, program = Path(scratch) / "driver.c", Path(scratch) / "program"
        driver.write_text(DRIVER)
        zig = Path(ziglang.__file__).parent / "zig"
        flags = [level, "-fno-sanitize=all", "-UNDEBUG", "-mcpu=baseline", f"-DRUNS={runs}"]
        target = ["-target", "x86_64-linux-gnu.2.28"]
        subprocess.run(
            [str(zig), "cc", *target, *flags, str(driver), str(SUBJECT), "-o", str(program)], check=True, timeout=120
        )
        done = subprocess.run([str(program)], check=True, capture_output=True, text=True, timeout=120)
        return float(done.stdout)


def instrumented_seconds(runs: int) -> float:
    """Seconds of the fastest of many runs in one executor; all data but `unused` is concrete."""
    build = BuildOptions(sources=(SUBJECT,), entry="work")
    search = SearchOptions(max_steps=1 << 40, timeout=60.0)
    program = front_end.build(build, find())
    fastest = 60.0
    with Shared() as shared:
        configure(shared, program, build, search)
        limits = Limits(timeout=search.timeout)
        with contextlib.closing(PersistentExecutor(program.executable, shared, limits)) as executor:
            for _ in range(runs):
                before = int(shared.control["execute_nanoseconds"])
                executor.run(b"\0")
                fastest = min(fastest, (int(shared.control["execute_nanoseconds"]) - before) * 1e-9)
    return fastest


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=200)
    given = parser.parse_args()
    start = time.monotonic()
    instrumented = instrumented_seconds(given.runs)
    fast = plain_seconds("-O1", given.runs)
    rows = [("instrumented", f"{instrumented * 1e3:.3f}", f"{instrumented / fast:.2f}")]
    for level in ("-O0", "-O1"):
        seconds = fast if level == "-O1" else plain_seconds(level, given.runs)
        rows.append((f"plain {level}", f"{seconds * 1e3:.3f}", f"{seconds / fast:.2f}"))
    print(table(("build", "ms a run", "against -O1"), rows))
    print(f"measured in {time.monotonic() - start:.1f} s")


if __name__ == "__main__":
    main()
