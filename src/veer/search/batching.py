"""How many open nodes one command expands: few at first, when each run changes the picture; many when it grinds on.

The size follows counts alone, never the clock, so that the same seed and options give the same search.
"""

from __future__ import annotations

from msgspec import Struct

LARGEST = 1024
_RUNS_A_STEP = 8  # after n runs a batch is at most n / 8: the first decisions are taken one by one
_BARREN_ROUNDS = 8  # rounds without anything new before batches grow beyond the option
_OPERATIONS = 500_000  # symbolic operations that a command may cost, about 50 ms


class Batching(Struct):
    """`usual` is the option `--batch`; 1 stays 1 (depth-first fidelity)."""

    usual: int
    _barren: int = 0

    def note(self, *, something_new: bool) -> None:
        """After each round: whether it covered an edge or found an outcome that none before did."""
        self._barren = 0 if something_new else self._barren + 1

    def size(self, runs: int, operations: int) -> int:
        """The next batch, given the runs and symbolic operations of the campaign so far."""
        if self.usual <= 1:
            return 1
        size = min(self.usual, max(1, runs // _RUNS_A_STEP))
        if self._barren > _BARREN_ROUNDS:
            size = min(max(self.usual, LARGEST), size << min(self._barren - _BARREN_ROUNDS, 10))
            affordable = _OPERATIONS * max(runs, 1) // max(operations, 1)
            size = max(min(size, affordable), min(size, self.usual))
        return size
