"""The examples of the papers that veer stands on, with what the papers say about them."""

from __future__ import annotations

from pathlib import Path

import brute_header
from veer_side import build_options, explore, losses

from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

HERE = Path(__file__).parent / "papers"


def campaign(name: str, search: SearchOptions | None = None) -> Result:
    options = build_options(brute_header.read(HERE / f"{name}.c"))
    return explore(options, search or SearchOptions(budget=20.0))


def reached(result: Result) -> set[tuple[int, str]]:
    """Line and side of each branch that was covered."""
    return {(branch.line, branch.side) for branch in result.branches if branch.state == "covered"}


def test_cute_figure_1_finds_the_error_within_10_runs() -> None:
    for strategy in ("dfs", "rarest"):
        result = campaign("cute_figure_1", SearchOptions(budget=20.0, strategy=strategy))
        errors = [bug for bug in result.bugs if bug.outcome is Outcome.ABORTED]
        assert len(errors) == 1
        assert errors[0].run <= 10, strategy
        assert errors[0].confirmed == "plain"
        assert result.ending.claim == "paths"


def test_dart_obscure_covers_both_branches_and_claims_nothing() -> None:
    result = campaign("dart_obscure")
    assert all(branch.state == "covered" for branch in result.branches)
    assert len(result.branches) == 2
    assert result.ending.claim == "none"
    assert any("hash" in text for text in losses(result)), result.ledger
    assert result.ending.lost_by


def test_lct_example_7_diverges_and_survives() -> None:
    result = campaign("lct_example_7")
    assert result.diverged >= 1
    assert result.ending.claim == "none"
    assert any("diverge" in reason or "left" in reason for reason in result.ending.lost_by), result.ending
    returned = {test.returned for test in result.tests}
    assert returned == {(2).to_bytes(4, "little"), (3).to_bytes(4, "little")}
    states = {(branch.line, branch.side): branch.state for branch in result.branches}
    assert sorted(states.values()).count("covered") == 3
    assert "infeasible" not in states.values(), "a divergence proves nothing"


def test_dart_ac_controller_is_searched_to_the_end() -> None:
    result = campaign("dart_ac_controller", SearchOptions(criterion="path", budget=20.0))
    assert result.ending.claim == "paths"
    assert result.paths == 25  # five classes for each of two messages
    assert not result.bugs


def test_smart_top_has_the_paths_that_the_paper_counts() -> None:
    room = 6  # characters before the NUL: strings of n = room + 1 cells, of which the last is zero
    build = BuildOptions(sources=(HERE / "smart_top.c",), entry="top", max_length=room)
    result = explore(build, SearchOptions(criterion="path", budget=20.0))
    assert result.ending.claim == "paths"
    # SMART section 3: n paths through "no a", and an a at each of the `room` places, followed by ':' or not (no ':'
    # behind the last place). One more: the NULL pointer.
    assert result.paths == (room + 1) + room + (room - 1) + 1
