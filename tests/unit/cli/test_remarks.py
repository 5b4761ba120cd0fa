"""What the table of all functions says of one that was hardly tested."""

from __future__ import annotations

from pathlib import Path

import veer
from veer.cli.tested import row_of
from veer.model.result import LedgerEntry
from veer.model.values import replace


def test_calls_that_veer_does_not_follow_are_named_once(tmp_path: Path) -> None:
    source = tmp_path / "one.c"
    source.write_text("int one(int n) { return n > 3; }\n")
    result = veer.test(source, "one", budget="5s", out=tmp_path / "out")
    detail = "a run ended at a call that veer does not follow: java.net.InetAddress.getByName"
    entries = [LedgerEntry("refused", "A.java", line, detail, 2) for line in (3, 4)]
    solver = LedgerEntry("solver", "A.java", 5, "the solver did not know", 1)
    assert row_of("", result).remarks == ()
    assert row_of("", replace(result, ledger=(*entries, solver))).remarks == (detail,)
