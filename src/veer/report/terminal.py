"""What the user sees: live progress and the final summary. It reads well at 80 columns and without colour."""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from rich.console import Console
from rich.live import Live
from rich.text import Text

from veer.model.ending import EndingKind
from veer.model.partition import Partitioning
from veer.model.progress import Progress
from veer.model.result import Branch, Bug, Result
from veer.model.severity import Severity
from veer.report.blocks import block_sentence, merge_sentence, partition_sentence
from veer.report.severities import counted, grouped
from veer.report.watched import events_sentence, watched_sentences
from veer.report.words import (
    achieved,
    brief,
    claim_sentence,
    confirmed_sentence,
    duration,
    ending_sentence,
    found_input,
    found_sentence,
    listings,
    losses,
    number,
    operations_sentence,
    place,
    reached_sentence,
    state_sentence,
    summary_name,
    summary_sentence,
    uncovered,
    witness,
)

_MOST_UNCOVERED = 12
_MOST_SHOWN = 480  # characters of a value
_MOST_BUGS = 20
_MOST_CONTRACTS = 10
_MOST_BLOCKS = 4
_MOST_LOSSES = 8
_MOST_FUNCTIONS = 8
_MOST_PLACES = 3
_LABEL = 10  # columns of the labels at the left
_SECONDS_BETWEEN_LINES = 5.0
_BAR = 20
"""Columns of a bar."""
_SPARKS = 12
"""Columns of a sparkline."""
_HEIGHTS = "▁▂▃▄▅▆▇█"
_STYLES = {"bug": "bold red", "warning": "yellow", "good": "green", "label": "bold"}


class ProgressDisplay:
    """Shows progress: one line that changes on a terminal, with a bar or with how coverage grew; else a plain line
    every five seconds. A context manager.

    `quiet` shows nothing.
    """

    def __init__(self, console: Console, *, quiet: bool = False) -> None:
        self._console = console
        self._quiet = quiet
        self._live: Live | None = None
        self._last = 0.0
        self._has_notes = False
        self._course: list[tuple[float, float]] = []

    def __enter__(self) -> ProgressDisplay:
        if not self._quiet and self._console.is_terminal:
            # Without a thread that refreshes: `--all --jobs` forks while this is shown.
            self._live = Live(console=self._console, transient=True, auto_refresh=False)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def __call__(self, progress: Progress) -> None:
        """Takes a snapshot."""
        if self._quiet:
            return
        line = progress_line(progress)
        if self._live is not None:
            self._live.update(Text(self._drawn(line, progress), no_wrap=True, overflow="ellipsis"), refresh=True)
        elif progress.seconds - self._last >= _SECONDS_BETWEEN_LINES or self._is_first_note(progress):
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)
            self._last = progress.seconds

    def _drawn(self, line: str, progress: Progress) -> str:
        """The line of a terminal, with its drawing where there is room for it."""
        if progress.phase == "explore" and progress.branches_total:
            self._course.append((progress.seconds, progress.branches_covered / progress.branches_total))
        draws = (self._console.encoding or "").lower().startswith("utf")
        if progress.total:
            done = bar(progress.done, progress.total, fancy=draws)
            is_narrow = len(done) + 1 + len(progress.note) > self._console.width
            return f"{done} {progress.short if is_narrow and progress.short else progress.note}"
        drawing = sparkline(self._course) if draws and progress.phase == "explore" else ""
        return f"{line}  {drawing}" if drawing and len(line) + 2 + len(drawing) <= self._console.width else line

    def _is_first_note(self, progress: Progress) -> bool:
        """Whether this is the first that says why the build takes long: it is told at once."""
        is_first = progress.phase == "compile" and bool(progress.note) and not self._has_notes
        self._has_notes = self._has_notes or is_first
        return is_first


def bar(done: int, total: int, *, fancy: bool) -> str:
    """`[████······]`: how much is done; `fancy`: with characters that are not ASCII."""
    full = _BAR * done // max(total, 1)
    return f"[{('█' if fancy else '#') * full}{('·' if fancy else '.') * (_BAR - full)}]"


