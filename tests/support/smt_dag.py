"""Expression DAGs made by hand: numpy arrays of wire.layout records, hash-consed, but not simplified."""

from __future__ import annotations

import numpy as np

from veer.smt.arena import OPERAND_COUNT, Arena
from veer.wire.layout import FIRST_EXPRESSION, LEAF, NODE, LeafKind, Op

_COMPARISONS = frozenset((Op.EQ, Op.ULT, Op.ULE, Op.SLT, Op.SLE, Op.FOEQ, Op.FOLT, Op.FOLE, Op.FUNO))
MASK64 = (1 << 64) - 1


class ArenaBuilder:
    """Makes leaves and expressions; `arena` is a live view of them, with the table of leaf sets if `supports`."""

    def __init__(self, capacity: int = 1 << 14, *, supports: bool = True) -> None:
        self.nodes = np.zeros(capacity, NODE)
        self.leaves = np.zeros(4096, LEAF)
        self.supports = np.zeros(1 << 16, np.uint32)
        self.tables = np.zeros(1 << 16, np.uint64)
        self.table_words = 1
        self.node_count = FIRST_EXPRESSION
        self.leaf_count = 0
        self.input_bytes = 0
        self._support_count = 0
        self._support_index: dict[tuple[int, ...], int] = {}
        self._support_of: dict[int, tuple[int, ...]] = {}
        self._known: dict[tuple[int, ...], int] = {}
        self.arena = Arena(
            self.nodes,
            self.leaves,
            lambda: self.node_count,
            lambda: self.leaf_count,
            self.supports if supports else None,
            self.tables,
        )

    def leaf(self, width: int, kind: LeafKind = LeafKind.UNSIGNED, bounds: tuple[int, int] = (1, 0)) -> int:
        """A new input leaf behind the last one; its expression. `bounds` may be negative if the kind is SIGNED."""
        index = self.leaf_count
        low, high = bounds
        self.leaves[index] = (0, 0, self.input_bytes, width, kind, 0, low & MASK64, high & MASK64)
        self.leaf_count += 1
        self.input_bytes += (width + 7) // 8
        return self.make(Op.LEAF, width, index)

    def constant(self, width: int, value: int) -> int:
        """A constant; the value is cut to the width."""
        return self.make(Op.CONST, width, value=value & ((1 << width) - 1))

    def look_up(self, index: int, entries: list[int], width: int) -> int:
        """A LOOKUP of a table of its own, with entries of 8, 16, 32 or 64 bits."""
        data = b"".join(entry.to_bytes(width // 8, "little") for entry in entries)
        words = np.frombuffer(data + bytes(-len(data) % 8), np.uint64)
        number = self.table_words
        self.tables[number] = len(entries) | (width // 8) << 32
        self.tables[number + 1 : number + 1 + len(words)] = words
        self.table_words += 1 + len(words)
        return self.make(Op.LOOKUP, width, index, number)

    def make(self, op: Op, width: int, a: int = 0, b: int = 0, c: int = 0, value: int = 0) -> int:
        """The expression with this record, a new one or the one that exists."""
        key = (op, width, a, b, c, value)
        known = self._known.get(key)
        if known is not None:
            return known
        expression = self.node_count
        members = (a,) if op == Op.LEAF else self._union((a, b, c)[: OPERAND_COUNT[op]])
        self._support_of[expression] = members
        self.nodes[expression] = (op, width, 0, a, b, c, value, self._support_word(members), 0)
        self.node_count += 1
        self._known[key] = expression
        return expression

    def compare(self, op: Op, a: int, b: int) -> int:
        """A comparison, of width 1."""
        assert op in _COMPARISONS
        return self.make(op, 1, a, b)

    def binary(self, op: Op, a: int, b: int) -> int:
        """An operation whose result is as wide as its operands."""
        return self.make(op, self.width(a), a, b)

    def equals(self, a: int, value: int) -> int:
        """The comparison of an expression with a constant."""
        return self.compare(Op.EQ, a, self.constant(self.width(a), value))

    def width(self, expression: int) -> int:
        """Width of an expression in bits."""
        return int(self.nodes["width"][expression])

    def _union(self, operands: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(sorted(set().union(*(self._support_of[operand] for operand in operands))))

    def _support_word(self, members: tuple[int, ...]) -> int:
        if len(members) < 2:
            return members[0] + 1 if members else 0
        index = self._support_index.get(members)
        if index is None:
            index = self._support_index[members] = self._support_count
            self.supports[index] = len(members)
            self.supports[index + 1 : index + 1 + len(members)] = members
            self._support_count += 1 + len(members)
        return 1 << 31 | index
