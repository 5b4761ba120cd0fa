"""The persistent executor: a process that is restarted when the tested program breaks it.

A death loses nothing: the tree is in shared memory, so the next process is told what the last one died of (RESCAN), and
the rest of the batch goes on. A target that broke two processes is given up as UNKNOWN, with a ledger entry.
"""

from __future__ import annotations

import contextlib
import os
import signal
import tempfile
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np

from veer.execution.limits import ExecutorLimits
from veer.execution.process import Ended, ExecutorProcess, KilledError
from veer.execution.protocol import Work
from veer.model.errors import ExecutorError
from veer.toolchain.session import scratch_root
from veer.wire.draws import Draws
from veer.wire.layout import GOES_ON, NONE, Command, Loss, Outcome, State
from veer.wire.mutations import Mutations
from veer.wire.shared import Shared

_STARTS = 3
_DEATHS_OF_A_TARGET = 2
_ENDS_OF_A_TARGET = 4  # from outside: memory may be short because of it
_DEATHS_WITHOUT_A_RUN = 8
_PATHS_AT_ONCE = 1 << 14  # of `again`
_PROBE = 2  # in `record`: the run is not merged into the tree
_REFUSED = (-signal.SIGSYS, 128 + signal.SIGSYS)  # runtime/tracer/guard.c
_MOST_KILLERS = 8  # changed inputs that kill the process and are run once more
_VERIFY_FAILED = 99  # exit status of a process that found an expression to differ from the program's value


