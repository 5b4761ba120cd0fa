"""What a search and somebody beside it, a fuzzer, do for each other while it goes on (docs/decisions/0472).

    a fuzzer's folder ──► arrived ──► filled in, run ──► its open branches are the search's
          ▲                                                        │
          └────── give ◄── as bytes ◄── runs of the search that cover something new, or end at a bug

Inputs of the fuzzer enter the tree as seeds do, so that no claim can change; what is given is the input of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from veer.execution.decode import model_outcome
from veer.execution.protocol import Executor, Work
from veer.model.program import Program
from veer.search.asbytes import AsBytes
from veer.search.existing import Existing, Filling, holders, place_of_bytes
from veer.search.selection import NO_TEST
from veer.wire.layout import PathFlag
from veer.wire.shared import Shared

_TOLD = int(PathFlag.NEW_EDGE | PathFlag.NEW_BUG | PathFlag.NEW_OUTCOME)


class Given(Struct, frozen=True):
    """An input that the search gives: its bytes, and whether its run ended at a bug."""

    data: bytes
    is_bug: bool


class Exchange(Protocol):
    """Who is beside the search."""

    def arrived(self) -> Sequence[Existing]:
        """A few inputs that came since the last call; none: there are no new ones by now."""
        ...

    def refused(self, existing: Existing) -> None:
        """Is told that the program does not take such an input, or not within its bounds."""
        ...

    def give(self, given: Given) -> None:
        """Takes an input of the search; one that it has already, it leaves. Raises StoreError."""
        ...

    def wait(self) -> bool:
        """Returns after a moment, where the search has nothing to do until more inputs arrive; False: it is to end."""
        ...


class Exchanging:
    """The exchange of one search: `take` before each of its rounds, `tell` behind it."""

    def __init__(self, shared: Shared, executor: Executor, program: Program, exchange: Exchange) -> None:
        self._shared = shared
        self._executor = executor
        self._program = program
        self._exchange = exchange
        at = place_of_bytes(program)
        self._as_bytes = AsBytes(shared, at) if at is not None else None
        self._known = shared.count("interesting")

    def take(self, is_over: Callable[[], bool]) -> Iterator[Work]:
        """Runs a few of the inputs that arrived, until `is_over()`."""
        for each in self._exchange.arrived():
            into = holders(self._program, each)
            filling = Filling(self._shared, into) if into is not None else None
            yield from filling.run(self._executor, is_over) if filling is not None else ()
            if filling is None or not filling.is_whole:
                self._exchange.refused(each)

    def tell(self) -> None:
        """Gives the inputs of the runs that showed something new since the last call."""
        interesting = self._shared.published("interesting")
        new, self._known = interesting[self._known :].tolist(), len(interesting)
        if self._as_bytes is None or not new:
            return
        paths = self._shared.published("paths")
        for path in dict.fromkeys(new):
            flags, outcome = int(paths[path]["flags"]), int(paths[path]["outcome"])
            if flags & _TOLD and outcome not in NO_TEST:
                data = self._as_bytes.of(self._shared.input_of(path))
                self._exchange.give(Given(data, model_outcome(outcome).is_bug))

    def wait(self) -> bool:
        """See Exchange."""
        return self._exchange.wait()