def sparkline(course: Sequence[tuple[float, float]]) -> str:
    """How coverage grew: a column for each equal span of the time so far, as high as the share that was covered then.

    `course`: seconds, and the share of branches, 0 to 1.
    """
    if len(course) < 2:
        return ""
    first, last = course[0][0], course[-1][0]
    columns = []
    for index in range(_SPARKS):
        until = first + (last - first) * (index + 1) / _SPARKS
        share = next(share for seconds, share in reversed(course) if seconds <= until or seconds == first)
        columns.append(_HEIGHTS[min(int(share * len(_HEIGHTS)), len(_HEIGHTS) - 1)])
    return "".join(columns)


def progress_line(progress: Progress) -> str:
    """One line, under 80 columns."""
    if progress.phase != "explore":
        return f"{progress.phase}: {progress.note}" if progress.note else f"{progress.phase} ..."
    parts = [
        duration(progress.seconds),
        f"{brief(progress.runs)} runs",
        f"{brief(progress.paths)} paths",
        f"branches {progress.branches_covered}/{progress.branches_total}",
        f"{brief(progress.open_branches)} open",
        number(progress.bugs, "bug"),
    ]
    return ", ".join(parts)


class SummaryPrinter:
    """Prints the final summary of a result."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._width = min(console.width, 100)
        self._listings: dict[str, str] = {}  # path -> name

    def show(self, result: Result, out: Path | None, commands: tuple[str, ...] = (), suite: str = "") -> None:
        """The whole summary; `out`: where it was written; `commands`: how to build and run the suite."""
        self._listings = listings(result.program)
        bugs = counted(result.bugs)
        head = f"{result.program.entry}: {number(result.paths, 'path')} in {number(result.runs, 'run')}, {bugs}"
        is_bad = any(bug.severity is not Severity.CONTRACT and not bug.is_accepted for bug in result.bugs)
        self._line(f"{head}, {duration(result.seconds.total)}", "bug" if is_bad else "good")
        self._field("ending", f"{ending_sentence(result.ending)}; {claim_sentence(result)}")
        if result.program.required:
            self._field("required", ", ".join(result.program.required))
        if result.partition is not None:
            self._partition(result.partition)
        self._coverage(result)
        self._pairs(result)
        self._bugs(result)
        self._watched(result)
        self._summaries(result)
        if result.operations.concretised:  # else it says nothing that the claim does not
            self._field("symbolic", operations_sentence(result.operations))
        if result.mutated_runs:
            self._field("changed", f"{number(result.mutated_runs, 'input')} that were run without symbols in between")
        if result.program.checks:
            self._field("checks", ", ".join(result.program.checks))
        self._ledger(result)
        self._differences(result)
        for note in result.program.notes:
            self._field("note", note)
        for path in self._listings:
            self._line(f"{'listing':<{_LABEL}}{_short(Path(path))}")
        if out is not None:
            self._written(out, suite, commands)

    def _partition(self, found: Partitioning) -> None:
        self._field("blocks", partition_sentence(found))
        larger = [block for block in found.blocks if len(block.inputs) > 1]
        for block in larger[:_MOST_BLOCKS]:
            self._item(block_sentence(block))
        if len(larger) > _MOST_BLOCKS:
            self._item(f"and {len(larger) - _MOST_BLOCKS} more of several inputs, in report.html")
        for position, merge in enumerate(found.merges[:_MOST_BLOCKS]):
            self._field("" if position else "interfere" if found.is_checked else "merged", merge_sentence(merge))
        if len(found.merges) > _MOST_BLOCKS:
            self._field("", f"and {len(found.merges) - _MOST_BLOCKS} more, in report.html")

    def _coverage(self, result: Result) -> None:
        count = result.coverage.branches
        if count is None:
            self._field("branches", "not measured")
            return
        if sentence := found_sentence(result):
            self._field("found" if result.ending.kind is EndingKind.FOUND else "not found", sentence)
            for name, value in found_input(result).items():
                self._item(f"{name} = {value}")
            return
        missing = uncovered(result.branches)
        self._field("branches", achieved(count, "covered") + (", without:" if missing else ""))
        for reason, branches in _by_reason(missing[:_MOST_UNCOVERED]).items():
            if len(branches) == 1:
                self._item(f"{_side(branches[0])} ({reason})")
                continue
            self._item(f"for each of these {len(branches)}: {reason}:")
            for branch in branches:
                self._item(_side(branch), depth=1)
        if len(missing) > _MOST_UNCOVERED:
            self._item(f"and {len(missing) - _MOST_UNCOVERED} more, in summary.json")

    def _pairs(self, result: Result) -> None:
        """MC/DC, when the tests were chosen for it; else report.html and summary.json have it."""
        count = result.coverage.mcdc
        if result.options.get("criterion") != "mcdc":
            return
        if count is None:
            self._field("MC/DC", "not measured")
            return
        missing = [
            (each.decision, condition)
            for each in result.decisions
            for condition in each.conditions
            if not condition.kind and not condition.is_constant
        ]
        self._field("MC/DC", achieved(count, "shown by pairs of tests") + (", without:" if missing else ""))
        for decision, condition in missing[:_MOST_UNCOVERED]:
            self._item(f"{place(decision.file, decision.line)}: {_code(condition.text)} of {_code(decision.text)}")
        if len(missing) > _MOST_UNCOVERED:
            self._item(f"and {len(missing) - _MOST_UNCOVERED} more, in report.html")
        unmeasured = [each.decision for each in result.decisions if not each.is_measured]
        for decision in unmeasured[:_MOST_UNCOVERED]:
            where = place(decision.file, decision.line)
            self._item(f"{where}: {_code(decision.text)} is not measured: {decision.unmeasured}")

    def _summaries(self, result: Result) -> None:
        """What the compositional search made of the functions, those with the most runs first."""
        if result.summaries is None:
            return
        found = sorted(result.summaries.functions, key=lambda each: (bool(each.refused), -each.runs))
        for position, each in enumerate(found[:_MOST_FUNCTIONS]):
            self._field("functions" if position == 0 else "", f"{summary_name(each)}: {summary_sentence(each)}")
        if len(found) > _MOST_FUNCTIONS:
            self._field("", f"and {len(found) - _MOST_FUNCTIONS} more, in summary.json")
        if result.summaries.repeated:
            self._field("", f"{number(result.summaries.repeated, 'run')} more to learn what the functions use")
        if result.summaries.largest_query:
            self._field("", f"the largest query has {number(result.summaries.largest_query, 'distinct term')}")

    def _bugs(self, result: Result) -> None:
        """The worst first; those that break a contract are a line for each cause."""
        groups = grouped(result.bugs)
        folded = [each for each in groups if each.severity is Severity.CONTRACT]
        shown = [bug for each in groups if each.severity is not Severity.CONTRACT for bug in each.bugs]
        for bug in shown[:_MOST_BUGS]:
            self._bug(result, bug)
        if len(shown) > _MOST_BUGS:
            self._field("", f"and {number(len(shown) - _MOST_BUGS, 'bug')} more, in summary.json")
        for position, group in enumerate(folded[:_MOST_CONTRACTS]):
            first = group.bugs[0]
            told = f"{first.message} at {group.places}, but {group.needs}"
            self._field("contract" if position == 0 else "", told)
        if len(folded) > _MOST_CONTRACTS:
            self._field("", f"and {number(len(folded) - _MOST_CONTRACTS, 'cause')} more, in summary.json")

    def _bug(self, result: Result, bug: Bug) -> None:
        where = place(bug.file, bug.line)
        label = "undefined" if bug.severity is Severity.UNDEFINED else f"bug {bug.id}"
        self._field(label, f"{where} {bug.function}: {bug.message}", "bug")
        for name, value in witness(result, bug).items():
            self._item(f"{name} = {_clipped(value)}")
        if events := events_sentence(result, bug):
            self._item(events)
        if bug.reached_by:
            self._item(reached_sentence(bug))
        paths = f"; {number(bug.count, 'path')} reach it" if bug.count > 1 else ""
        callers = " < ".join(f"{frame.function}:{frame.line}" for frame in bug.stack[1:4])
        self._item(f"{confirmed_sentence(bug)}{paths}{'; called from ' + callers if callers else ''}")

    def _watched(self, result: Result) -> None:
        """The specifications, each with what became of it."""
        for position, sentence in enumerate(watched_sentences(result)):
            self._field("watched" if position == 0 else "", sentence)

    def _ledger(self, result: Result) -> None:
        found = losses(result.ledger)
        for position, loss in enumerate(found[:_MOST_LOSSES]):
            shown = ", ".join(loss.places[:_MOST_PLACES])
            more = f" and {len(loss.places) - _MOST_PLACES} more places" if len(loss.places) > _MOST_PLACES else ""
            at = f" at {shown}{more}" if shown else ""
            times = f" ({number(loss.count, 'time')})" if loss.count > 1 else ""
            self._field("ledger" if position == 0 else "", f"{loss.detail or loss.kind}{at}{times}")
        if len(found) > _MOST_LOSSES:
            self._field("", f"and {len(found) - _MOST_LOSSES} more, in summary.json")

    def _differences(self, result: Result) -> None:
        """Tests whose replay on the plain build went otherwise: the user must know before trusting them."""
        different = [test for test in result.tests if test.replayed.startswith("differs")]
        for test in different[:3]:
            self._field("warning", f"{test.name} on the plain build {test.replayed}", "warning")
        if len(different) > 3:
            self._field("", f"and {len(different) - 3} more tests that differ, in summary.json", "warning")
        why = Counter(test.replayed for test in result.tests if test.replayed.startswith("not replayed"))
        for reason, count in why.items():
            self._field("warning", f"{number(count, 'test')} {reason}", "warning")

    def _written(self, out: Path, suite: str, commands: tuple[str, ...]) -> None:
        shown = _short(out)
        self._field("written", f"{shown}: report.html, summary.json" + (f", {suite}" if suite else ""))
        if commands:
            self._console.print(f"{'run it':<{_LABEL}}cd {shown}/suite", markup=False, highlight=False, soft_wrap=True)
            for command in commands:
                self._console.print(" " * _LABEL + command, markup=False, highlight=False, soft_wrap=True)

    def _line(self, text: str, style: str = "") -> None:
        self._console.print(Text(text, style=_STYLES.get(style, "")), soft_wrap=True)

    def _field(self, label: str, text: str, style: str = "") -> None:
        """A label at the left, its text wrapped beside it."""
        lines = _wrap(self._named(text), self._width - _LABEL)
        for position, line in enumerate(lines):
            shown = Text(f"{label if position == 0 else '':<{_LABEL}}", style=_STYLES["label"])
            shown.append(line, style=_STYLES.get(style, ""))
            self._console.print(shown, soft_wrap=True)

    def _item(self, text: str, depth: int = 0) -> None:
        """A line below a field; `depth`: below how many other items."""
        indent = _LABEL + 2 * depth
        for position, line in enumerate(_wrap(self._named(text), self._width - indent - 4)):
            self._line(" " * (indent + (2 if position == 0 else 4)) + line)

    def _named(self, text: str) -> str:
        """The text with names of listings, whose paths stand in a line of their own."""
        for path, name in self._listings.items():
            text = text.replace(path, name)
        return text


def _by_reason(branches: Sequence[Branch]) -> dict[str, list[Branch]]:
    """Uncovered branches by why they are; one reason often holds for many."""
    found: dict[str, list[Branch]] = {}
    for branch in branches:
        found.setdefault(state_sentence(branch), []).append(branch)
    return found


def _side(branch: Branch) -> str:
    return f"{place(branch.file, branch.line)}: {_code(branch.text)} is {branch.side}"


def _wrap(text: str, width: int) -> list[str]:
    return textwrap.wrap(text, max(width, 30), break_long_words=False, break_on_hyphens=False) or [""]


def _clipped(value: str) -> str:
    """The value as it is shown: of a long text its beginning."""
    if len(value) <= _MOST_SHOWN:
        return value
    return f"{value[:_MOST_SHOWN]}... ({len(value):,} characters, all in summary.json)"


def _code(text: str) -> str:
    """A condition on one line, shortened in the middle of nowhere rather than wrapped over many lines."""
    flat = re.sub(r"\s+", " ", text).strip()
    return f"`{flat[:57]}...`" if len(flat) > 60 else f"`{flat}`" if flat else "the condition"


def _short(path: Path) -> str:
    try:
        return str(path.absolute().relative_to(Path.cwd()))
    except ValueError:
        return str(path)
