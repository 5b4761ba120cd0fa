"""The parameters of the commands that are no options of a campaign (those: `model/options.py`), as annotated types."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veer.model.options import FORMATS, REPORTS

Sources = Annotated[list[Path] | None, typer.Argument(metavar="SOURCE", help="C sources; all are compiled and linked.")]
Entry = Annotated[
    list[str] | None, typer.Option(metavar="NAME", help="Function to test; may be given again. main: a whole program.")
]
All = Annotated[
    bool,
    typer.Option(
        "--all", help="Every function of the sources, --jobs at a time, under one budget; one table at the end."
    ),
]
CompilationDatabase = Annotated[
    Path | None,
    typer.Option(
        "--compdb",
        metavar="FILE",
        help="compile_commands.json: flags of each source, and the sources (but those with a main) if none is given.",
    ),
]
Resume = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Go on with the campaign of this --out, which was stopped before it was done."),
]
GeneralLength = Annotated[
    int, typer.Option("--max-length", metavar="N", help="Most characters of a string, bytes of a buffer.")
]
GeneralArray = Annotated[
    int, typer.Option("--max-array", metavar="N", help="Most elements of an array behind a pointer.")
]
Directory = Annotated[Path, typer.Argument(metavar="DIR", help="What `veer test` wrote, e.g. veer-out/NAME.")]
TestName = Annotated[str | None, typer.Option("--test", metavar="NAME", help="Only this test, by its name or number.")]
SuiteFormat = Annotated[
    list[str] | None, typer.Option("--format", metavar="FMT", help=f"{', '.join(FORMATS)}; may be given again.")
]
ReportFormat = Annotated[
    list[str] | None,
    typer.Option("--format", metavar="FMT", help=f"{', '.join(REPORTS)}; html if not given; may be given again."),
]
Folder = Annotated[Path | None, typer.Option("--to", metavar="FOLDER", help="Where; DIR/suite/FMT if not given.")]
