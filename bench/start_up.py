"""How long one waits for veer itself: python bench/start_up.py [--repeat 5].

`--help`; a warm `veer test` of a small function; a cold one, with every cache empty; and what of that is zig's own: a
program that prints "hello", with veer's flags and zig's cache empty, too. Both take turns. Zig's work is one core's,
veer's is spread over four: CPU seconds say what a busy machine makes of it. Least and median of the wall's seconds.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from common import Printer

from veer.toolchain import compiler

EXAMPLE = Path(__file__).parents[1] / "examples" / "testme.c"
COLUMNS = (("", 18), ("least s", 7), ("median s", 8), ("CPU s", 6))
FEW = 2


def timed(command: Sequence[str], environment: dict[str, str]) -> tuple[float, float]:
    """Seconds on the wall and of the processor. Raises RuntimeError when veer or zig fails (1: bugs were found)."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    done = subprocess.run(command, env={**os.environ, **environment}, capture_output=True, check=False, timeout=300)
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode not in (0, 1):
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.decode()[-300:]}")
    return seconds, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def hello(scratch: Path) -> list[str]:
    """Zig's command for a program that prints a word."""
    source = scratch / "hello.c"
    source.write_text('#include <stdio.h>\nint main(void) { puts("hello"); return 0; }\n')
    toolchain = compiler.find(None)
    flags = ("-O1", "-lm", "-o", str(scratch / "hello"))
    return [*toolchain.command, *compiler.target_flags(toolchain), str(source), *flags]


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=5)
    given = parser.parse_args()
    veer = [sys.executable, "-c", "from veer.cli.app import command; command()"]
    found: dict[str, list[tuple[float, float]]] = {
        "--help": [],
        "warm test": [],
        "cold test": [],
        "zig's cold hello": [],
    }
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        test = [*veer, "test", str(EXAMPLE), "--entry", "testme", "--out", str(scratch / "out")]
        for turn in range(FEW):
            found["cold test"].append(timed(test, {"VEER_CACHE": str(scratch / f"veer{turn}")}))
            empty = str(scratch / f"zig{turn}")
            caches = {"ZIG_GLOBAL_CACHE_DIR": empty, "ZIG_LOCAL_CACHE_DIR": empty}
            found["zig's cold hello"].append(timed(hello(scratch), caches))
        for _ in range(given.repeat):
            found["--help"].append(timed([*veer, "--help"], {}))
            found["warm test"].append(timed(test, {"VEER_CACHE": str(scratch / "veer0")}))
    printer = Printer(COLUMNS)
    for name, figures in found.items():
        walls, cpu = zip(*figures, strict=True)
        printer.row((name, f"{min(walls):.2f}", f"{statistics.median(walls):.2f}", f"{min(cpu):.2f}"))
    print(f"load {' '.join(f'{each:.1f}' for each in os.getloadavg())}")


if __name__ == "__main__":
    main()
