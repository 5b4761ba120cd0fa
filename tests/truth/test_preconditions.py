"""A run that violates a precondition is no test: what only such runs cover is not covered (docs/design.md)."""

from __future__ import annotations

from pathlib import Path

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

TEXT = """
#include "veer.h"
int main(void) {
    int x, y = 0;
    veer_input(&x, sizeof x, "x");
    if (x == 5)
        y = 1;
    veer_assume(x != 5);
    return y + (x > 7);
}
"""


def test_what_only_a_violated_precondition_covers_is_not_covered(tmp_path: Path) -> None:
    source = tmp_path / "assumed.c"
    source.write_text(TEXT)
    search = SearchOptions(budget=20.0, keep_going=False)
    result = campaign.run(BuildOptions((source,), "main"), search)
    uncovered = [(branch.text, branch.side) for branch in result.branches if branch.state != "covered"]
    assert uncovered == [("x == 5", "true")]
    assert result.ending.kind == "exhausted"
