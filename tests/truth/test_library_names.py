"""Units that define functions named like the C library's: the user's are tested, veer's own work calls the library's.

The suite that is replayed begins with a call of dup, so every test fails if it is the unit's.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.suite.c import plain

OWN = """
#include <stddef.h>
size_t strlen(const char *s) { size_t n = 0; while (s[n]) n++; return n; }
int strcmp(const char *a, const char *b) { while (*a && *a == *b) a++, b++; return *a - *b; }
void *memset(void *s, int c, size_t n) { char *p = s; while (n--) *p++ = c; return s; }
int abs(int x) { return x == 77 ? 3 : x < 0 ? -x : x; }
int dup(int descriptor) { return descriptor == 5 ? 6 : 1 / 0; }
long write(int file, const void *data, unsigned long size) { return file > 5 ? 1 : -1; }
static int close(int file) { return file == 3 ? 7 : 0; }
int closes(int file) { return close(file) + 1; }
int entry(int x) { return x == 1234 ? 1 : 2; }
"""


def explored(tmp_path: Path, entry: str) -> Result:
    source = tmp_path / "own.c"
    source.write_text(OWN)
    return explore(BuildOptions(sources=(source,), entry=entry), SearchOptions(criterion="path", budget=30.0))


@pytest.mark.parametrize(
    ("entry", "sides"),
    sampled(
        [("strlen", 2), ("strcmp", 4), ("memset", 2), ("abs", 4), ("write", 2), ("closes", 2), ("entry", 2)],
        lambda case: case[0] in ("strcmp", "write", "closes"),
    ),
)
def test_all_is_covered_and_every_test_passes_on_the_plain_build(tmp_path: Path, entry: str, sides: int) -> None:
    result = explored(tmp_path, entry)
    covered = [branch for branch in result.branches if branch.state == "covered"]
    assert len(covered) == sides
    assert {test.replayed for test in result.tests} == {"same"}
    for bug in result.bugs:
        assert bug.function == entry


def test_a_test_that_ends_otherwise_on_the_plain_build_is_not_written(tmp_path: Path) -> None:
    result = explored(tmp_path, "entry")
    first, second = result.tests
    unlike = replace(first, replayed="differs: ended by SIGSEGV, recorded: returned")
    text = plain.render(result.program, [unlike, second], (), result.branches)
    assert f"/* {first.name} is not written: on the plain build it differs: ended by SIGSEGV" in text
    assert text.count("{ 1, ") == 0 and "{ 2, " in text
