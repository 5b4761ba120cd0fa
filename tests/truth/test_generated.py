"""Random programs of wide inputs: veer's tests do what veer says of them, and no path that exists is proved away.

Each test's inputs run in the brute force's executable (its own instrumentation, -O0), where outcome and result must be
the predicted ones and each test a path of its own. Where veer claims `paths`, random inputs must find no other.
"""

from __future__ import annotations

import random
from pathlib import Path

import brute_force
import brute_header
import pytest
from generated_program import program, random_case
from sampling import first
from test_paths import check_claim
from veer_side import build_options, explore, replay_tests

from veer.model.searchoptions import SearchOptions

SEEDS = first(1, 60)
RANDOM_INPUTS = 2000


@pytest.mark.parametrize("seed", SEEDS)
def test_a_generated_program(seed: int, tmp_path: Path) -> None:
    source = tmp_path / f"generated_{seed}.c"
    source.write_text(program(seed))
    expectation = brute_header.read(source)
    executable = brute_force.build(expectation)
    search = SearchOptions(criterion="path", budget=5.0, max_runs=2000, max_steps=200_000)
    result = explore(build_options(expectation), search)
    replayed = replay_tests(executable, result.tests)
    assert result.diverged == 0
    for case in replayed:
        about = f"{case.test.name}: {case.test.inputs}"
        assert case.missing == 0, about
        assert (case.row.outcome, case.row.result) == (case.test.outcome.key, case.test.returned), about
    found = {case.row.path for case in replayed}
    passing = [case.row.path for case in replayed if not case.test.outcome.is_bug]
    assert len({*passing}) == len(passing)  # what overflows for some inputs is a path with several endings
    check_claim(result)
    if result.ending.claim == "paths":
        assert len(found) == result.paths
        chance = random.Random(seed)
        rows = brute_force.replay(executable, [random_case(chance) for _ in range(RANDOM_INPUTS)])
        assert all(missing == 0 for _, missing in rows)
        assert {row.path for row, _ in rows} <= found


def test_a_seed_gives_always_the_same_program() -> None:
    assert program(3) == program(3)
    assert program(3) != program(4)
