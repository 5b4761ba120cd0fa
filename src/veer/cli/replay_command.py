"""`veer replay`: runs the tests of a written suite again, without instrumentation."""

from __future__ import annotations

import contextlib
import re
import shlex
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from veer.campaign.confining import confinement
from veer.campaign.languages import language
from veer.campaign.parsing import one_of
from veer.campaign.whole import functions_of
from veer.cli.arguments import Given
from veer.cli.exit_codes import DIFFERENT, NOTHING_FOUND
from veer.frontends.protocol import WrittenSuite
from veer.model.confinement import Confinement
from veer.model.errors import StoreError, UsageError
from veer.model.replay import SAME
from veer.model.searchoptions import SANDBOXES, SearchOptions
from veer.store.reader import read
from veer.store.recorded import recorded_tests
from veer.toolchain.compiler import find
from veer.toolchain.session import scratch_root

Confines = Callable[[Sequence[str]], tuple[Confinement, tuple[str, ...]]]


def run(given: Given) -> int:
    """Runs the tests that DIR holds, or the one of this name or number, and compares how they end.

    Of a whole project those of each function are run.
    """
    directory: Path = given["directory"]
    test: str | None = given.get("test")
    functions = functions_of(directory)
    mode = one_of(given.get("sandbox", "on"), SANDBOXES, "--sandbox")
    folders = [str(Path(each).absolute()) for each in given.get("read", ())]

    def confines(link: Sequence[str]) -> tuple[Confinement, tuple[str, ...]]:
        return confinement(find(), mode, folders, link, sockets=bool(given.get("sockets")))

    if functions and test is not None:
        raise UsageError(f"--test {test}: {directory} holds many functions; give the directory of one of them")
    found = Counter[bool]()
    for each in functions or (directory,):
        found += _replayed(each, test, f"{each.name}/" if functions else "", confines)
    print(f"{found[True]} of {found.total()} ended as they were recorded")
    return DIFFERENT if found[False] else NOTHING_FOUND


def _replayed(directory: Path, test: str | None, prefix: str, confines: Confines) -> Counter[bool]:
    """How many tests of a function's directory ended as they were recorded (True), and how many did not.

    `confines`: given the words that link it.
    """
    summary = read(directory)
    chosen = [case for case in recorded_tests(summary) if _is_chosen(case.name, test)]
    if not chosen and (test is not None or not prefix):
        known = ", ".join(case.name for case in recorded_tests(summary)[:8]) or "none"
        raise UsageError(f"--test {test}: {directory} holds no such test; it holds {known}")
    suite = (directory / summary.suite).absolute()
    if not summary.suite or not summary.commands or not suite.is_file():
        raise StoreError(f"{directory} holds no suite; run `veer test` again")
    found = Counter[bool]()
    words = [word for line in summary.commands for word in shlex.split(line)]
    # The suite's commands name files from its folder.
    folder = tempfile.TemporaryDirectory(prefix="veer-replay-", dir=scratch_root())
    with folder as scratch, contextlib.chdir(suite.parent):
        confined, notes = confines(words)
        for note in notes:
            print(f"veer: {note}", file=sys.stderr)
        written = WrittenSuite(suite, tuple(summary.commands), confined)
        replayer = language(summary.language).suite_replayer(written, SearchOptions().timeout, Path(scratch))
        for case in chosen:
            seen = replayer.replay([case])[0]
            found[seen.verdict == SAME] += 1
            print(f"{prefix}{case.name}: {seen.verdict}{f' ({seen.ended})' if seen.ended else ''}")
    return found


def _is_chosen(name: str, wanted: str | None) -> bool:
    """By its name, or by the number in it."""
    digits = re.sub(r"\D", "", name)
    return wanted is None or wanted == name or (wanted.isdigit() and digits != "" and int(wanted) == int(digits))
