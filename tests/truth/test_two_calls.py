"""Two calls of one function of the library that go wrong are two bugs."""

from __future__ import annotations

from pathlib import Path

from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions

SOURCE = """#include <string.h>
int f(unsigned char which, const char *s) {
    char a[3], b[3];
    if (!s) return 0;
    if (which == 1) strcpy(a, s);
    else if (which == 2) strcpy(b, s);
    else return strlen(s) > 4;
    return 1;
}
"""


def test_each_call_has_its_bug(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(SOURCE)
    result = explore(BuildOptions((source,), "f", max_length=4), SearchOptions(budget=20.0))
    assert {(bug.outcome, bug.line) for bug in result.bugs} == {
        (Outcome.BOUNDS_WRITE, 5),
        (Outcome.BOUNDS_WRITE, 6),
    }
