"""Read-only view of the expression DAG (wire.layout NODE and LEAF) that native code grows while we look.

    id      2       3       4         5           operands always have smaller ids,
         LEAF 0  LEAF 1  ADD 2 3  ULT 4 2         so ascending ids are a topological order

Records are immutable once published (`node_count` is written last), so what was read may be kept.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from veer.model.errors import VeerError
from veer.wire.layout import FIRST_EXPRESSION, LEAF, NODE, TABLE, LeafKind, Op
from veer.wire.shared import Shared

_NODE = struct.Struct("<BBHIIIQII")
_CACHED_NODES = 1 << 18
_SET_OF_LEAVES = 1 << 31
_WIDEST = 64

if _NODE.size != NODE.itemsize or LEAF.itemsize != 32:
    raise AssertionError("smt/arena.py reads another layout than wire/layout.py defines")


class MalformedExpressionError(VeerError):
    """An expression breaks the rules of the arena (operands are older, widths fit): a fault of veer itself."""


class Node(NamedTuple):
    """One expression; see wire.layout.NODE. `op` is compared with `Op` members (IntEnum)."""

    op: int
    width: int
    flags: int
    a: int
    b: int
    c: int
    value: int
    support: int
    spare: int


class Leaf(Struct, frozen=True):
    """One input leaf. `low` and `high` bound its value, inclusive; both None where it is free."""

    index: int
    position: int  # byte offset in an input
    size: int  # bytes
    width: int
    signed: bool
    low: int | None
    high: int | None

    def read(self, data: bytes | bytearray) -> int:
        """Its unsigned value in an input; bytes beyond the end count as 0."""
        value = int.from_bytes(data[self.position : self.position + self.size], "little")
        return value & ((1 << self.width) - 1)

    def write(self, data: bytearray, value: int) -> None:
        """Set its value in an input, which is lengthened if needed."""
        missing = self.position + self.size - len(data)
        if missing > 0:
            data.extend(bytes(missing))
        data[self.position : self.position + self.size] = value.to_bytes(self.size, "little")

    def allows(self, value: int) -> bool:
        """Whether an unsigned value lies within the bounds."""
        if self.low is None or self.high is None:
            return True
        number = value - (1 << self.width) if self.signed and value >> (self.width - 1) else value
        return self.low <= number <= self.high


def _operand_count(op: Op) -> int:
    if op in (Op.NONE, Op.CONST, Op.LEAF, Op.SLOT, Op.UNWRITTEN, Op.DEFERRED):
        return 0
    if op in (Op.ITE, Op.UDIVL, Op.UREML, Op.FFMA):
        return 3
    unary = (Op.NOT, Op.ZEXT, Op.SEXT, Op.EXTRACT, Op.LOOKUP, Op.CTPOP, Op.FNEG, Op.FABS, Op.FSQRT)
    conversions = (Op.FPTOSI, Op.FPTOUI, Op.SITOFP, Op.UITOFP, Op.FPEXT, Op.FPTRUNC)
    rounding = (Op.FRINT, Op.FFLOOR, Op.FCEIL, Op.FTRUNC, Op.FROUND)
    return 1 if op in unary or op in conversions or op in rounding else 2


OPERAND_COUNT: dict[int, int] = {int(op): _operand_count(op) for op in Op}
"""How many of a, b, c are operands, by operator."""

_UNKNOWN_OPERATOR = 255
_COUNT_OF = np.full(256, _UNKNOWN_OPERATOR, np.uint8)
_COUNT_OF[list(OPERAND_COUNT)] = list(OPERAND_COUNT.values())
_COUNT_OF[Op.NONE] = _UNKNOWN_OPERATOR
_CHECKED_AT_ONCE = 1 << 18
_FIRST_OPERAND = 3  # index of `a` in a Node


def operands(node: Node) -> tuple[int, ...]:
    """Ids of a node's operands, a before b before c."""
    return node[_FIRST_OPERAND : _FIRST_OPERAND + OPERAND_COUNT[node.op]]


