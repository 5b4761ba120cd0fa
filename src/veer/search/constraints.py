"""The path constraints of tree nodes, each told by what differs from the last one asked for.

    asked before   root ─ a ─ b ─ c ─ d         asked now   root ─ a ─ b ─ x
                          └─ kept ─┘                                   └─ walked

A path may have thousands of decisions, and neighbouring queries share most of them.
"""

from __future__ import annotations

from veer.model.errors import DamagedMemoryError
from veer.search.tree import Tree
from veer.smt.protocol import Literal
from veer.wire.layout import Kind


class PathConstraints:
    """Walks from nodes towards the root, as far as the last walk is not the same."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._parents: memoryview = tree.parent.data
        self._nodes: list[int] = []  # of the last path, from below the root
        self._places: dict[int, int] = {}  # node → its index in `_nodes`
        self._literals: list[Literal] = []
        self._lengths: list[int] = []  # of `_literals`, before each node

    def of(self, node: int) -> tuple[Literal, ...]:
        """The path constraint of a node, from the root to its own literal: (expression, polarity).

        Choices are no literals: the parent's input holds them.

        Raises:
            ExecutorError: the parents do not lead to the root, so the shared memory was overwritten.
        """
        new: list[int] = []
        count = self._tree.count
        while node and node not in self._places:
            new.append(node)
            parent = self._parents[node]
            if parent >= count or len(new) > count:
                raise DamagedMemoryError(f"the shared memory is damaged: the tree's node {node} has parent {parent}")
            node = parent
        self._cut(self._places[node] + 1 if node else 0)
        self._append(new[::-1])
        return tuple(self._literals)

    def _cut(self, length: int) -> None:
        for node in self._nodes[length:]:
            del self._places[node]
        if length < len(self._nodes):
            del self._literals[self._lengths[length] :]
        del self._nodes[length:], self._lengths[length:]

    def _append(self, nodes: list[int]) -> None:
        tree = self._tree
        rows = zip(
            nodes,
            tree.kind[nodes].tolist(),
            tree.literal[nodes].tolist(),
            (tree.alternative[nodes] == 1).tolist(),
            strict=True,
        )
        for node, kind, literal, holds in rows:
            self._places[node] = len(self._nodes)
            self._nodes.append(node)
            self._lengths.append(len(self._literals))
            if kind != Kind.CHOICE:
                self._literals.append((literal, holds))
