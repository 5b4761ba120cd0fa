"""The top of the execution tree as values, and the samples of a campaign's course."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from output_samples import program

from veer.search.history import History
from veer.search.snapshot import snapshot
from veer.wire.layout import NONE, PATH, Kind, Outcome, State

#   0 ─┬─ 1 (x > 0 false, ends)
#      └─ 2 (x > 0 true) ─┬─ 3 (p != NULL false, ends)
#                         └─ 4 (p != NULL true, open)
PARENT = [0, 0, 0, 2, 2]
CHILD = [1, 0, 3, 0, 0]
SIBLING = [0, 2, 0, 4, 0]
SITE = [NONE, 0, 0, 1, 1]
ALTERNATIVE = [0, 0, 1, 0, 1]
STATES = [State.TAKEN, State.TAKEN, State.TAKEN, State.TAKEN, State.OPEN]


class FakeShared:
    """The arrays of a tree of five nodes."""

    def __init__(self) -> None:
        self.forgotten_below = np.zeros(5, np.uint32)
        self._tree = {
            "parent": np.array(PARENT, np.uint32),
            "child": np.array(CHILD, np.uint32),
            "sibling": np.array(SIBLING, np.uint32),
            "site": np.array(SITE, np.uint32),
            "alternative": np.array(ALTERNATIVE, np.uint16),
            "kind": np.full(5, int(Kind.BRANCH), np.uint8),
            "state": np.array([int(state) for state in STATES], np.uint8),
        }

    def tree(self, name: str) -> Any:
        return self._tree[name]

    def count(self, name: str) -> int:
        return {"tree_parent": 5}[name]

    def published(self, name: str) -> Any:
        if name == "forgotten_below":
            return self.forgotten_below
        assert name == "paths"
        paths = np.zeros(2, PATH)
        paths["node"] = (1, 3)
        paths["outcome"] = (Outcome.RETURNED, Outcome.ABORTED)
        return paths


def test_a_whole_tree() -> None:
    nodes = snapshot(FakeShared(), program())  # type: ignore[arg-type]
    assert [(n.parent, n.text, n.side, n.state, n.below, n.outcome) for n in nodes] == [
        (-1, "testme", "", "taken", 4, ""),
        (0, "x > 0", "false", "taken", 0, "returned"),
        (0, "x > 0", "true", "taken", 2, ""),
        (2, "p != NULL", "false", "taken", 0, "abort"),
        (2, "p != NULL", "true", "open", 0, ""),
    ]


def test_what_is_left_out_is_counted() -> None:
    nodes = snapshot(FakeShared(), program(), most=3)  # type: ignore[arg-type]
    assert [(n.text, n.side, n.below) for n in nodes] == [
        ("testme", "", 4),
        ("x > 0", "false", 0),
        ("x > 0", "true", 2),
    ]


def test_what_was_forgotten_is_counted() -> None:
    shared = FakeShared()
    shared.forgotten_below[[1, 3]] = (10, 100)
    nodes = snapshot(shared, program(), most=3)  # type: ignore[arg-type]
    assert [node.below for node in nodes] == [114, 10, 102]


def test_damaged_links_end_a_snapshot() -> None:
    shared = FakeShared()
    shared.tree("sibling")[1] = 1  # to itself
    shared.tree("child")[2] = 4_000_000_000
    assert len(snapshot(shared, program(), most=10)) <= 10  # type: ignore[arg-type]


def test_history_is_dense_at_first_and_folds_what_is_flat() -> None:
    history = History()
    state = SimpleNamespace(taken=0)
    for step in range(100_000):
        seconds = step / 1000
        if history.is_due(seconds):
            state.taken += 1
            history.add(seconds, step, min(step, 50))
    assert state.taken < 2500
    covered = [sample.covered for sample in history.samples]
    assert covered == sorted(covered) and covered[-1] == 50
    assert covered.count(50) == 2 and history.samples[-1].seconds > 99
