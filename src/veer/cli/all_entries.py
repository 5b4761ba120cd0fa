"""`veer test --all`: every function in turn, under one budget, with one table and one summary at the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import typer

from veer.cli.exit_codes import BUGS, FAILED, INTERRUPTED, NOTHING_FOUND
from veer.frontends.c.listing import functions, why_no_entry
from veer.model.errors import UsageError, VeerError
from veer.model.options import BuildOptions, SearchOptions
from veer.model.result import Count, Result
from veer.model.survey import Row, Survey
from veer.report.survey import survey_lines
from veer.store import writer
from veer.store.merged import merged, write_merged
from veer.store.schema import Summary
from veer.toolchain.compiler import find

NOT_ENOUGH = 0.05
"""Seconds; a share of the budget is at least this."""

TestOne = Callable[[BuildOptions, SearchOptions, Path], tuple[Result, Summary]]
"""Tests one entry and writes it to its folder; the result and its summary record."""


def test_all(build: BuildOptions, search: SearchOptions, out: Path, test_one: TestOne, *, quiet: bool) -> int:
    """Every function that the sources define. The exit code is that of the worst that happened.

    What is left of a function's share of the budget goes to those behind it.
    """
    found = [(function, why_no_entry(function, types)) for function, types in functions(build, find(build.cc))]
    found = [(function, why) for function, why in found if Path(function.file) in build.sources]
    if not found:
        raise UsageError(f"--all: {', '.join(map(str, build.sources))} defines no function")
    writer.prepare(out)
    start = time.monotonic()
    rows: list[Row] = []
    summaries: list[Summary] = []
    code, left, budget = NOTHING_FOUND, sum(not why for _, why in found), search.budget
    for function, why in found:
        place = f"{Path(function.file).name}:{function.line}"
        if why:
            rows.append(Row(function.name, place, f"cannot be an entry: {why}"))
            continue
        share = replace(search, budget=max(budget / left, NOT_ENOUGH))
        left -= 1
        try:
            result, summary = test_one(replace(build, entry=function.name), share, out / function.name)
        except VeerError as error:
            rows.append(Row(function.name, place, str(error).splitlines()[0]))
            code = max(code, error.exit_code if error.exit_code == FAILED else NOTHING_FOUND)
            continue
        budget -= result.seconds.explore
        summaries.append(summary)
        rows.append(_row(place, result))
        code = max(code, BUGS if result.bugs else NOTHING_FOUND)
        if result.ending.kind == "stopped":
            code = INTERRUPTED
            break
    _finish(rows, summaries, out, time.monotonic() - start, quiet=quiet)
    return code


def _row(place: str, result: Result) -> Row:
    return Row(
        function=result.program.entry,
        place=place,
        paths=result.paths,
        branches=result.coverage.branches,
        bugs=len(result.bugs),
        seconds=result.seconds.total,
        ending=result.ending,
    )


def _finish(rows: list[Row], parts: list[Summary], out: Path, seconds: float, *, quiet: bool) -> None:
    """Writes the summary of all, and prints the table."""
    branches, bugs = Count(0, 0), []
    if parts:
        whole = merged(parts)
        write_merged(whole, out)
        count = whole.coverage.branches
        branches = Count(count.covered, count.total) if count is not None else branches
        bugs = [
            (f"{Path(bug.file).name}:{bug.line}", bug.function, bug.message, bug.test.partition("/")[0])
            for bug in whole.bugs
        ]
    if not quiet:
        for line in survey_lines(Survey(tuple(rows), branches, tuple(bugs), seconds)):
            typer.echo(line)
        typer.echo(f"written: {out}: summary.json, and a folder for each function")
