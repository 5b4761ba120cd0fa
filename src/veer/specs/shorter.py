"""Functions of bits with fewer operations: on a symbolic bit each one makes a term."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product

from veer.specs.machine import (
    FALSE,
    TRUE,
    Any,
    Bit,
    Both,
    Function,
    Input,
    Inverse,
    Register,
    both,
    either,
    inverse,
    value,
)

MOST_BITS = 5
"""Functions of more are left as they are."""

_Leaf = Input | Register
_Table = tuple[bool, ...]


def shorter(function: Function) -> Function:
    """An equal function that depends on no more than it must, and asks one bit after the other."""
    leaves = tuple(sorted(set(leaves_of(function)), key=_order))
    if len(leaves) > MOST_BITS:
        return function
    return _shortest(
        leaves, tuple(_value(function, leaves, bits) for bits in product((False, True), repeat=len(leaves)))
    )


def leaves_of(function: Function) -> Iterator[_Leaf]:
    """What it depends on, as it is written."""
    if isinstance(function, Input | Register):
        yield function
    elif isinstance(function, Inverse):
        yield from leaves_of(function.operand)
    elif isinstance(function, Both | Any):
        yield from leaves_of(function.left)
        yield from leaves_of(function.right)


def _order(leaf: _Leaf) -> tuple[bool, int]:
    return (True, leaf.number) if isinstance(leaf, Register) else (False, leaf.atom)


def _value(function: Function, leaves: tuple[_Leaf, ...], bits: _Table) -> bool:
    holds = [leaf for leaf, bit in zip(leaves, bits, strict=True) if bit]
    atoms = frozenset(leaf.atom for leaf in holds if isinstance(leaf, Input))
    numbers = {leaf.number for leaf in holds if isinstance(leaf, Register)}
    most = max((leaf.number for leaf in leaves if isinstance(leaf, Register)), default=-1)
    return value(function, atoms, tuple(number in numbers for number in range(most + 1)))


@cache
def _shortest(leaves: tuple[_Leaf, ...], table: _Table) -> Function:
    """`table`: the values, by the leaves as digits, the first one counting most."""
    if len(set(table)) == 1:
        return Bit(value=table[0])
    found: list[Function] = []
    for place, leaf in enumerate(leaves):
        rest = leaves[:place] + leaves[place + 1 :]
        below = 1 << len(leaves) - place - 1
        low = _shortest(rest, tuple(bit for n, bit in enumerate(table) if not n & below))
        high = _shortest(rest, tuple(bit for n, bit in enumerate(table) if n & below))
        if low == high:
            return low
        found.append(_chosen(leaf, low, high))
    return min(found, key=_operations)


def _chosen(leaf: _Leaf, low: Function, high: Function) -> Function:
    """`high` where the leaf holds, else `low`."""
    if FALSE in (low, high):
        return both(leaf, high) if low == FALSE else both(inverse(leaf), low)
    if TRUE in (low, high):
        return either(leaf, low) if high == TRUE else either(inverse(leaf), high)
    return either(both(leaf, high), both(inverse(leaf), low))


def _operations(function: Function) -> int:
    if isinstance(function, Inverse):
        return 1 + _operations(function.operand)
    if isinstance(function, Both | Any):
        return 1 + _operations(function.left) + _operations(function.right)
    return 0
