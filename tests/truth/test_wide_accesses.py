"""An access of several bytes that begins in a buffer and may end behind it: both outcomes are explored."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.ending import BranchState, Claim
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

CASES = Path(__file__).parent / "cases"


def explored(file: str, entry: str, length: int) -> Result:
    build = BuildOptions((CASES / file,), entry, size_of=("p=length",), max_length=length)
    return campaign.run(build, SearchOptions(criterion="path", budget=30.0))


@pytest.mark.parametrize(
    ("entry", "outcome", "returned"),
    [
        ("loaded", Outcome.BOUNDS_READ, {0, 1, 2}),
        ("stored", Outcome.BOUNDS_WRITE, {0, 1}),
        ("copied", Outcome.BOUNDS_READ, {0, 1, 2}),
        ("shorts", Outcome.BOUNDS_READ, {0, 1, 2}),
    ],
)
def test_what_is_partly_there_is_a_bug_and_what_is_there_returns(
    entry: str, outcome: Outcome, returned: set[int]
) -> None:
    result = explored("wide_accesses.c", entry, 10)
    assert (result.ending.claim, result.diverged) == (Claim.PATHS, 0)
    assert [bug.outcome for bug in result.bugs] == [outcome]
    seen = {int.from_bytes(test.returned or b"", "little") for test in result.tests if test.outcome is Outcome.RETURNED}
    assert seen == returned


def test_records_of_a_buffer_are_read_to_its_end() -> None:
    result = explored("wide_read.c", "records", 20)
    assert (result.ending.claim, result.diverged) == (Claim.PATHS, 0)
    assert {branch.state for branch in result.branches} == {BranchState.COVERED}
    assert [bug.outcome for bug in result.bugs] == [Outcome.BOUNDS_READ]
