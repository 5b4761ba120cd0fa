"""The executor protocol: what a search asks of the program under test, whatever its language."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Protocol

from msgspec import Struct


class Work(Struct, frozen=True):
    """What a command did: `left` are ids that it did not come to (it was stopped, or `full`: a table holds no more)."""

    left: tuple[int, ...] = ()
    full: bool = False


class Executor(Protocol):
    """Logical input map → trace, merged into the shared execution tree. Deadlines are in time.monotonic."""

    @property
    def restarts(self) -> int:
        """How often its process was started again."""
        ...

    def run(self, input: bytes, *, record: bool = False, keeps: bool = False, filler: int = 0) -> Work:
        """Runs one input from the root; with `record`, the trace, the leaves and the covered edges can be decoded; with
        `keeps`, it is a path of its own even if nothing is new about it.
        """
        ...

    def run_concretely(self, input: bytes) -> Work:
        """Runs one input from the root as `run` with `record` does, but nothing in it is symbolic: it has no trace."""
        ...

    def probe(self, input: bytes, *, filler: int = 0) -> bool:
        """Runs one input from the root and keeps nothing of it but what it left in the control block.

        False: the process did not survive it, or nothing more fits into the shared memory.
        """
        ...

    def look(self, input: bytes) -> bool:
        """Probes an input with nothing symbolic in it, with texts that go on: the leaves that it asks for are known
        then. False: as with `probe`.
        """
        ...

    def draw(self, values: Sequence[int]) -> bool:
        """Probes the input whose values, in the order in which its run asks for them, are these, and 0 behind them.

        What the run asked for is in `drawn`; its input is the last run's. False: as with `probe`, or they are too many.
        """
        ...

    def expand(self, ids: Sequence[int], *, deadline: float | None = None) -> Work:
        """For each open node: solve with the ladder, run, merge."""
        ...

    def follow(self, node: int, input: bytes) -> Work:
        """Runs a model that smt found for a queued node."""
        ...

    def depth_first(self, node: int, *, max_runs: int, deadline: float | None = None) -> Work:
        """Everything below a node natively, deepest first, until `max_runs` (0 = no bound)."""
        ...

    def mutate(self, runs: int, *, deadline: float | None = None) -> Work:
        """About so many concrete runs of changed inputs (docs/decisions/0470). What shows something new is run as by
        `run`; nothing is left of the others."""
        ...

    def again(self, paths: Sequence[int], *, deadline: float | None = None) -> int:
        """Runs paths once more for what flows in them, and keeps nothing else; how many (fewer: late, or no room)."""
        ...

    def release(self, leaves: Collection[int]) -> None:
        """Opens the HELD nodes that wait for these leaves, or for any (no leaves), and may be negated by now."""
        ...

    def close(self) -> None:
        """Ends the process."""
        ...
