"""What every search is given: one frozen value, with all that a search needs and nothing of the campaign around it."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from msgspec import Struct, field

from veer.execution.engine import EngineLibrary
from veer.execution.executor import PersistentExecutor
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.search.cost import SECOND
from veer.search.exchange import Exchange
from veer.search.existing import Existing
from veer.search.history import History
from veer.search.parallel.checkpoint import Checkpoint, Checkpoints
from veer.search.progress import Report, Reporter, silent
from veer.search.seeds import Seed
from veer.smt.protocol import Eliminated, Solver
from veer.toolchain.cache import Cache
from veer.wire.shared import Shared


class Tools(Protocol):
    """Makes what works on a shared memory."""

    def executor(self, shared: Shared) -> PersistentExecutor:
        """A process that runs the program; the caller closes it. Raises ExecutorError when it cannot be started."""
        ...

    def solver(self, shared: Shared, eliminated: Eliminated, engine: EngineLibrary | None = None) -> Solver:
        """The solver over the expressions of the memory, for one thread; it counts in `eliminated`.

        `engine` evaluates what solvers say; None: the engine's library where it is free, else Python.
        """
        ...

    def engine(self, shared: Shared) -> AbstractContextManager[EngineLibrary | None]:
        """The engine's library, attached to the memory while the context lasts; None: another campaign has it."""
        ...

    def engine_path(self) -> Path | None:
        """Where the engine's library is, once it is built; None: there is none."""
        ...

    def release(self) -> None:
        """Gives up what solvers hold of this process: processes are to be made."""
        ...


class Beside(Protocol):
    """Makes scenes of other searches over the same program, each in a memory and a build of its own."""

    def can_build(self, search: str) -> bool:
        """Whether the language builds what the search of this name needs."""
        ...

    def begin(self, search: str) -> None:
        """Begins to build it, while others go on."""
        ...

    def scene(self, search: str, main: Scene) -> Scene:
        """Its scene, without anything found, once it is built. Raises UsageError, ToolchainError."""
        ...


class Scene(Struct, frozen=True):
    """The scene of one search in one shared memory.

    `options.budget` runs from when the search begins; `start`, of the campaign, is in time.monotonic. `checkpoints`
    saves what a later session goes on with, `earlier` is what an earlier one left; None: there is none. `summaries`:
    where summaries of functions are stored. `seeds` are run before all else, none: the input of zeros, and
    behind it those that the user has, `existing`. `exchange`: who gives and takes inputs while the search goes on.
    `alone_cost`: what a search costs (cost.py) before it takes workers. `beside`: for a search that tries others.
    `is_brief`: the texts of seeds go on up to their bounds at once, and empty ones begin.
    """

    shared: Shared
    program: Program
    options: SearchOptions
    tools: Tools
    start: float = field(default_factory=time.monotonic)
    report: Report = silent
    history: History = field(default_factory=History)
    checkpoints: Checkpoints | None = None
    earlier: Checkpoint | None = None
    summaries: Cache | None = None
    seeds: tuple[Seed, ...] = ()
    existing: tuple[Existing, ...] = ()
    exchange: Exchange | None = None
    alone_cost: float = 0.2 * SECOND  # a search that is over before needs no workers
    beside: Beside | None = None
    is_brief: bool = False

    @property
    def edge_count(self) -> int:
        """The edges of the program: two for each site."""
        return 2 * len(self.program.sites)

    def executor(self) -> PersistentExecutor:
        """A process that runs the program in this memory; the caller closes it."""
        return self.tools.executor(self.shared)

    def reporter(self) -> Reporter:
        """What tells of this search."""
        return Reporter(self.shared, self.program, self.options.goal, self.start, self.report, self.history)
