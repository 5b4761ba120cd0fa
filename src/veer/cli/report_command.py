"""`veer report`: makes the reports of an earlier campaign again. Nothing is run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veer.cli.export_command import formats
from veer.model.options import REPORTS
from veer.model.result import Result

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="What `veer test` wrote, e.g. veer-out/NAME.")]
Format = Annotated[
    list[str] | None,
    typer.Option("--format", metavar="FMT", help=f"{', '.join(REPORTS)}; html if not given; may be given again."),
]


def report(directory: Directory, format_: Format = None) -> int:
    """Write the HTML report, or another one, from what DIR holds; github is printed, too."""
    wanted = formats(format_ or ("html",), REPORTS)
    from veer.store.whole import read_whole

    result = read_whole(directory)
    for name in wanted:
        text, file = write(result, name, directory)
        typer.echo(text.rstrip("\n") if name == "github" else f"{name}: {file}")
    return 0


def write(result: Result, name: str, directory: Path) -> tuple[str, Path]:
    """Writes one report of a result; returns its text and its file."""
    from veer.report.formats import FORMATS
    from veer.store.writer import replace_file, store_error

    made = FORMATS[name]
    text, file = made.render(result), directory / made.file
    try:
        replace_file(file, text.encode())
    except OSError as error:
        raise store_error(directory, error) from error
    return text, file


def write_all(result: Result, wanted: tuple[str, ...], directory: Path) -> None:
    """The reports of a new campaign: report.html and what was asked for; those of an earlier one are removed."""
    from veer.report.formats import FORMATS

    for name, made in FORMATS.items():
        if name == "html" or name in wanted:
            write(result, name, directory)
        else:
            (directory / made.file).unlink(missing_ok=True)
