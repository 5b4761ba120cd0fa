"""The terminal report: words, and that it reads well at 80 columns without colour."""

from __future__ import annotations

import io
from pathlib import Path

import output_samples as samples
import pytest
from report_samples import shown
from rich.console import Console

from veer.model.ending import BranchState, Claim, Ending, EndingKind
from veer.model.progress import Progress
from veer.model.result import Count, LedgerEntry, Operations
from veer.model.values import replace
from veer.report import words
from veer.report.terminal import ProgressDisplay, bar, progress_line, sparkline


def test_the_summary_says_what_matters() -> None:
    text = shown(samples.result(), out=Path("veer-out/testme"))
    assert text.startswith("testme: 6 paths in 6 runs, 1 bug, 0.50 s\n")
    assert "every feasible path was run within graph-depth 3" in text
    assert "branches  8 of 8 (100 %) covered\n" in text
    assert "testme.c:25 testme: abort() was called" in text
    assert "cell_1 = {v = 3, next = &cell_1}" in text
    assert "seen again on the plain build" in text
    assert "written   veer-out/testme: report.html, summary.json, suite/test.c" in text


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_line_is_longer_than_the_terminal(width: int) -> None:
    long = "a_rather_long_condition(with_many, arguments_of_length) == something_else && more_of_it"
    branches = tuple(
        replace(b, state=BranchState.UNREACHED, reason="the budget ran out first", text=long)
        for b in samples.result().branches
    )
    lost = replace(samples.LOST, detail="symbolic data went into the uninstrumented function hash_of_everything()")
    ending = Ending(
        EndingKind.BUDGET,
        Claim.NONE,
        (),
        ("symbolic data went into hash()", "the budget ran out with 12 open branches"),
    )
    text = shown(samples.result(branches=branches, ledger=(lost,) * 3, ending=ending), width=width)
    assert max(len(line) for line in text.splitlines()) <= width
    assert "\x1b" not in text


def test_uncovered_branches_are_named_with_side_and_reason() -> None:
    branches = tuple(
        replace(b, state=BranchState.INFEASIBLE if b.id == 7 else BranchState.COVERED, reason="")
        for b in samples.result().branches
    )
    text = shown(samples.result(branches=branches))
    assert "testme.c:24: `p->next == p` is true (no input can take it)" in " ".join(text.split())


def test_a_reason_of_several_branches_is_said_once() -> None:
    reasons = {6: "the budget ran out first", 7: "the budget ran out first", 5: "it is never reached"}

    def state(branch: int) -> BranchState:
        return BranchState.UNREACHED if branch in reasons else BranchState.COVERED

    branches = tuple(replace(b, state=state(b.id), reason=reasons.get(b.id, "")) for b in samples.result().branches)
    lines = shown(samples.result(branches=branches)).splitlines()
    assert sum("the budget ran out first" in line for line in lines) == 1
    head = next(position for position, line in enumerate(lines) if "for each of these 2:" in line)
    indent = [len(line) - len(line.lstrip()) for line in lines[head : head + 3]]
    assert indent == [12, 14, 14]
    assert all(" is " in line for line in lines[head + 1 : head + 3])


@pytest.mark.parametrize(
    ("operations", "said"),
    [
        (Operations(), "no operation on symbolic data"),
        (Operations(symbolic=7), "7 operations on symbolic data, none concretised"),
        (
            Operations(1_000_000, 20_000, 1),
            "1,020,001 operations on symbolic data, under 0.01 % concretised, 1.96 % explored value by value",
        ),
        (Operations(0, 0, 4), "4 operations on symbolic data, 100.00 % concretised"),
    ],
)
def test_the_share_that_was_concretised(operations: Operations, said: str) -> None:
    assert words.operations_sentence(operations) == said
    assert ("symbolic  " in shown(samples.result(operations=operations), width=200)) == (operations.concretised > 0)


def test_the_ledger_is_grouped() -> None:
    entries = (samples.LOST, replace(samples.LOST, line=30, count=1), LedgerEntry("solver", "", 0, "unknown", 2))
    first, second = words.losses(entries)
    assert (first.count, len(first.places)) == (4, 2)
    assert second.detail == "unknown"


