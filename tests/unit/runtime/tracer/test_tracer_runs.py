"""The tracer: how runs end, and that the next run starts as if nothing had happened."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from tracer_process import Process

from veer.toolchain.compiler import find
from veer.toolchain.runtime import runtime_objects
from veer.wire.layout import Command, Loss, Outcome, Reply, State

Start = Callable[[str], Process]

ENDINGS = {
    "global_overflow": (Outcome.BOUNDS_WRITE, "1-byte write, right behind an object of 40 bytes (global table)"),
    "wild_write": (Outcome.SEGFAULT_WILD, "8-byte write at 0x123456789000"),
    "wild_low": (Outcome.SEGFAULT_WILD, "8-byte write at 0x7e000000, where no object is"),
    "own_memory": (Outcome.SEGFAULT_WILD, "8-byte write at 0x300000000000"),
    "null_read": (Outcome.SEGFAULT_NULL, "4-byte read at 0x8"),
    "native_overflow": (Outcome.STACK_OVERFLOW, "the native stack is full"),
    "local_overflow": (Outcome.STACK_OVERFLOW, "the local variables do not fit on the stack"),
    "library_fault": (Outcome.SEGFAULT_WILD, "an access to 0xffffffffffffffff in a library"),
    "hangs": (Outcome.HANG, "the budget of steps ran out"),
    "aborts": (Outcome.ABORTED, "Aborted in a library"),
    "asserts": (Outcome.ASSERTION, "x > 0"),
    "traps": (Outcome.ILLEGAL, "Illegal instruction"),
    "divides_by_zero": (Outcome.DIVISION, "division by zero or overflow of the quotient"),
    "frees_twice": (Outcome.DOUBLE_FREE, "the object was freed before"),
    "frees_middle": (Outcome.BAD_FREE, "a pointer into the middle of an object is freed"),
    "frees_global": (Outcome.BAD_FREE, "an object that is not on the heap is freed"),
    "uses_freed": (Outcome.USE_AFTER_FREE, "1-byte read at offset 3 of a freed object of 10 bytes"),
    "heap_overflow": (Outcome.BOUNDS_READ, "4-byte read, right behind an object of 10 bytes (heap)"),
    "expired_local": (Outcome.USE_AFTER_FREE, "4-byte read of an expired local variable"),
    "eats_memory": (Outcome.MEMORY_LIMIT, "the limit of the unit's heap is reached"),
    "reallocates": (Outcome.USE_AFTER_FREE, "1-byte read at offset 0 of a freed object of 4 bytes"),
    "forks": (Outcome.UNSUPPORTED, "a call that veer does not follow: fork"),
    "wild_call": (Outcome.SEGFAULT_WILD, "a call of 0x20000100, where no function is"),
}
UNTRUSTED = {"library_fault", "library_exits", "aborts"}


@pytest.fixture
def start() -> Iterator[Start]:
    processes: list[Process] = []

    def starter(case: str) -> Process:
        processes.append(Process(case))
        return processes[-1]

    yield starter
    for process in processes:
        process.close()


@pytest.mark.parametrize("case", ENDINGS)
def test_endings(start: Start, case: str) -> None:
    process = start(case)
    outcome, message = ENDINGS[case]
    for _ in range(2):  # the second run finds the process as the first one did
        reply = process.run()
        assert (process.outcome, process.message) == (outcome, message)
        assert reply == (Reply.RESTART if case in UNTRUSTED else Reply.DONE)
    assert process.command(Command.HELLO) is not None


def test_exit_keeps_its_code(start: Start) -> None:
    process = start("exits")
    assert process.run() == Reply.DONE
    assert (process.outcome, process.shared.run.exit_code) == (Outcome.EXITED, 42)


def test_exit_in_a_library_wants_a_new_process(start: Start) -> None:
    process = start("library_exits")
    assert process.run() == Reply.RESTART
    assert (process.outcome, process.shared.run.exit_code) == (Outcome.EXITED, 43)


def test_a_death_leaves_what_was_recorded(start: Start) -> None:
    process = start("kills")
    assert process.run() is None
    assert process.shared.run.running == 1
    process.close()
    process.start()
    process.shared.run.crash_outcome = Outcome.KILLED
    assert process.command(Command.RESCAN) == Reply.DONE


def test_a_unit_that_closes_all_descriptors_does_not_reach_veers(start: Start) -> None:
    process = start("closes_all")
    assert [process.run(), process.run()] == [Reply.DONE, Reply.DONE]
    assert process.outcome is Outcome.RETURNED


def test_globals_are_restored(start: Start) -> None:
    process = start("counts")
    for _ in range(3):
        process.run()
        assert process.result == struct.pack("<Q", 1) + b"\1"
        assert process.said() == {"symbolic": 1}


def test_constructors_run_within_each_run(start: Start) -> None:
    process = start("starts")
    for _ in range(2):
        process.run()
        assert process.result == struct.pack("<Q", 1)
    process = start("starts_badly")
    assert process.run() == Reply.DONE
    assert (process.outcome, process.site) == (Outcome.SEGFAULT_NULL, 48)


def test_decisions_beyond_the_bound_are_not_recorded(start: Start) -> None:
    process = start("many_choices")
    process.run(bytes(10))
    everything, whole = process.decisions, process.shared.run.current_hash
    assert len(everything) == 10
    for bound in (1, 5, 20):
        process = start("many_choices")
        process.shared.options.max_depth = bound
        process.run(bytes(10) + struct.pack("<Q", 2))
        assert process.decisions[0] == everything[0]
        assert process.decisions[2:] == everything[2 : bound + 1]
        assert process.result == struct.pack("<Q", 2)  # a choice beyond the bound is still the input's
        assert process.shared.run.current_hash != whole
        states = process.shared.published("tree_state")
        depths = process.shared.published("tree_depth")
        untaken = [State(int(state)) for state, depth in zip(states, depths, strict=True) if depth > bound]
        assert untaken.count(State.TAKEN) == int(bound < 10)
        assert set(untaken) <= {State.TAKEN, State.CUT}


def test_leaks_are_looked_for_on_request(start: Start) -> None:
    process = start("leaks")
    process.run()
    assert process.outcome is Outcome.RETURNED
    process.shared.options.check_leaks = 1
    process.run()
    assert (process.outcome, process.site) == (Outcome.LEAK, 31)


def test_blocks_of_realloc_and_of_libc(start: Start) -> None:
    process = start("reallocates")
    process.run()
    assert process.said() == {"moved": 1, "huge": 1}


def test_edges_of_a_recorded_run_are_its_own(start: Start) -> None:
    process = start("switches")
    process.run()
    assert not process.shared.published("run_edges").any()
    process = start("fragments")
    process.run()
    assert np.flatnonzero(process.shared.published("run_edges")).tolist() == [18, 20]
    process.run(struct.pack("<i", 0x00123400))
    assert np.flatnonzero(process.shared.published("run_edges")).tolist() == [19, 21]
    assert np.flatnonzero(process.shared.published("edge_seen")).tolist() == [18, 19, 20, 21]


def test_what_a_library_writes_between_its_callbacks_is_concrete(start: Start) -> None:
    process = start("called_back")
    process.run()
    assert process.said() == {"read": 0, "own": 1, "stored": 0, "copied": 0, "after": 1}
    assert Loss.EXTERNAL in process.losses


def test_a_library_may_reach_more_objects_than_are_listed(start: Start) -> None:
    process = start("reaches_many")
    process.run()
    assert process.said() == {"left": 0}
    assert process.losses == {Loss.EXTERNAL}


def test_the_runtime_needs_nothing_of_the_compilers_own() -> None:
    """zig's has memcpy and the like in one object with division of 128 bits: they would replace the machine's."""
    for path in runtime_objects(find()):
        assert b"ti3\0" not in path.read_bytes(), path
