"""`veer test`: a campaign on each entry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from veer.cli import options as option
from veer.cli.all_entries import TestOne, test_all
from veer.cli.export_command import formats
from veer.cli.export_command import write as write_format
from veer.cli.report_command import write_all
from veer.model.errors import UsageError
from veer.model.options import FORMATS, REPORTS, BuildOptions, SearchOptions
from veer.model.result import Result
from veer.parsing import listed, project

if TYPE_CHECKING:
    from veer.report.terminal import ProgressDisplay
    from veer.requests import Options

BUGS, INTERRUPTED = 1, 130


def test(
    context: typer.Context,
    sources: option.Sources = None,
    entry: option.Entry = None,
    all_: option.All = False,
    strategy: option.Strategy = "coverage",
    goal: option.Goal = "all",
    criterion: option.Criterion = "branch",
    budget: option.BudgetTime = "60s",
    max_runs: option.MaxRuns = 0,
    plateau: option.Plateau = 0,
    keep_going: option.KeepGoing = True,
    max_branches: option.MaxBranches = 4000,
    max_steps: option.MaxSteps = 2_000_000,
    timeout: option.Timeout = "1s",
    look_ahead: option.LookAhead = False,
    max_call_depth: option.MaxCallDepth = None,
    solve_first: option.SolveFirst = False,
    solver: option.SolverNames = "bitwuzla",
    seed: option.Seed = 0,
    batch: option.Batch = 64,
    max_length: option.MaxLength = None,
    max_array: option.MaxArray = None,
    graph_depth: option.GraphDepth = None,
    size_of: option.SizeOf = None,
    void: option.VoidTarget = None,
    globals_: option.Globals = False,
    pre: option.Precondition = None,
    sequence: option.Sequence = None,
    max_calls: option.MaxCalls = 5,
    stdin_size: option.StdinSize = 8,
    argv_size: option.ArgvSize = 8,
    symbolic_file: option.SymbolicFile = None,
    check: option.Check = None,
    uninstrumented: option.Uninstrumented = None,
    include: option.Include = None,
    define: option.Define = None,
    std: option.Standard = None,
    cflag: option.CompilerFlag = None,
    link: option.Link = None,
    compdb: option.CompilationDatabase = None,
    cc: option.Compiler = None,
    jobs: option.Jobs = 1,
    campaign_memory: option.CampaignMemory = 1024,
    without: option.Without = None,
    resume: option.Resume = None,
    out: option.Out = None,
    format_: option.Format = None,
    json: option.JsonFile = None,
    quiet: option.Quiet = False,
) -> int:
    """Explore a C function path by path; write its tests and its bugs."""
    from veer.requests import build_options, search_options

    given_options: Options = {
        "strategy": strategy,
        "goal": goal,
        "criterion": criterion,
        "budget": budget,
        "max_runs": max_runs,
        "plateau": plateau,
        "keep_going": keep_going,
        "max_branches": max_branches,
        "max_steps": max_steps,
        "timeout": timeout,
        "look_ahead": look_ahead,
        "max_call_depth": max_call_depth,
        "solve_first": solve_first,
        "solver": solver,
        "seed": seed,
        "batch": batch,
        "jobs": jobs,
        "campaign_memory": campaign_memory,
        "without": without or (),
        "max_length": max_length or (),
        "max_array": max_array or (),
        "graph_depth": graph_depth or (),
        "size_of": size_of or (),
        "void": void or (),
        "globals": globals_,
        "pre": pre or (),
        "sequence": sequence or "",
        "max_calls": max_calls,
        "stdin_size": stdin_size,
        "argv_size": argv_size,
        "symbolic_file": symbolic_file or (),
        "check": check or (),
        "uninstrumented": uninstrumented or (),
        "include": include or (),
        "define": define or (),
        "std": std,
        "cflag": cflag or (),
        "link": link or (),
        "cc": cc,
    }
    search = search_options(given_options)
    wanted = formats(format_ or (), (*FORMATS, *REPORTS))
    if resume is not None:
        _only_of_a_session(context)
        return _resumed(resume, search, given(context), json, wanted, quiet=quiet)
    chosen, flags_of = project(sources, compdb, entry)
    build = build_options(chosen, "", given_options, flags_of)
    if all_:
        if entry or pre or sequence or json:
            raise UsageError("--all tests every function as it is: leave --entry, --pre, --sequence and --json out")
        if build.own_bounds or build.void:
            raise UsageError("--all tests every function as it is: leave --void and bounds of single parameters out")
        return test_all(build, search, out or Path("veer-out") / chosen[0].stem, _tester(wanted), quiet=quiet)
    shown: Sequence[object] = sources or ["--compdb FILE"]
    entries = _entries(entry or (), shown) if sequence is None else _sequence_entry(sequence, entry, pre)
    if json is not None and len(entries) > 1:
        raise UsageError("--json takes one result: give one --entry, or read summary.json in the output directories")
    codes = []
    for name in entries:
        place = _directory(out, name, entries)
        codes.append(_campaign(replace(build, entry=name), search, place, json, wanted, quiet=quiet))
        if codes[-1] == INTERRUPTED:
            break
    return max(codes)


def _tester(wanted: tuple[str, ...]) -> TestOne:
    """What tests one function of many: its folder holds all, the terminal shows nothing."""

    def test_one(build: BuildOptions, search: SearchOptions, out: Path) -> tuple[Result, object]:
        return _run(build, search, out, None, wanted, quiet=True)

    return test_one


def _entries(given: list[str] | tuple[str, ...], sources: Sequence[object]) -> tuple[str, ...]:
    entries = tuple(dict.fromkeys(listed(given)))
    if not entries:
        shown = " ".join(map(str, sources))
        raise UsageError(f"which function? give --entry NAME; `veer list {shown}` shows the functions")
    return entries


def _sequence_entry(sequence: str, entry: list[str] | None, pre: list[str] | None) -> tuple[str, ...]:
    """What a campaign over sequences is called."""
    from veer.frontends.c.sequences import entry_name, parse

    if entry or pre:
        raise UsageError("--sequence says itself what is called: leave --entry and --pre out")
    return (entry_name(parse(sequence)),)


def _directory(out: Path | None, entry: str, entries: tuple[str, ...]) -> Path:
    if out is None:
        return Path("veer-out") / entry
    return out if len(entries) == 1 else out / entry


def _campaign(
    build: BuildOptions, search: SearchOptions, out: Path, json: Path | None, wanted: tuple[str, ...], *, quiet: bool
) -> int:
    """One entry: the campaign, its files, its summary on the terminal, its exit code."""
    result, _ = _run(build, search, out, json, wanted, quiet=quiet)
    return _exit_code(result.ending.kind, has_bugs=bool(result.bugs))


def _run(
    build: BuildOptions, search: SearchOptions, out: Path, json: Path | None, wanted: tuple[str, ...], *, quiet: bool
) -> tuple[Result, object]:
    """The campaign of one entry, written and shown; its result and the record of summary.json."""
    from veer import campaign
    from veer.store import writer

    writer.prepare(out)
    return _shown(lambda display: campaign.run(build, search, None, display, keep=out), out, json, wanted, quiet=quiet)


def _resumed(
    out: Path, search: SearchOptions, names: set[str], json: Path | None, wanted: tuple[str, ...], *, quiet: bool
) -> int:
    """Goes on with what DIR keeps; `names` are the options of this session, the others are the campaign's own."""
    from veer import campaign

    changes = {name: getattr(search, name) for name in names & _OF_A_SESSION}
    result, _ = _shown(
        lambda display: campaign.resume(out, lambda before: replace(before, **changes), display),
        out,
        json,
        wanted,
        quiet=quiet,
    )
    return _exit_code(result.ending.kind, has_bugs=bool(result.bugs))


