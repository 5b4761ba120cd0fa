"""Writes the suites and the reports of a result, each format by its name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

from veer.campaign.languages import renderer
from veer.campaign.parsing import one_of
from veer.model.errors import VeerError
from veer.model.result import Result
from veer.report.formats import FORMATS as REPORTS
from veer.store.export import write_suite
from veer.store.writer import MainSuite, replace_file, store_error
from veer.suite.formats import FORMATS as SUITES


def suite_of(result: Result) -> MainSuite:
    """The suite that every campaign writes, in the language of its program. Raises UsageError when it is not there."""
    program, of = result.program, renderer(result.program.language)
    text = of.render(program, result.tests, result.bugs, result.branches)
    return MainSuite(of.file_name(program), text, of.commands(program))


def export(result: Result, format: str, folder: str | Path) -> tuple[Path, ...]:
    """Writes a suite or a report into a folder; its files. Files that veer did not write are never overwritten.

    Raises UsageError for a format that is not known or cannot hold such tests, StoreError for a file that cannot be
    written.
    """
    place = Path(folder)
    if format in SUITES:
        files = SUITES[format](result)
        write_suite(place, files)
        return tuple(place / name for name in files)
    report = REPORTS[one_of(format, (*SUITES, *REPORTS), "--format")]
    text, file = report.render(result), place / report.file
    try:
        place.mkdir(parents=True, exist_ok=True)
        replace_file(file, text.encode())
    except OSError as error:
        raise store_error(place, error) from error
    return (file,)


def export_each(
    result: Result, formats: Iterable[str], place: Callable[[str], Path]
) -> Iterator[tuple[str, tuple[Path, ...]]]:
    """Writes each format to its place: the format and its files. One that fails keeps no other from being written.

    Raises what went wrong at the end; of several failures the gravest, with the sentences of all.
    """
    failures: list[VeerError] = []
    for name in formats:
        try:
            files = export(result, name, place(name))
        except VeerError as error:
            failures.append(error)
        else:
            yield name, files
    if failures:
        gravest = max(failures, key=lambda error: error.exit_code)
        raise type(gravest)("\n".join(map(str, failures))) from gravest


def place_within(out: Path) -> Callable[[str], Path]:
    """Where each format goes in the directory of a campaign: a suite has a folder of its own."""
    return lambda name: out / "suite" / name if name in SUITES else out
