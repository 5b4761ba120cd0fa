"""`veer export`: writes the suite of an earlier campaign again, in another format. Nothing is run."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from veer.model.errors import UsageError
from veer.model.options import FORMATS
from veer.parsing import listed

Directory = Annotated[Path, typer.Argument(metavar="DIR", help="What `veer test` wrote, e.g. veer-out/NAME.")]
Format = Annotated[
    list[str] | None, typer.Option("--format", metavar="FMT", help=f"{', '.join(FORMATS)}; may be given again.")
]
Folder = Annotated[Path | None, typer.Option("--to", metavar="FOLDER", help="Where; DIR/suite/FMT if not given.")]


def export(directory: Directory, format_: Format = None, to: Folder = None) -> int:
    """Write the suite in another format. Files that veer did not write are left alone."""
    wanted = formats(format_ or ())
    if not wanted:
        raise UsageError(f"which format? give --format FMT; there are {', '.join(FORMATS)}")
    if to is not None and len(wanted) > 1:
        raise UsageError("--to takes one format: give one --format, or leave --to out")
    from veer.store.whole import read_whole

    result = read_whole(directory)
    for name in wanted:
        folder = to or directory / "suite" / name
        count = write(result, name, folder)
        typer.echo(f"{name}: {count} file{'s' if count != 1 else ''} in {folder}")
    return 0


def formats(given: list[str] | tuple[str, ...], known: tuple[str, ...] = FORMATS) -> tuple[str, ...]:
    """The formats that were asked for, each once; raises UsageError for one that is not known."""
    wanted = tuple(dict.fromkeys(listed(given)))
    for name in wanted:
        if name not in known:
            raise UsageError(f"--format {name}: there is no such format; known are {', '.join(known)}")
    return wanted


def write(result: object, name: str, folder: Path) -> int:
    """Writes one format of a result; returns how many files it has."""
    from veer.model.result import Result
    from veer.store.export import write_suite
    from veer.suite import formats as known

    assert isinstance(result, Result)
    files = known.FORMATS[name](result)
    write_suite(folder, files)
    return len(files)