class Arena:
    """The DAG over the arrays of the shared memory, and the leaves.

    `nodes` and `leaves` are numpy arrays of NODE and LEAF records (the whole regions); the two getters say how many are
    published. `supports` is the region of leaf sets; without it supports are found by walking the DAG.
    `tables` is the region of the tables that LOOKUP reads.
    """

    def __init__(
        self,
        nodes: npt.NDArray[np.void],
        leaves: npt.NDArray[np.void],
        node_count: Callable[[], int],
        leaf_count: Callable[[], int],
        supports: npt.NDArray[np.uint32] | None = None,
        tables: npt.NDArray[np.uint64] | None = None,
    ) -> None:
        self._records = nodes
        self._checked = FIRST_EXPRESSION
        self._checked_leaves = 0
        self._bytes: memoryview = nodes.view(np.uint8).reshape(-1).data
        self._leaf_records = leaves
        self._supports = supports
        self._tables = np.zeros(0, np.uint64) if tables is None else tables
        self._entries: dict[int, npt.NDArray[np.unsignedinteger[Any]]] = {}
        self._node_count = node_count
        self._leaf_count = leaf_count
        self._nodes: dict[int, Node] = {}
        self._leaves: dict[int, Leaf] = {}
        self._support_of: dict[int, frozenset[int]] = {}
        self._support_of_word: dict[int, frozenset[int]] = {0: frozenset()}

    @classmethod
    def of(cls, shared: Shared) -> Arena:
        """The DAG of a campaign."""
        return cls(
            shared.region("nodes"),
            shared.region("leaves"),
            lambda: shared.count("nodes"),
            lambda: shared.count("leaves"),
            shared.region("supports"),
            shared.region("tables"),
        )

    def node(self, expression: int) -> Node:
        """The record of an expression; MalformedExpressionError if there is none of that id."""
        node = self._nodes.get(expression)
        if node is None:
            if not FIRST_EXPRESSION <= expression < self._node_count():
                raise MalformedExpressionError(f"There is no expression {expression} in the arena.")
            node = Node._make(_NODE.unpack_from(self._bytes, expression * _NODE.size))
            below = operands(node) if node.op in OPERAND_COUNT else (expression,)
            if below and (max(below) >= expression or min(below) < FIRST_EXPRESSION):
                raise MalformedExpressionError(f"Expression {expression} is malformed: {node}.")
            if len(self._nodes) >= _CACHED_NODES:
                self._nodes.clear()
            self._nodes[expression] = node
        return node

    def table(self, node: Node) -> npt.NDArray[np.unsignedinteger[Any]]:
        """The entries of the table that a LOOKUP reads; MalformedExpressionError if there is no such table."""
        entries = self._entries.get(node.b)
        if entries is None:
            entries = self._entries[node.b] = _read_table(self._tables, node.b)
        if 8 * entries.itemsize != node.width:
            raise MalformedExpressionError(f"{node} reads a table with entries of {entries.itemsize} bytes.")
        return entries

    def check_to(self, expression: int) -> None:
        """Checks all records up to this expression, each once, so that native code may follow them.

        Raises:
            MalformedExpressionError: there is no such expression, or a record does not obey the arena's rules.
        """
        if expression < self._checked:
            return
        count = self._node_count()
        if expression >= count or count > len(self._records):
            raise MalformedExpressionError(f"There is no expression {expression} in the arena.")
        leaves = min(self._leaf_count(), len(self._leaf_records))
        widths = self._leaf_records["width"][self._checked_leaves : leaves]
        if ((widths < 1) | (widths > _WIDEST)).any():
            raise MalformedExpressionError("An input leaf is wider than 64 bits or of no width.")
        self._checked_leaves = leaves
        while self._checked < count:
            last = min(count, self._checked + _CHECKED_AT_ONCE)
            records = self._records[self._checked : last]
            wrong = [*_malformed(records, self._checked, leaves).tolist(), *self._wrong_lookups(records)]
            if wrong:
                raise MalformedExpressionError(f"Expression {self._checked + wrong[0]} is malformed.")
            self._checked = last

    def _wrong_lookups(self, records: npt.NDArray[np.void]) -> list[int]:
        """Which of the records read a table that does not exist."""
        wrong: list[int] = []
        for position in np.flatnonzero(records["op"] == int(Op.LOOKUP)).tolist():
            try:
                self.table(Node._make(records[position].item()))
            except MalformedExpressionError:
                wrong.append(position)
        return wrong

    def leaf(self, index: int) -> Leaf:
        """An input leaf; MalformedExpressionError if there is none of that index."""
        leaf = self._leaves.get(index)
        if leaf is None:
            if not 0 <= index < self._leaf_count():
                raise MalformedExpressionError(f"There is no input leaf {index}.")
            leaf = self._leaves[index] = _leaf_of(index, self._leaf_records[index])
        return leaf

    def cone(self, expressions: Iterable[int]) -> list[int]:
        """Every expression that these depend on, themselves included, in topological order."""
        seen: set[int] = set()
        waiting = list(expressions)
        while waiting:
            expression = waiting.pop()
            if expression not in seen:
                seen.add(expression)
                waiting.extend(operands(self.node(expression)))
        return sorted(seen)

    def support(self, expression: int) -> frozenset[int]:
        """Indices of the leaves that an expression depends on (or more: a superset is sound)."""
        found = self._support_of.get(expression)
        if found is None:
            if len(self._support_of) >= _CACHED_NODES:
                self._support_of.clear()
            found = self._support_of[expression] = self._find_support(expression)
        return found

    def _find_support(self, expression: int) -> frozenset[int]:
        if self._supports is None:
            return frozenset(n.a for n in map(self.node, self.cone((expression,))) if n.op == Op.LEAF)
        word = self.node(expression).support
        known = self._support_of_word.get(word)
        if known is not None:
            return known
        found = self._read_support(expression, word, self._supports)
        if len(self._support_of_word) >= _CACHED_NODES:
            self._support_of_word = {0: frozenset()}
        self._support_of_word[word] = found
        return found

    def _read_support(self, expression: int, word: int, supports: npt.NDArray[np.uint32]) -> frozenset[int]:
        if not word & _SET_OF_LEAVES:
            return frozenset((word - 1,))
        index = word & ~_SET_OF_LEAVES
        size = int(supports[index]) if index < len(supports) else len(supports)
        members = supports[index + 1 : index + 1 + size].tolist()
        if len(members) != size or size > self._leaf_count():
            raise MalformedExpressionError(f"Expression {expression} has a support that is not in the table.")
        return frozenset(members)


