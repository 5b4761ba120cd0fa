"""`veer test`: a campaign on each entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import cast

import typer
from rich.console import Console

from veer.campaign import run as campaign
from veer.campaign.deliver import export_each, place_within, report_format, report_names, suite_names, suite_of
from veer.campaign.parsing import formats, listed
from veer.campaign.requests import Options, build_options, search_options
from veer.campaign.sources import project
from veer.cli.exit_codes import BUGS, INTERRUPTED, NOTHING_FOUND
from veer.model.errors import UsageError
from veer.model.options import BuildOptions, SearchOptions
from veer.model.result import Result
from veer.model.sequence import entry_name, parse
from veer.report.terminal import ProgressDisplay, SummaryPrinter
from veer.store import saved, writer
from veer.store.schema import Summary

_OF_A_SESSION = frozenset({"budget", "max_runs", "plateau", "keep_going", "jobs"})
_OF_ITS_FILES = frozenset({"resume", "json", "format_", "quiet"})


@dataclass(frozen=True, slots=True)
class Delivery:
    """What becomes of a result, beside the files that are always written."""

    formats: tuple[str, ...]
    json: Path | None
    quiet: bool


def run(context: typer.Context) -> int:
    """Does what the parameters of `commands.test` ask for; the exit code is that of the worst that happened."""
    asked = context.params
    options = _options(context)
    search = search_options(options)
    delivery = Delivery(
        formats(asked["format_"] or (), (*suite_names(), *report_names())), asked["json"], asked["quiet"]
    )
    out: Path | None = asked["out"]
    if asked["resume"] is not None:
        _only_of_a_session(context)
        return _resumed(asked["resume"], search, _given(context), delivery)
    chosen, flags_of = project(asked["sources"], asked["compdb"], asked["entry"])
    build = build_options(chosen, "", options, flags_of)
    if asked["all_"]:
        _require_no_choice(context, build)
        place = out or Path("veer-out") / chosen[0].stem
        test_all = import_module("veer.cli.all_entries").test_all  # it reads sources, which the test of one need not
        return int(test_all(build, search, place, _tester(delivery), quiet=delivery.quiet))
    entries = _entries(context)
    if delivery.json is not None and len(entries) > 1:
        raise UsageError("--json takes one result: give one --entry, or read summary.json in the output directories")
    codes = []
    for name in entries:
        result, _ = _run(replace(build, entry=name), search, _directory(out, name, entries), delivery)
        codes.append(_exit_code(result))
        if codes[-1] == INTERRUPTED:
            break
    return max(codes)


def _options(context: typer.Context) -> Options:
    """The options of a campaign among the parameters; one that was not given and has no default is left out."""
    named = {name.rstrip("_"): value for name, value in context.params.items()}
    return cast(Options, {name: named[name] for name in Options.__annotations__ if named[name] is not None})


def _require_no_choice(context: typer.Context, build: BuildOptions) -> None:
    if any(context.params[name] for name in ("entry", "pre", "sequence", "json")):
        raise UsageError("--all tests every function as it is: leave --entry, --pre, --sequence and --json out")
    if build.own_bounds or build.void:
        raise UsageError("--all tests every function as it is: leave --void and bounds of single parameters out")


def _entries(context: typer.Context) -> tuple[str, ...]:
    """What is to be tested: the entries, or what a campaign over sequences is called."""
    asked = context.params
    if asked["sequence"] is not None:
        if asked["entry"] or asked["pre"]:
            raise UsageError("--sequence says itself what is called: leave --entry and --pre out")
        return (entry_name(parse(asked["sequence"])),)
    entries = tuple(dict.fromkeys(listed(asked["entry"] or ())))
    if not entries:
        shown = " ".join(map(str, asked["sources"] or ["--compdb FILE"]))
        raise UsageError(f"which function? give --entry NAME; `veer list {shown}` shows the functions")
    return entries


def _tester(delivery: Delivery) -> Callable[[BuildOptions, SearchOptions, Path], tuple[Result, Summary]]:
    """What tests one function of many, in any process: its folder holds all, the terminal shows nothing."""
    return partial(_run, delivery=Delivery(delivery.formats, None, quiet=True))


def _directory(out: Path | None, entry: str, entries: Sequence[str]) -> Path:
    if out is None:
        return Path("veer-out") / entry
    return out if len(entries) == 1 else out / entry


def _run(build: BuildOptions, search: SearchOptions, out: Path, delivery: Delivery) -> tuple[Result, Summary]:
    """The campaign of one entry, written and shown; its result and the record of summary.json."""
    writer.prepare(out)
    return _shown(lambda display: campaign.run(build, search, None, display, keep=out), out, delivery)


def _resumed(out: Path, search: SearchOptions, given: set[str], delivery: Delivery) -> int:
    """Goes on with what DIR keeps; `given` are the options of this session, the others are the campaign's own."""
    changes = {name: getattr(search, name) for name in given & _OF_A_SESSION}
    result, _ = _shown(
        lambda display: campaign.resume(out, lambda before: replace(before, **changes), display), out, delivery
    )
    return _exit_code(result)


def _given(context: typer.Context) -> set[str]:
    """The parameters that the command line names."""
    return {
        name
        for name in context.params
        if (source := context.get_parameter_source(name)) is not None and source.name == "COMMANDLINE"
    }


def _only_of_a_session(context: typer.Context) -> None:
    other = sorted(_given(context) - _OF_A_SESSION - _OF_ITS_FILES)
    if other:
        name = "SOURCE" if other[0] == "sources" else f"--{other[0].rstrip('_').replace('_', '-')}"
        raise UsageError(f"--resume goes on with the campaign's own options: leave out {name}")


def _shown(search: Callable[[ProgressDisplay], Result], out: Path, delivery: Delivery) -> tuple[Result, Summary]:
    """Runs a campaign, writes its files and its summary on the terminal; the result and the record of summary.json."""
    with ProgressDisplay(Console(stderr=True, highlight=False), quiet=delivery.quiet) as display:
        result = search(display)
    suite = suite_of(result)
    is_written = False
    try:
        record = writer.write(result, out, suite)
        is_written = True
        if delivery.json is not None:
            writer.write_result(result, delivery.json)
        if result.ending.kind == "exhausted":
            saved.forget(out)
        _write_formats(result, out, delivery)
    finally:  # a full disk must not hide what was found
        if not delivery.quiet:
            printer = SummaryPrinter(Console(highlight=False))
            printer.show(result, out if is_written else None, suite.commands, f"suite/{suite.name}")
    return result, record


def _write_formats(result: Result, out: Path, delivery: Delivery) -> None:
    """report.html and what was asked for; the reports of an earlier campaign that were not are removed."""
    wanted = dict.fromkeys(["html", *delivery.formats])
    for name in report_names():
        if name not in wanted:
            (out / report_format(name).file).unlink(missing_ok=True)
    for _ in export_each(result, wanted, place_within(out)):
        pass


def _exit_code(result: Result) -> int:
    if result.ending.kind == "stopped":
        return INTERRUPTED
    return BUGS if result.bugs else NOTHING_FOUND
