"""The product of a whole project (`veer test --all`): DIR has one summary.json, index.html, and the reports that were
asked for, over the results of all functions; the folder of a function has its own."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from veer.campaign.deliver import report_format, report_names
from veer.model.joined import abridged, joined
from veer.model.result import Result
from veer.model.survey import Row
from veer.model.wholefile import replace_file
from veer.report import index
from veer.store import reader, writer
from veer.store.project import rows_of, summary_of_all
from veer.store.whole import WHOLE, read_whole

HTML = "html"


def deliver_all(rows: Sequence[Row], parts: Sequence[Result], out: Path, formats: Iterable[str]) -> Result:
    """Writes what DIR tells of all functions; the result of all as one. `parts`: abridged, in the order of `rows`.

    Raises StoreError when DIR cannot be written.
    """
    whole = _joined(parts, out)
    wanted = [name for name in formats if name in report_names()]
    try:
        replace_file(out / writer.SUMMARY, writer.as_json(summary_of_all(whole, rows)))
        write_reports(rows, whole, out, dict.fromkeys((HTML, *wanted)))
    except OSError as error:
        raise writer.store_error(out, error) from error
    return whole


def _joined(parts: Sequence[Result], out: Path) -> Result:
    """All as one, which is called like its source, or like the folder of its sources."""
    sources = tuple(dict.fromkeys(source for part in parts for source in part.program.sources))
    folder = Path(os.path.commonpath([source.parent for source in sources]))
    return joined(parts, sources[0].name if len(sources) == 1 else folder.name or out.resolve().name)


def write_reports(rows: Sequence[Row], whole: Result, out: Path, formats: Iterable[str]) -> dict[str, Path]:
    """Each report of the whole: its format and its file."""
    files = {}
    for name in formats:
        if name == HTML:
            text, file = index.render(rows, whole), out / index.NAME
        else:
            report = report_format(name)
            text, file = report.render(whole), out / report.file
        replace_file(file, text.encode())
        files[name] = file
    return files


def functions_of(out: Path) -> tuple[Path, ...]:
    """The folders of the functions, if DIR is that of a whole project that has some; else nothing."""
    if (out / WHOLE).exists() or not (out / writer.SUMMARY).is_file():
        return ()
    return tuple(out / row.function for row in rows_of(reader.read(out)) if not row.why_not)


def read_all(out: Path) -> tuple[tuple[Row, ...], Result]:
    """The functions, and their results as one. Raises StoreError, UsageError when a part is missing or damaged."""
    parts = [abridged(read_whole(folder)) for folder in functions_of(out)]
    return rows_of(reader.read(out)), _joined(parts, out)
