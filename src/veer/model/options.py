"""The options of a campaign as frozen values. The command line, the Python API and the docs are made from the fields.

A field without a help is no option of its own: it is derived from others, or veer's alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from veer.model.buildoptions import BuildOptions
from veer.model.option import Kind, Option, option, options_of
from veer.model.searchoptions import SearchOptions, SearchSwitches


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """What becomes of a result, beside the files that are always written."""

    out: Path | None = option(Kind.FILE, "Where results go; veer-out/NAME if not given.", default=None, metavar="DIR")
    formats: tuple[str, ...] = option(
        Kind.NAMES,
        "Write this too: a suite ({}) or a report ({}); may be given again. report.html is always written.",
        default=(),
        name="format",
        metavar="FMT",
        groups=("veer.suites", "veer.reports"),
    )
    json: Path | None = option(Kind.FILE, "Write summary.json here too.", default=None)
    quiet: bool = option(Kind.SWITCH, "Print nothing but errors.", default=False)
    baseline: tuple[str, ...] = option(
        Kind.TEXTS,
        "Bugs of this file (--format baseline writes it) are accepted: they fail nothing; may be given again.",
        default=(),
        metavar="FILE",
    )
    fail_on: str = option(
        Kind.TEXT,
        "Least severity of a bug that gives exit code 1: error, undefined, or contract.",
        default="undefined",
        metavar="SEVERITY",
        choices=("error", "undefined", "contract"),
        unknown="there is no such severity",
    )


SEARCH: tuple[Option, ...] = options_of(SearchOptions, SearchSwitches)
BUILD: tuple[Option, ...] = options_of(BuildOptions)
OUTPUT: tuple[Option, ...] = options_of(OutputOptions)
