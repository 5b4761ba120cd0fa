"""SMART's theorem 2 and sections 3.4, 3.5 on random programs: python bench/smart_random.py [--first 0] [--count 300]

Each program of tests/truth/called_program.py is searched plainly and by summaries, and, with small inputs, by summaries
and by brute force. Told are the programs that break one of these: the same claim, sides of branches and errors as
plainly and by brute force; not more runs (repeated ones included) than the functions have paths; not more than 3 times
the plain search's time, and one second. The exit code is 1 if there are any. Seconds are those of processors, executor
included, compilation not.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from common import table

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "truth"))

import called_brute
import called_program
from compositional_side import Found, search

from veer.toolchain import compiler
from veer.toolchain.runtime import engine_library

_ERRORS = {"stop": "ILLEGAL", "division": "DIVISION"}


@dataclass(frozen=True)
class Row:
    """One program."""

    seed: int
    plain: Found
    found: Found
    broken: tuple[str, ...]

    @property
    def slack(self) -> float:
        """Seconds of processor time below the bound."""
        return 3 * self.plain.processor + 1 - self.found.processor


def compared(seed: int, folder: Path) -> Row:
    """The searches of one program."""
    source = folder / f"program{seed}.c"
    source.write_text(called_program.program(seed))
    plain = search(source, "top", compositional=False)
    found = search(source, "top", compositional=True)
    small = search(source, "small", compositional=True)
    row = Row(seed, plain, found, (*_against_plain(plain, found), *_against_brute_force(small, seed)))
    return Row(seed, plain, found, (*row.broken, "time") if row.slack < 0 else row.broken)


def _paths(found: Found) -> int:
    return sum(each.paths for each in found.summaries.functions) if found.summaries is not None else 0


def _against_plain(plain: Found, found: Found) -> Iterator[str]:
    if plain.ending.claim != "paths":
        yield f"plain claim {plain.ending.claim}"
    if found.ending.claim != plain.ending.claim:
        yield f"claim {found.ending.claim}"
    if found.covered != plain.covered:
        yield "sides"
    if found.errors != plain.errors:
        yield "errors"
    if found.runs > _paths(found):
        yield "runs"


def _against_brute_force(small: Found, seed: int) -> Iterator[str]:
    truth = called_brute.truth(seed)
    if small.ending.claim != "paths":
        yield f"claim {small.ending.claim} with small inputs"
    if {(line, side) for _, line, _, _, side in small.covered} != truth.sides:
        yield "sides by brute force"
    if small.errors != {(_ERRORS[kind], line) for kind, line in truth.errors}:
        yield "errors by brute force"
    if small.runs > _paths(small):
        yield "runs with small inputs"


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=300)
    given = parser.parse_args()
    rows = []
    engine_library(compiler.find(None))  # not to be built within a search
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(given.first, given.first + given.count):
            rows.append(compared(seed, Path(folder)))
            if rows[-1].broken:
                print(f"seed {seed}: {', '.join(rows[-1].broken)}", flush=True)
    plain, found = [row.plain for row in rows], [row.found for row in rows]
    cells = [
        [
            len(rows),
            sum(bool(row.broken) for row in rows),
            sum(each.runs for each in plain),
            sum(each.runs for each in found),
            sum(each.summaries.repeated for each in found if each.summaries is not None),
            sum(map(_paths, found)),
            f"{sum(each.processor for each in plain):.1f}",
            f"{sum(each.processor for each in found):.1f}",
            f"{min(row.slack for row in rows):.2f}",
        ]
    ]
    header = ["programs", "broken", "plain runs", "runs", "repeated", "sum of paths", "plain s", "s", "least slack s"]
    print(table(header, cells))
    return 1 if any(row.broken for row in rows) else 0


if __name__ == "__main__":
    sys.exit(main())
