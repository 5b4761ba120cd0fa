"""veer against brute force on random programs: no path constraint may be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from random_program import program
from sampling import first
from test_paths import compare

SEEDS = first(4, 60)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_program(seed: int, tmp_path: Path) -> None:
    source = tmp_path / f"random_{seed}.c"
    source.write_text(program(seed))
    compare(source)


def test_a_seed_gives_always_the_same_program() -> None:
    assert program(3) == program(3)
    assert program(3) != program(4)
