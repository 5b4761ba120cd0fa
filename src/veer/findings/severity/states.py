"""A state that callers only keep: a number behind a parameter that a function reads, and then sets for its next call.

unsigned decode(unsigned *state, int c) { return *state = next[*state + class[c]]; }      108 is none of its states

Where the code compares it, it has its own opinion of what may be there.
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.findings.severity.witness import Witness
from veer.model.outcome import Outcome
from veer.model.severity import Broken

_ENDINGS = (Outcome.BOUNDS_READ, Outcome.BOUNDS_WRITE, Outcome.SEGFAULT_WILD, Outcome.UNDEFINED)


def broken(witness: Witness) -> Iterator[Broken]:
    """Each such number that an access out of bounds, or an index, was computed of."""
    if witness.fault.outcome not in _ENDINGS or witness.is_arithmetic:
        return
    for held, value in witness.numbers:
        if held.place in witness.facts.states and held.place not in witness.facts.bounded:
            yield Broken(
                f"{held.words} is what a call left there",
                f"it needs `{held.words}` = {value.number}, which the code sets itself and never checks",
            )
