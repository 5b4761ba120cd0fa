"""Pieces of inputs that are moved together: the same bytes in their order, whatever their lengths and places."""

from __future__ import annotations

import random

import numpy as np
import pytest

from veer.search.compaction import pack


@pytest.mark.parametrize("longest", [1, 9, 300, 5000])
@pytest.mark.parametrize("share", [0.1, 0.5, 1.0])
def test_pieces_are_moved_together(longest: int, share: float) -> None:
    source = random.Random(longest)
    for _ in range(20):
        lengths = np.array([source.randrange(longest + 1) for _ in range(40)], np.int64)
        starts = 100 + np.cumsum(lengths) - lengths
        inputs = np.frombuffer(source.randbytes(int(lengths.sum()) + 200), np.uint8).copy()
        kept = np.flatnonzero([source.random() < share for _ in range(40)])
        if source.random() < 0.3:
            source.shuffle(order := kept.tolist())
            kept = np.array(order, np.int64)
        before = inputs.tobytes()
        pieces = [before[starts[each] : starts[each] + lengths[each]] for each in kept.tolist()]
        pack(inputs, starts[kept], lengths[kept], 70)
        size = sum(map(len, pieces))
        assert inputs[70 : 70 + size].tobytes() == b"".join(pieces)
        assert inputs[:70].tobytes() == before[:70]
