"""What the benchmarks share: one campaign → one line of a table."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.errors import VeerError
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

SUBJECTS = Path(__file__).parent / "subjects"


def run(build: BuildOptions, search: SearchOptions) -> Result | None:
    """One campaign; None, with the reason on stderr, when it failed."""
    try:
        return campaign.run(build, search)
    except VeerError as error:
        print(f"{build.sources[0].name}: {error}", file=sys.stderr)
        return None


def searched(result: Result) -> float:
    """Seconds that the search took, compilation and replay aside."""
    return max(result.seconds.explore + result.seconds.execute + result.seconds.solve, 1e-6)


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Columns aligned: the first to the left, the others to the right."""
    cells = [list(head), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(head))]
    lines = []
    for row in cells:
        first = row[0].ljust(widths[0])
        lines.append("  ".join([first, *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]))
    return "\n".join(lines)


def ledger_text(result: Result) -> str:
    """The ledger in a few words, for a table's cell."""
    kinds: dict[str, int] = {}
    for entry in result.ledger:
        kinds[entry.kind] = kinds.get(entry.kind, 0) + entry.count
    return " ".join(f"{kind}:{count}" for kind, count in sorted(kinds.items())) or "-"


class Printer:
    """A table whose lines are printed as they come: the first column to the left, the others to the right.

    `columns`: titles with their widths; what is wider pushes the rest of its line aside.
    """

    def __init__(self, columns: Sequence[tuple[str, int]]) -> None:
        self._widths = [max(len(title), width) for title, width in columns]
        self.row([title for title, _ in columns])

    def row(self, cells: Sequence[object]) -> None:
        """One line."""
        first, *others = map(str, cells)
        line = [
            first.ljust(self._widths[0]),
            *(cell.rjust(w) for cell, w in zip(others, self._widths[1:], strict=True)),
        ]
        print("  ".join(line).rstrip(), flush=True)
