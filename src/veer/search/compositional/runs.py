"""The runs of a compositional search: each input is run once, and once more when it is learnt what functions use.

input ─► run ─► its activations          a boundary drawn anew ─► the records of runs with that function are void
                                         an end at a limit     ─► what was active then is no unit of summary
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from enum import StrEnum

from msgspec import Struct

from veer.execution.protocol import Executor
from veer.model.ending import EndingKind
from veer.search.compositional.activations import Activation, activations
from veer.wire.boundaries import Boundaries
from veer.wire.costs import Costs
from veer.wire.layout import NONE, Outcome, Refusal
from veer.wire.shared import Shared

_LIMITS = frozenset(
    (
        *(Outcome.HANG, Outcome.STACK_OVERFLOW, Outcome.MEMORY_LIMIT, Outcome.OUTPUT_LIMIT, Outcome.CAPACITY),
        *(Outcome.UNSUPPORTED, Outcome.KILLED),
    )
)
_RUNS_IN_VAIN = 32
_COST_OF_A_RUN, _COST_OF_A_DECISION = 2_000, 20  # about microseconds, for what tries and terms take (search/cost.py)
MOST_DECISIONS = 4000
"""In one run, beyond which the plain search goes on: what is known of each step here is as long as the path."""


class Reason(StrEnum):
    """Why a search by summaries leaves a program to the plain one."""

    JUMPS = "{place} leaves functions otherwise than by their returns"
    NOTHING = "no function on the paths can be summarised"
    LONG = "a run makes more than 4000 decisions"
    ENGINE = "another campaign has the engine"
    RESUMED = "what was saved of it is a plain search"


class RefusedError(Exception):
    """The plain search is better at this program."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


class EndedError(Exception):
    """The search must stop."""

    def __init__(self, kind: EndingKind) -> None:
        super().__init__(kind)
        self.kind = kind


class RedrawnError(Exception):
    """A run has shown that boundaries were drawn wrongly: what was recorded so far is void."""


class Run(Struct, frozen=True, eq=False):
    """One run: its input, and what its activations did."""

    input: bytes
    root: Activation
    edges: frozenset[int] | None = None  # that it took, where that is known

    def activations(self) -> Iterator[Activation]:
        """All of it, the outer ones first."""
        waiting = [self.root]
        while waiting:
            activation = waiting.pop()
            yield activation
            waiting += [step for step in activation.steps if isinstance(step, Activation)]

    def functions(self) -> set[int]:
        """All that were active in it."""
        return {activation.function for activation in self.activations()}


class Runs:
    """The runs by their inputs. `made`: how many, by the function that they were for (its site; NONE = the entry);
    `repeated`: those whose record had become void.
    """

    def __init__(self, shared: Shared, executor: Executor) -> None:
        self._shared = shared
        self._executor = executor
        self._runs: dict[bytes, Run | None] = {}  # None: its record is void
        self._drawn: set[tuple[int, ...]] | None = None  # nothing is known before the first run
        self._in_vain = 0  # runs without an activation beside the whole; -1: there was one with
        self.made: Counter[int] = Counter()
        self.repeated = 0

    def inputs(self) -> list[bytes]:
        """Of all runs, the first one first."""
        return list(self._runs)

    def get(self, input: bytes) -> Run | None:
        """The run of an input, if there is one whose record holds."""
        return self._runs.get(input)

    def edges_of(self, input: bytes) -> frozenset[int] | None:
        """The edges that the run of an input took, if they are known."""
        run = self._runs.get(input)
        return run.edges if run is not None else None

    def make(self, input: bytes, function: int, *, with_edges: bool) -> Run:
        """Runs an input for the sake of a function.

        Raises RedrawnError when the run shows that a boundary was drawn wrongly, EndedError when the search must stop,
        RefusedError when the plain search is better at this.
        """
        changes = self._shared.control(Boundaries).boundary_changes
        if input in self._runs:
            self.repeated += 1
        else:
            self.made[function] += 1
        self._runs.setdefault(input)
        work = self._executor.run(input, record=with_edges)
        if self._drawn is None:
            self._drawn = self._boundaries()  # what is read off the program's text
        decisions = self._shared.counts.trace_count
        self._shared.control(Costs).query_cost += _COST_OF_A_RUN + _COST_OF_A_DECISION * decisions
        if work.full:
            raise EndedError(EndingKind.BUDGET)
        if decisions > MOST_DECISIONS:
            raise RefusedError(Reason.LONG)
        if self._shared.control(Boundaries).boundary_changes != changes:
            raise RedrawnError
        is_whole = with_edges and self._shared.run.last_outcome not in _LIMITS
        edges = frozenset(self._shared.published("run_edges").nonzero()[0].tolist()) if is_whole else None
        run = Run(input, activations(self._shared), edges)
        if self._shared.run.last_outcome in _LIMITS and self._refuse_unfinished(run.root):
            raise RedrawnError
        self._runs[input] = run
        self._note_calls(run)
        return run

    def fresh(self, number: int) -> bool:
        """Runs a fresh random input; whether it showed a branch, an ending or a bug that no run had, or something of
        the boundaries. Then it is one of `inputs`, without a record."""
        changes, news = self._shared.control(Boundaries).boundary_changes, self._shared.count("interesting")
        self._executor.run(b"", filler=number)
        path = self._shared.run.last_path
        is_redrawn = self._shared.control(Boundaries).boundary_changes != changes
        if path == NONE or (self._shared.count("interesting") == news and not is_redrawn):
            return False
        self._runs.setdefault(self._shared.input_of(path))
        return True

    def forget(self) -> None:
        """The records of runs are void in which a function took part whose boundary is drawn anew."""
        drawn = self._boundaries()
        changed = {boundary[0] for boundary in drawn ^ (self._drawn or set())}
        self._drawn = drawn
        for input, run in self._runs.items():
            if run is not None and run.functions() & changed:
                self._runs[input] = None
        is_called = any(run is not None and run.functions() != {NONE} for run in self._runs.values())
        self._in_vain = -1 if is_called else 0

    def _boundaries(self) -> set[tuple[int, ...]]:
        """What functions are known to use, and those that are refused: (function, ...)."""
        declared = {tuple(map(int, record)) for record in self._shared.published("declared").tolist()}
        return declared | {(int(function),) for function in self._shared.region("refusals").nonzero()[0]}

    def _note_calls(self, run: Run) -> None:
        """Gives up when runs enough were made, and none has an activation beside the whole."""
        if run.functions() != {NONE}:
            self._in_vain = -1
        elif self._in_vain >= 0:
            self._in_vain += 1
        if self._in_vain > _RUNS_IN_VAIN:
            raise RefusedError(Reason.NOTHING)

    def _refuse_unfinished(self, root: Activation) -> bool:
        """Where a run ends at a limit depends on what its callers used up: such a path is no part of a summary."""
        refusals, found = self._shared.region("refusals"), False
        while root.steps and isinstance(root.steps[-1], Activation) and not root.steps[-1].is_finished:
            root = root.steps[-1]
            refusals[root.function] = Refusal.LIMIT
            found = True
        return found
