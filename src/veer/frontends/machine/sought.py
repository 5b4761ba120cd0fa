"""Places that a user names in machine code, as lines of the listing: an address, or FILE:LINE where debug info is.

An address is reached where the block of instructions is begun that it lies in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from veer.frontends.machine.descent import Routine
from veer.frontends.machine.dwarf import line_of
from veer.frontends.machine.function import leaders
from veer.frontends.machine.lift import Found
from veer.model.errors import UsageError


def places_of(what: Found, listing: Path, given: Sequence[str], option: str) -> tuple[str, ...]:
    """FILE:LINE of the listing for each. Raises UsageError for what no function of the entry's has."""
    return tuple(each for text in given for each in _one(what, listing, text, option))


def _one(what: Found, listing: Path, text: str, option: str) -> Iterator[str]:
    address = _number(text)
    found: list[str] = []
    for routine in what.routines:
        wanted = set(_addresses(what, routine, text, address))
        for block in _blocks(routine):
            if wanted & {*block}:
                found += [f"{listing}:{what.listing.lines[routine.code.address, at]}" for at in block]
    if not found:
        raise UsageError(f"{option} {text}: no function that the entry leads to has code there")
    yield from found


def _number(text: str) -> int | None:
    try:
        return int(text, 0)
    except ValueError:
        return None


def _addresses(what: Found, routine: Routine, text: str, address: int | None) -> Iterator[int]:
    """The instructions of that place."""
    for at, each in routine.instructions.items():
        if address is not None:
            if any(at <= address + base < at + each.length for base in {0, what.image.base}):
                yield at
        elif text == line_of(what.image, at):
            yield at


def _blocks(routine: Routine) -> Iterator[list[int]]:
    """Addresses of instructions that are run one after the other."""
    begins, block = leaders(routine), list[int]()
    for at in routine.addresses:
        if at in begins and block:
            yield block
            block = []
        block.append(at)
    yield block