def _malformed(records: npt.NDArray[np.void], first: int, leaf_count: int) -> npt.NDArray[np.intp]:
    """Which of the records, of the expressions from `first` on, native code could not follow."""
    ids = np.arange(first, first + len(records))
    counts = _COUNT_OF[records["op"]]
    wrong = (counts == _UNKNOWN_OPERATOR) | (records["width"] < 1) | (records["width"] > _WIDEST)
    wrong |= (records["op"] == int(Op.LEAF)) & (records["a"] >= leaf_count)
    for position, name in enumerate("abc"):
        operand = records[name]
        wrong |= (counts > position) & ((operand >= ids) | (operand < FIRST_EXPRESSION))
    return np.flatnonzero(wrong)


def _read_table(tables: npt.NDArray[np.uint64], number: int) -> npt.NDArray[np.unsignedinteger[Any]]:
    """The entries of a table of the region."""
    if 0 < number < len(tables):
        count, size = tables[number : number + 1].view(TABLE)[0].item()
        words = (count * size + 7) // 8
        if size in (1, 2, 4, 8) and count > 0 and number + 1 + words <= len(tables):
            return tables[number + 1 : number + 1 + words].view(f"u{size}")[:count]
    raise MalformedExpressionError(f"There is no table {number}.")


def _leaf_of(index: int, record: Any) -> Leaf:
    """A leaf from its record; bounds that say nothing (minimum > maximum, or the whole width) become None."""
    width = int(record["width"])
    signed = int(record["kind"]) == LeafKind.SIGNED
    low, high = int(record["minimum"]), int(record["maximum"])
    smallest, largest = 0, (1 << width) - 1
    if signed:
        low, high = _signed64(low), _signed64(high)
        smallest, largest = -(1 << (width - 1)), (1 << (width - 1)) - 1
    if width == 0 or width > 64:
        raise MalformedExpressionError(f"Input leaf {index} is {width} bits wide.")
    bounded = low <= high and (low > smallest or high < largest)
    if bounded and (low > largest or high < smallest):
        raise MalformedExpressionError(f"Input leaf {index} of {width} bits has the bounds {low} to {high}.")
    return Leaf(
        index=index,
        position=int(record["input_offset"]),
        size=(width + 7) // 8,
        width=width,
        signed=signed,
        low=max(low, smallest) if bounded else None,
        high=min(high, largest) if bounded else None,
    )


def _signed64(value: int) -> int:
    return value - (1 << 64) if value >> 63 else value
