"""Strategies on trees built by hand."""

from __future__ import annotations

from itertools import chain

import numpy as np
import pytest

from veer.model.errors import UsageError
from veer.search.strategies.by_edge import fill
from veer.search.strategies.chunks import Chunks
from veer.search.strategies.depth_first import DepthFirst
from veer.search.strategies.nodebag import NodeBag
from veer.search.strategies.rarest import Rarest
from veer.search.strategies.registry import strategy
from veer.search.tree import Tree
from veer.wire.layout import NONE, TREE, Kind, State


def tree_of(
    sites: list[int],
    alternatives: list[int],
    parents: list[int] | None = None,
    taken: dict[int, int] | None = None,
    kinds: list[int] | None = None,
) -> Tree:
    """A tree whose node k + 1 has the k-th site and alternative; node 0 is the root; all but the root are OPEN."""
    count = len(sites) + 1
    arrays = {name: np.zeros(count, dtype) for name, dtype in TREE}
    arrays["site"][1:] = sites
    arrays["alternative"][1:] = alternatives
    arrays["literal"][1:] = np.arange(100, 100 + count - 1)
    arrays["kind"][1:] = kinds or int(Kind.BRANCH)
    arrays["parent"][1:] = parents or 0
    arrays["state"][:] = int(State.OPEN)
    arrays["state"][0] = int(State.TAKEN)
    edge_taken = np.zeros(64, np.uint32)
    for edge, times in (taken or {}).items():
        edge_taken[edge] = times
    return Tree(arrays, lambda: count, edge_taken)


def test_stack_gives_the_latest_first_across_chunks() -> None:
    stack = Chunks(latest_first=True)
    stack.push(np.array([1, 2, 3]))
    stack.push(np.array([], np.int64))
    stack.push(np.array([4]))
    assert stack.pop(2).tolist() == [4, 3]
    stack.push(np.array([5, 6]))
    assert len(stack) == 4
    assert stack.pop(9).tolist() == [6, 5, 2, 1]
    assert len(stack) == 0 and stack.pop(1).tolist() == []


def test_depth_first_takes_the_deepest_of_the_latest_path() -> None:
    tree = tree_of([0, 1, 2, 3, 4, 5], [0] * 6)
    dfs = DepthFirst()
    dfs.add(tree, np.array([1, 2, 3]))
    assert dfs.pick(tree, 1).tolist() == [3]
    dfs.add(tree, np.array([4, 5]))
    assert dfs.pick(tree, 3).tolist() == [5, 4, 2]
    assert dfs.pick(tree, 3).tolist() == [1]
    assert dfs.pick(tree, 3).tolist() == []


@pytest.mark.parametrize("name", ["dfs", "rarest"])
def test_nodes_that_left_the_state_are_not_picked(name: str) -> None:
    tree = tree_of([0, 1, 2, 3], [0] * 4)
    picker = strategy(name)
    picker.add(tree, np.arange(1, 5))
    tree.state[[2, 4]] = int(State.TAKEN)
    assert sorted(picker.pick(tree, 10).tolist()) == [1, 3]
    assert len(picker) == 0


@pytest.mark.parametrize("name", ["dfs", "rarest"])
def test_a_pick_is_filled_up_behind_nodes_that_left(name: str) -> None:
    tree = tree_of([0] * 6, [0] * 6)
    picker = strategy(name)
    picker.add(tree, np.arange(1, 7))
    tree.state[[5, 6]] = int(State.TAKEN)
    picked = picker.pick(tree, 2).tolist()
    assert len(set(picked)) == 2 and set(picked) <= {1, 2, 3, 4}


@pytest.mark.parametrize("name", ["dfs", "rarest"])
def test_a_strategy_can_rank_queued_nodes(name: str) -> None:
    tree = tree_of([0, 1], [0, 0])
    tree.state[2] = int(State.QUEUED)
    picker = strategy(name, State.QUEUED)
    picker.add(tree, np.array([1, 2]))
    assert picker.pick(tree, 5).tolist() == [2]


def test_rarest_takes_the_edge_that_was_taken_least() -> None:
    tree = tree_of([0, 1, 2], [0, 1, 0], taken={0: 9, 3: 2, 4: 5})
    rarest = Rarest()
    rarest.add(tree, np.array([1, 2, 3]))
    assert rarest.pick(tree, 1).tolist() == [2]
    assert rarest.pick(tree, 1).tolist() == [3]
    assert rarest.pick(tree, 1).tolist() == [1]


