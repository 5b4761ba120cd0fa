"""Draws are those of numpy's PCG64, for any seed and however many are drawn at once."""

from __future__ import annotations

import numpy as np
import pytest

from veer.search.strategies.pcg64 import Pcg64

SEEDS = (0, 1, 7, 2**32 - 1, 2**32, 2**64 + 5, 2**128 - 1, 2**160 + 77, 10**60)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_numbers_are_those_of_numpy(seed: int) -> None:
    ours, numpys = Pcg64(seed), np.random.PCG64(seed)
    for count in (1, 0, 5, 4000, 300, 2):  # the fifth is behind those that are made here
        assert ours.raw(count).tolist() == numpys.random_raw(count).tolist()
