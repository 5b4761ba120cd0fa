"""Runs merged into the tree from traces written by hand, crashes in the middle of things included."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from engine_fixtures import campaign, library_with

from veer.execution.engine import EngineLibrary
from veer.wire.layout import NONE, Command, Kind, LeafKind, Loss, Op, Outcome, PathFlag, Reply, State, Table
from veer.wire.shared import Shared


@dataclass
class Script:
    """A campaign in which each run leaves the trace that the test wrote before."""

    engine: EngineLibrary
    shared: Shared
    library: ctypes.CDLL

    def literal(self, index: int) -> int:
        """`byte index < 9`."""
        leaf = self.engine.leaf(self.engine.object("x"), index, 8)
        return self.engine.expression(Op.ULT, 1, self.engine.leaf_expression(leaf), self.engine.constant(8, 9))

    def write(self, *events: tuple[int, int], kind: Kind = Kind.BRANCH, outcome: Outcome = Outcome.RETURNED) -> None:
        """The next run's trace: (literal's index = site, alternative)."""
        trace = self.shared.region("trace")
        hash = 1
        for place, (index, alternative) in enumerate(events):
            trace[place] = (kind, 0, 2, alternative, self.literal(index), index, 0, 0)
            hash = (hash * 31 + 2 * index + alternative) % (1 << 64)
        self.shared.counts.trace_count = len(events)
        self.shared.run.current_hash = hash
        self.shared.run.last_outcome = outcome

    def run(self, *events: tuple[int, int], outcome: Outcome = Outcome.RETURNED) -> Reply:
        self.write(*events, outcome=outcome)
        self.shared.command.inbox_length = 4
        return self.engine.command(Command.RUN)

    def states(self) -> list[State]:
        return [State(state) for state in self.shared.tree("state").tolist()]

    def new_edges(self, count: int) -> None:
        """What the next run says to have covered for the first time."""
        ctypes.c_int.in_dll(self.library, "fake_new_edges").value = count


@pytest.fixture
def script() -> Iterator[Script]:
    path: Path = library_with("scripted.c")
    with campaign(path) as (engine, shared):
        loaded = ctypes.CDLL(str(path))
        ctypes.c_int.in_dll(loaded, "fake_renew").value = 0
        yield Script(engine, shared, loaded)


def test_a_first_run_makes_both_sides_of_each_decision(script: Script) -> None:
    """root ─ 0:taken ─ 1:taken, each with an open sibling."""
    assert script.run((0, 1), (1, 0)) is Reply.DONE
    assert script.states() == [State.TAKEN, State.OPEN, State.TAKEN, State.TAKEN, State.OPEN]
    assert script.shared.tree("parent").tolist() == [NONE, 0, 0, 2, 2]
    assert script.shared.tree("child").tolist() == [1, 0, 3, 0, 0]
    assert script.shared.tree("sibling").tolist() == [0, 2, 0, 4, 0]
    assert script.shared.tree("depth").tolist() == [0, 1, 1, 2, 2]
    assert script.shared.published("paths")["node"].tolist() == [3]
    assert script.shared.region("edge_taken")[:4].tolist() == [0, 1, 1, 0]


def test_a_second_run_adds_only_its_suffix(script: Script) -> None:
    script.run((0, 1), (1, 0))
    script.run((0, 1), (1, 1), (2, 1))
    assert len(script.states()) == 7
    assert script.shared.tree("path").tolist() == [0, 0, 0, 0, 0, 1, 1]
    assert script.shared.region("edge_taken")[:6].tolist() == [0, 1, 1, 1, 0, 1]


def test_a_run_that_adds_nothing_is_not_stored(script: Script) -> None:
    script.run((0, 1))
    bytes_before = script.shared.counts.input_bytes
    script.run((0, 1))
    assert script.shared.count("paths") == 1
    assert script.shared.counts.input_bytes == bytes_before
    assert script.shared.run.last_path == NONE
    assert script.shared.counts.runs == 2


def test_another_decision_in_the_same_place_is_a_divergence(script: Script) -> None:
    script.run((0, 1), (1, 0))
    script.run((0, 1), (2, 0), (3, 0))
    assert len(script.states()) == 5
    assert script.shared.counts.diverged == 1
    path = script.shared.published("paths")[1]
    assert (path["node"], path["flags"] & PathFlag.DIVERGED) == (2, PathFlag.DIVERGED)
    assert [int(kind) for kind in script.shared.published("ledger")["kind"]] == [Loss.DIVERGENCE]


def test_new_edges_and_outcomes_are_interesting(script: Script) -> None:
    script.run((0, 1))
    script.new_edges(3)
    script.run((0, 1))
    script.run((0, 1), outcome=Outcome.HANG)
    flags = script.shared.published("paths")["flags"].tolist()
    assert [flag & (PathFlag.NEW_EDGE | PathFlag.NEW_OUTCOME) for flag in flags] == [
        PathFlag.NEW_OUTCOME,
        PathFlag.NEW_EDGE,
        PathFlag.NEW_OUTCOME,
    ]
    assert script.shared.published("interesting").tolist() == [0, 1, 2]


def test_violated_assumptions_are_no_paths(script: Script) -> None:
    script.write((0, 0), kind=Kind.ASSUME, outcome=Outcome.ASSUMPTION)
    script.engine.command(Command.RUN)
    assert script.shared.counts.distinct_paths == 0
    assert script.states() == [State.TAKEN, State.TAKEN, State.OPEN]


def choose(script: Script, alternatives: int, alternative: int, flags: int = 0) -> None:
    """A run whose only decision is a pointer."""
    leaf = script.engine.leaf(script.engine.object("p"), 0, 64, LeafKind.CHOICE)
    script.shared.region("trace")[0] = (Kind.CHOICE, flags, alternatives, alternative, leaf, 7, 0, 0)
    script.shared.counts.trace_count = 1
    script.shared.run.current_hash = 100 + alternative
    script.shared.run.last_outcome = Outcome.RETURNED
    assert script.engine.command(Command.RUN) is Reply.DONE


def test_a_choice_gets_the_alternatives_that_later_runs_have(script: Script) -> None:
    choose(script, 2, 0, flags=2)
    assert script.states() == [State.TAKEN, State.TAKEN, State.CUT]
    choose(script, 4, 3)
    assert script.states() == [State.TAKEN, State.TAKEN, State.CUT, State.OPEN, State.TAKEN]
    assert script.shared.tree("sibling").tolist() == [0, 2, 3, 4, 0]
    assert script.shared.tree("path").tolist() == [0, 0, 0, 1, 1]
    choose(script, 3, 2)
    assert script.states()[3] is State.TAKEN
    assert script.shared.counts.diverged == 0


def test_what_the_ladder_leaves_waits_in_the_queue(script: Script) -> None:
    engine, shared = script.engine, script.shared
    thing = engine.object("x")
    x, y = (engine.leaf_expression(engine.leaf(thing, offset, 64)) for offset in (0, 8))
    square = engine.expression(Op.MUL, 64, engine.expression(Op.MUL, 64, x, x), engine.expression(Op.MUL, 64, y, y))
    literal = engine.expression(Op.EQ, 1, square, engine.constant(64, 0x1234_5678_9ABC_DEF1))
    shared.region("trace")[0] = (Kind.BRANCH, 0, 2, 0, literal, 3, 0, 0)
    shared.counts.trace_count = 1
    engine.command(Command.RUN)
    shared.region("ids")[0] = 2
    shared.command.id_count = 1
    assert engine.command(Command.EXPAND) is Reply.DONE
    assert script.states()[2] is State.QUEUED
    assert shared.published("queue").tolist() == [2]
    assert shared.counts.left_to_smt == 1


def test_a_later_process_knows_the_bugs_of_the_first(script: Script) -> None:
    reports = script.shared.region("reports")

    def fail(*events: tuple[int, int], length: int) -> None:
        script.write(*events, outcome=Outcome.ABORTED)
        count = script.shared.count("reports")
        reports["outcome"][count], reports["site"][count] = Outcome.ABORTED, 5
        script.shared.command.inbox_length = length
        ctypes.c_int.in_dll(script.library, "fake_report").value = count
        script.engine.command(Command.RUN)

    fail((0, 1), length=8)
    script.engine.attach(script.shared)
    fail((0, 0), length=9)
    assert script.shared.count("reports") == 1
    fail((0, 0), (1, 1), length=4)
    assert script.shared.count("reports") == 2
    assert script.shared.published("paths")["report"].tolist() == [0, 0, 1]


def test_a_full_campaign_still_repeats_a_run(script: Script) -> None:
    script.run((0, 1))
    size = script.shared.region("inputs").size
    script.shared.region("inputs")[size - 8 :] = range(1, 9)
    script.shared.counts.input_bytes = size
    assert script.run((0, 0)) is Reply.FULL
    assert script.shared.counts.input_bytes == size
    assert script.shared.region("inputs")[size - 8 :].tolist() == list(range(1, 9))
    assert script.shared.count("paths") == 1
    assert [int(entry["site"]) for entry in script.shared.published("ledger")] == [Table.INPUTS]


def test_a_process_that_asks_to_be_renewed_has_its_run_recorded(script: Script) -> None:
    ctypes.c_int.in_dll(script.library, "fake_renew").value = 1
    assert script.run((0, 1)) is Reply.RESTART
    assert script.shared.count("paths") == 1


def crash(script: Script, *events: tuple[int, int], target: int = NONE) -> None:
    """A process died in a run after these decisions, and another one looks at what it left."""
    script.write(*events)
    script.shared.run.current_node = target
    script.shared.run.running = 1
    script.shared.run.crash_outcome = Outcome.KILLED
    script.shared.run.current_length = 4
    script.engine.attach(script.shared)
    assert script.engine.command(Command.RESCAN) is Reply.DONE


def test_a_run_that_killed_its_process_is_a_path(script: Script) -> None:
    script.run((0, 1), (1, 0))
    crash(script, (0, 1), (1, 1), (2, 0), target=4)
    assert script.states()[4] is State.TAKEN
    path = script.shared.published("paths")[1]
    assert (path["outcome"], path["node"]) == (Outcome.KILLED, 5)
    assert script.shared.run.current_node == NONE


def test_a_crash_before_the_target_marks_it(script: Script) -> None:
    script.run((0, 1), (1, 0))
    crash(script, (0, 1), target=4)
    assert script.states()[4] is State.DIVERGED


def test_a_trace_that_was_overwritten_is_cut_at_the_first_nonsense(script: Script) -> None:
    script.write((0, 1), (1, 1), (2, 1))
    script.shared.region("trace")["literal"][1] = 0xDEADBEEF
    script.shared.run.running = 1
    script.shared.run.crash_outcome = Outcome.KILLED
    assert script.engine.command(Command.RESCAN) is Reply.DONE
    assert len(script.states()) == 3


def test_a_crash_in_the_middle_of_an_insertion_leaves_no_trace(script: Script) -> None:
    """Slots with ids that were not published count as empty, the memo and the tables are found again."""
    engine, shared = script.engine, script.shared
    known = [engine.constant(32, value) for value in range(100)]
    table = shared.region("node_table")
    free = [slot for slot in range(1 << 16) if table[slot] == 0][:20000]
    table[free] = shared.count("nodes")  # the node of a process that died before it published
    engine.attach(shared)
    assert [engine.constant(32, value) for value in range(100)] == known
    fresh = [engine.constant(32, value) for value in range(1000, 1200)]
    assert len(set(fresh) | set(known)) == 300
    assert [engine.constant(32, value) for value in range(1000, 1200)] == fresh


def test_a_crash_while_the_table_is_rebuilt_is_mended(script: Script) -> None:
    engine, shared = script.engine, script.shared
    known = [engine.constant(32, value) for value in range(100)]
    shared.counts.node_table_size = 0
    shared.region("node_table")[:] = 0
    engine.attach(shared)
    assert [engine.constant(32, value) for value in range(100)] == known


def test_the_table_grows_and_keeps_every_node(script: Script) -> None:
    engine, shared = script.engine, script.shared
    first = [engine.constant(64, value << 32) for value in range(50000)]
    assert shared.counts.node_table_size > 1 << 16
    assert [engine.constant(64, value << 32) for value in range(50000)] == first


def test_contexts_are_call_strings(script: Script) -> None:
    engine = script.engine
    inner = engine.context(engine.context(0, 5), 6)
    engine.attach(script.shared)
    assert engine.context(engine.context(0, 5), 6) == inner
    assert script.shared.published("contexts")[inner].tolist() == (engine.context(0, 5), 6)


def test_the_ledger_counts_by_kind_and_site_and_never_loses_a_kind(script: Script) -> None:
    engine, shared = script.engine, script.shared
    for site in range(5000):
        engine.note_loss(Loss.EXTERNAL, site)
    engine.note_loss(Loss.CAPACITY, Table.ARENA)
    ledger = shared.published("ledger")
    assert len(ledger) < shared.region("ledger").size
    assert sum(int(entry["count"]) for entry in ledger if entry["kind"] == Loss.EXTERNAL) == 5000
    assert any(entry["kind"] == Loss.CAPACITY for entry in ledger)
