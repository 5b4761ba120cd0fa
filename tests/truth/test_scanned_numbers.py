"""Numbers that scanf reads: every path of the unit, though the library has many more, and no value that is lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

UNIT = """
#include <stdio.h>
int main(void)
{
    float r = 0; int c = 0;
    if (fscanf(stdin, "%f", &r) != 1) return 1;
    if (fscanf(stdin, "%d", &c) != 1) return 2;
    if (c == 3) return 3;
    return 4;
}
"""


@pytest.mark.parametrize(("size", "most_runs"), [(3, 50), (4, 100), (6, 400)])
def test_every_path_behind_a_scanned_float_is_run(tmp_path: Path, size: int, most_runs: int) -> None:
    source = tmp_path / "infscan.c"
    source.write_text(UNIT)
    result = explore(BuildOptions((source,), "main", stdin_size=size), SearchOptions(budget=60.0, criterion="path"))
    assert result.ending.claim == "paths", result.ending
    assert result.ledger == ()
    assert sorted(int.from_bytes(test.returned or b"", "little") for test in result.tests) == [1, 2, 3, 4]
    assert {test.replayed for test in result.tests} == {"same"}
    assert result.runs <= most_runs
