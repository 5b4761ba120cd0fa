"""bfs, generational, priority, random, random-path, nearest, coverage and solve-first on trees built by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from veer import plugins
from veer.model.errors import UsageError
from veer.search.strategies import buckets, registry
from veer.search.strategies.buckets import Buckets
from veer.search.strategies.chunks import Chunks
from veer.search.strategies.coverage_guided import TURN, CoverageGuided
from veer.search.strategies.mixed import Mixed
from veer.search.strategies.nearest import Nearest
from veer.search.strategies.random_picks import Random, RandomPath
from veer.search.strategies.registry import strategy
from veer.search.strategies.scene import Scene
from veer.search.strategies.solve_first import SolveFirst
from veer.search.tree import Tree
from veer.wire.layout import TREE, Kind, State

CAPACITY = 4096
STRATEGIES = plugins.own_names("veer.strategies")


@dataclass
class Growing:
    """A tree that grows by runs; each run takes alternative 1 of its decisions and leaves alternative 0 open."""

    arrays: dict[str, npt.NDArray[Any]] = field(
        default_factory=lambda: {name: np.zeros(CAPACITY, dtype) for name, dtype in TREE}
    )
    count: int = 1
    runs: int = 0

    def __post_init__(self) -> None:
        self.arrays["state"][0] = int(State.TAKEN)
        self.edge_taken = np.zeros(256, np.uint32)
        self.tree = Tree(self.arrays, lambda: self.count, self.edge_taken)

    def run(self, below: int, sites: list[int]) -> npt.NDArray[np.int64]:
        """A run to the node `below` and on through these sites; the ids that it left open, top first."""
        arrays, opened, node = self.arrays, [], below
        arrays["state"][below] = int(State.TAKEN)
        for site in sites:
            first = self.count
            for alternative in (0, 1):
                side = first + alternative
                arrays["parent"][side], arrays["site"][side], arrays["alternative"][side] = node, site, alternative
                arrays["kind"][side], arrays["path"][side] = int(Kind.BRANCH), self.runs
                arrays["depth"][side] = arrays["depth"][node] + 1
                arrays["state"][side] = int(State.TAKEN if alternative else State.OPEN)
            arrays["sibling"][first] = first + 1
            arrays["child"][node] = first
            self.edge_taken[2 * site + 1] += 1
            opened.append(first)
            node, self.count = first + 1, first + 2
        self.runs += 1
        return np.array(opened, np.int64)


def sites_of(growing: Growing, ids: npt.NDArray[np.int64]) -> list[int]:
    return [int(site) for site in growing.arrays["site"][ids]]


def distances(table: dict[int, int]) -> Scene:
    """A scene in which site k is table[k] away, both sides."""
    return Scene(distances=lambda edges: np.array([table.get(int(edge) // 2, 9) for edge in edges], np.int64))


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_open_node_comes_exactly_once(name: str) -> None:
    growing = Growing()
    picker = strategy(name)
    every = growing.run(0, list(range(40)))
    picker.add(growing.tree, every)
    seen: list[int] = []
    while len(ids := picker.pick(growing.tree, 7)):
        assert len(ids) <= 7
        seen += ids.tolist()
        growing.arrays["state"][ids] = int(State.INFEASIBLE)
    assert sorted(seen) == every.tolist()


@pytest.mark.parametrize("name", STRATEGIES)
def test_new_nodes_are_found_after_all_were_spent(name: str) -> None:
    growing = Growing()
    picker = strategy(name)
    first = growing.run(0, [1, 2, 3])
    picker.add(growing.tree, first)
    while len(ids := picker.pick(growing.tree, 8)):
        growing.arrays["state"][ids] = int(State.INFEASIBLE)
    below = growing.run(int(first[1]), [4, 5])
    picker.add(growing.tree, below)
    found: list[int] = []
    while len(ids := picker.pick(growing.tree, 1)):
        found += ids.tolist()
        growing.arrays["state"][ids] = int(State.INFEASIBLE)
    assert sorted(found) == below.tolist()


@pytest.mark.parametrize("name", STRATEGIES)
def test_a_node_that_was_not_expanded_can_be_given_back(name: str) -> None:
    growing = Growing()
    picker = strategy(name)
    opened = growing.run(0, [1, 2])
    picker.add(growing.tree, opened)
    first = picker.pick(growing.tree, 1)
    picker.add(growing.tree, first)
    seen: list[int] = []
    while len(ids := picker.pick(growing.tree, 2)):
        seen += ids.tolist()
    assert sorted(seen) == opened.tolist()


@pytest.mark.parametrize("name", STRATEGIES)
def test_nothing_that_waits_is_forgotten_with_what_others_handed_out(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buckets, "TIDY_AT", 4)
    growing, picker = Growing(), strategy(name)
    seen, below = [], 0
    for round_ in range(60):
        opened = growing.run(below, [s % 7 for s in range(round_, round_ + 12)])
        picker.add(growing.tree, opened)
        growing.arrays["state"][opened[::3]] = int(State.INFEASIBLE)  # somebody else had these
        ids = picker.pick(growing.tree, 3)
        growing.arrays["state"][ids] = int(State.INFEASIBLE)
        below = int(ids[-1])
        growing.arrays["state"][below] = int(State.TAKEN)
        seen += ids.tolist()
    waits = np.flatnonzero(growing.arrays["state"][1 : growing.count] == int(State.OPEN)) + 1
    rest: list[int] = []
    while len(ids := picker.pick(growing.tree, 64)):
        rest += ids.tolist()
        growing.arrays["state"][ids] = int(State.INFEASIBLE)
    assert sorted(rest) == waits.tolist() and len(waits) > 200
    assert not set(rest) & set(seen)


@pytest.mark.parametrize("make", [lambda _: Chunks(latest_first=True), lambda _: Chunks(latest_first=False)])
def test_tidying_forgets_what_is_not_wanted_and_keeps_the_order(
    make: Callable[[int], Chunks], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(buckets, "TIDY_AT", 8)
    known, order = Buckets(make), Buckets(make)
    ids = np.arange(40)
    known.add(ids % 3, ids)
    known.tidy(lambda some: some % 4 == 0)
    order.add(ids[::4] % 3, ids[::4])
    assert len(known) == 10 and known.sizes.tolist() == order.sizes.tolist()
    assert known.take_lowest(99).tolist() == order.take_lowest(99).tolist()


def test_a_strategy_whose_partner_is_dry_is_not_asked_node_by_node() -> None:
    growing, asked = Growing(), [0]

    class Counted(Random):
        def pick(self, tree: Tree, k: int) -> npt.NDArray[np.int64]:
            asked[0] += 1
            return super().pick(tree, k)

    mixed = Mixed(Counted(), Random(), 1.0)
    opened = growing.run(0, [k % 99 for k in range(1000)])
    mixed.add(growing.tree, opened)
    found = [mixed.pick(growing.tree, 3) for _ in range(334)]
    assert sorted(np.concatenate(found).tolist()) == opened.tolist()
    assert asked[0] == 1 and len(mixed.pick(growing.tree, 3)) == 0


@pytest.mark.parametrize("name", STRATEGIES)
@pytest.mark.parametrize("k", [1, 5])
def test_the_same_seed_gives_the_same_picks(name: str, k: int) -> None:
    def picks(seed: int) -> list[int]:
        growing, found = Growing(), []
        picker = strategy(name, State.OPEN, Scene(seed=seed))
        picker.add(growing.tree, growing.run(0, [s % 9 for s in range(30)]))
        for round_ in range(20):
            for node in picker.pick(growing.tree, k).tolist():
                found.append(node)
                picker.add(growing.tree, growing.run(node, [round_ % 9, (round_ + 4) % 9]))
        return found

    assert picks(3) == picks(3)
    if name in ("random", "random-path"):
        assert picks(3) != picks(4)


@pytest.mark.parametrize("name", STRATEGIES)
def test_queued_nodes_can_be_ranked(name: str) -> None:
    growing = Growing()
    opened = growing.run(0, [1, 2, 3])
    growing.arrays["state"][opened[1]] = int(State.QUEUED)
    picker = strategy(name, State.QUEUED)
    picker.add(growing.tree, opened[1:2])
    assert picker.pick(growing.tree, 4).tolist() == [opened[1]]
    assert len(picker.pick(growing.tree, 4)) == 0


def test_a_queue_gives_the_oldest_first_across_chunks() -> None:
    queue = Chunks(latest_first=False)
    queue.push(np.array([1, 2, 3]))
    queue.push(np.array([], np.int64))
    queue.push(np.array([4, 5]))
    assert queue.pop(2).tolist() == [1, 2]
    assert len(queue) == 3
    assert queue.pop(9).tolist() == [3, 4, 5]
    assert queue.pop(1).tolist() == []


def test_bfs_goes_level_by_level() -> None:
    growing = Growing()
    bfs = strategy("bfs")
    first = growing.run(0, [1, 2, 3])
    bfs.add(growing.tree, first)
    assert bfs.pick(growing.tree, 1).tolist() == [first[0]]
    second = growing.run(int(first[0]), [4, 5])
    bfs.add(growing.tree, second)
    assert bfs.pick(growing.tree, 9).tolist() == [first[1], second[0], first[2], second[1]]


def test_generational_takes_all_branches_of_the_run_with_most_new_coverage() -> None:
    growing = Growing()
    generational = strategy("generational")
    first = growing.run(0, [1, 2])
    generational.add(growing.tree, first)
    assert generational.pick(growing.tree, 9).tolist() == first.tolist()
    dull = growing.run(int(first[0]), [1, 2, 1])
    fresh = growing.run(int(first[1]), [7, 8, 9])
    generational.add(growing.tree, np.concatenate([dull, fresh]))
    assert generational.pick(growing.tree, 4).tolist() == [*fresh.tolist(), dull[0]]


def test_priority_follows_its_heuristic_but_for_the_given_share() -> None:
    scene = distances({1: 5, 2: 0, 3: 2})
    growing = Growing()
    opened = growing.run(0, [1, 2, 3] * 30)
    greedy = strategy("priority", State.OPEN, Scene(random_share=0.0, distances=scene.distances))
    greedy.add(growing.tree, opened)
    assert Counter(sites_of(growing, greedy.pick(growing.tree, 40))) == {2: 30, 3: 10}
    mixed = strategy("priority", State.OPEN, Scene(random_share=0.5, distances=scene.distances))
    mixed.add(growing.tree, opened)
    assert Counter(sites_of(growing, mixed.pick(growing.tree, 40)))[1] > 0


def test_random_is_uniform() -> None:
    counts: Counter[int] = Counter()
    growing = Growing()
    opened = growing.run(0, list(range(10)))
    for seed in range(400):
        picker = Random(State.OPEN, seed)
        picker.add(growing.tree, opened)
        counts.update(picker.pick(growing.tree, 3).tolist())
    assert len(counts) == 10
    assert all(80 < times < 160 for times in counts.values())  # 120 expected


def test_random_path_halves_at_each_decision() -> None:
    counts: Counter[int] = Counter()
    growing = Growing()
    opened = growing.run(0, list(range(6)))
    for seed in range(640):
        picker = RandomPath(State.OPEN, seed)
        picker.add(growing.tree, opened)
        counts.update(picker.pick(growing.tree, 1).tolist())
    shares = [counts[node] / 640 for node in opened.tolist()]
    assert shares[0] == pytest.approx(0.5, abs=0.08)
    assert shares[1] == pytest.approx(0.25, abs=0.07)
    assert shares[2] == pytest.approx(0.125, abs=0.05)


def test_mixed_keeps_its_share_and_never_hands_out_twice() -> None:
    growing = Growing()
    opened = growing.run(0, list(range(100)))
    mixed = Mixed(strategy("dfs"), strategy("bfs"), 0.25)
    mixed.add(growing.tree, opened)
    picked = [int(mixed.pick(growing.tree, 1)[0]) for _ in range(40)]
    assert len(set(picked)) == 40
    assert sorted(picked)[:10] == opened[:10].tolist()
    assert sorted(picked)[10:] == opened[70:].tolist()


def test_nearest_goes_where_something_is_left_latest_first() -> None:
    growing = Growing()
    nearest = Nearest(State.OPEN, distances({1: 60, 2: 3, 3: 0}))
    opened = growing.run(0, [3, 1, 2, 3])
    nearest.add(growing.tree, opened)
    assert nearest.pick(growing.tree, 1).tolist() == [opened[3]]
    assert nearest.pick(growing.tree, 1).tolist() == [opened[0]]
    assert nearest.pick(growing.tree, 1).tolist() == [opened[2]]


def test_nearest_does_not_run_against_a_wall_for_ever() -> None:
    growing = Growing()
    nearest = Nearest(State.OPEN, distances({1: 0, 2: 3}))
    nearest.add(growing.tree, growing.run(0, [1] * 60 + [2] * 20))
    picked = [sites_of(growing, nearest.pick(growing.tree, 1))[0] for _ in range(40)]
    assert 2 in picked[:18]
    assert Counter(picked)[2] == 2  # every seventeenth: 1 / (1 + 3)^2 as often as what is next door


def test_coverage_gives_the_others_a_turn_when_nothing_new_comes() -> None:
    table = {1: 0, 2: 30, 3: 30}
    growing = Growing()
    coverage = CoverageGuided(State.OPEN, distances(table))
    coverage.add(growing.tree, growing.run(0, [1] * 200 + [2, 3] * 10))
    first = [sites_of(growing, coverage.pick(growing.tree, 1))[0] for _ in range(TURN)]
    assert set(first) == {1}
    others = [sites_of(growing, coverage.pick(growing.tree, 1))[0] for _ in range(TURN)]
    assert {2, 3} & set(others)
    table[2] = 0  # covered: from the top
    again = [sites_of(growing, coverage.pick(growing.tree, 1))[0] for _ in range(2)]
    assert set(again) <= {1, 2}


def test_coverage_walks_at_the_beginning_of_turns_alone() -> None:
    growing = Growing()
    picker = CoverageGuided(State.OPEN, distances({}))
    walked = others = 0
    for _ in range(2000):
        picker.add(growing.tree, growing.run(0, [1, 2]))
        picker.pick(growing.tree, 1024)
        walked += picker._others.share > 0
        others += picker._mixed.share > 0
        growing.arrays["state"][: growing.count] = int(State.TAKEN)
        growing.count = 1
    assert others > 800 and 8 <= walked <= 2 * 20, "one pick of 1024, and the first small ones, in each turn of others"


def test_solve_first_tries_a_whole_path_before_it_goes_deeper() -> None:
    growing = Growing()
    solve_first = SolveFirst()
    first = growing.run(0, [1, 2, 3])
    solve_first.add(growing.tree, first)
    order: list[int] = []
    made: dict[int, list[int]] = {}
    while len(ids := solve_first.pick(growing.tree, 1)):
        node = int(ids[0])
        order.append(node)
        below = growing.run(node, [4, 5]) if node in first else np.empty(0, np.int64)
        growing.arrays["state"][ids] = int(State.TAKEN)
        made[node] = below.tolist()
        solve_first.add(growing.tree, below)
    top = first.tolist()
    assert order == [*top, *made[top[2]], *made[top[1]], *made[top[0]]]


def offer(monkeypatch: pytest.MonkeyPatch, folder: Path, value: str) -> None:
    """Installs a package whose entry point `theirs` has this value."""
    metadata = folder / "theirs-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (metadata / "entry_points.txt").write_text(f"[veer.strategies]\ntheirs = {value}\n")
    monkeypatch.syspath_prepend(folder)


def test_a_strategy_of_another_package_is_found_by_its_entry_point(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    offer(monkeypatch, tmp_path, "veer.search.strategies.coverage_guided:CoverageGuided")
    assert isinstance(strategy("theirs"), CoverageGuided)
    assert "theirs" in registry.names()


def test_a_package_that_cannot_be_loaded_is_a_usage_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    offer(monkeypatch, tmp_path, "no_such_package:Strategy")
    with pytest.raises(UsageError, match=r"theirs.*cannot be loaded"):
        strategy("theirs")