def test_tests_that_differ_on_the_plain_build_are_a_warning() -> None:
    tests = (replace(samples.testme_tests()[0], replayed="differs: ended by SIGSEGV, recorded: returned"),)
    assert "warning   test_001 on the plain build differs: ended by SIGSEGV" in shown(samples.result(tests=tests))


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (Count(0, 0), "none to cover"),
        (Count(5, 8), "5 of 8 (62 %)"),
        (Count(999, 1000), "999 of 1000 (99 %)"),
        (Count(8, 8), "8 of 8 (100 %)"),
    ],
)
def test_percentages_are_never_rounded_up(count: Count, text: str) -> None:
    assert words.percent(count) == text


def test_no_claim_is_said_with_what_lost_it() -> None:
    result = samples.result(ending=Ending(EndingKind.BUDGET, Claim.NONE, (), ("a divergence",)))
    assert words.claim_sentence(result) == "no claim that all paths were run: a divergence"


@pytest.mark.parametrize(("seconds", "text"), [(0.123, "0.12 s"), (3.42, "3.4 s"), (125.0, "2 min 5 s")])
def test_durations(seconds: float, text: str) -> None:
    assert words.duration(seconds) == text


def test_progress_is_plain_lines_where_there_is_no_terminal() -> None:
    stream = io.StringIO()
    with ProgressDisplay(Console(file=stream, width=80)) as display:
        for second in range(12):
            display(Progress("explore", float(second), 1000 * second, 10, 5, 3, 8, 1))
        display(Progress("replay", 16.0))
    assert stream.getvalue().splitlines() == [
        "5.0 s, 5,000 runs, 10 paths, branches 3/8, 5 open, 1 bug",
        "10.0 s, 10,000 runs, 10 paths, branches 3/8, 5 open, 1 bug",
        "replay ...",
    ]


def test_a_terminal_shows_a_bar_or_how_coverage_grew() -> None:
    stream = io.StringIO()
    with ProgressDisplay(Console(file=stream, width=80, force_terminal=True, color_system=None)) as display:
        display(Progress("explore", 1.0, 100, 10, 5, 1, 8))
        display(Progress("explore", 2.0, 200, 20, 0, 8, 8))
        display(Progress("test", 3.0, note="12 of 30 functions, 2 bugs, 3.0 s; now f", done=12, total=30))
    shown = stream.getvalue()
    assert "branches 8/8, 0 open, 0 bugs  ▂▂▂▂▂▂▂▂▂▂▂█" in shown
    assert "[████████············] 12 of 30 functions, 2 bugs, 3.0 s; now f" in shown


def test_a_narrow_terminal_shows_what_is_under_way_rather_than_all() -> None:
    whole = "12 of 30 functions, branches 123/456, 2 bugs, 3.0 s (up to 19.4 s more); now parse_header"
    short = "12 of 30 functions, 2 bugs, 3.0 s; now parse_header"
    for width, expected in ((80, short), (120, whole)):
        stream = io.StringIO()
        with ProgressDisplay(Console(file=stream, width=width, force_terminal=True, color_system=None)) as display:
            display(Progress("test", 3.0, note=whole, short=short, done=12, total=30))
        assert f"[████████············] {expected}" in stream.getvalue()


def test_bars_and_sparklines() -> None:
    assert [bar(done, 4, fancy=False) for done in (0, 1, 4)] == [f"[{'.' * 20}]", f"[#####{'.' * 15}]", f"[{'#' * 20}]"]
    assert sparkline([(0.0, 0.5)]) == ""
    assert sparkline([(0.0, 0.0), (6.0, 0.5), (12.0, 1.0)]) == "▁▁▁▁▁▅▅▅▅▅▅█"


def test_quiet_progress_is_silent() -> None:
    stream = io.StringIO()
    with ProgressDisplay(Console(file=stream), quiet=True) as display:
        display(Progress("compile", 0.0))
    assert stream.getvalue() == ""


def test_a_progress_line_fits_80_columns() -> None:
    assert len(progress_line(Progress("explore", 265.0, 10**8, 10**7, 10**6, 1234, 2345, 99))) < 80
