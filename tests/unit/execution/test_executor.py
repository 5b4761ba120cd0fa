"""The persistent executor against a scripted process: deaths, hangs, restarts, limits; nothing of a batch is lost."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from veer.execution.executor import PersistentExecutor
from veer.execution.limits import ExecutorLimits, scrubbed_environment
from veer.model.errors import ExecutorError
from veer.wire.layout import NONE, Loss, Outcome, State
from veer.wire.shared import Shared

SCRIPT = Path(__file__).parents[2] / "support" / "scripted_executor.py"
LIMITS = ExecutorLimits(timeout=0.2, slack=0.1, startup=30.0, engine=30.0)
NODES = 8


@pytest.fixture
def shared() -> Iterator[Shared]:
    with Shared() as memory:
        memory.region("tree_state")[:NODES] = int(State.OPEN)
        memory.counts.tree_count = NODES
        yield memory


def executor(shared: Shared, folder: Path, plan: dict[int, str], limits: ExecutorLimits = LIMITS) -> PersistentExecutor:
    """A scripted executor with this plan."""
    executable = folder / "executor"
    body = f"import sys\nsys.path.insert(0, {str(SCRIPT.parent)!r})\nfrom scripted_executor import main\nmain()\n"
    executable.write_text(f"#!{sys.executable}\n{body}")
    executable.chmod(0o755)
    (folder / "executor.plan").write_text("".join(f"{node} {word}\n" for node, word in plan.items()))
    return PersistentExecutor(executable, shared, limits)


def states(shared: Shared) -> list[int]:
    return shared.tree("state")[1:].tolist()


def test_a_batch_is_done(shared: Shared, tmp_path: Path) -> None:
    runner = executor(shared, tmp_path, {})
    work = runner.expand(range(1, NODES))
    runner.close()
    assert work.left == () and not work.full
    assert states(shared) == [State.TAKEN] * 7
    assert runner.restarts == 0


def test_a_process_that_is_killed_between_two_runs_costs_no_run(shared: Shared, tmp_path: Path) -> None:
    """As the kernel does when memory is short: a search that lost its first run so claimed to have run all paths."""
    runner = executor(shared, tmp_path, {})
    os.kill(shared.command.executor, signal.SIGKILL)
    runner.run(b"")
    assert shared.counts.runs == 1
    os.kill(shared.command.executor, signal.SIGKILL)
    runner.follow(3, b"")
    runner.close()
    assert (shared.counts.runs, runner.restarts) == (2, 2)
    assert states(shared) == [State.OPEN, State.OPEN, State.TAKEN, *[State.OPEN] * 4]
    assert not len(shared.published("ledger"))


@pytest.mark.parametrize(
    ("word", "outcome"), [("die", Outcome.KILLED), ("exit", Outcome.EXITED), ("hang", Outcome.CAPACITY)]
)
def test_a_run_that_ends_the_process_is_a_path_and_the_batch_goes_on(
    shared: Shared, tmp_path: Path, word: str, outcome: Outcome
) -> None:
    runner = executor(shared, tmp_path, {3: word})
    assert runner.expand(range(1, NODES)).left == ()
    runner.close()
    assert states(shared) == [State.TAKEN] * 7
    assert shared.run.last_outcome == outcome
    assert (shared.counts.path_count, shared.counts.runs, runner.restarts) == (1, 7, 1)
    assert (shared.run.current_node, shared.run.running) == (NONE, 0)
    ledger = [Loss(kind) for kind, _, _ in shared.published("ledger").tolist()]
    assert ledger == ([Loss.CLOCK] if word == "hang" else [])


def test_a_target_that_kills_twice_is_given_up(shared: Shared, tmp_path: Path) -> None:
    runner = executor(shared, tmp_path, {3: "early"})
    assert runner.expand(range(1, NODES)).left == ()
    runner.close()
    assert states(shared)[2] == State.UNKNOWN
    assert [s for s in states(shared) if s != State.TAKEN] == [State.UNKNOWN]
    assert runner.restarts == 2
    assert shared.published("ledger").tolist() == [(int(Loss.GIVEN_UP), 0, 1)]


def test_a_crash_of_the_engine_costs_one_node(shared: Shared, tmp_path: Path) -> None:
    runner = executor(shared, tmp_path, {3: "engine"})
    assert runner.expand(range(1, NODES)).left == ()
    runner.close()
    assert states(shared)[2] == State.UNKNOWN
    assert (shared.counts.runs, shared.counts.path_count) == (6, 0)


def test_a_process_that_wants_to_be_renewed_is(shared: Shared, tmp_path: Path) -> None:
    runner = executor(shared, tmp_path, {2: "restart", 5: "restart"})
    assert runner.expand(range(1, NODES)).left == ()
    runner.close()
    assert states(shared) == [State.TAKEN] * 7
    assert runner.restarts == 2


def test_processes_are_renewed_after_so_many_runs(shared: Shared, tmp_path: Path) -> None:
    runner = executor(shared, tmp_path, {}, ExecutorLimits(renew_after=2))
    for node in range(1, NODES):
        runner.expand([node])
    runner.close()
    assert runner.restarts == 2


def test_a_full_table_gives_back_what_is_left(shared: Shared, tmp_path: Path) -> None:
    runner = executor(shared, tmp_path, {4: "full"})
    work = runner.expand(range(1, NODES))
    runner.close()
    assert work.full and work.left == (4, 5, 6, 7)


def test_a_stop_gives_back_what_is_left(shared: Shared, tmp_path: Path) -> None:
    runner = executor(shared, tmp_path, {4: "stop"})
    work = runner.expand(range(1, NODES))
    runner.close()
    assert work.left == (5, 6, 7) and not work.full


def test_a_deadline_stops_after_the_current_run(shared: Shared, tmp_path: Path) -> None:
    runner = executor(shared, tmp_path, {1: "hang"})
    work = runner.expand(range(1, NODES), deadline=0.0)
    runner.close()
    assert shared.command.stop == 1
    assert 0 < len(work.left) <= 7


def test_a_run_far_beyond_the_deadline_is_ended_and_stays_open(shared: Shared, tmp_path: Path) -> None:
    """Patience with a run is 60 s here. What a later search finds of it is no business of this one's clock."""
    patient = ExecutorLimits(timeout=30.0, slack=30.0, startup=30.0, engine=30.0)
    runner = executor(shared, tmp_path, {3: "hang"}, patient)
    began = time.monotonic()
    work = runner.expand(range(1, NODES), deadline=time.monotonic() + 0.1)
    assert time.monotonic() - began < 20
    assert work.left == (3, 4, 5, 6, 7)
    assert states(shared)[2:] == [State.OPEN] * 5
    assert not len(shared.published("ledger"))
    runner.run(b"")  # another process is there
    runner.close()
    assert runner.restarts == 1


