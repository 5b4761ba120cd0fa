"""What a team waits for: python bench/whole_command.py [--repeat 3] [--only NAME].

warm       `veer test examples/testme.c --entry testme`, with a new --out and another --seed, so that the search runs
cold       the same from an empty cache
library    `veer test toolbox.c --jobs 2`: 30 small functions that were never built, a function's share
changed    the same again, one function changed
unchanged  the same again, nothing changed

Each on the wall, the median of its runs, beside its bar (issue 18, of 2 calm cores) and its processor time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from common import Printer
from start_up import EXAMPLE, timed

TOOLBOX = Path(__file__).parent / "subjects" / "toolbox"
FUNCTIONS = 30
VEER = [sys.executable, "-c", "from veer.cli.app import command; command()"]
COLUMNS = (("", 10), ("median s", 9), ("least s", 8), ("bar s", 6), ("", 5), ("CPU s", 6))
BARS = {"warm": 0.5, "cold": 6.0, "library": 0.4, "changed": 2.0, "unchanged": 0.5}
CHANGES = ("from + 1", "from + 2 - 1", "from + 3 - 2", "from + 4 - 3", "from + 5 - 4", "from + 6 - 5")
Timed = Callable[[int], tuple[float, float]]


def of_testme(scratch: Path, turn: int, cache: Path) -> tuple[float, float]:
    """Seconds of a campaign whose search nobody has made before: on the wall, of the processor."""
    words = [
        "test",
        str(EXAMPLE),
        "--entry",
        "testme",
        "--out",
        str(scratch / f"testme{turn}"),
        "--seed",
        str(turn + 1),
    ]
    return timed([*VEER, *words], {"VEER_CACHE": str(cache)})


class Library:
    """A copy of the toolbox: its path is new, and so are all its builds."""

    def __init__(self, folder: Path, cache: Path) -> None:
        shutil.copytree(TOOLBOX, folder)
        self._file, self._out, self._cache = folder / "toolbox.c", folder / "out", cache

    def tested(self) -> tuple[float, float]:
        """Seconds of the whole command: on the wall, of the processor."""
        words = ["test", str(self._file), "--out", str(self._out), "--jobs", "2", "--quiet"]
        return timed([*VEER, *words], {"VEER_CACHE": str(self._cache)})

    def change(self, turn: int) -> None:
        """Another body for one function."""
        text = self._file.read_text()
        before, after = CHANGES[turn % len(CHANGES)], CHANGES[(turn + 1) % len(CHANGES)]
        assert before in text
        self._file.write_text(text.replace(before, after))


def measured(repeat: int, scratch: Path, wanted: str) -> dict[str, list[tuple[float, float]]]:
    """Seconds of each figure, its runs in turn."""
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in BARS if wanted in ("", name)}
    cache = Path(os.environ.get("VEER_CACHE", scratch / "cache"))
    of_testme(scratch, 0, cache)  # builds the runtime, if it is not there
    for turn in range(1, repeat + 1):
        if "warm" in found:
            found["warm"].append(of_testme(scratch, turn, cache))
        if "cold" in found:
            found["cold"].append(of_testme(scratch, 100 + turn, scratch / f"empty{turn}"))
        if wanted in ("library", "changed", "unchanged", ""):
            library = Library(scratch / f"library{turn}", cache)
            all_of_it = library.tested()
            library.change(0)
            changed = library.tested()
            if "library" in found:
                found["library"].append((all_of_it[0] / FUNCTIONS, all_of_it[1] / FUNCTIONS))
            if "changed" in found:
                found["changed"].append(changed)
            if "unchanged" in found:
                found["unchanged"].append(library.tested())
    return found


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", choices=tuple(BARS), default="")
    given = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # it is set on some machines, and costs a start 0.3 s
    with tempfile.TemporaryDirectory() as name:
        found = measured(given.repeat, Path(name), given.only)
    printer = Printer(COLUMNS)
    for name, figures in found.items():
        walls, cpu = zip(*figures, strict=True)
        median = statistics.median(walls)
        verdict = "held" if median <= BARS[name] else "over"
        printer.row(
            (name, f"{median:.2f}", f"{min(walls):.2f}", f"{BARS[name]:.1f}", verdict, f"{statistics.median(cpu):.2f}")
        )
    print(f"load {' '.join(f'{each:.1f}' for each in os.getloadavg())}, {len(os.sched_getaffinity(0))} cores")


if __name__ == "__main__":
    main()
