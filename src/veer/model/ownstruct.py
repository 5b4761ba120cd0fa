"""How the objects come to be that call sequences work on.

Options hold them, which `veer test --help` loads without msgspec: so they are a dataclass (decision 0407).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Making(StrEnum):
    """How the objects of a pool come to be."""

    RETURNED = "returned"  # by a function of the sequence, which returns a pointer to it
    INITIALISED = "initialised"  # a block, made for each call of a function that initialises it: zeros if that wrote it
    ZEROS = "zeros"  # one block of zeros
    VALUE = "value"  # a pointer, NULL at first: what functions return takes the place of what they were given


@dataclass(frozen=True, slots=True)
class OwnStruct:
    """A struct of a sequence that is never an input: calls work on what calls have made.

    `name` as places have it; `makers`: the functions that make its objects, each with the parameter that leads to a new
    one, or that it is delivered by where the making is RETURNED ("": it returns them).
    """

    name: str
    making: Making
    makers: tuple[tuple[str, str], ...]