_OF_A_SESSION = frozenset({"budget", "max_runs", "plateau", "keep_going", "jobs"})
_OF_ITS_FILES = frozenset({"resume", "json", "format_", "quiet"})


def given(context: typer.Context) -> set[str]:
    """The parameters that the command line names."""
    return {
        name
        for name in context.params
        if (source := context.get_parameter_source(name)) is not None and source.name == "COMMANDLINE"
    }


def _only_of_a_session(context: typer.Context) -> None:
    other = sorted(given(context) - _OF_A_SESSION - _OF_ITS_FILES)
    if other:
        name = "SOURCE" if other[0] == "sources" else f"--{other[0].rstrip('_').replace('_', '-')}"
        raise UsageError(f"--resume goes on with the campaign's own options: leave out {name}")


def _shown(
    search: Callable[[ProgressDisplay], Result],
    out: Path,
    json: Path | None,
    wanted: tuple[str, ...],
    *,
    quiet: bool,
) -> tuple[Result, object]:
    """Runs a campaign, writes its files and its summary on the terminal; the result and the record of summary.json."""
    from rich.console import Console

    from veer.report.terminal import ProgressDisplay, SummaryPrinter
    from veer.store import saved, writer
    from veer.suite import plain

    with ProgressDisplay(Console(stderr=True, highlight=False), quiet=quiet) as display:
        result = search(display)
    program, commands = result.program, plain.commands(result.program)
    name = plain.file_name(program)
    is_written = False
    try:
        suite = {name: plain.render(program, result.tests, result.bugs, result.branches)}
        record = writer.write(result, out, suite, commands)
        is_written = True
        if json is not None:
            writer.write_result(result, json)
        write_all(result, wanted, out)
        for each in wanted:
            if each in FORMATS:
                write_format(result, each, out / "suite" / each)
        if result.ending.kind == "exhausted":
            saved.forget(out)
    finally:  # a full disk must not hide what was found
        if not quiet:
            printer = SummaryPrinter(Console(highlight=False))
            printer.show(result, out if is_written else None, commands, f"suite/{name}")
    return result, record


def _exit_code(ending: str, *, has_bugs: bool) -> int:
    if ending == "stopped":
        return INTERRUPTED
    return BUGS if has_bugs else 0
