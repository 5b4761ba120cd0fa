"""Parameters whose types are written around their names: the suite declares them, compiles, and passes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from sampling import sampled
from suite_builds import build_suite, compiler_command
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Severity
from veer.suite.c.plain import render

UNIT = """
typedef float vector[3];
struct handlers { int (*calls[2])(void *); int (*(*rows)[2])[3]; const char *const *names; };
int matrix(int m[3][3]) { return m[0][1] == 5 && m[2][2] > 7; }
int rows(int n, int m[n][2]) { for (int i = 0; i < n; i++) if (m[i][1] == 9) return i; return -1; }
int names(const char list[][4], int n) { return n > 1 && list[1][2] == 'q'; }
int third(int m[][4]) { return m[2][3] == 6; }
int typedefs(vector *v) { return (*v)[1] == 2.5f ? 1 : 0; }
int strings(char *(*t)[2][3]) { return (*t)[1][2] && *(*t)[1][2] == 'x'; }
int table(int (*calls[3])(int), int k) { return k >= 0 && k < 3 && calls[k] && calls[k](k) == 5; }
int behind(int (**call)(int)) { return *call ? (*call)(3) == 4 : 2; }
int constant(int (*const call)(int)) { return call ? call(3) == 4 : 2; }
int returns(int (*(*call)(int))(char)) { return call ? call(3) != 0 : 2; }
int members(struct handlers *h) {
    if (h->calls[1] && h->calls[1](h) == 3) return 1;
    if (h->rows && (*h->rows)[1] && (*(*h->rows)[1])[2] == 4) return 2;
    return h->names && h->names[0] && h->names[0][0] == 'a';
}
"""
ENTRIES = re.findall(r"^int (\w+)\(", UNIT, re.MULTILINE)


@pytest.mark.parametrize("entry", sampled(ENTRIES, lambda entry: entry in ("matrix", "table", "members")))
def test_the_suite_declares_what_the_parameter_is(tmp_path: Path, entry: str) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    result = explore(BuildOptions(sources=(source,), entry=entry), SearchOptions(criterion="path", budget=30.0))
    assert result.tests
    assert {test.replayed for test in result.tests} == {"same"}
    entered = [branch for branch in result.branches if branch.function == entry]
    assert entered
    assert {branch.state for branch in entered} == {"covered"}


NAMED = {
    "result": "int result(int n) { return n == 77 ? 2 : 1; }",
    "set": "int result; int set(int x) { result = x > 5 ? 7 : 8; return x == 3; }",
    "give": "int give(int *result) { if (!result) return 1; *result = 3; return 2; }",
    "ask": "enum { result = 4 }; int ask(int n) { return n == result ? 2 : 1; }",
    "quiet": "#define unused __attribute__((unused))\nint quiet(int n, int other unused) { return n == 7 ? 2 : 1; }",
    "fed": "int outside(int n);\nint fed(int *inputs) { return outside(3) == 4 && inputs && *inputs == 5; }",
    "pass": "int result(int n); int pass(int n) { return result(n) == 5 ? n == 2 : 3; }",
}


@pytest.mark.parametrize("entry", NAMED)
def test_the_unit_may_use_words_of_the_suite(tmp_path: Path, entry: str) -> None:
    source = tmp_path / "unit.c"
    source.write_text(NAMED[entry])
    result = explore(BuildOptions(sources=(source,), entry=entry), SearchOptions(criterion="path", budget=30.0))
    assert not [note for note in result.program.notes if "compile" in note]
    assert {test.replayed for test in result.tests} == {"same"}
    assert {branch.state for branch in result.branches} == {"covered"}


VARIABLE = """
int plane(int n, int m, int a[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (a[i][j] == 42) return i > 0 ? 2 : 1;
    return 0;
}
int line(int n, const int a[n]) { for (int i = 0; i < n; i++) if (a[i] == 42) return 1; return 0; }
int first(int m, int (*a)[m]) { if (m > 1 && a[0][1] == 7) return 1; return 0; }
"""


@pytest.mark.parametrize(("entry", "results"), [("plane", {0, 1, 2}), ("line", {0, 1}), ("first", {0, 1})])
def test_arrays_of_variable_length_are_made_and_none_of_their_lengths_is_a_bug(
    tmp_path: Path, entry: str, results: set[int]
) -> None:
    """Their elements were bytes, each access was out of bounds, and `n` = 0 was a bug."""
    source = tmp_path / "unit.c"
    source.write_text(VARIABLE)
    result = explore(BuildOptions((source,), entry, max_array=4), SearchOptions(budget=30.0, growing=()))
    assert result.ending.claim == "paths"
    assert all(branch.state == "covered" for branch in result.branches)
    assert {int.from_bytes(test.returned or b"", "little") for test in result.tests} == results
    assert {test.replayed for test in result.tests} == {"same"}
    assert all(bug.severity is Severity.CONTRACT for bug in result.bugs), result.bugs
    suite = render(result.program, result.tests)
    assert build_suite(tmp_path, "again.c", suite, compiler_command()).run().returncode == 0
