"""What the HTML report shows, as values that its template only has to lay out."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from msgspec import Struct

from veer.model.coverage import FunctionCoverage
from veer.model.decisions import DecisionCoverage
from veer.model.describe import told
from veer.model.ending import BranchState
from veer.model.graph import memory_graph
from veer.model.result import Branch, Bug, Count, Frame, Result, Test
from veer.report.drawing import memory_graph_svg
from veer.report.measured import FileCoverage, by_file
from veer.report.severities import EXPLAINED, HEADINGS, grouped
from veer.report.words import confirmed_sentence, number, place, state_sentence


class Bar(Struct, frozen=True):
    """A count with its share; `percent` is never rounded up to 100."""

    name: str
    covered: int
    total: int

    @property
    def percent(self) -> int:
        return 100 * self.covered // self.total if self.total else 100


class Row(Struct, frozen=True):
    """A line of source. `kind`: covered, partial, uncovered, bug, or empty for lines without code."""

    number: int
    text: str
    kind: str
    tests: int
    notes: tuple[str, ...]


class FunctionRow(Struct, frozen=True):
    name: str
    line: int
    tests: int
    lines: Bar
    branches: Bar


class FileView(Struct, frozen=True):
    """A source with its tables."""

    path: str
    name: str
    anchor: str
    bars: tuple[Bar, ...]
    rows: tuple[Row, ...]
    functions: tuple[FunctionRow, ...]
    branches: tuple[tuple[Branch, int, str], ...]  # with the number of tests, and why it is not covered
    decisions: tuple[DecisionCoverage, ...] = ()


class TestView(Struct, frozen=True):
    name: str
    ending: str
    is_bug: bool
    replayed: str
    inputs: dict[str, str]
    drawing: str
    covers: int
    __test__ = False


class BugView(Struct, frozen=True):
    bug: Bug
    where: str
    anchor: str
    confirmed: str
    inputs: dict[str, str]
    drawing: str
    paths: str
    stack: tuple[tuple[Frame, int], ...]  # equal frames in a row once, with their number


def bars(result: Result) -> tuple[Bar, ...]:
    """What was measured, of the whole program."""
    coverage = result.coverage
    named = {
        "branches": coverage.branches,
        "lines": coverage.lines,
        "functions": coverage.functions,
        "conditions": coverage.conditions,
        "MC/DC": coverage.mcdc,
    }
    return tuple(_bar(name, count) for name, count in named.items() if count is not None)


def files(result: Result) -> tuple[FileView, ...]:
    """Every file with code, the program's sources first."""
    texts = {text.path: text.lines for text in result.texts}
    return tuple(_file(result, file, index, texts.get(file.path, ())) for index, file in enumerate(by_file(result)))


class BugSection(Struct, frozen=True):
    """The bugs of one severity, those of one cause beside each other."""

    heading: str
    explained: str
    bugs: tuple[BugView, ...]


def bug_sections(result: Result) -> tuple[BugSection, ...]:
    """The severities of which there are bugs, the worst first."""
    views = {view.bug.id: view for view in bug_views(result)}
    groups = grouped(result.bugs)
    known = tuple(views[bug.id] for bug in result.bugs if bug.is_accepted)
    accepted = [BugSection("Of the baseline", "They stand in a file of what is accepted.", known)] if known else []
    found = [
        BugSection(
            HEADINGS[severity],
            EXPLAINED[severity],
            tuple(views[bug.id] for group in groups if group.severity is severity for bug in group.bugs),
        )
        for severity in dict.fromkeys(group.severity for group in groups)
    ]
    return (*found, *accepted)


def bug_views(result: Result) -> tuple[BugView, ...]:
    """Bugs with their witnesses."""
    tests = {test.name: test for test in result.tests}
    numbers = {file.path: index for index, file in enumerate(by_file(result))}
    found = []
    for bug in result.bugs:
        test = tests.get(bug.test)
        found.append(
            BugView(
                bug,
                place(bug.file, bug.line),
                f"L{numbers[bug.file]}-{bug.line}" if bug.file in numbers else "",
                confirmed_sentence(bug),
                told(result.program, test) if test is not None else {},
                _drawing(result, test) if test is not None else "",
                number(bug.count, "path"),
                _folded(bug.stack),
            )
        )
    return tuple(found)


