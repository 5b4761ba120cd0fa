"""The loop in small: C programs in the tracer's place, explored natively, against enumeration of all their inputs."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from engine_fixtures import campaign, library_with

from veer.execution.engine import EngineLibrary
from veer.wire.layout import Command, Loss, Outcome, PathFlag, Reply, State
from veer.wire.shared import Shared

NESTED, LOOPED, CHOSEN, UNSTEADY = range(4)
RANGES = {NESTED: (16, 16, 16), LOOPED: (4, 6, 6, 6)}
Campaign = tuple[EngineLibrary, Shared]


@pytest.fixture(scope="module")
def library() -> Path:
    return library_with("programs.c")


def select(library: Path, program: int) -> None:
    """Which program runs, from its first run on."""
    loaded = ctypes.CDLL(str(library))
    ctypes.c_int.in_dll(loaded, "fake_program").value = program
    ctypes.c_int.in_dll(loaded, "fake_runs").value = 0
    ctypes.c_int.in_dll(loaded, "fake_pin_count").value = 0


@pytest.fixture
def started(library: Path, request: pytest.FixtureRequest) -> Iterator[Campaign]:
    """A campaign in which the program ran once, on zeros."""
    select(library, request.param)
    with campaign(library) as (engine, shared):
        run(engine, shared, b"")
        yield engine, shared


def run(engine: EngineLibrary, shared: Shared, data: bytes) -> None:
    shared.region("inbox")[: len(data)] = list(data)
    shared.command.inbox_length = len(data)
    assert engine.command(Command.RUN) is Reply.DONE


def expand(engine: EngineLibrary, shared: Shared, ids: list[int]) -> None:
    shared.region("ids")[: len(ids)] = ids
    shared.command.id_count = len(ids)
    assert engine.command(Command.EXPAND) is Reply.DONE
    assert shared.command.ids_done == len(ids)


def open_nodes(shared: Shared) -> list[int]:
    return [node for node, state in enumerate(shared.tree("state").tolist()) if state == State.OPEN]


def expand_all(engine: EngineLibrary, shared: Shared) -> None:
    """Breadth first until nothing is open."""
    while ids := open_nodes(shared):
        expand(engine, shared, ids)


def depth_first(engine: EngineLibrary, shared: Shared, node: int = 0, max_runs: int = 0) -> None:
    shared.region("ids")[0] = node
    shared.command.max_runs = max_runs
    assert engine.command(Command.DFS) is Reply.DONE


def all_paths(library: Path, program: int) -> set[int]:
    """Path hashes of all inputs, run one by one in a campaign of their own."""
    hashes = set()
    with campaign(library) as (engine, shared):
        select(library, program)
        for values in itertools.product(*(range(count) for count in RANGES[program])):
            run(engine, shared, bytes(values))
            hashes.add(shared.run.current_hash)
        assert shared.counts.distinct_paths == len(hashes)
        assert shared.counts.diverged == 0
    return hashes


@pytest.mark.parametrize("program", [NESTED, LOOPED])
@pytest.mark.parametrize("how", ["expand", "dfs"])
def test_exactly_the_paths_of_enumeration(library: Path, program: int, how: str) -> None:
    expected = all_paths(library, program)
    select(library, program)
    with campaign(library) as (engine, shared):
        run(engine, shared, b"")
        if how == "expand":
            expand_all(engine, shared)
        else:
            depth_first(engine, shared)
        assert shared.count("queue") == 0
        assert set(shared.published("paths")["hash"].tolist()) == expected
        assert shared.counts.distinct_paths == len(expected)
        assert shared.counts.diverged == 0
        assert shared.count("ledger") == 0
        assert State.OPEN not in shared.tree("state")
        check_tree(shared)


def check_tree(shared: Shared) -> None:
    """Links agree with each other, depths count, and each taken node's path passes through it."""
    parent, child, sibling, depth = (shared.tree(name).tolist() for name in ("parent", "child", "sibling", "depth"))
    for node in range(len(parent)):
        side = child[node]
        seen = []
        while side:
            assert parent[side] == node
            assert depth[side] == depth[node] + 1
            seen.append(int(shared.tree("alternative")[side]))
            side = sibling[side]
        assert seen == list(range(len(seen)))
    for path in shared.published("paths"):
        assert shared.tree("state")[path["node"]] == State.TAKEN