def test_rarest_does_not_try_an_infeasible_edge_for_ever() -> None:
    tree = tree_of([0] * 50 + [1] * 50, [0] * 100, taken={2: 3})
    rarest = Rarest()
    rarest.add(tree, np.arange(1, 101))
    picked = [int(rarest.pick(tree, 1)[0]) for _ in range(20)]
    assert {int(tree.site[node]) for node in picked[:3]} == {0}
    assert sum(int(tree.site[node]) == 1 for node in picked) == 8


def test_a_batch_of_rarest_rises_like_water() -> None:
    tree = tree_of([0] * 10 + [1] * 10 + [2] * 10, [0] * 30, taken={0: 1, 2: 4, 4: 9})
    rarest = Rarest()
    rarest.add(tree, np.arange(1, 31))
    picked = rarest.pick(tree, 9)
    assert picked.tolist() == sorted(picked.tolist())
    assert np.bincount(tree.site[picked], minlength=3).tolist() == [6, 3, 0]


def test_same_nodes_same_picks() -> None:
    tree = tree_of([k % 7 for k in range(200)], [k % 2 for k in range(200)], taken={k: k % 5 for k in range(14)})
    picks = []
    for _ in range(2):
        rarest = Rarest()
        rarest.add(tree, np.arange(1, 101))
        first = rarest.pick(tree, 30).tolist()
        rarest.add(tree, np.arange(101, 201))
        picks.append((first, rarest.pick(tree, 50).tolist(), rarest.pick(tree, 500).tolist()))
    assert picks[0] == picks[1]
    assert sorted(chain(*picks[0])) == list(range(1, 201))


def test_fill_agrees_with_taking_one_by_one() -> None:
    generator = np.random.default_rng(7)
    for _ in range(300):
        buckets = int(generator.integers(1, 9))
        costs = generator.integers(0, 12, buckets)
        sizes = generator.integers(0, 6, buckets)
        k = int(generator.integers(1, 25))
        slow_costs, slow = costs.copy(), np.zeros(buckets, np.int64)
        for _ in range(min(k, int(sizes.sum()))):
            best = min(np.flatnonzero(slow < sizes).tolist(), key=lambda b: (slow_costs[b], b))
            slow_costs[best] += 1
            slow[best] += 1
        assert fill(costs, sizes, k).tolist() == slow.tolist()


def test_an_unknown_strategy_is_a_usage_error_with_the_names() -> None:
    with pytest.raises(UsageError, match="bfs, coverage, dfs"):
        strategy("best")


def test_edges_of_choices_and_unknown_sites() -> None:
    tree = tree_of([3, 3, 3, NONE], [0, 1, 5, 1], kinds=[int(Kind.CHOICE)] * 4)
    assert tree.edges(np.arange(1, 5)).tolist() == [6, 7, 7, 0]


def test_a_pool_gives_each_id_once_whatever_the_sizes() -> None:
    pool, pushed, popped = NodeBag(3), 0, []
    generator = np.random.default_rng(5)
    for _ in range(200):
        more = int(generator.integers(0, 30))
        pool.push(np.arange(pushed, pushed + more))
        pushed += more
        popped += pool.pop(int(generator.integers(0, 35))).tolist()
        assert len(pool) == pushed - len(popped)
    popped += pool.pop(pushed).tolist()
    assert sorted(popped) == list(range(pushed)) and len(pool) == 0
    assert pool.pop(3).tolist() == []


def test_a_pool_is_random_by_its_seed() -> None:
    def order(seed: int) -> list[int]:
        pool = NodeBag(seed)
        pool.push(np.arange(100))
        return [int(pool.pop(1)[0]) for _ in range(100)]

    assert order(1) == order(1) != order(2)
    first = [order(seed)[0] for seed in range(200)]
    assert min(first) < 20 and max(first) > 80


def test_the_seed_changes_what_rarest_picks() -> None:
    tree = tree_of([0] * 100, [0] * 100)
    picks = []
    for seed in (1, 1, 2):
        rarest = Rarest(seed=seed)
        rarest.add(tree, np.arange(1, 101))
        picks.append([int(rarest.pick(tree, 1)[0]) for _ in range(10)])
    assert picks[0] == picks[1] != picks[2]