def test_an_executor_that_does_not_start_says_why(shared: Shared, tmp_path: Path) -> None:
    with pytest.raises(ExecutorError, match=r"libsomething.so: cannot open"):
        executor(shared, tmp_path, {-1: "no-start"})
    with pytest.raises(ExecutorError, match="cannot start"):
        PersistentExecutor(tmp_path / "nothing", shared, LIMITS)


def test_an_input_or_batch_that_does_not_fit_is_an_error(shared: Shared, tmp_path: Path) -> None:
    runner = executor(shared, tmp_path, {})
    with pytest.raises(ExecutorError, match="too large"):
        runner.run(bytes((1 << 20) + 1))
    with pytest.raises(ExecutorError, match="too large"):
        runner.expand(range(1 << 17))
    runner.close()


def test_the_environment_is_the_same_everywhere() -> None:
    seen = scrubbed_environment({"HOME": "/root", "LD_LIBRARY_PATH": "/opt", "MALLOC_ARENA_MAX": "1"})
    assert seen == {"PATH": "/usr/bin:/bin", "LANG": "C", "LC_ALL": "C", "TZ": "UTC", "LD_LIBRARY_PATH": "/opt"}


def test_a_process_that_is_killed_while_it_starts_is_started_again(shared: Shared, tmp_path: Path) -> None:
    executable, mark = tmp_path / "executor", tmp_path / "was killed"
    body = f"import os, sys\nmark = {str(mark)!r}\nif not os.path.exists(mark):\n"
    body += "    open(mark, 'w')\n    os.kill(os.getpid(), 9)\n"
    body += f"sys.path.insert(0, {str(SCRIPT.parent)!r})\nfrom scripted_executor import main\nmain()\n"
    executable.write_text(f"#!{sys.executable}\n{body}")
    executable.chmod(0o755)
    (tmp_path / "executor.plan").write_text("")
    runner = PersistentExecutor(executable, shared, LIMITS)
    runner.run(b"")
    runner.close()
    assert mark.exists() and shared.counts.runs == 1
