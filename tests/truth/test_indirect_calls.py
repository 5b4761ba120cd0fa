"""Which function an indirect call reaches: each one that is reached for the first time is worth a test."""

from __future__ import annotations

from pathlib import Path

import pytest
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

UNIT = """
static int plain(int x) { return x + 1; }
static int twice(int x) { return 2 * x; }
static int minus(int x) { return -x; }
static int none(int x) { return 0 * x; }
static int (*const table[])(int) = { plain, twice, minus, none };
int chosen(unsigned char which)
{
    return table[which % 4](20);
}
int often(unsigned char which)
{
    int sum = 0;
    for (int k = 0; k < 400; k++) sum += table[(which + k) % 4](k);
    return table[which & 3](20);
}
"""


@pytest.mark.parametrize("entry", ["chosen", "often"])
@pytest.mark.parametrize("more", [{}, {"search": "partitioned"}, {"strategy": "dfs"}], ids=str)
def test_the_suite_has_a_test_for_each_function_that_a_call_reaches(
    tmp_path: Path, entry: str, more: dict[str, str]
) -> None:
    source = tmp_path / "table.c"
    source.write_text(UNIT)
    options = SearchOptions(budget=30.0, **more)  # type: ignore[arg-type]
    result = explore(BuildOptions((source,), entry), options)
    assert result.ending.claim in ("paths", "locations"), result.ending
    returned = {int.from_bytes(test.returned or b"", "little", signed=True) for test in result.tests}
    assert returned == {21, 40, -20, 0}
    assert {test.replayed for test in result.tests} == {"same"}
    assert len(result.tests) == 4
