"""`int argc, char **argv` of any function: argc strings and a NULL, against what a reader finds by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

UNIT = """
#include <string.h>
int option(int argc, char **argv) {
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "-v") == 0)
            return i;
    return 0;
}
int walk(int argc, char **argv) {
    int n = 0;
    while (*argv++)
        n++;
    return n == argc ? n : -1;
}
int last(int argc, char *argv[]) { return argv[argc] == 0; }
int behind(int argc, char **argv) {
    if (argc != 3)
        return 0;
    return argv[4] != 0;
}
int last_one(int argc, char **argv) { return argv[argc - 1][0] == '-'; }
int plain(int argc, char *text) {
    if (argc == -5 && text && *text == 'x')
        return 1;
    return 0;
}
"""


def explored(tmp_path: Path, entry: str) -> Result:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    build = BuildOptions(sources=(source,), entry=entry, max_length=3, max_array=3)
    result = explore(build, SearchOptions(criterion="path", budget=30.0))
    assert {test.replayed for test in result.tests} == {"same"}
    return result


def returned(result: Result) -> set[int]:
    """What the tests that are no bugs return."""
    kept = [test.returned or b"" for test in result.tests if not test.outcome.is_bug]
    return {int.from_bytes(each, "little", signed=True) for each in kept}


@pytest.mark.parametrize(
    ("entry", "values"), [("option", {0, 1, 2}), ("walk", {1, 2, 3}), ("last", {1}), ("plain", {0, 1})]
)
def test_nothing_that_main_would_not_get(tmp_path: Path, entry: str, values: set[int]) -> None:
    result = explored(tmp_path, entry)
    assert result.ending.claim == "paths"
    assert returned(result) == values
    assert not result.bugs


def test_what_lies_behind_the_null_is_an_over_read(tmp_path: Path) -> None:
    result = explored(tmp_path, "behind")
    assert [bug.outcome for bug in result.bugs] == [Outcome.BOUNDS_READ]
    assert returned(result) == {0}


def test_values_that_read_better_are_of_the_run_that_they_make(tmp_path: Path) -> None:
    """Another `argc` makes another argument: a test that has it knows it, too, and holds on the plain build."""
    assert explored(tmp_path, "last_one").tests
