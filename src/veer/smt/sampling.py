"""Random inputs near the parent, where a solver does not know: long arithmetic that one input in a hundred satisfies.

A formula that no solver decides (the digits of a checksum, a random generator's seed) is evaluated in microseconds, and
its evaluation is exact. What is found is a model like any other; what is not found says nothing.
"""

from __future__ import annotations

import struct
from random import Random
from time import monotonic

from veer.smt.arena import Leaf
from veer.smt.checking import Checker
from veer.smt.protocol import Answer, Query, Sat, Unknown

_TRIALS = 4096
_SECONDS = 0.25
_DOUBLE = 64  # bits
_AT_EDGES = 0.125
"""So many of the inputs have all of these leaves at an end of their range: sums of products overflow there alone."""


class SamplingSolver:
    """A link that only ever says Sat, or does not know; the same queries in the same order get the same answers."""

    def __init__(self, checker: Checker, seed: int = 0) -> None:
        self._checker = checker
        self._random = Random(seed)

    def solve(self, query: Query) -> Answer:
        """A model among some thousand random inputs, which differ from the parent in leaves that the query is over."""
        leaves = self._checker.leaves(query.literals)
        end = min(query.deadline, monotonic() + _SECONDS * min(1.0, query.patience))
        for _ in range(_TRIALS if leaves else 0):
            if monotonic() >= end:  # each time: a formula may be so large that its value takes a second
                break
            data = self._changed(query.parent, leaves)
            if self._checker.admits(query.literals, data):
                return Sat(data, "sampling")
        return Unknown("no random input was a model", "sampling")

    def _changed(self, parent: bytes, leaves: list[Leaf]) -> bytes:
        """The parent with other values in one leaf, some or all; what is of one size has it in all of these."""
        data = bytearray(parent)
        if self._random.random() < _AT_EDGES:
            for leaf in leaves:
                leaf.write(data, self._random.choice(_ends(leaf)))
            return bytes(data)
        count = self._random.choice((1, 1, 2, len(leaves)))
        size = self._random.random()
        for leaf in self._random.sample(leaves, min(count, len(leaves))):
            leaf.write(data, self._value(leaf, parent, size))
        return bytes(data)

    def _value(self, leaf: Leaf, parent: bytes, size: float) -> int:
        """Any bits, a number of that `size` (its share of the leaf's bits) or a small one, one near the parent's, or a
        double that people write; within the leaf's bounds."""
        random, width = self._random, leaf.width
        kind = random.randrange(5 if width == _DOUBLE else 4)
        if leaf.low is not None and leaf.high is not None and kind < 2:
            value = random.randint(leaf.low, leaf.high)
        elif kind == 0:
            value = random.getrandbits(width)
        elif kind == 1:
            bound = 1 << int(size * width)
            value = random.randrange(-bound, bound)
        elif kind == 2:
            value = random.randrange(-256, 256)
        elif kind == 3:
            value = leaf.read(parent) + random.randrange(-16, 17)
        else:
            value = int.from_bytes(struct.pack("<d", random.randrange(-4096, 4096) / 16), "little")
        return value & ((1 << width) - 1)


def _ends(leaf: Leaf) -> tuple[int, int]:
    """The least and the greatest value of a leaf, as its bits: those of a signed number where it has no bounds."""
    mask, sign = (1 << leaf.width) - 1, 1 << leaf.width - 1
    if leaf.low is not None and leaf.high is not None:
        return leaf.low & mask, leaf.high & mask
    return sign, sign - 1
