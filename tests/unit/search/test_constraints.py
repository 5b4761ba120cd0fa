"""Path constraints of tree nodes, on trees built by hand."""

from __future__ import annotations

import random

import numpy as np
import pytest

from veer.model.errors import ExecutorError
from veer.search.constraints import PathConstraints
from veer.search.tree import Tree
from veer.wire.layout import TREE, Kind


def tree_of(parents: list[int], kinds: list[Kind], alternatives: list[int]) -> Tree:
    """Node k + 1 has the k-th parent, kind and alternative, and the literal 100 + k."""
    arrays = {name: np.zeros(len(parents) + 1, dtype) for name, dtype in TREE}
    arrays["parent"][1:] = parents
    arrays["kind"][1:] = [int(kind) for kind in kinds]
    arrays["alternative"][1:] = alternatives
    arrays["literal"][1:] = np.arange(100, 100 + len(parents))
    return Tree(arrays, lambda: len(parents) + 1, np.zeros(8, np.uint32))


def test_choices_are_left_out() -> None:
    constraints = PathConstraints(tree_of([0, 1, 2], [Kind.BRANCH, Kind.CHOICE, Kind.CHECK], [1, 4, 0]))
    assert constraints.of(3) == ((100, True), (102, False))
    assert constraints.of(2) == ((100, True),)
    assert constraints.of(0) == ()


def test_a_damaged_tree_is_an_error_not_a_crash() -> None:
    kinds, sides = [Kind.BRANCH, Kind.BRANCH], [1, 1]
    for parents in ([0, 1000], [2, 1]):
        with pytest.raises(ExecutorError, match="damaged"):
            PathConstraints(tree_of(parents, kinds, sides)).of(2)


def test_what_was_asked_before_changes_nothing() -> None:
    source = random.Random(4)
    size = 300
    parents = [source.randrange(max(0, k - 6), k + 1) for k in range(size)]
    kinds = [source.choice([Kind.BRANCH, Kind.GUARD, Kind.CHOICE]) for _ in range(size)]
    tree = tree_of(parents, kinds, [source.randrange(3) for _ in range(size)])
    constraints = PathConstraints(tree)
    for _ in range(500):
        node = source.randrange(size + 1)
        assert constraints.of(node) == _from_scratch(tree, node)


def _from_scratch(tree: Tree, node: int) -> tuple[tuple[int, bool], ...]:
    found = []
    while node:
        if tree.kind[node] != Kind.CHOICE:
            found.append((int(tree.literal[node]), bool(tree.alternative[node] == 1)))
        node = int(tree.parent[node])
    return tuple(reversed(found))
