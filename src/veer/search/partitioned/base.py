"""The base: an input whose run returns. What is held while a block is searched is held at its values.

What lies behind the end of a run that an oracle ended (a failed assertion, a bad access) cannot be seen from there,
whatever block is searched. So the base must return: a random one of the paper's (algorithm 1, line 9) that does, or one
that a plain search finds, depth first.
"""

from __future__ import annotations

import numpy as np

from veer.execution.protocol import Executor
from veer.wire.blocks import Blocks
from veer.wire.layout import NONE, Outcome, State
from veer.wire.shared import Shared

_SEEDS = 8
_MOST_RUNS = 2000


def find_base(shared: Shared, executor: Executor, most_runs: int = 0) -> bytes | None:
    """An input that returns, None if none was found. The tree is empty afterwards; paths are kept, as tests may be.

    `most_runs`: of the campaign, 0 = no limit.
    """
    for seed in range(1, _SEEDS + 1):
        random = random_input(shared, executor, seed)
        if random is not None and shared.run.last_outcome == Outcome.RETURNED:
            return random
    executor.run(b"")
    left = max(1, most_runs - shared.counts.runs) if most_runs else _MOST_RUNS
    executor.depth_first(0, max_runs=min(_MOST_RUNS, left))
    returned = np.flatnonzero(shared.published("paths")["outcome"] == int(Outcome.RETURNED))
    if not len(returned):
        return None
    base = shared.input_of(int(returned[-1]))
    clear_tree(shared)
    return base


def random_input(shared: Shared, executor: Executor, number: int) -> bytes | None:
    """A fresh random input, by its number, with the values of all leaves that its run made; None if that run broke."""
    if not executor.probe(b"", filler=number):
        return None
    start = shared.counts.input_bytes
    return shared.region("inputs")[start : start + shared.run.current_length].tobytes()


def clear_tree(shared: Shared) -> None:
    """Begins again at the root; the next command must be a run from there. Whatever ran before held other values."""
    shared.published("paths")["node"] = NONE
    shared.published("edge_taken")[:] = 0
    shared.region("held_first")[: shared.count("leaves")] = 0
    shared.control(Blocks).doubt_count = 0
    shared.tree("child")[0] = 0
    shared.tree("state")[1:] = int(State.UNUSED)
    shared.counts.tree_count = 1
    shared.counts.queue_count = 0
