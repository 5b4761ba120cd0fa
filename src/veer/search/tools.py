"""Makes executors and solvers on this machine."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

from msgspec import Struct, field

from veer.execution.engine import EngineLibrary, attached
from veer.execution.executor import PersistentExecutor
from veer.execution.limits import ExecutorLimits
from veer.model.errors import ExecutorError, ToolchainError
from veer.model.program import Program
from veer.model.searchoptions import SearchOptions
from veer.search.scene import Scene
from veer.smt.arena import Arena
from veer.smt.chain import chain
from veer.smt.evaluate import GuardedEvaluator, LazyEvaluator, ReferenceEvaluator
from veer.smt.protocol import Eliminated, Evaluator, SmtOptions, Solver
from veer.smt.registry import chosen
from veer.wire.shared import Shared


def no_library() -> None:
    """There is no library of the engine."""


class LocalTools(Struct, frozen=True):
    """See Tools. `library`: waits for the engine's library; what it evaluates for stays attached as long as
    `resources` last."""

    program: Program
    options: SearchOptions
    library: Callable[[], Path | None] = no_library
    resources: ExitStack = field(default_factory=ExitStack)

    def executor(self, shared: Shared) -> PersistentExecutor:
        """See Tools."""
        limits = ExecutorLimits(timeout=self.options.timeout, confinement=self.program.confinement)
        return PersistentExecutor(self.program.executable, shared, limits)

    def solver(self, shared: Shared, eliminated: Eliminated, engine: EngineLibrary | None = None) -> Solver:
        """See Tools."""
        arena = Arena.of(shared)
        options = SmtOptions(solvers=chosen(self.options.solver), without=frozenset(self.options.without))
        return chain(arena, LazyEvaluator(lambda: self._evaluator(shared, arena, engine)), options, eliminated)

    def engine(self, shared: Shared) -> AbstractContextManager[EngineLibrary | None]:
        """See Tools. Raises ToolchainError, ExecutorError when there should be a library and is none."""
        path = self.library()
        return contextlib.nullcontext() if path is None else attached(path, shared)

    def engine_path(self) -> Path | None:
        """See Tools."""
        with contextlib.suppress(ToolchainError):
            return self.library()
        return None

    def release(self) -> None:
        """See Tools."""
        self.resources.close()

    def _evaluator(self, shared: Shared, arena: Arena, engine: EngineLibrary | None) -> Evaluator:
        """The engine's, if there is one and no other campaign of this process has it; else the one in Python."""
        if engine is None:
            with contextlib.suppress(ToolchainError, ExecutorError):
                engine = self.resources.enter_context(self.engine(shared))
        return ReferenceEvaluator(arena) if engine is None else GuardedEvaluator(arena, engine)


def local_scene(
    shared: Shared,
    program: Program,
    options: SearchOptions,
    library: Callable[[], Path | None] = no_library,
    resources: ExitStack | None = None,
) -> Scene:
    """A scene on this machine, which nobody watches and nothing is saved of; see LocalTools."""
    return Scene(shared, program, options, LocalTools(program, options, library, resources or ExitStack()))
