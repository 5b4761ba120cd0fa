"""Products and sums that processors round once: SLEIGH has two operations for them, each of which rounds.

    fmsub d0,d1,d2,d3        t = FLOAT_MULT d1 d2         ->       u = COPY d1, v = COPY d2
                             d0 = FLOAT_SUB d3 t                   w = FLOAT_NEG u
                                                                   d0 = FLOAT_FMA w v d3

PowerPC rounds the sum of `fmadds` to 32 bits: it is calculated in 32 bits from the beginning.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from veer.frontends.machine.decoder import UNIQUE, Operation, Varnode

FUSED = "FLOAT_FMA"
"""An operation that p-code does not have: a * b + c, rounded once."""
_TEXT = re.compile(r"fn?m(?:add|sub)|fml[as] |vfn?m[as]\.")
_OWN = 0xF1000000
"""Where temporaries of SLEIGH's and of corrections.py never lie."""
_SINGLE = 4


class _Product(Struct, frozen=True):
    """Of two numbers, or what is less than 0 by it."""

    left: Varnode
    right: Varnode
    is_negative: bool = False

    def negated(self) -> _Product:
        """Below 0 where it is above."""
        return _Product(self.left, self.right, not self.is_negative)


def is_fused(text: str) -> bool:
    """Whether an instruction, by its disassembly, is one of these."""
    return _TEXT.match(text) is not None


def fused(operations: tuple[Operation, ...]) -> tuple[Operation, ...]:
    """The operations of such an instruction, with one rounding."""
    return tuple(_Writer(operations).write())


class _Writer:
    """Writes the operations of one instruction anew."""

    def __init__(self, operations: tuple[Operation, ...]) -> None:
        self._operations = operations
        self._products: dict[Varnode, _Product] = {}
        self._made = 0
        is_cut = any(each.name == "FLOAT_FLOAT2FLOAT" and _size(each) == _SINGLE for each in operations)
        self._cut = _SINGLE if is_cut else 0

    def write(self) -> Iterator[Operation]:
        """All of them."""
        for each in self._operations:
            products = [self._products.get(given) for given in each.inputs]
            known = next((product for product in products if product is not None), None)
            if each.output is not None and each.name == "FLOAT_MULT":
                left, right = (self._new(given.size) for given in each.inputs)
                yield Operation("COPY", left, each.inputs[:1])  # a sum of other lanes may write it
                yield Operation("COPY", right, each.inputs[1:])
                self._products[each.output] = _Product(left, right)
            elif known is not None and each.output is not None and each.name == "FLOAT_NEG":
                self._products[each.output] = known.negated()
            elif known is not None and each.name == "FLOAT_ADD":
                yield from self._sum(each, known, each.inputs[1 - products.index(known)])
            elif known is not None and each.name == "FLOAT_SUB" and products[1] is known:
                yield from self._sum(each, known.negated(), each.inputs[0])
            elif known is not None and each.name == "FLOAT_SUB":
                added = self._new(each.inputs[1].size)
                yield Operation("FLOAT_NEG", added, each.inputs[1:])
                yield from self._sum(each, known, added)
            else:
                yield each

    def _sum(self, old: Operation, product: _Product, added: Varnode) -> Iterator[Operation]:
        left = product.left
        if product.is_negative:
            left = self._new(left.size)
            yield Operation("FLOAT_NEG", left, (product.left,))
        given = (left, product.right, added)
        if not self._cut or self._cut == left.size:
            yield Operation(FUSED, old.output, given)
            return
        cut = tuple(self._new(self._cut) for _ in given)
        yield from (Operation("FLOAT_FLOAT2FLOAT", new, (whole,)) for new, whole in zip(cut, given, strict=True))
        total = self._new(self._cut)
        yield Operation(FUSED, total, cut)
        yield Operation("FLOAT_FLOAT2FLOAT", old.output, (total,))

    def _new(self, size: int) -> Varnode:
        self._made += 1
        return Varnode(UNIQUE, _OWN + 16 * self._made, size)


def _size(operation: Operation) -> int:
    return operation.output.size if operation.output is not None else 0
