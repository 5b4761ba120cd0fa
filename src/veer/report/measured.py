"""Coverage by file, as lcov, Cobertura and the HTML report want it: lines, functions, branches by line."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct

from veer.model.coverage import FunctionCoverage, LineCoverage
from veer.model.ending import BranchState
from veer.model.result import Branch, Count, Result


class FileCoverage(Struct, frozen=True):
    """What was measured in one file, in the order of its lines. `taken`: branch id → tests that cover it."""

    path: str
    lines: tuple[LineCoverage, ...]
    functions: tuple[FunctionCoverage, ...]
    branches: tuple[Branch, ...]
    taken: dict[int, int]

    @property
    def line_count(self) -> Count:
        return Count(sum(line.tests > 0 for line in self.lines), len(self.lines))

    @property
    def function_count(self) -> Count:
        return Count(sum(function.tests > 0 for function in self.functions), len(self.functions))

    @property
    def branch_count(self) -> Count:
        return Count(sum(branch.state is BranchState.COVERED for branch in self.branches), len(self.branches))

    def branches_by_line(self) -> dict[int, list[Branch]]:
        """Line → its branches, by column."""
        found: dict[int, list[Branch]] = {}
        for branch in self.branches:
            found.setdefault(branch.line, []).append(branch)
        return found


def by_file(result: Result) -> tuple[FileCoverage, ...]:
    """Every file with code, the program's sources first."""
    covering = Counter(item for test in result.tests for item in test.covers)
    # What counts is the measurement of the counters build: what it covers was taken at least once.
    taken = {b.id: max(1, covering[b.id]) if b.state is BranchState.COVERED else 0 for b in result.branches}
    own = [str(source) for source in result.program.sources]
    others = {line.file for line in result.lines} | {branch.file for branch in result.branches}
    found = []
    for path in dict.fromkeys([*own, *sorted(others)]):
        branches = sorted((b for b in result.branches if b.file == path), key=lambda b: (b.line, b.column, b.id))
        file = FileCoverage(
            path,
            tuple(line for line in result.lines if line.file == path),
            tuple(function for function in result.functions if function.file == path),
            tuple(branches),
            taken,
        )
        if file.lines or file.branches:
            found.append(file)
    return tuple(found)
