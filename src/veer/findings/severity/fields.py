"""A number in a struct that no function of the unit stores there.

r->head = (r->head + 1u) % 16;      0 .. 15 are stored; an input with head = 65535 is no ring that the unit has made
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Held, Misfit, Witness
from veer.model.inputs import Scalar
from veer.model.severity import Broken
from veer.model.unitfacts import NAMELESS, Stored

_MOST_TRIED = 16
"""Values of one number."""


def broken(witness: Witness) -> Iterator[Broken]:
    """Each number that the run looked at and that the unit does not store in its field."""
    for held, value, known in _not_stored(witness):
        yield Broken(
            f"{known.place.owner}.{known.place.member} is {span(known)}",
            f"it needs `{held.words}` = {value.number}, and the code stores {span(known)} there",
        )


def outside(witness: Witness) -> Iterator[Misfit]:
    """The same numbers, each with some that the unit stores there."""
    yield from (Misfit(held, value, candidates(known)) for held, value, known in _not_stored(witness))


def span(stored: Stored) -> str:
    """The numbers that the unit stores, in words: `0..15`."""
    return f"{stored.low}..{stored.high}" if stored.low != stored.high else f"{stored.low}"


def candidates(stored: Stored) -> tuple[int, ...]:
    """Numbers that the unit stores: the ends, then those between, the greatest first."""
    between = range(stored.high - 1, stored.low, -1)
    return tuple(dict.fromkeys((stored.high, stored.low, *between[:_MOST_TRIED])))


def _not_stored(witness: Witness) -> Iterator[tuple[Held, Scalar, Stored]]:
    """The numbers that the run looked at and that are none that the unit stores, each with what it stores.

    Structs without a name are one in the facts: what is stored in one of them says nothing of the others.
    """
    stored = {each.place: each for each in witness.facts.stored if each.place.owner != NAMELESS}
    for held, value in witness.numbers:
        known = stored.get(held.place) if held.place is not None else None
        if known is not None and not any(known.low <= number <= known.high for number in (value.number, value.bits)):
            yield held, value, known
