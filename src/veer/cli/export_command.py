"""`veer export`: writes the suite of an earlier campaign again, in another format. Nothing is run."""

from __future__ import annotations

from pathlib import Path

from veer.campaign.deliver import export_each, place_within, suite_names
from veer.campaign.parsing import formats
from veer.cli.arguments import Given
from veer.cli.exit_codes import NOTHING_FOUND
from veer.model.errors import UsageError
from veer.store.whole import read_whole


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
    for name, files in export_each(read_whole(directory), wanted, place):
        print(f"{name}: {len(files)} file{'s' if len(files) != 1 else ''} in {place(name)}")
    return NOTHING_FOUND
