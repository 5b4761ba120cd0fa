"""`veer test`: a campaign on each entry."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import cast

from rich.console import Console

from veer.campaign import run as campaign
from veer.campaign.baseline import accepted, read_baseline
from veer.campaign.deliver import deliver, output_options
from veer.campaign.keywords import Options
from veer.campaign.parsing import listed
from veer.campaign.requests import build_options, search_options
from veer.campaign.settings import settings
from veer.campaign.sources import project
from veer.campaign.streaming import streamed
from veer.cli.ahead import directory, is_all
from veer.cli.arguments import Given
from veer.cli.exit_codes import INTERRUPTED
from veer.cli.verdict import exit_code
from veer.execution.interruption import Interruption, interruptions
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.options import OutputOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.sequence import entry_name, parse
from veer.model.severity import Severity
from veer.model.values import replace
from veer.report.survey import wrapped
from veer.report.terminal import ProgressDisplay, SummaryPrinter
from veer.search.reachable import NEVER_CALLED
from veer.store import writer
from veer.store.held import held

_OF_A_SESSION = frozenset({"budget", "max_runs", "max_bugs", "plateau", "keep_going", "jobs", "cluster"})
_UNCHANGED = "nothing has changed since the last run, whose results these are; --fresh tests all again"
_OF_ITS_FILES = frozenset({"resume", "json", "format", "quiet", "fail_on", "baseline"})


def run(given: Given) -> int:
    """Does what the command line asks for; the exit code is that of the worst that happened."""
    if "resume" in given:
        _only_of_a_session(given)
        return _resumed(given["resume"], search_options(of_a_campaign(given)), given, output_options(given))
    known = settings(given.get("sources", ()))
    output = output_options({**known.options, **given})
    read_baseline(output.baseline)  # a wrong one is told before anything is compiled
    sources, flags_of = project(
        given.get("sources") or known.sources, given.get("compdb", known.compdb), given.get("entry")
    )

    def options(entry: str) -> tuple[BuildOptions, SearchOptions]:
        asked = of_a_campaign(known.of(entry, given))
        return build_options(sources, entry, asked, flags_of), search_options(asked)

    if is_all(given):
        everything = {**known.options, "functions": known.functions, **given}
        return _tested_all(everything, given, options, output, directory(output.out, sources[0]))
    names = entries(given)
    if output.json is not None and len(names) > 1:
        raise UsageError("--json takes one result: give one --entry, or read summary.json in the output directories")
    codes = []
    for name, (build, search) in [(name, options(name)) for name in names]:
        result = _run(build, search, _directory(output.out, name, names), output)
        codes.append(exit_code(result, Severity(output.fail_on)))
        if codes[-1] == INTERRUPTED:
            break
    return max(codes)


def of_a_campaign(given: Given) -> Options:
    """The options of a search and a build."""
    return cast(Options, {name: value for name, value in given.items() if name in Options.__annotations__})


def _tested_all(
    everything: Given,
    given: Given,
    options: Callable[[str], tuple[BuildOptions, SearchOptions]],
    output: OutputOptions,
    place: Path,
) -> int:
    """Every function of the sources; the exit code. `everything`: `given`, and what the project's file says."""
    build = options("")[0]
    _require_no_choice(given, build)
    lastrun = import_module("veer.campaign.lastrun")  # nor need it this
    asked, common = lastrun.asked_for(everything, build), lastrun.common_to(everything, build)
    last = lastrun.last_run(place) if "fresh" not in given else None
    if last is not None and lastrun.is_unchanged(last, place, asked):
        if not output.quiet:
            _print((*last.lines, _UNCHANGED))
        return int(last.code)
    known = last.kept if last is not None and last.kept.common == common else None
    lastrun.forget(place)
    test_all = import_module("veer.cli.all_entries").test_all  # it reads sources, which the test of one need not
    test_one, least = _tester(output, lambda entry: options(entry)[1].budget), Severity(output.fail_on)
    with interruptions() as interruption:
        with _display(output) as display:
            every = test_all(options, place, test_one, fail_on=least, formats=output.formats, show=display, last=known)
        lines = every.finish()
        if not output.quiet:
            _print(lines)
        _say_stopped(interruption, place)
        is_done = every.is_done and not interruption.was_pressed
        kept = every.kept(common)
        if kept.why_not:
            print(f"veer: the next run tests functions again that have not changed: {kept.why_not}", file=sys.stderr)
        lastrun.remember(place, asked, every.files, lines, every.code, kept, is_done=is_done)
    return int(every.code)


def _print(lines: Sequence[str]) -> None:
    """What is told of all functions, as wide as a terminal is."""
    is_terminal = sys.stdout.isatty()
    print(*(wrapped(lines, shutil.get_terminal_size().columns) if is_terminal else lines), sep="\n")


