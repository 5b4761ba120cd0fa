"""Bounds that grow: what needs longer inputs is found without an option, and what is claimed is what was run."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled

import veer
from veer.model.growth import GrowthEnd
from veer.model.result import Result

SOURCE = """
#include <assert.h>
#include <stddef.h>
#include <string.h>
struct node { struct node *next; int value; };

/* A bug that needs 16 characters. */
int sixteen(const char *s)
{
    char copy[16];
    if (!s) return 0;
    strcpy(copy, s);
    return copy[0];
}

/* A parser: forty characters at least, `[` hexadecimal digits `]` in groups of eight, and a sum at the end. */
int forty(const char *s)
{
    int groups = 0;
    if (!s) return -1;
    while (*s == '[') {
        int digits = 0;
        for (s++; *s >= '0' && *s <= '9'; s++) digits++;
        if (digits != 6 || *s++ != ']') return -2;
        groups++;
    }
    if (*s) return -3;
    if (groups < 2) return 1;
    if (groups < 4) return 2;
    assert(groups < 5);
    return 3;
}

/* Digits of two kinds, and no length beside them: one more of them is one of twice as many paths. */
int digits(const char *s)
{
    int n = 0, last = 0;
    for (; s && *s; s++, n++) {
        if (*s >= '0' && *s <= '9') last = *s - '0';
        else if (*s >= 'a' && *s <= 'f') last = *s - 'a' + 10;
        else return -1;
        if (n == 24) return -2;
    }
    if (n != 24) return -3;
    return 100 / (last - 11);
}

int table(const int *values, int count)
{
    if (!values) return -1;
    for (int i = 0; i + 1 < count; i++) if (values[i] > values[i + 1]) return -2;
    return count > 6 ? 1 : 0;
}

/* A circle does not rise. */
int list(const struct node *first)
{
    int length = 0;
    for (; first; first = first->next) {
        length++;
        if (first->next && first->next->value <= first->value) return 0;
    }
    return length > 4 ? 1 : 0;
}

int short_text(const char *s) { return s && s[0] == 'a' && s[1] == 'b'; }

/* Neither 16 nor 32 characters show anything that 8 do not. */
int exactly(const char *s)
{
    if (!s || strlen(s) != 40) return -1;
    return s[39] == 'x' ? 1 : 0;
}

