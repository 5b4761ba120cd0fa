"""The sites of an executor in the words of Java: which branches are those of the source, and what they ask."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from veer.frontends.java.lowering.branches import SourceBranch
from veer.model.program import Site, SiteKind
from veer.model.values import replace

_OF_MONITORS = re.compile(r"^veer_watch_|^veer\.Specifications\.|(?:^|\.)VeerMonitors\.")
"""Functions of specifications, which are none of the user's."""


def named_sites(
    sites: Sequence[Site], branches: Mapping[tuple[str, int], SourceBranch], source: Path
) -> tuple[Site, ...]:
    """All sites. A branch that is no jump or switch of the user's bytecode (tests for exceptions, dispatch, veer's own
    helpers) is no coverage item; the items of the others are numbered anew.

    Class files know lines alone: a site's column is its number among those of its line that differ.
    """
    lines, columns = _lines(source), _columns(sites)
    found: list[Site] = []
    items = 0
    for site in sites:
        branch = branches.get((site.function, site.column)) if max(site.items) >= 0 else None
        numbers = [-1, -1]
        for side, item in enumerate(site.items):
            if branch is not None and item >= 0:
                numbers[side] = items
                items += 1
        text = site.text
        if branch is not None:
            text = branch.text or (_line(lines, site.line) if site.file == str(source) else "")
        column = columns.get((site.file, site.line, site.column), 0)
        kind = SiteKind.LIBRARY if _OF_MONITORS.search(site.function) else site.kind
        found.append(replace(site, items=(numbers[0], numbers[1]), text=text, column=column, kind=kind))
    return tuple(found)


def _columns(sites: Sequence[Site]) -> dict[tuple[str, int, int], int]:
    """(file, line, column of the IR) → a number from 1 in its line."""
    places = sorted({(site.file, site.line, site.column) for site in sites if site.line})
    counts: dict[tuple[str, int], int] = {}
    found = {}
    for file, line, column in places:
        counts[file, line] = found[file, line, column] = counts.get((file, line), 0) + 1
    return found


def _line(lines: list[str], number: int) -> str:
    return lines[number - 1].strip() if 0 < number <= len(lines) else ""


def _lines(source: Path) -> list[str]:
    try:
        return source.read_text(errors="replace").splitlines()
    except OSError:
        return []
