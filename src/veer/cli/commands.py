"""The commands with their options: signatures and help alone.

What a command does is in the module of its name, which is imported when it is called: `veer --help` is quick.
"""

from __future__ import annotations

from typing import Any

import typer

from veer import plugins
from veer.campaign.parsing import formats
from veer.cli import options as option
from veer.cli.declare import declare
from veer.model.options import BUILD, OUTPUT, SEARCH, BuildOptions

_COMPILER = tuple(each for each in BUILD if each.name in ("include", "define", "prelude", "std", "cflag", "cc"))
_DEFAULT = BuildOptions((), "")


@declare(*SEARCH, *BUILD, *OUTPUT)
def test(
    context: typer.Context,
    sources: option.Sources = None,
    entry: option.Entry = None,
    all_: option.All = False,
    compdb: option.CompilationDatabase = None,
    resume: option.Resume = None,
    **options: Any,
) -> int:
    """Explore a C function path by path; write its tests and its bugs."""
    from veer.cli import test_command

    # The options reach it in the context, by their names: it asks which of them the command line names, too.
    return test_command.run(context)


@declare(*_COMPILER)
def list_functions(
    sources: option.Sources = None,
    max_length: option.GeneralLength = _DEFAULT.max_length,
    max_array: option.GeneralArray = _DEFAULT.max_array,
    compdb: option.CompilationDatabase = None,
    **options: Any,
) -> int:
    """List the functions that could be an entry, and their inputs."""
    from veer.cli import list_command

    return list_command.run(sources, compdb, {"max_length": max_length, "max_array": max_array, **options})


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
