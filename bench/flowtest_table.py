"""FlowTest's table 1 again: subjects of its four kinds, searched whole and block by block.

    python bench/flowtest_table.py [--budget 20]

Columns: bytes of input; blocks (and inputs shared by all of them); branches reached; paths, runs and seconds of the
search, plain and by blocks; how much longer the execution of a run takes. A search that its budget ended has a `>`.
"""

from __future__ import annotations

import argparse

from common import SUBJECTS, run, searched, table

from veer.model.options import BuildOptions, SearchOptions
from veer.model.result import Result

ROWS = (
    ("page map", "page_map.c", "page_map", 1024),
    ("protection", "protection.c", "protect", 14),
    ("intrusion", "intrusion.c", "inspect", 22),
    ("printers", "printers.c", "print", 9),
)
HEAD = ("subject", "input", "blocks", "branches", "by blocks", "paths", "by blocks", "time", "by blocks", "a run")


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", type=float, default=20.0, help="seconds of each search")
    budget = parser.parse_args().budget
    print(table(HEAD, [row for each in ROWS if (row := _row(*each, budget)) is not None]))


def _row(name: str, file: str, entry: str, size: int, budget: float) -> tuple[object, ...] | None:
    plain, found = (_result(file, entry, budget, partitioned=partitioned) for partitioned in (False, True))
    if plain is None or found is None or found.partition is None:
        return None
    blocks = f"{len(found.partition.blocks)}+{len(found.partition.shared)}"
    cost = (found.seconds.execute / found.runs) / (plain.seconds.execute / plain.runs)
    paths = (f"{plain.paths:,}", f"{found.paths:,}")
    times = (_time(plain), _time(found), f"{cost:.1f}x")
    return (name, size, blocks, _reached(plain), _reached(found), *paths, *times)


def _result(file: str, entry: str, budget: float, *, partitioned: bool) -> Result | None:
    build = BuildOptions((SUBJECTS / "flowtest" / file,), entry, partitioned=partitioned)
    return run(build, SearchOptions(budget=budget, partitioned=partitioned))


def _reached(result: Result) -> str:
    count = result.coverage.branches
    return f"{count.covered}/{count.total}" if count is not None else "?"


def _time(result: Result) -> str:
    return f"{'' if result.ending.kind == 'exhausted' else '>'}{searched(result):.2f}s"


if __name__ == "__main__":
    main()
