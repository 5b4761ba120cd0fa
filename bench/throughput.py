"""Paths a second on small subjects (facts/loop.md): python bench/throughput.py [--budget 60] [NAME...]."""

from __future__ import annotations

import argparse

from common import SUBJECTS, ledger_text, run, searched, table

from veer.model.options import BuildOptions, SearchOptions

NAMES = ("regexp", "ifs", "json", "locate", "bubble", "triangle", "hash")


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--budget", type=float, default=60.0, help="seconds for each subject")
    parser.add_argument("--strategy", default="rarest")
    given = parser.parse_args()
    rows = []
    for name in given.names:
        build = BuildOptions(sources=(SUBJECTS / f"{name}.c",), entry="main")
        result = run(build, SearchOptions(budget=given.budget, strategy=given.strategy))
        if result is None:
            continue
        seconds = searched(result)
        rows.append(
            (
                name,
                f"{result.paths:,}",
                f"{result.runs:,}",
                f"{seconds:.3f}",
                f"{result.paths / seconds:,.0f}",
                result.diverged,
                result.queries.total,
                result.ending.kind,
                result.ending.claim,
                ledger_text(result),
            )
        )
    head = ("subject", "paths", "runs", "seconds", "paths/s", "diverged", "queries", "ending", "claim", "ledger")
    print(table(head, rows))


if __name__ == "__main__":
    main()
