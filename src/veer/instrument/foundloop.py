"""A loop that can be a unit of summary of its own, as loops.py finds it and loopunits.py writes it."""

from __future__ import annotations

from msgspec import Struct

from veer.instrument.lexer import Operand
from veer.model.loops import Loop


class Exit(Struct, frozen=True):
    """An edge out of a loop."""

    source: int  # index of the block
    side: int  # of its branch


class LeavingValue(Struct, frozen=True):
    """A value that is used behind the loop; `base`: of a pointer, the input that it is computed from."""

    operand: Operand
    block: int
    base: int = -1


class LoopUnit(Struct, frozen=True):
    """A loop of a function. `phis` of the header: the input that each has its first value from, or that constant."""

    header: int
    body: tuple[int, ...]
    exits: tuple[Exit, ...]
    phis: dict[str, int | str]
    inputs: tuple[
        Operand, ...
    ]  # what they are outside; those of `merged`: a phi of the header with several values there
    merged: frozenset[int]
    leaving: tuple[LeavingValue, ...]
    available: tuple[frozenset[str], ...]  # by exit: the values of `leaving` that are defined there
    loop: Loop