/* Nothing new behind any bound. */
int letters(const char *s)
{
    int count = 0;
    for (; s && *s; s++) if (*s == 'x') count++;
    return count;
}
"""


PROGRAM = """
#include <stdio.h>
#include <string.h>
int main(int argc, char **argv)
{
    char line[64];
    if (argc > 1 && strlen(argv[1]) == 12) return 3;
    if (!fgets(line, sizeof line, stdin)) return 1;
    return strlen(line) > 12 ? 2 : 0;
}
"""


MANY = """
#include <string.h>
int main(int argc, char **argv)
{
    if (argc != 5) return 0;
    return strcmp(argv[4], "go") == 0 ? 2 : 1;
}
"""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    path = tmp_path / "unit.c"
    path.write_text(SOURCE)
    return path


def _covered(result: Result) -> tuple[int, int]:
    assert result.coverage.branches is not None
    return result.coverage.branches.covered, result.coverage.branches.total


def test_a_bug_that_needs_sixteen_characters(source: Path) -> None:
    result = veer.test(source, "sixteen", budget=60)
    assert [bug.outcome.key for bug in result.bugs] == ["out-of-bounds-write"]
    assert result.ending.claim == "paths"
    assert "max-length" not in " ".join(result.ending.within)  # no longer string can do anything else
    assert result.growth is not None and result.growth.finished == ("max-length 32",)
    assert result.growth.end is GrowthEnd.NOTHING_NEW
    assert not veer.test(source, "sixteen", grow=False).bugs


def test_a_parser_that_needs_forty_characters(source: Path) -> None:
    result = veer.test(source, "forty", budget=60)
    assert "assertion" in {bug.outcome.key for bug in result.bugs}
    assert _covered(result)[0] == _covered(result)[1]


def test_texts_go_on_as_they_ended(source: Path) -> None:
    """Twenty-four digits of two kinds are reached by a text that goes on, and not one digit after the other."""
    result = veer.test(source, "digits", budget="60s", max_bugs=1)
    assert [bug.message for bug in result.bugs] == ["an integer is divided by zero"]


@pytest.mark.parametrize(
    ("entry", "bound"),
    [("table", "max-array"), ("list", "graph-depth")],
)
def test_arrays_and_graphs_grow(source: Path, entry: str, bound: str) -> None:
    before, result = veer.test(source, entry, grow=False), veer.test(source, entry)
    assert result.growth is not None
    assert {words.split()[0] for words in (*result.growth.finished, *result.growth.begun)} == {bound}
    missing = [branch.text for branch in before.branches if branch.state != "covered"]
    assert missing
    assert not [branch.text for branch in result.branches if branch.state != "covered"]


@pytest.mark.parametrize("entry", sampled(["sixteen", "table", "list"], lambda entry: entry != "table"))
def test_the_last_search_is_the_one_within_its_bounds(source: Path, entry: str) -> None:
    """Inputs of the search before it change where it begins, and nothing else."""
    result = veer.test(source, entry)
    assert result.growth is not None and result.growth.finished and not result.growth.begun
    most = {words.split()[0].replace("-", "_"): int(words.split()[1]) for words in result.growth.finished}
    alone = veer.test(source, entry, **most)
    assert alone.growth is None
    assert (result.paths, _covered(result)) == (alone.paths, _covered(alone))
    assert [bug.outcome for bug in result.bugs] == [bug.outcome for bug in alone.bugs]
    assert result.ending == alone.ending
    assert result.runs > alone.runs


def test_standard_input_and_arguments_grow(tmp_path: Path) -> None:
    path = tmp_path / "program.c"
    path.write_text(PROGRAM)
    result = veer.test(path, "main")
    assert result.growth is not None
    assert {"argv-size 16", "stdin-size 16"} <= {*result.growth.finished, *result.growth.begun}
    assert {int.from_bytes(test.returned or b"", "little") for test in result.tests} == {0, 1, 2, 3}
    assert {test.replayed for test in result.tests} == {"same"}
    before = veer.test(path, "main", grow=False)
    assert {int.from_bytes(test.returned or b"", "little") for test in before.tests} == {0, 1}


def test_without_a_bound_that_was_met_nothing_grows(source: Path) -> None:
    result = veer.test(source, "short_text")
    assert result.growth is None
    assert result.ending.claim == "paths" and not result.ending.within


@pytest.mark.parametrize("options", [{"max_length": 8}, {"grow": False}, {"criterion": "path"}])
def test_a_bound_that_is_given_stays(source: Path, options: dict[str, object]) -> None:
    result = veer.test(source, "sixteen", **options)
    assert result.growth is None
    assert "max-length 8" in result.ending.within


def test_a_branch_that_is_open_is_looked_for_behind_a_search_that_shows_nothing_new(source: Path) -> None:
    result = veer.test(source, "exactly")
    assert _covered(result) == (6, 6)
    assert {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests} == {-1, 0, 1}
    assert result.ending.claim == "paths" and "max-length 64" not in result.ending.within
    assert result.growth is not None and result.growth.searches == 6  # 8, 16, 32, 64, 128, and 1,024


def test_a_search_that_shows_nothing_new_is_the_last(source: Path) -> None:
    result, first = veer.test(source, "letters"), veer.test(source, "letters", grow=False)
    assert result.growth is not None and result.growth.searches == 3  # 8, 16, and 1,024
    assert result.ending.claim == "paths"
    assert result.runs <= 2 * first.runs + 1000
    assert _covered(result) == _covered(first)


def test_the_number_of_arguments_grows_unless_it_is_given(tmp_path: Path) -> None:
    source = tmp_path / "many.c"
    source.write_text(MANY)
    grown, given = veer.test(source, "main", budget=60), veer.test(source, "main", budget=60, argc=3)
    assert {int.from_bytes(test.returned or b"", "little") for test in grown.tests} == {0, 1, 2}
    assert {test.replayed for test in grown.tests} == {"same"}
    assert "argc 12" in grown.ending.within
    assert {int.from_bytes(test.returned or b"", "little") for test in given.tests} == {0}
    assert "argc 3" in given.ending.within
