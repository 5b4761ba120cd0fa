"""The Python API: one call is one campaign, with the names of the command line.

    import veer

    result = veer.test("src/parse.c", "parse", budget="5s", check=["overflow"])
    for bug in result.bugs:
        print(bug.severity, bug.file, bug.line, bug.message)

`Result` and what it holds are frozen values (veer.model.result). Errors are a `VeerError` that says in one sentence
what is wrong: `UsageError` for what the caller can mend.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Unpack, cast

from veer.campaign import run as campaign
from veer.campaign.deliver import deliver, export, output_options
from veer.campaign.keywords import Options
from veer.campaign.requests import build_options, refuse_unknown, search_options
from veer.campaign.settings import settings
from veer.campaign.sources import project
from veer.model.errors import UsageError
from veer.model.progress import Progress
from veer.model.result import Result
from veer.model.sequence import entry_name, parse
from veer.store.whole import read_whole
from veer.store.writer import prepare

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
    Options that are not given are those of the project's veer.toml.

    Raises:
        UsageError: the sources do not compile, there is no such function, an option is wrong.
        ToolchainError, ExecutorError, StoreError: something that should have worked did not.
    """
    given = [sources] if isinstance(sources, str | Path) else list(sources)
    output = output_options({"out": out, "format": format})
    if output.formats and output.out is None:
        raise UsageError("format needs a place: give out, a directory")
    refuse_unknown(options)
    sequence = options.get("sequence") or ""
    if bool(entry) == bool(sequence):
        raise UsageError("which function? give entry, or sequence instead of it")
    entry = entry or entry_name(parse(sequence))
    known = settings([Path(each) for each in given])
    asked = cast(Options, known.of(entry, options))
    search = search_options(asked)
    files, flags_of = project([Path(each) for each in given], Path(compdb) if compdb else known.compdb, [entry])
    build = build_options(files, entry, asked, flags_of)
    if output.out is not None:
        prepare(output.out)
    result = campaign.run(build, search, progress)
    if output.out is not None:
        deliver(result, output.out, formats=output.formats).checked()
    return result


def read(out: str | Path) -> Result:
    """The result of an earlier campaign, from the directory that it was written to. Nothing is run."""
    return read_whole(Path(out))
