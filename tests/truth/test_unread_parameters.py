"""Parameters that the entry never looks at: where such pointers lead is no choice of a path."""

from __future__ import annotations

from pathlib import Path

import pytest
from suite_builds import build_suite
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.suite.c.plain import render

UNIT = """
typedef int callback(int);
int none(const char *a, const char *b, char *c, callback *d) { (void)b; return 4; }
int one(const char *a, const char *b) { if (!a) return 1; return a[0] == 'x' ? 2 : 3; }
int address(char *s) { char **p = &s; return *p ? 5 : 6; }
__attribute__((nonnull)) int required(char *s) { return 9; }
static int inner(const char *s) { return s ? 10 : 11; }
int handed_on(const char *s) { return inner(s); }
"""


@pytest.mark.parametrize(
    ("entry", "runs", "results"),
    [
        ("none", 1, {4}),
        ("one", 3, {1, 2, 3}),
        ("address", 2, {5, 6}),
        ("required", 1, {9}),
        ("handed_on", 2, {10, 11}),
    ],
)
def test_a_path_does_not_depend_on_what_nobody_looks_at(
    tmp_path: Path, entry: str, runs: int, results: set[int]
) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    result = explore(BuildOptions((source,), entry), SearchOptions(budget=30.0, criterion="path"))
    assert result.ending.claim == "paths", result.ending
    assert result.runs == runs
    assert {int.from_bytes(test.returned or b"", "little") for test in result.tests} == results
    assert {test.replayed for test in result.tests} == {"same"}
    assert build_suite(tmp_path, "again.c", render(result.program, result.tests)).run().returncode == 0


def test_what_a_predicate_looks_at_is_made(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text("int wanted(const char *s) { return s && s[0] == 'w'; }\nint f(const char *s) { return 4; }\n")
    build = BuildOptions((source,), "f", preconditions=("wanted",))
    result = explore(build, SearchOptions(budget=30.0, criterion="path"))
    assert len(result.tests) == 1
    assert result.tests[0].inputs.raw.count(b"w") == 1