@pytest.mark.parametrize("started", [LOOPED], indirect=True)
def test_a_bug_is_reported_once_with_its_smallest_witnesses(started: Campaign) -> None:
    engine, shared = started
    depth_first(engine, shared)
    bugs = [path for path in shared.published("paths") if path["outcome"] == Outcome.ABORTED]
    reports = shared.published("reports")
    assert 1 <= len(reports) <= 8
    assert len(bugs) >= len(reports)
    assert all(path["report"] < len(reports) for path in bugs)
    for index, report in enumerate(reports):
        path = shared.published("paths")[report["path"]]
        assert path["report"] == index
        assert path["flags"] & PathFlag.NEW_BUG
        assert report["path"] in shared.published("interesting")
        assert sum(shared.input_of(int(report["path"]))[1 : 1 + shared.input_of(int(report["path"]))[0]]) == 7


@pytest.mark.parametrize("started", [CHOSEN], indirect=True)
def test_choices_grow_assumptions_are_not_aimed_at(started: Campaign) -> None:
    engine, shared = started
    shared.options.guard_siblings = 3
    expand_all(engine, shared)
    state, kind, alternative = (shared.tree(name).tolist() for name in ("state", "kind", "alternative"))
    choices = [alternative[node] for node in range(len(kind)) if kind[node] == 4]
    assert sorted(choices) == [0, 0, 1, 1, 2]  # two decisions, one of them with an alias
    assert State.ASSUMED in state
    assert Outcome.ASSUMPTION not in shared.published("paths")["outcome"]
    cut = [node for node in range(len(state)) if state[node] == State.CUT]
    assert len(cut) == 2  # three values of the address on each path that pins it
    assert {(int(entry["kind"]), int(entry["site"])) for entry in shared.published("ledger")} == {(Loss.ADDRESS, 3)}
    check_tree(shared)


@pytest.mark.parametrize("started", [UNSTEADY], indirect=True)
def test_a_divergence_is_marked_and_survived(started: Campaign) -> None:
    engine, shared = started
    expand_all(engine, shared)
    assert shared.counts.diverged > 0
    assert State.DIVERGED in shared.tree("state")
    assert any(entry["kind"] == Loss.DIVERGENCE for entry in shared.published("ledger"))
    assert any(path["flags"] & PathFlag.DIVERGED for path in shared.published("paths"))
    check_tree(shared)


@pytest.mark.parametrize("started", [NESTED], indirect=True)
def test_max_depth_cuts_and_max_runs_stops(started: Campaign) -> None:
    engine, shared = started
    depth_first(engine, shared, max_runs=2)
    assert shared.counts.runs == 3
    shared.command.stop = 1
    depth_first(engine, shared)
    assert shared.counts.runs == 3
    shared.command.stop = 0
    shared.options.max_depth = 2
    depth_first(engine, shared)
    depth, state = shared.tree("depth"), shared.tree("state")
    assert State.CUT in state[depth > 2]
    assert State.CUT not in state[depth <= 2]


@pytest.mark.parametrize("started", [NESTED], indirect=True)
def test_follow_runs_a_model_for_a_queued_node(started: Campaign) -> None:
    engine, shared = started
    node = next(node for node in open_nodes(shared) if shared.tree("site")[node] == 1)
    shared.tree("state")[node] = State.QUEUED
    shared.region("ids")[0] = node
    shared.region("inbox")[:3] = [0, 3, 0]
    shared.command.inbox_length = 3
    assert engine.command(Command.FOLLOW) is Reply.DONE
    assert shared.tree("state")[node] == State.TAKEN
    assert shared.input_of(int(shared.tree("path")[node])) == bytes([0, 3, 0])
    wrong = next(node for node in open_nodes(shared) if shared.tree("site")[node] == 0)
    shared.region("ids")[0] = wrong
    assert engine.command(Command.FOLLOW) is Reply.DONE
    assert shared.tree("state")[wrong] == State.DIVERGED


@pytest.mark.parametrize("started", [NESTED], indirect=True)
def test_another_process_goes_on_where_the_first_one_stopped(library: Path, started: Campaign) -> None:
    engine, shared = started
    expected = 0
    while ids := open_nodes(shared):
        expand(engine, shared, ids[:1])
        expected = shared.count("nodes")
        engine.attach(shared)  # a new process: nothing private survives
    assert shared.count("nodes") == expected
    hashes = set(shared.published("paths")["hash"].tolist())
    assert len(hashes) == shared.counts.distinct_paths
    assert shared.counts.diverged == 0
    engine.attach(shared)
    assert hashes == all_paths_kept(library, engine, shared)


def all_paths_kept(library: Path, engine: EngineLibrary, shared: Shared) -> set[int]:
    """Runs all inputs on top: nothing new may come."""
    before = shared.count("nodes"), len(shared.tree("state")), shared.counts.distinct_paths
    hashes = set()
    for values in itertools.product(*(range(count) for count in RANGES[NESTED])):
        run(engine, shared, bytes(values))
        hashes.add(shared.run.current_hash)
    assert before == (shared.count("nodes"), len(shared.tree("state")), shared.counts.distinct_paths)
    return hashes
