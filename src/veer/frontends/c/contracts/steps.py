"""Lengths that the code goes along in blocks: what is behind the last whole block, it leaves to its callers.

for (i = 0; i < length; i += 16) { cipher(buf); buf += 16; }       `length` is a multiple of 16
while (length) { hash(in); in += 64; length -= 64; }               of 64

Steps of 2 and 4 are those of decoders of digits, which have to expect an odd end.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veer.frontends.c.contracts.functionbody import FunctionBody
from veer.frontends.c.contracts.origins import Origins
from veer.model.unitfacts import Place, parameter_place

LEAST_BLOCK = 8


def steps(functions: Sequence[Origins]) -> tuple[tuple[Place, int], ...]:
    """The parameters that say how many elements there are, of functions that go along these by blocks of so many."""
    found = {place: step for each in functions for place, step in _steps_of(each.name, each.body)}
    return tuple(sorted(found.items()))


def _steps_of(name: str, body: FunctionBody) -> Iterator[tuple[Place, int]]:
    for compared in body.comparisons():
        slots = [body.slot(compared.left), body.slot(compared.right)]
        for length, counter in (slots, reversed(slots)):
            step = _step(body, counter)
            if length in body.parameters and counter not in body.parameters and step >= LEAST_BLOCK:
                yield parameter_place(name, body.parameters[length]), step
    for slot, parameter in body.parameters.items():
        if _step(body, slot) <= -LEAST_BLOCK and not _is_left_over(body, slot, -_step(body, slot)):
            yield parameter_place(name, parameter), -_step(body, slot)


def _step(body: FunctionBody, slot: str) -> int:
    """By how much a variable is moved where it is moved by a constant, and by none but one; 0 for none."""
    moves = {step for value in body.stores.get(slot, ()) if (step := body.step(slot, value))}
    return moves.pop() if len(moves) == 1 else 0


def _is_left_over(body: FunctionBody, slot: str, step: int) -> bool:
    """Whether the code asks for a whole block, `while (length >= 16)`, and so knows of a rest."""
    numbers = (
        each.right if body.slot(each.left) == slot else each.left
        for each in body.comparisons()
        if slot in (body.slot(each.left), body.slot(each.right))
    )
    return any(number in (str(step), str(step - 1)) for number in numbers)
