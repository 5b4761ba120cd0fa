"""Programs that harm themselves or the engine: each ends in a bug or a limit, and all other paths are found.

The programs are in hostile/; the header's `outcomes` are alternatives, separated by `|`, of which one must be seen.
`cut`: the clock stopped the run. It is no test, the side that it took is not covered, and the ledger says so.
"""

from __future__ import annotations

import re
from pathlib import Path

import brute_header
import pytest
from sampling import sampled
from veer_side import build_options, explore

from veer.model.outcome import outcome_of
from veer.model.result import Branch
from veer.model.searchoptions import SearchOptions

PROGRAMS = sampled(
    sorted((Path(__file__).parent / "hostile").glob("*.c")),
    lambda path: path.stem not in ("endless_unseen", "stop_self", "output", "exit_in_unit"),
)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_a_hostile_program_costs_only_its_own_path(program: Path, tmp_path: Path) -> None:
    expectation = brute_header.read(program)
    allowed = set("|".join(expectation.outcomes).split("|"))
    search = SearchOptions(budget=30.0, timeout=0.5, max_steps=1_000_000, memory=64 << 20)
    result = explore(build_options(expectation), search, tmp_path / "out")
    seen = {test.outcome.key for test in result.tests}
    is_cut = "cut" in allowed and any(entry.kind == "clock" for entry in result.ledger)
    if is_cut:
        assert result.ending.claim == "none", result.ending
        seen |= {"cut"}
    assert seen & allowed, (seen, result.ending)
    unexpected = seen - allowed - {"returned"}
    assert not unexpected, [test for test in result.tests if test.outcome.key in unexpected]
    bugs = {bug.outcome.key for bug in result.bugs}
    assert bugs == {key for key in seen - {"cut"} if outcome_of(key).is_bug}
    assert result.ending.kind == "exhausted", result.ending
    on_input = [branch for branch in result.branches if re.match(r"x\b", branch.text)]
    assert on_input, [branch.text for branch in result.branches]
    left = [branch for branch in on_input if not _was_run(branch)]
    assert [branch.state for branch in left] == ["unreached"] if is_cut else not left, left


def _was_run(branch: Branch) -> bool:
    """Whether the search took this side; a run that ended at a limit is no test that could be replayed."""
    return branch.state == "covered"
