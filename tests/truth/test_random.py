"""veer against brute force on random programs: no path constraint may be wrong."""

from __future__ import annotations

from pathlib import Path

import brute_force
import brute_header
import pytest
from random_program import program
from test_paths import check_claim, check_completeness, check_each_test
from veer_side import explore_all, replay_tests

SEEDS = range(12)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_program(seed: int, tmp_path: Path) -> None:
    source = tmp_path / f"random_{seed}.c"
    source.write_text(program(seed))
    expectation = brute_header.read(source)
    executable = brute_force.build(expectation)
    rows = brute_force.run_all(executable)
    result = explore_all(expectation)
    replayed = replay_tests(executable, result.tests)
    check_each_test(expectation, replayed, rows)
    check_claim(result)
    if result.ending.claim == "paths":
        check_completeness(result, replayed, rows)


def test_a_seed_gives_always_the_same_program() -> None:
    assert program(3) == program(3)
    assert program(3) != program(4)
