"""What `veer compare` shows on the terminal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console
from rich.text import Text

from veer.model.comparison import Comparison, Difference, Kind
from veer.model.ending import Claim, EndingKind
from veer.model.result import Confirmation
from veer.report.words import duration, number

_HARNESS = re.compile(r"at /\S*/harness/\S+\.c:\d+")
_KEPT = re.compile(r"/\S*/revision/\S*/(?P<name>[^/\s]+)")
_LABEL = 10
_MOST_DIFFERENCES, _MOST_SHOWN = 10, 6
_KINDS = {
    Kind.CHANGED: "changed",
    Kind.BROKEN: "broken",
    Kind.REPAIRED: "repaired",
    Kind.FAILS_OTHERWISE: "fails",
}
_WHERE = {
    Confirmation.PLAIN: "seen on the plain builds of both versions",
    Confirmation.CHECKED: "seen in a fresh process of the checked build; the plain builds need not show it",
}


def claim(found: Comparison) -> str:
    """What is claimed of the versions, in one sentence."""
    if found.differences:
        return f"{number(len(found.differences), 'difference')} found"
    if found.ending.claim is Claim.PATHS:
        within = f" within {', '.join(found.ending.within)}" if found.ending.within else ""
        return f"no difference on any path{within}"
    return "no difference found, which proves nothing: not every path was compared"


def show(found: Comparison, console: Console, files: Sequence[Path]) -> None:
    """Prints it."""
    width = min(console.width, 100)
    style = "bold red" if found.differences else "green" if found.ending.claim is Claim.PATHS else "yellow"
    head = (
        f"{found.entry}: {number(found.paths, 'path')} of both versions in {number(found.runs, 'run')}, "
        f"{duration(found.seconds)}"
    )
    console.print(Text(head, style=style))
    for label, text in lines(found):
        _field(console, width, label, text)
    if files:
        _field(console, width, "written", ", ".join(map(str, files)))


def lines(found: Comparison) -> Iterator[tuple[str, str]]:
    """Labels and texts."""
    yield "claim", claim(found)
    yield "old, new", f"{found.old}, {found.new}"
    for each in found.differences[:_MOST_DIFFERENCES]:
        yield from _difference(each)
    if len(found.differences) > _MOST_DIFFERENCES:
        yield "", f"and {len(found.differences) - _MOST_DIFFERENCES} more (compare.json has all)"
    if found.ending.kind is not EndingKind.EXHAUSTED:
        yield "ending", str(found.ending.kind.value)
    for reason in found.ending.lost_by[:_MOST_SHOWN]:
        yield "not sure", _without_folders(reason)
    if found.failing:
        shown = "; ".join(found.failing[:_MOST_SHOWN])
        yield "both fail", f"alike, and nothing else of these runs is compared: {shown}"
    if found.replayed:
        yield "replayed", f"{number(found.replayed, 'input')}, each on the plain build of each version"
    for note in found.notes:
        yield "note", note


def _without_folders(reason: str) -> str:
    """Where veer keeps a revision, and the harness that compares what both have left, is no place for a reader."""
    return _KEPT.sub(lambda found: found["name"], _HARNESS.sub("where the versions are compared", reason))


def _difference(each: Difference) -> Iterator[tuple[str, str]]:
    yield _KINDS[each.kind], f"{each.told.what}: {each.told.old} → {each.told.new}"
    for name, value in each.test.shown:
        yield "", f"  {name} = {value}"
    yield "", f"  {_WHERE[each.confirmed]}"


def _field(console: Console, width: int, label: str, text: str) -> None:
    wrapped = textwrap.wrap(
        text, width - _LABEL, subsequent_indent="  ", break_on_hyphens=False, break_long_words=False
    )
    indent = len(text) - len(text.lstrip(" "))
    for place, line in enumerate(wrapped or [""]):
        console.print(
            Text.assemble(
                (f"{label if place == 0 else '':<{_LABEL}}", "bold"),
                " " * (indent if place == 0 else 0) + line.lstrip(" ") if place == 0 else line,
            ),
            soft_wrap=True,
        )
