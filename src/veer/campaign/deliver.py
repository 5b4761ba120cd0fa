"""Writes what was found: DIR, and suites and reports, each format by its name.

DIR is written here whoever asked for it: the command line, the Python API, `--all`, a resumed campaign.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from msgspec import Struct

from veer import plugins
from veer.campaign.boards import looked_at
from veer.campaign.commandline import words
from veer.campaign.languages import renderer
from veer.campaign.parsing import one_of
from veer.campaign.projects import project_root
from veer.campaign.values import chosen
from veer.model.ending import EndingKind
from veer.model.errors import UsageError, VeerError
from veer.model.options import OUTPUT, OutputOptions
from veer.model.result import Result
from veer.model.suitefolder import SuiteFolder
from veer.model.values import replace
from veer.model.wholefile import replace_file
from veer.report.protocol import REPORTS, Format
from veer.store import saved, writer
from veer.store.export import write_suite
from veer.store.schema import Summary
from veer.store.writer import MainSuite, store_error
from veer.suite.protocol import SUITES, SuiteFormat


def suite_of(result: Result, folder: Path) -> MainSuite:
    """The suite that every campaign writes into this folder, in the language of its program.

    Raises UsageError when the language is not there.
    """
    program, of = placed(result, folder).program, renderer(result.program.language)
    text = of.render(program, result.tests, result.bugs, result.branches)
    return MainSuite(of.file_name(program), text, of.commands(program), of.beside(program))


def output_options(given: Mapping[str, Any]) -> OutputOptions:
    """What becomes of a result. Raises UsageError for a format that there is not."""
    output = OutputOptions(**chosen(OUTPUT, given))
    for name in output.formats:
        one_of(name, (*suite_names(), *report_names()), "--format")
    return output


class Delivered(Struct, frozen=True):
    """What became of a result: the record of summary.json, None if DIR could not be written, and what went wrong.

    `result`: with what was looked at for the formats."""

    result: Result
    suite: MainSuite
    record: Summary | None = None
    failure: VeerError | None = None

    def checked(self) -> Summary:
        """The record; raises what went wrong: StoreError, or what `export` raises."""
        if self.failure is not None:
            raise self.failure
        assert self.record is not None
        return self.record


def deliver(result: Result, out: Path, *, formats: Iterable[str] = (), json: Path | None = None) -> Delivered:
    """Writes DIR with report.html and these formats, and summary.json to `json`, too.

    What DIR holds of an earlier campaign goes: its reports, and its copies when this campaign came to its end. A format
    that fails keeps nothing else from being written.
    """
    formats = tuple(formats)
    failure: VeerError | None = None
    try:
        result = looked_at(result, formats)
    except VeerError as error:
        failure = error
    delivered = Delivered(result, suite_of(result, out / "suite"), failure=failure)
    try:
        delivered = replace(delivered, record=writer.write(result, out, delivered.suite))
        if json is not None:
            writer.write_result(result, json)
        if result.ending.kind is EndingKind.EXHAUSTED:
            saved.forget(out)
        _write_formats(result, out, formats)
    except VeerError as error:
        return replace(delivered, failure=error)
    return delivered


def deliver_reports(result: Result, out: Path, formats: Iterable[str] = ()) -> None:
    """Writes result.json and the reports anew, where DIR holds this very result but for lines that reports quote.

    Raises what went wrong: StoreError, or what `export` raises.
    """
    writer.write_whole(result, out)
    for _ in export_each(result, ["html", *filter(_is_report, formats)], place_within(out)):
        pass


def _write_formats(result: Result, out: Path, formats: Iterable[str]) -> None:
    """report.html and what was asked for; the reports of an earlier campaign that were not are removed."""
    wanted = dict.fromkeys(["html", *formats])
    if {file.name for file in out.iterdir()} - writer.ALWAYS:  # else no report needs to be loaded
        for name in report_names():
            if name not in wanted:
                (out / report_format(name).file).unlink(missing_ok=True)
    for _ in export_each(result, wanted, place_within(out)):
        pass


def export(result: Result, format: str, folder: str | Path) -> tuple[Path, ...]:
    """Writes a suite or a report into a folder; its files. Files that veer did not write are never overwritten.

    Raises UsageError for a format that is not known or cannot hold such tests, StoreError for a file that cannot be
    written.
    """
    place = Path(folder)
    if not _is_report(format):
        one_of(format, (*suite_names(), *report_names()), "--format")
        files = suite_files(result, place, format)
        write_suite(place, files, result.program.entry)
        return tuple(place / name for name in files)
    report = report_format(format)
    text, file = report.render(result), place / report.file
    try:
        place.mkdir(parents=True, exist_ok=True)
        replace_file(file, text.encode())
    except OSError as error:
        raise store_error(place, error) from error
    return (file,)


def placed(result: Result, folder: Path, format: str = "") -> Result:
    """The result for a suite in this folder: it names files of the project from there, and what makes it again."""
    place = SuiteFolder(folder, project_root(result.program.sources))
    command = words(result, place)
    if command and format:
        command = (*command, "--format", format)
    return replace(result, program=replace(result.program, suite_folder=place, command=command))


def suite_files(result: Result, folder: Path, format: str = "") -> dict[str, bytes]:
    """The files of a suite that will stand in this folder: in a format, or those that every campaign writes.

    Raises UsageError when the format does not serve the result's language.
    """
    if format:
        return _suite(format, placed(looked_at(result, (format,)), folder, format))
    suite = suite_of(result, folder)
    return {suite.name: suite.text.encode(errors="surrogateescape"), **suite.beside}


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
        raise gravest(failures)


def gravest(failures: Sequence[VeerError]) -> VeerError:
    """Several failures as one: of the gravest one's kind, with the sentences of all, each once."""
    worst = max(failures, key=lambda error: error.exit_code)
    return type(worst)("\n".join(dict.fromkeys(map(str, failures))))


def place_within(out: Path) -> Callable[[str], Path]:
    """Where each format goes in the directory of a campaign: a suite has a folder of its own."""
    return lambda name: out if _is_report(name) else out / "suite" / name


def _is_report(name: str) -> bool:
    """Other packages are looked through for a name that veer has not."""
    return name in plugins.each(REPORTS)


def suite_names() -> tuple[str, ...]:
    """All formats of suites, veer's own first."""
    return plugins.names(SUITES)


def report_names() -> tuple[str, ...]:
    """All formats of reports, veer's own first."""
    return plugins.names(REPORTS)


def report_format(name: str) -> Format:
    """The report of this name. Raises UsageError when there is none, or its package cannot be loaded."""
    return cast(Format, plugins.find(REPORTS, name))


def load_writers(language: str) -> None:
    """Loads what will write results in this language, so that nobody waits for it later: it takes 50 ms."""
    renderer(language)
    report_format("html")


def _suite(name: str, result: Result) -> dict[str, bytes]:
    """The files of a suite. Raises UsageError for a format that does not serve the result's language."""
    found, language = cast(SuiteFormat, plugins.find(SUITES, name)), result.program.language
    if found.languages and language not in found.languages:
        raise UsageError(
            f"--format {name} writes no tests in {language}: it is for {', '.join(sorted(found.languages))}"
        )
    return found.files(result)
