"""The commands with their options: signatures and help alone.

What a command does is in the module of its name, which is imported when it is called: `veer --help` is quick.
"""

from __future__ import annotations

import typer

from veer import plugins
from veer.campaign.parsing import formats
from veer.campaign.sources import project
from veer.cli import options as option
from veer.model.options import BuildOptions


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
    partitioned: option.Partitioned = False,
    partition: option.InitialPartition = None,
    check_partition: option.CheckedPartition = None,
    solver: option.SolverNames = "bitwuzla",
    seed: option.Seed = 0,
    batch: option.Batch = 64,
    max_length: option.MaxLength = None,
    max_array: option.MaxArray = None,
    graph_depth: option.GraphDepth = None,
    eager: option.Eager = False,
    size_of: option.SizeOf = None,
    void: option.VoidTarget = None,
    globals_: option.Globals = False,
    compositional: option.Compositional = False,
    summarise: option.Summarise = None,
    pre: option.Precondition = None,
    sequence: option.Sequence = None,
    max_calls: option.MaxCalls = 5,
    stdin_size: option.StdinSize = 8,
    argv_size: option.ArgvSize = 8,
    argc: option.Argc = 3,
    symbolic_file: option.SymbolicFile = None,
    inputs: option.Inputs = None,
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
    from veer.cli import test_command

    # The options reach it in the context, by the names of the parameters: listing them again would say nothing new.
    return test_command.run(context)


def list_functions(
    sources: option.Sources = None,
    max_length: option.GeneralLength = 8,
    max_array: option.GeneralArray = 4,
    include: option.Include = None,
    define: option.Define = None,
    std: option.Standard = None,
    cflag: option.CompilerFlag = None,
    compdb: option.CompilationDatabase = None,
    cc: option.Compiler = None,
) -> int:
    """List the functions that could be an entry, and their inputs."""
    from veer.cli import list_command

    chosen, flags_of = project(sources, compdb)
    return list_command.run(
        BuildOptions(
            flags_of=flags_of,
            sources=chosen,
            entry="",
            include=tuple(include or ()),
            define=tuple(define or ()),
            std=std,
            cflags=tuple(cflag or ()),
            cc=cc,
            max_length=max_length,
            max_array=max_array,
        )
    )


def replay(directory: option.Directory, test: option.TestName = None) -> int:
    """Run recorded inputs on the plain build. Exit code 1: a test ended otherwise than it was recorded."""
    from veer.cli import replay_command

    return replay_command.run(directory, test)


def export(directory: option.Directory, format_: option.SuiteFormat = None, to: option.Folder = None) -> int:
    """Write the suite in another format. Files that veer did not write are left alone."""
    from veer.cli import export_command

    return export_command.run(directory, formats(format_ or (), plugins.names("veer.suites")), to)


def report(directory: option.Directory, format_: option.ReportFormat = None) -> int:
    """Write the HTML report, or another one, from what DIR holds; github is printed, too."""
    from veer.cli import report_command

    return report_command.run(directory, formats(format_ or ("html",), plugins.names("veer.reports")))


def doctor() -> int:
    """Say what is there and what is missing. Exit code 1: something that veer needs is missing."""
    from veer.cli import doctor_command

    return doctor_command.run()
