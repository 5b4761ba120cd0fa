"""Look-ahead leaves out no branch that the search without it covers."""

from __future__ import annotations

from pathlib import Path

from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

SOURCE = """
#include <string.h>
int f(float a, unsigned char b) {
    int r = 0;
    if (a >= 0.0f)
        if (a < 2.0f)
            r = (int)(a * 4.0f);
    char bytes[4] = {9, 8, 7, 6};
    memset(bytes, 7, b & 3);  // the size is tried value by value, at the place of the check that fails for NULL
    if (memchr(bytes, 9, 4))
        if (r <= 5)
            return 1;
    return r;
}
"""


def test_what_follows_a_call_is_reached_from_it_though_a_check_stands_at_its_place(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(SOURCE)
    result = explore(BuildOptions((source,), "f"), SearchOptions(budget=20.0, look_ahead=True), tmp_path / "out")
    assert [branch.text for branch in result.branches if branch.state != "covered"] == []
    assert not result.bugs