class PersistentExecutor:
    """The protocol above over one process at a time, in a scratch directory of its own."""

    def __init__(self, executable: Path, shared: Shared, limits: ExecutorLimits) -> None:
        """Starts the process; raises ExecutorError when that fails."""
        self._executable = executable
        self._shared = shared
        self._limits = limits
        self._scratch = tempfile.TemporaryDirectory(prefix="veer-run-", dir=scratch_root(), ignore_cleanup_errors=True)
        self._started = 0
        self._deaths: Counter[int] = Counter()
        self._barren_deaths = 0
        self._killers = 0
        self._died_idle = False  # in the last command, while no run was under way: of something else than the unit
        self._process: ExecutorProcess | None = None
        self._renew()

    @property
    def restarts(self) -> int:
        """How often the process was started again."""
        return self._started - 1

    def run(self, input: bytes, *, record: bool = False, keeps: bool = False, filler: int = 0) -> Work:
        """See Executor."""
        self._put_input(input)
        self._forget_results()
        self._shared.counts.trace_count, self._shared.run.last_report = 0, NONE
        self._shared.command.record, self._shared.command.filler = int(record), filler
        self._shared.command.keeps = int(keeps)
        try:
            ended = self._ask(Command.RUN, None)
            while self._died_idle:  # a search without its first run would look spent; `_recover` ends this
                ended = self._ask(Command.RUN, None)
        finally:
            self._shared.command.record = self._shared.command.keeps = self._shared.command.filler = 0
        return Work(full=ended is Ended.FULL)

    def run_concretely(self, input: bytes) -> Work:
        """See Executor."""
        with self._nothing_symbolic():
            return self.run(input, record=True)

    def look(self, input: bytes) -> bool:
        """See Executor."""
        with self._nothing_symbolic():
            return self.probe(input, filler=GOES_ON)

    @contextlib.contextmanager
    def _nothing_symbolic(self) -> Iterator[None]:
        mutations = self._shared.control(Mutations)
        mutations.is_concrete, mutations.mutation_steps = 1, self._shared.options.max_steps
        try:
            yield
        finally:
            mutations.is_concrete = 0

    def probe(self, input: bytes, *, filler: int = 0) -> bool:
        """See Executor."""
        self._put_input(input)
        self._forget_results()
        self._shared.command.record, self._shared.command.filler = _PROBE, filler
        assert self._process is not None
        try:
            ended = self._process.command(Command.RUN)
        finally:
            self._shared.command.record, self._shared.command.filler = 0, 0
            self._shared.run.running = 0
        if ended is Ended.RESTART or ended.is_gone:
            self._renew()
        return ended in (Ended.DONE, Ended.RESTART)

    def draw(self, values: Sequence[int]) -> bool:
        """See Executor."""
        draws, region = self._shared.control(Draws), self._shared.region("draws")
        if len(values) > len(region):
            return False
        region[: len(values)] = values
        draws.draw_count, draws.is_drawn = len(values), 1
        try:
            return self.probe(b"")
        finally:
            draws.is_drawn = 0

    def expand(self, ids: Sequence[int], *, deadline: float | None = None) -> Work:
        """See Executor. Ids whose state is not OPEN are skipped natively."""
        command, left = self._shared.command, [int(node) for node in ids]
        while left:
            self._put_ids(left)
            ended = self._ask(Command.EXPAND, deadline)
            left = left[command.ids_done :] if ended is not Ended.DONE or command.stop else []
            if ended is Ended.FULL:
                return Work(left=tuple(left), full=True)
            if command.stop:
                break
        return Work(left=tuple(left))

    def follow(self, node: int, input: bytes) -> Work:
        """See Executor. A node that is still not decided afterwards has broken its process and is given up."""
        self._put_ids([node])
        self._put_input(input)
        ended = self._ask(Command.FOLLOW, None)
        if self._died_idle:
            ended = self._ask(Command.FOLLOW, None)
        if self._state(node) in (State.OPEN, State.QUEUED) and ended is not Ended.FULL:
            self._give_up(node)
        return Work(full=ended is Ended.FULL)

    def depth_first(self, node: int, *, max_runs: int, deadline: float | None = None) -> Work:
        """See Executor."""
        command, counts = self._shared.command, self._shared.counts
        last = counts.runs + max_runs if max_runs else 0
        while not last or counts.runs < last:
            self._put_ids([node])
            command.max_runs = last - counts.runs if last else 0
            ended = self._ask(Command.DFS, deadline)
            if ended in (Ended.DONE, Ended.FULL) or command.stop:
                return Work(full=ended is Ended.FULL)
        return Work()

    def mutate(self, runs: int, *, deadline: float | None = None) -> Work:
        """See Executor. An input that kills the process is run once more, so that the campaign learns of it."""
        self._shared.command.max_runs = runs
        assert self._process is not None
        ended = self._process.command(Command.MUTATE, deadline=deadline)
        if ended in (Ended.DONE, Ended.FULL):
            return Work(full=ended is Ended.FULL)
        mutations, run = self._shared.control(Mutations), self._shared.run
        start, was_concrete = self._shared.counts.input_bytes, bool(mutations.is_concrete and run.running)
        input = self._shared.region("inputs")[start : start + run.current_length].tobytes()
        status = self._process.status
        mutations.is_concrete = mutations.lists_leaves = mutations.is_given_up = mutations.work_limit = 0
        if ended is not Ended.RESTART and not was_concrete:
            self._recover(ended, status)
            return Work()
        run.running = 0
        self._renew()
        if was_concrete and ended is not Ended.LATE and self._killers < _MOST_KILLERS:
            self._killers += 1
            return self.run(input)
        return Work()

    def again(self, paths: Sequence[int], *, deadline: float | None = None) -> int:
        """See Executor. A path that does not survive it this time is left out."""
        done = 0
        while done < len(paths) and not self._shared.command.stop:
            self._put_ids(paths[done : done + _PATHS_AT_ONCE])
            assert self._process is not None
            ended = self._process.command(Command.AGAIN, deadline=deadline)
            done += self._shared.command.ids_done
            if ended in (Ended.DIED, Ended.HUNG):
                done += 1
            if ended is Ended.RESTART or ended.is_gone:
                self._renew()
                self._shared.run.running = 0
            if ended is Ended.FULL:
                break
        return min(done, len(paths))

    def release(self, leaves: Collection[int]) -> None:
        """See Executor."""
        most = len(self._shared.region("ids"))
        self._put_ids(tuple(leaves) if len(leaves) <= most else ())
        self._ask(Command.RELEASE, None)

    def close(self) -> None:
        """See Executor."""
        if self._process is not None:
            self._process.quit()
            self._process = None
        self._scratch.cleanup()

    # -- the process ------------------------------------------------------------------------------------------

    def _ask(self, command: Command, deadline: float | None) -> Ended:
        """One command; afterwards there is a living process again, whatever happened to the last one."""
        if self._shared.counts.runs - self._runs_at_start > self._limits.renew_after:
            self._renew()
        assert self._process is not None
        runs, self._died_idle = self._shared.counts.runs, False
        ended = self._process.command(command, deadline=deadline)
        if self._shared.counts.runs != runs:
            self._barren_deaths = 0
        if ended is Ended.RESTART:
            self._renew()
        elif ended.is_gone:
            self._recover(ended, self._process.status)
        return ended

    def _renew(self) -> None:
        if self._process is not None:
            self._process.quit()
            self._shared.require_whole()
        for _ in range(_STARTS - 1):
            with contextlib.suppress(KilledError):
                self._process = self._started_one()
                break
        else:
            self._process = self._started_one()
        self._started += 1
        self._runs_at_start = self._shared.counts.runs

    def _started_one(self) -> ExecutorProcess:
        return ExecutorProcess(self._executable, self._shared, self._limits, Path(self._scratch.name))

    def _recover(self, ended: Ended, status: int | None) -> None:
        """After a death: note in the tree what the run did before it died, count, give up a target that kills twice."""
        if (
            ended is Ended.DIED
            and status == _VERIFY_FAILED
            and "VEER_VERIFY" in os.environ
            and self._process is not None
        ):
            raise ExecutorError(f"VEER_VERIFY: {self._process.last_words()}")
        command, run = self._shared.command, self._shared.run
        done, target, was_running = command.ids_done, run.current_node, run.running
        was_late = ended is Ended.LATE
        was_ended = was_late or (ended is Ended.DIED and self._was_ended_from_outside(status))
        self._died_idle = was_ended or not was_running
        self._barren_deaths += 1
        if self._barren_deaths > _DEATHS_WITHOUT_A_RUN:
            raise ExecutorError(f"the executor died {self._barren_deaths} times in a row without a run: {ended.value}")
        if ended is Ended.HUNG:
            self._shared.note_loss(Loss.CLOCK, self._site(target))
        self._renew()
        if was_running and not was_ended:
            self._rescan(ended, status)
        run.running, run.current_node, run.crash_outcome = 0, NONE, 0
        command.ids_done = done
        if target != NONE and not was_late:
            self._deaths[target] += 1
            most = _ENDS_OF_A_TARGET if was_ended else _DEATHS_OF_A_TARGET if was_running else 1
            if self._state(target) == State.OPEN and self._deaths[target] >= most:
                self._give_up(target)

    def _was_ended_from_outside(self, status: int | None) -> bool:
        """Whether it is known that somebody else has killed it, the kernel for want of memory, say: no system call of a
        confined process ends it so. Its run is made again."""
        return status == -signal.SIGKILL and "calls" in self._limits.confinement.grants

    def _rescan(self, ended: Ended, status: int | None) -> None:
        """Tells the new process what the old one died of. A rescan that fails costs the path, not the campaign."""
        outcome = Outcome.CAPACITY if ended is Ended.HUNG else Outcome.KILLED  # that the clock stopped it is no bug
        if ended is Ended.DIED and status is not None and status >= 0:
            outcome = Outcome.EXITED  # library code called exit behind the runtime's back
            self._shared.run.exit_code = status
        if ended is Ended.DIED and status in _REFUSED and self._limits.confinement.grants:
            outcome = Outcome.UNSUPPORTED  # a system call was refused where the signal for that could not be handled
            self._shared.note_loss(Loss.SANDBOX, self._site(self._shared.run.current_node))
        self._shared.run.crash_outcome = outcome
        assert self._process is not None
        again = self._process.command(Command.RESCAN)
        if again is not Ended.DONE:
            self._shared.note_loss(Loss.UNSUPPORTED, self._site(self._shared.run.current_node))
            self._renew()

    # -- arguments --------------------------------------------------------------------------------------------

    def _put_ids(self, ids: Sequence[int]) -> None:
        region = self._shared.region("ids")
        if len(ids) > len(region):
            raise ExecutorError(f"a batch of {len(ids)} is too large; at most {len(region)}")
        region[: len(ids)] = ids
        self._shared.command.id_count = len(ids)
        self._shared.command.ids_done = 0

    def _forget_results(self) -> None:
        counts = self._shared.counts
        self._shared.run.run_leaf_count = counts.result_count = counts.result_length = counts.output_length = 0

    def _put_input(self, input: bytes) -> None:
        inbox = self._shared.region("inbox")
        if len(input) > len(inbox):
            raise ExecutorError(f"an input of {len(input)} bytes is too large; at most {len(inbox)}")
        inbox[: len(input)] = np.frombuffer(input, np.uint8)
        self._shared.command.inbox_length = len(input)

    def _state(self, node: int) -> int:
        states = self._shared.tree("state")
        return int(states[node]) if node < len(states) else int(State.UNUSED)

    def _site(self, node: int) -> int:
        sites = self._shared.tree("site")
        return int(sites[node]) if 0 < node < len(sites) else NONE

    def _give_up(self, node: int) -> None:
        self._shared.tree("state")[node] = State.UNKNOWN
        self._shared.note_loss(Loss.GIVEN_UP, self._site(node))
