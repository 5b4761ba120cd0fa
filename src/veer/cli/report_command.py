"""`veer report`: makes the reports of an earlier campaign, or of a whole project, again. Nothing is run."""

from __future__ import annotations

from pathlib import Path

from veer import plugins
from veer.campaign.deliver import export_each, place_within
from veer.campaign.parsing import formats
from veer.campaign.whole import functions_of, read_all, write_reports
from veer.cli.arguments import Given
from veer.cli.exit_codes import NOTHING_FOUND
from veer.store.whole import WHOLE, of_what_was_read, read_whole


def run(given: Given) -> int:
    """Writes the reports into DIR; annotations for GitHub are printed, too, for GitHub reads them from the output."""
    directory: Path = given["directory"]
    wanted = formats(given.get("format", ("html",)), plugins.names("veer.reports"))
    if functions_of(directory):
        with of_what_was_read(directory):
            written = write_reports(*read_all(directory), directory, wanted)
        for name, file in written.items():
            _tell(name, file)
        return NOTHING_FOUND
    with of_what_was_read(directory / WHOLE):
        for name, (file,) in export_each(read_whole(directory), wanted, place_within(directory)):
            _tell(name, file)
    return NOTHING_FOUND


def _tell(name: str, file: Path) -> None:
    print(file.read_text(encoding="utf-8").rstrip("\n") if name == "github" else f"{name}: {file}")
