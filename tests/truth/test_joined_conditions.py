"""A condition that the compiler asks as a whole, for an operand makes a struct, has the text of the whole."""

from __future__ import annotations

from pathlib import Path

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.ending import BranchState
from veer.model.searchoptions import SearchOptions

TEXT = """
#include <stdlib.h>
struct pair { int a, b; };
static struct pair made(int x) { return (struct pair){ x, x + 1 }; }
int f(signed char a, signed char b)
{
    if (div(a, 7).rem == 2 ||
        a > 100)
        return 2;
    if ((made(a).a == 3 || b == 4) && made(b).b != 7)
        return 3;
    return b > 3 && a < 2;
}
"""


def test_the_branch_on_all_operands_shows_them_all(tmp_path: Path) -> None:
    source = tmp_path / "joined.c"
    source.write_text(TEXT)
    result = campaign.run(BuildOptions((source,), "f"), SearchOptions(budget=30.0))
    texts = {(branch.line, branch.text) for branch in result.branches}
    assert texts == {
        (7, "div(a, 7).rem == 2"),
        (7, "div(a, 7).rem == 2 || a > 100"),
        (10, "made(a).a == 3"),
        (10, "b == 4"),
        (10, "(made(a).a == 3 || b == 4) && made(b).b != 7"),
        (12, "b > 3"),
    }
    assert {branch.state for branch in result.branches} == {BranchState.COVERED}