def test_views(result: Result) -> tuple[TestView, ...]:
    """Tests with their inputs."""
    return tuple(
        TestView(
            test.name,
            test.outcome.sentence + (f"({test.exit_code})" if test.exit_code is not None else ""),
            test.outcome.is_bug,
            test.replayed,
            told(result.program, test),
            _drawing(result, test),
            len(test.covers),
        )
        for test in result.tests
    )


def _folded(stack: tuple[Frame, ...]) -> tuple[tuple[Frame, int], ...]:
    return tuple((frame, len(list(equal))) for frame, equal in groupby(stack))


def _drawing(result: Result, test: Test) -> str:
    graph = memory_graph(result.program, test.inputs)
    if not any(field.target for node in graph for field in node.fields):
        return ""  # nothing points anywhere: the list of inputs says it all
    return memory_graph_svg(graph, f"memory graph of {test.name}")


def _bar(name: str, count: Count) -> Bar:
    return Bar(name, count.covered, count.total)


def _file(result: Result, file: FileCoverage, index: int, text: tuple[str, ...]) -> FileView:
    measured = [_bar("branches", file.branch_count)]
    if file.lines:
        measured += [_bar("lines", file.line_count), _bar("functions", file.function_count)]
    return FileView(
        path=file.path,
        name=Path(file.path).name,
        anchor=f"L{index}",
        bars=tuple(measured),
        rows=_rows(result, file, text),
        functions=tuple(_function(file, function) for function in file.functions),
        branches=tuple(
            (branch, file.taken[branch.id], "" if branch.state is BranchState.COVERED else state_sentence(branch))
            for branch in file.branches
        ),
        decisions=tuple(each for each in result.decisions if each.decision.file == file.path),
    )


def _function(file: FileCoverage, function: FunctionCoverage) -> FunctionRow:
    lines = [line for line in file.lines if line.function == function.name]
    sides = [branch for branch in file.branches if branch.function == function.name]
    return FunctionRow(
        function.name,
        function.line,
        function.tests,
        Bar("lines", sum(line.tests > 0 for line in lines), len(lines)),
        Bar("branches", sum(side.state is BranchState.COVERED for side in sides), len(sides)),
    )


def _rows(result: Result, file: FileCoverage, text: tuple[str, ...]) -> tuple[Row, ...]:
    lines = {line.line: line for line in file.lines}
    branches = file.branches_by_line()
    bugs: dict[int, list[Bug]] = {}
    for bug in result.bugs:
        if bug.file == file.path:
            bugs.setdefault(bug.line, []).append(bug)
    entered = {function.name: function.tests > 0 for function in file.functions}
    rows = []
    # A file that ends in a newline has no last empty line.
    for position, content in enumerate(text[:-1] if text and not text[-1] else text, 1):
        line, missing = (
            lines.get(position),
            [b for b in branches.get(position, []) if b.state is not BranchState.COVERED],
        )
        notes = [f"bug {bug.id}: {bug.message}" for bug in bugs.get(position, [])]
        if line is not None and not line.tests:
            notes.append(_why_not_run(file, position, line.function, is_entered=entered.get(line.function, True)))
        else:
            notes += [f"never {branch.side}: {branch.text} ({state_sentence(branch)})" for branch in missing]
        kind = "covered" if line is not None and line.tests else "uncovered" if line is not None else ""
        if missing and kind != "uncovered":
            kind = "partial"
        rows.append(
            Row(position, content, "bug" if position in bugs else kind, line.tests if line else 0, tuple(notes))
        )
    return tuple(rows)


def _why_not_run(file: FileCoverage, line: int, function: str, *, is_entered: bool) -> str:
    """In the words of the nearest branch above that no test takes."""
    if not is_entered:
        return f"not run: no test enters {function}"
    above = [
        b for b in file.branches if b.function == function and b.line <= line and b.state is not BranchState.COVERED
    ]
    if not above:
        return "not run by any test"
    nearest = above[-1]
    return (
        f"not run; the nearest branch above that no test takes: line {nearest.line}, "
        f"{nearest.text} is {nearest.side} ({state_sentence(nearest)})"
    )