def _say_stopped(interruption: Interruption, out: Path) -> None:
    """Says that a signal ended the search, and where what was found is."""
    if interruption.was_pressed:
        print(f"veer: stopped by {interruption.by}; what was found until then is in {out}", file=sys.stderr)


def _require_no_choice(given: Given, build: BuildOptions) -> None:
    if given.keys() & {"entry", "pre", "sequence", "json"}:
        raise UsageError("--all tests every function as it is: leave --entry, --pre, --sequence and --json out")
    if build.own_bounds or build.void:
        raise UsageError("--all tests every function as it is: leave --void and bounds of single parameters out")


def entries(given: Given) -> tuple[str, ...]:
    """What is to be tested: the entries, or what a campaign over sequences is called."""
    if "sequence" in given:
        if "entry" in given:
            raise UsageError("--sequence says itself what is called: leave --entry out")
        return (entry_name(parse(given["sequence"])),)
    names = tuple(dict.fromkeys(listed(given.get("entry", ()))))
    if not names:
        shown = " ".join(map(str, given.get("sources") or ["--compdb FILE"]))
        raise UsageError(f"which function? give --entry NAME; `veer list {shown}` shows the functions")
    return names


def _tester(
    output: OutputOptions, budget: Callable[[str], float]
) -> Callable[[BuildOptions, SearchOptions, Path], Result]:
    """What tests one function of many, in any process: its folder holds all, the terminal shows nothing. `budget`: what
    was asked for a function, of which it may have a share."""
    return partial(_run_of_many, output=replace(output, json=None, quiet=True), budget=budget)


def _run_of_many(
    build: BuildOptions, search: SearchOptions, out: Path, output: OutputOptions, budget: Callable[[str], float]
) -> Result:
    """The campaign of one function of many, which says nothing of the others: where every function is an entry, nobody
    need be told which it never calls, and its share of the budget is of this run alone."""
    writer.prepare(out)

    def tested(display: ProgressDisplay) -> Result:
        result = campaign.run(build, search, display, keep=out, exchange=streamed(out, build.entry, output.formats))
        notes = tuple(note for note in result.program.notes if not note.endswith(NEVER_CALLED))
        asked = {"budget": budget(build.entry), "behind": SearchOptions().behind}
        return replace(result, program=replace(result.program, notes=notes), options=result.options | asked)

    return _shown(tested, out, output)


def _directory(out: Path | None, entry: str, names: Sequence[str]) -> Path:
    if out is None:
        return Path("veer-out") / entry
    return out if len(names) == 1 else out / entry


def _run(build: BuildOptions, search: SearchOptions, out: Path, output: OutputOptions) -> Result:
    """The campaign of one entry, written and shown."""
    writer.prepare(out)
    exchange = streamed(out, build.entry, output.formats)
    return _shown(lambda display: campaign.run(build, search, display, keep=out, exchange=exchange), out, output)


def _resumed(out: Path, search: SearchOptions, given: Given, output: OutputOptions) -> int:
    """Goes on with what DIR keeps; `given` are the options of this session, the others are the campaign's own.

    A share of the time behind the search that `--all` gave a function was for that session.
    """
    changes = {name: getattr(search, name) for name in given.keys() & _OF_A_SESSION}
    result = _shown(
        lambda display: campaign.resume(out, lambda before: replace(before, **changes, behind=0.0), display),
        out,
        output,
    )
    return exit_code(result, Severity(output.fail_on))


def _only_of_a_session(given: Given) -> None:
    other = sorted(given.keys() - _OF_A_SESSION - _OF_ITS_FILES)
    if other:
        name = "SOURCE" if other[0] == "sources" else f"--{other[0].replace('_', '-')}"
        raise UsageError(f"--resume goes on with the campaign's own options: leave out {name}")


def _display(output: OutputOptions) -> ProgressDisplay:
    return ProgressDisplay(Console(stderr=True, emoji=False, highlight=False), quiet=output.quiet)


def _shown(search: Callable[[ProgressDisplay], Result], out: Path, output: OutputOptions) -> Result:
    """Runs a campaign, writes its files, and its summary on the terminal."""
    baseline = read_baseline(output.baseline)
    with held(out), interruptions() as interruption:
        with _display(output) as display:
            result = accepted(search(display), baseline)
        delivered = deliver(result, out, formats=output.formats, json=output.json)
        if not output.quiet:  # a full disk must not hide what was found
            suite, place = delivered.suite, out if delivered.record is not None else None
            SummaryPrinter(Console(emoji=False, highlight=False)).show(
                delivered.result, place, suite.commands, f"suite/{suite.name}"
            )
        delivered.checked()
        _say_stopped(interruption, out)
    return result
