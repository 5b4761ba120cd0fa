"""veer's paths over memory graphs against all graphs up to the bound, enumerated whole (CUTE section 3.1)."""

from __future__ import annotations

from pathlib import Path

import brute_force
import brute_header
import pytest
from graph_enumeration import graphs
from veer_side import explore_all, replay_tests

PROGRAMS = sorted((Path(__file__).parent.parent / "programs").glob("graph_*.c"))


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda path: path.stem)
def test_all_graphs_give_the_paths_that_veer_finds(program: Path) -> None:
    expectation = brute_header.read(program)
    executable = brute_force.build(expectation)
    rows = brute_force.replay(executable, list(graphs(expectation)))
    assert all(missing == 0 for _, missing in rows), "the program reads what no graph has"
    expected = {(row.path, row.outcome, row.result) for row, _ in rows}
    result = explore_all(expectation)
    found = [(case.row.path, case.row.outcome, case.row.result) for case in replay_tests(executable, result.tests)]
    assert result.ending.claim == "paths"
    assert {path for path, _, _ in found} == {path for path, _, _ in expected}
    assert len(found) == len({path for path, _, _ in found}) == result.paths
    assert set(found) <= expected


def test_there_is_one_of_each_kind() -> None:
    assert len(PROGRAMS) >= 6
