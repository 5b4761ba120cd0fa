"""The pointers at which the code reads or writes as they are, or behind them: none of them is the end of a buffer.

*v->end++ = x;            v.end is touched, and v.limit is not
while (v->limit[-1])      what lies before a pointer says nothing
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.frontends.c.contracts.functionbody import is_constant
from veer.frontends.c.contracts.origins import Origins
from veer.model.unitfacts import Place, PlaceKind

_LONGEST = 8


def touched(functions: Sequence[Origins]) -> frozenset[Place]:
    """Members that hold such pointers."""
    return frozenset(place for function in functions for place in _of_function(function))


def _of_function(function: Origins) -> Iterator[Place]:
    for instruction in function.body.instructions():
        if instruction.opcode not in ("load", "store"):
            continue
        address = instruction.operands[instruction.opcode == "store"].value
        pointer = _counted_from(function, address)
        if pointer and function.made(pointer, "load") is not None:
            yield from (each for each in function.of(pointer) if each.kind is PlaceKind.FIELD)


def _counted_from(function: Origins, address: str) -> str:
    """The pointer that an address is counted from; "" where it lies before that, or is a member."""
    for _ in range(_LONGEST):
        made = function.made(address, "getelementptr")
        if made is None:
            return address
        index = made.operands[-1].value
        if function.field(address) is not None or (is_constant(index) and int(index) < 0):
            return ""
        address = made.operands[0].value
    return ""
