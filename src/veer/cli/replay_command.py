"""`veer replay`: runs the tests of a written suite again, without instrumentation."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

from veer.campaign.languages import language
from veer.cli.arguments import Given
from veer.cli.exit_codes import DIFFERENT, NOTHING_FOUND
from veer.frontends.protocol import WrittenSuite
from veer.model.errors import StoreError, UsageError
from veer.model.options import SearchOptions
from veer.model.replay import SAME
from veer.store.reader import read
from veer.store.recorded import recorded_tests


def run(given: Given) -> int:
    """Runs the tests that DIR holds, or the one of this name or number, and compares how they end."""
    directory: Path = given["directory"]
    test: str | None = given.get("test")
    summary = read(directory)
    chosen = [case for case in recorded_tests(summary) if _is_chosen(case.name, test)]
    if not chosen:
        known = ", ".join(case.name for case in recorded_tests(summary)[:8]) or "none"
        raise UsageError(f"--test {test}: {directory} holds no such test; it holds {known}")
    suite = (directory / summary.suite).absolute()
    if not summary.suite or not summary.commands or not suite.is_file():
        raise StoreError(f"{directory} holds no suite; run `veer test` again")
    different = 0
    with tempfile.TemporaryDirectory(prefix="veer-replay-") as scratch:
        written = WrittenSuite(suite, tuple(summary.commands))
        replayer = language(summary.language).suite_replayer(written, SearchOptions().timeout, Path(scratch))
        for case in chosen:
            seen = replayer.replay([case])[0]
            different += seen.verdict != SAME
            print(f"{case.name}: {seen.verdict}{f' ({seen.ended})' if seen.ended else ''}")
    print(f"{len(chosen) - different} of {len(chosen)} ended as they were recorded")
    return DIFFERENT if different else NOTHING_FOUND


def _is_chosen(name: str, wanted: str | None) -> bool:
    """By its name, or by the number in it."""
    digits = re.sub(r"\D", "", name)
    return wanted is None or wanted == name or (wanted.isdigit() and digits != "" and int(wanted) == int(digits))
