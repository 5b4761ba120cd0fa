"""A corpus for libFuzzer and AFL: one file a test, holding the bytes that the program under test reads."""

from __future__ import annotations

from veer.model.result import Result
from veer.suite.c.cases import is_in_suite
from veer.suite.recorded_bytes import stream


def corpus_files(result: Result) -> dict[str, bytes]:
    """corpus/NAME for tests, crashes/NAME for inputs that show bugs; equal inputs are one file.

    Raises UsageError when the input is not one byte string.
    """
    files: dict[str, bytes] = {}
    seen: set[tuple[str, bytes]] = set()
    for test in result.tests:
        if not is_in_suite(test):
            continue
        folder, data = "crashes" if test.outcome.is_bug else "corpus", stream(result.program, test.inputs)
        if (folder, data) not in seen:
            seen.add((folder, data))
            files[f"{folder}/{test.name}"] = data
    return files
