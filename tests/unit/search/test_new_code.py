"""A search whose runs came to code that the program does not have ends soon, so that it is built again."""

from __future__ import annotations

from pathlib import Path

from veer.model.ending import EndingKind
from veer.model.program import HarnessKind, Program
from veer.model.searchoptions import SearchOptions
from veer.search.budget import Budget
from veer.search.stopping import Stopping
from veer.wire.shared import Shared
from veer.wire.targets import Targets


def test_it_ends_some_runs_behind_the_last_that_met_any() -> None:
    program = Program("f", HarnessKind.FUNCTION, (), Path("x"), (), (), ())
    with Shared() as shared:
        stopping = Stopping(shared, program, SearchOptions(), Budget(float("inf"), 0))
        assert stopping.must_end(100_000) is None, "nothing was met"
        targets = shared.control(Targets)
        targets.target_count, targets.last_target_run = 1, 50
        assert stopping.must_end(51) is None, "others may meet more"
        assert stopping.must_end(1_000) is EndingKind.NEW_CODE
