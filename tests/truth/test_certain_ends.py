"""What the ends of runs say: a run that the clock stopped is no bug, a crash covers nothing behind it."""

from __future__ import annotations

from pathlib import Path

import pytest
from veer_side import explore, losses

from veer.model.buildoptions import BuildOptions
from veer.model.ending import BranchState
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

SLEEPS = "#include <unistd.h>\nint f(unsigned char x) { if (x == 42) { pause(); return 1; } return 0; }"


def result_of(text: str, entry: str, folder: Path) -> Result:
    """The result for this entry of a file with this text."""
    source = folder / "unit.c"
    source.write_text(text)
    return explore(BuildOptions((source,), entry), SearchOptions(budget=20.0, timeout=0.3))


def test_a_run_that_only_the_clock_stopped_is_no_bug(tmp_path: Path) -> None:
    result = result_of(SLEEPS, "f", tmp_path)
    assert result.bugs == ()
    assert any("clock" in loss for loss in losses(result))
    assert result.ending.claim == "none"
    assert {test.outcome.key for test in result.tests} == {"returned"}


AFTER = (
    "int after(unsigned char x) { int t[4] = {0, 1, 2, 3};"
    " if (x > 10) { int v = t[x]; if (v == 77) return 1; return 2; } return 0; }"
)
FREED = """
#include <stdlib.h>
int freed(unsigned char a) {
    char *block = calloc(1, 3);
    if (!block)
        abort();
    int at = a & 3;
    block[at] = 1;
    free(block);
    if (at == 3)
        return 1;
    return 0;
}
"""


@pytest.mark.parametrize(
    ("text", "entry", "behind"),
    [
        (AFTER, "after", {("v == 77", "true"), ("v == 77", "false")}),
        (FREED, "freed", {("at == 3", "true")}),
    ],
)
def test_what_lies_behind_a_certain_crash_is_not_covered(
    text: str, entry: str, behind: set[tuple[str, str]], tmp_path: Path
) -> None:
    result = result_of(text, entry, tmp_path)
    assert len(result.bugs) == 1
    sides = {(branch.text, branch.side): branch for branch in result.branches}
    for side in behind:
        assert sides[side].state in (BranchState.INFEASIBLE, BranchState.UNREACHED)
        assert "precondition" not in sides[side].reason
    assert {key for key, branch in sides.items() if branch.state is BranchState.COVERED} >= {
        key for key in sides if key not in behind and "block" not in key[0]
    }
