"""index.html: all functions of a project on one page, what is worth a look first (`veer test --all`)."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import quote

from msgspec import Struct

from veer import __version__
from veer.model.ending import BranchState
from veer.model.result import Branch, Result
from veer.model.severity import Severity
from veer.model.survey import Row
from veer.report.measured import FileCoverage, by_file
from veer.report.page import Bar, bars
from veer.report.severities import EXPLAINED, HEADINGS, Group, counted, grouped
from veer.report.templating import template
from veer.report.words import achieved, claim_of_rows, ending_sentence, number, place, state_sentence, witness

NAME = "index.html"
_MOST_UNCOVERED = 500
"""Of one file; the page of each function has all of its own."""


class FunctionView(Struct, frozen=True):
    """A function that was tested. `bar`: its branches, None where they were not measured."""

    row: Row
    page: str
    bar: Bar | None
    claim: str
    required: tuple[str, ...] = ()


class Shown(Struct, frozen=True):
    """A test that shows a bug: the function that was called, its page, and the input."""

    entry: str
    page: str
    inputs: dict[str, str]


class GroupView(Struct, frozen=True):
    """Bugs of one cause. `shown`: None where no test shows the first of them."""

    group: Group
    shown: Shown | None


class Section(Struct, frozen=True):
    """The groups of one severity."""

    heading: str
    explained: str
    groups: tuple[GroupView, ...]


class FileView(Struct, frozen=True):
    """A file with the branches that no test takes: of each its place, and why. `left_out`: how many more there are."""

    name: str
    bars: tuple[Bar, ...]
    missing: tuple[tuple[Branch, str], ...]
    left_out: int


def render(rows: Sequence[Row], whole: Result) -> str:
    """The text of index.html. `whole`: the results of all functions as one (`model/joined.py`)."""
    tested = [row for row in rows if not row.why_not]
    return template(NAME).render(
        version=__version__,
        title=whole.program.entry,
        platform=whole.platform,
        heading=_heading(len(tested), len(rows), whole),
        is_bad=any(row.bugs for row in tested),
        bars=bars(whole),
        functions=[
            _function(row, whole.program.requirements.get(row.function, ())) for row in sorted(tested, key=_worth)
        ],
        refused=[row for row in rows if row.why_not],
        sections=_sections(whole),
        bug_count=len(whole.bugs),
        files=[_file(file) for file in by_file(whole)],
    )


def _heading(tested: int, functions: int, whole: Result) -> str:
    count = whole.coverage.branches
    branches = f"branches {achieved(count, 'covered')}, " if count is not None else ""
    return f"{tested} of {number(functions, 'function')} tested, {branches}{counted(whole.bugs)}"


def _worth(row: Row) -> tuple[object, ...]:
    """What is worth a look first: errors, other bugs, branches that no test takes, broken contracts."""
    missing = row.branches.total - row.branches.covered if row.branches is not None else 0
    return -row.errors, -row.bugs, -missing, -row.breaking, row.function


def _page(function: str) -> str:
    return f"{quote(function)}/report.html"


def _function(row: Row, required: tuple[str, ...]) -> FunctionView:
    count = row.branches
    bar = Bar("branches", count.covered, count.total) if count is not None else None
    claim = "" if row.ending is None else claim_of_rows(row.ending.claim) or ending_sentence(row.ending)
    return FunctionView(row, _page(row.function), bar, claim, required)


def _sections(whole: Result) -> tuple[Section, ...]:
    found: dict[Severity, list[GroupView]] = {}
    for group in grouped(whole.bugs):
        found.setdefault(group.severity, []).append(GroupView(group, _shown(whole, group)))
    return tuple(Section(HEADINGS[each], EXPLAINED[each], tuple(groups)) for each, groups in found.items())


def _shown(whole: Result, group: Group) -> Shown | None:
    bug = group.bugs[0]
    entry, _, name = bug.test.partition("/")
    return Shown(entry, _page(entry), witness(whole, bug)) if name else None


def _file(file: FileCoverage) -> FileView:
    counts = {"branches": file.branch_count, "lines": file.line_count, "functions": file.function_count}
    missing = [(branch, state_sentence(branch)) for branch in file.branches if branch.state is not BranchState.COVERED]
    return FileView(
        place(file.path, 0).removesuffix(":0"),
        tuple(Bar(name, count.covered, count.total) for name, count in counts.items() if count.total),
        tuple(missing[:_MOST_UNCOVERED]),
        max(0, len(missing) - _MOST_UNCOVERED),
    )
