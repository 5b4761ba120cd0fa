"""The Python API: one call is one campaign, with the names of the command line.

    import veer

    result = veer.test("src/parse.c", "parse", budget="5s", check=["overflow"])
    for bug in result.bugs:
        print(bug.file, bug.line, bug.message)

`Result` and what it holds are frozen values (veer.model.result). Errors are a `VeerError` that says in one sentence
what is wrong: `UsageError` for what the caller can mend.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Unpack

from veer.campaign import run as campaign
from veer.campaign.deliver import export, export_each, place_within, report_names, suite_names
from veer.campaign.parsing import formats
from veer.campaign.requests import Options, build_options, search_options
from veer.campaign.sources import project
from veer.model.errors import UsageError
from veer.model.progress import Progress
from veer.model.result import Result
from veer.model.sequence import entry_name, parse
from veer.store.whole import read_whole

__all__ = ["Options", "export", "read", "test"]

Sources = str | Path | Sequence[str | Path]


def test(
    sources: Sources,
    entry: str = "",
    *,
    out: str | Path | None = None,
    format: str | Sequence[str] = (),
    compdb: str | Path | None = None,
    progress: Callable[[Progress], None] = lambda _: None,
    **options: Unpack[Options],
) -> Result:
    """Explores the function `entry` of the sources, as `veer test SOURCE... --entry NAME` does.

    `out`: a directory for all that was found (summary.json, the suite, report.html); nothing is written without it.
    `format`: more suites and reports there. `progress` is called some times a second. A `sequence` takes no `entry`.

    Raises:
        UsageError: the sources do not compile, there is no such function, an option is wrong.
        ToolchainError, ExecutorError, StoreError: something that should have worked did not.
    """
    given = [sources] if isinstance(sources, str | Path) else list(sources)
    wanted = formats([format] if isinstance(format, str) else format, (*suite_names(), *report_names()))
    if wanted and out is None:
        raise UsageError("format needs a place: give out, a directory")
    sequence = options.get("sequence", "")
    if bool(entry) == bool(sequence):
        raise UsageError("which function? give entry, or sequence instead of it")
    entry = entry or entry_name(parse(sequence))
    search = search_options(options)
    files, flags_of = project([Path(each) for each in given], Path(compdb) if compdb else None, [entry])
    build = build_options(files, entry, options, flags_of)
    place = Path(out) if out is not None else None
    result = campaign.run(build, search, place, progress)
    if place is not None:
        for _ in export_each(result, dict.fromkeys([*wanted, "html"]), place_within(place)):
            pass
    return result


def read(out: str | Path) -> Result:
    """The result of an earlier campaign, from the directory that it was written to. Nothing is run."""
    return read_whole(Path(out))
