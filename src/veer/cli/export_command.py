"""`veer export`: writes the suite of an earlier campaign, or those of a whole project, in another format.

Nothing is run, but for boards: which tests depend on the machine is looked at (campaign/boards.py).
"""

from __future__ import annotations

from pathlib import Path

from veer.campaign.deliver import export_each, gravest, place_within, suite_names
from veer.campaign.parsing import formats
from veer.campaign.whole import functions_of
from veer.cli.arguments import Given
from veer.cli.exit_codes import NOTHING_FOUND
from veer.model.errors import UsageError, VeerError
from veer.report.words import number
from veer.store.whole import WHOLE, of_what_was_read, read_whole


def run(given: Given) -> int:
    """Writes the suites, and says how many files each has. Raises UsageError once the others are done."""
    directory: Path = given["directory"]
    to: Path | None = given.get("to")
    wanted = formats(given.get("format", ()), suite_names())
    if not wanted:
        raise UsageError(f"which format? give --format FMT; there are {', '.join(suite_names())}")
    if to is not None and len(wanted) > 1:
        raise UsageError("--to takes one format: give one --format, or leave --to out")
    place = place_within(directory) if to is None else lambda _: to
    written: dict[str, set[Path]] = {}
    failures: list[VeerError] = []
    for each in functions_of(directory) or (directory,):
        try:
            with of_what_was_read(each / WHOLE):
                for name, files in export_each(read_whole(each), wanted, place):
                    written.setdefault(name, set()).update(files)
        except VeerError as error:
            failures.append(error)
    for name, found in written.items():
        print(f"{name}: {number(len(found), 'file')} in {place(name)}")
    if failures:
        raise gravest(failures)
    return NOTHING_FOUND
