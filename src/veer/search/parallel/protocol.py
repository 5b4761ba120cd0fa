"""What a worker is to the coordinator of a search: a part of the search goes out, what it found comes back.

    coordinator                          worker
      submit(part, errand) ───────────►  searches the part
      ◄── status: runs, finds, edges ──  as often as it is asked
      tell(edges) ────────────────────►  what is covered elsewhere need not be aimed at
      split() ────────────────────────►  gives away half of what waits
      ◄───────────────────────── part ─  at once, or with a later delivery
      ◄──── deliver: findings, parts ──  what is final of a part that it goes on with
      save(write) ────────────────────►  writes what a later session goes on with
      stop() ─────────────────────────►  ends after the run that is under way
      ◄──────── ended, then findings ──  or the part, where the search came to no end of its own

Parts, errands and findings are values, which `encoding.py` has as bytes: a worker may be a process of this machine,
which finds the part in shared memory, or a node of a cluster, which gets bytes. Workers are registered by an entry
point of the group `veer.workers`, whose object makes a `Workers` for one search, given its SearchOptions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from veer.model.ending import EndingKind
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.search.parallel.findings import Findings
from veer.search.parallel.part import Part, Status
from veer.wire.shared import Shared

GROUP = "veer.workers"

Write = Callable[[Shared], Any]
"""Writes a memory where a later session finds it, and tells what is to be known of the file. It can be pickled."""


class Errand(Struct, frozen=True):
    """What a worker is told beside its part.

    `options` are those of the part: `budget` in seconds from now, `max_runs` of all of its runs (0 = no limit), its
    share of the memory. `engine`: the library that evaluates expressions, None = it is done in Python.
    """

    program: Program
    options: SearchOptions
    engine: Path | None = None


class Ended(Struct, frozen=True):
    """The search of a part came to an ending; `state`: what it knows outside of the shared memory, as JSON knows it."""

    kind: EndingKind
    state: Mapping[str, Any]


class Delivery(Struct, frozen=True):
    """What is final of a part that is searched on, and parts that were given away: `Worker.part` is without both."""

    findings: tuple[Findings, ...] = ()
    parts: tuple[Part, ...] = ()


NOTHING = Delivery()
"""What workers deliver that tell of their part at its end."""


class Worker(Protocol):
    """One part in the hands of a worker, from `submit` to `close`."""

    @property
    def part(self) -> Part:
        """What is to be searched again if the worker dies, or goes on later: without what it gave away."""
        ...

    @property
    def state(self) -> Mapping[str, Any]:
        """What its search last told of itself (see Ended)."""
        ...

    @property
    def ended(self) -> Ended | None:
        """How its search ended, once it is known."""
        ...

    def status(self) -> Status:
        """How far it is, as far as that is known here; cheap."""
        ...

    def open_branches(self) -> int:
        """How many branches wait in it, as far as that is known here."""
        ...

    def tell(self, edges: npt.NDArray[np.uint8]) -> None:
        """Tells it what is covered, a byte an edge."""
        ...

    def stop(self) -> None:
        """Has it end after the run that is under way; it ends as STOPPED."""
        ...

    @property
    def runs(self) -> int:
        """All runs of its memory, as far as that is known here: with those that the part was begun with."""
        ...

    @property
    def is_splitting(self) -> bool:
        """Whether it was asked to give a part away, and has not answered yet."""
        ...

    def split(self) -> Part | None:
        """Half of what waits in it, as a part of its own; None: there is too little, it has ended or died, or the part
        comes with a later delivery (`is_splitting`)."""
        ...

    def deliver(self) -> Delivery:
        """What it has told for good since the last call. The caller keeps it: `part` is behind it."""
        ...

    def save(self, write: Write) -> None:
        """Has it write its part, between two rounds; `saved` waits for that."""
        ...

    def saved(self) -> Any | None:
        """What `write` told, and `state` is what belongs to it; None: it has ended or died instead."""
        ...

    def findings(self) -> Iterator[Findings]:
        """What it found, in batches, when its search has ended."""
        ...

    def close(self) -> None:
        """Makes sure that nobody is at work on its part any more; what it told stays known."""
        ...


class Workers(Protocol):
    """The workers of one search. `most`: how many there may be at a time; `most_deaths`: after how many at one part,
    in a row and without a delivery, it is the part that is to blame."""

    most: int
    most_deaths: int

    def room(self) -> int:
        """How many parts can be submitted now."""
        ...

    def submit(self, part: Part, errand: Errand) -> Worker:
        """Has the part searched."""
        ...

    def wait(self, workers: Sequence[Worker], seconds: float) -> Sequence[Worker]:
        """Those of these that have ended or died (then `ended` is None), after so many seconds at most.

        Raises ExecutorError when a worker tells that its search broke.
        """
        ...

    def notes(self) -> tuple[str, ...]:
        """What the user should know of them."""
        ...

    def close(self) -> None:
        """The search is over."""
        ...
